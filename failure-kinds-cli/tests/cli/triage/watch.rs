//! `triage --watch`.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::input::gzip;
use super::triage;
use crate::support::Folder;

/// A watch that runs. A test that fails ends it.
struct Watching(Child);

impl Watching {
    fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    fn press_ctrl_c(&self) {
        kill_process(Pid::from_child(&self.0), Signal::INT).unwrap();
    }

    fn code(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It has ended already, unless the test fails.
        let _ = self.0.kill();
    }
}

fn command(path: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(snapbox::cmd::cargo_bin!("failure-kinds"));
    command.arg("triage").arg(path).args(["--watch", "1"]).args(args).env_remove("COLUMNS");
    command
}

/// A watch whose output is read as lines.
fn lines(path: &Path, args: &[&str]) -> (Watching, Lines<ChildStdout>, Lines<ChildStderr>) {
    let mut command = command(path, args);
    let mut watching = Watching::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let stdout = Lines(BufReader::new(watching.0.stdout.take().unwrap()));
    let stderr = Lines(BufReader::new(watching.0.stderr.take().unwrap()));
    (watching, stdout, stderr)
}

struct Lines<R>(BufReader<R>);

impl<R: Read> Lines<R> {
    fn next(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The next line without its time.
    fn next_change(&mut self) -> String {
        let line = self.next();
        let (time, change) = line.split_once(' ').unwrap();
        let parsed = chrono::DateTime::parse_from_rfc3339(time).unwrap();
        assert!(time.ends_with('Z') && parsed.timestamp_subsec_nanos() == 0, "{time}");
        change.to_owned()
    }
}

fn row(task: u8, kind: &str) -> String {
    format!(
        "{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"_ng_failure_class\":\"{kind}\"}}\n"
    )
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_line_for_each_change_until_ctrl_c() {
    let folder = Folder::new();
    let run = folder.path().join("run");
    let (mut watching, mut changes, mut notes) = lines(&run, &[]);
    // It waits for files that are not there yet.
    assert!(notes.next().starts_with("waiting: cannot read `"));
    fs::create_dir(&run).unwrap();
    assert!(notes.next().contains("holds no run"));
    let inventory: String = (0..5).map(|task| row(task, "x")).collect();
    let sidecar = run.join("r_failures.jsonl");
    fs::write(run.join("r_materialized_inputs.jsonl"), inventory).unwrap();
    fs::write(&sidecar, row(0, "judge_failed")).unwrap();
    assert_eq!(changes.next_change(), "1 of 5 rollouts seen, 1 failed, judge_failed +1");
    append(&sidecar, &(row(1, "judge_failed") + &row(2, "agent_timeout")));
    assert_eq!(
        changes.next_change(),
        "3 of 5 rollouts seen, 3 failed, agent_timeout +1, judge_failed +1"
    );
    // A row is read when its end is written.
    let next = row(3, "agent_timeout");
    append(&sidecar, &next[..20]);
    append(&run.join("r.jsonl"), "{\"_ng_task_index\":0,\"_ng_rollout_index\":0,\"reward\":1}\n");
    assert_eq!(changes.next_change(), "3 of 5 rollouts seen, 2 failed");
    append(&sidecar, &next[20..]);
    assert_eq!(changes.next_change(), "4 of 5 rollouts seen, 3 failed, agent_timeout +1");
    // Truncated, replaced, and compressed.
    fs::write(&sidecar, row(1, "judge_failed")).unwrap();
    assert_eq!(changes.next_change(), "2 of 5 rollouts seen, 1 failed");
    let other = folder.write("other", row(1, "judge_failed") + &row(4, "session_lost"));
    fs::rename(other, &sidecar).unwrap();
    assert_eq!(changes.next_change(), "3 of 5 rollouts seen, 2 failed, session_lost +1");
    let text = fs::read_to_string(&sidecar).unwrap() + &row(3, "session_lost");
    fs::write(run.join("r_failures.jsonl.gz"), gzip(text)).unwrap();
    fs::remove_file(&sidecar).unwrap();
    assert_eq!(changes.next_change(), "4 of 5 rollouts seen, 3 failed, session_lost +1");

    watching.press_ctrl_c();
    assert_eq!(watching.code(), Some(0));
    assert_eq!((changes.next(), notes.next()), (String::new(), String::new()));
}

#[test]
fn a_condition_of_fail_on_ends_it() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &["{\"failure_kind\":\"judge_failed\"}"]);
    let (mut watching, mut changes, mut notes) = lines(&file, &["--fail-on", "unregistered"]);
    assert_eq!(changes.next_change(), "0 rollouts seen, 0 failed, judge_failed +1");
    append(&file, "{\"failure_kind\":\"judge_faild\"}\n");
    assert_eq!(changes.next_change(), "0 rollouts seen, 0 failed, judge_faild +1");
    assert_eq!(watching.code(), Some(1));
    assert_eq!(notes.next(), "error: failing on `unregistered`: 1 row with unregistered names");
}

#[test]
fn it_ends_when_the_pipe_is_closed() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[row(0, "x").trim_end()]);
    let (mut watching, mut changes, _notes) = lines(&file, &[]);
    changes.next_change();
    drop(changes);
    append(&file, &row(1, "x"));
    assert_eq!(watching.code(), Some(0));
}

#[test]
fn what_cannot_be_watched() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &["{}"]);
    let file = file.to_str().unwrap();
    for (args, why) in [
        (&["-", "--watch"][..], "`-` cannot be watched: it can be read only once"),
        (&["/dev/null", "--watch"], "`/dev/null` cannot be watched: it can be read only once"),
        (&[file, "--watch", "0"], "expected a number of seconds from 1"),
        (&["--watch", file], "write paths before it"),
        (&[file, "--watch", "--format", "json"], "cannot be used with"),
        (&[file, "--watch", "--out", "x"], "cannot be used with"),
    ] {
        let ran = triage(args);
        assert_eq!((ran.code, &*ran.stdout), (2, ""));
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
}

/// A terminal of 24 lines of 80 characters, and the end that a program writes to.
fn terminal() -> (File, File) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&controller, size).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let program = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(controller), program)
}

/// What the terminal shows.
struct Screen {
    output: File,
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Screen {
    /// Reads until the whole of a text is shown.
    fn wait_for(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        while !self.screen.screen().contents().contains(text) {
            let length = self.output.read(&mut buffer).unwrap();
            self.raw.extend(&buffer[..length]);
            self.screen.process(&buffer[..length]);
        }
    }

    fn lines(&self) -> Vec<String> {
        self.screen.screen().contents().lines().map(str::to_owned).collect()
    }
}

#[test]
fn a_terminal_shows_the_report_in_place() {
    let folder = Folder::new();
    let run = folder.path().join("run");
    let (output, program) = terminal();
    let mut command = command(&run, &[]);
    command.stdin(Stdio::null()).stderr(program.try_clone().unwrap()).stdout(program);
    let mut watching = Watching::start(&mut command);
    // What the test does not need keeps the terminal open.
    drop(command);
    let mut screen = Screen { output, screen: vt100::Parser::new(24, 80, 1000), raw: Vec::new() };
    screen.wait_for("every 1 s until Ctrl-C");
    assert!(screen.lines()[0].starts_with("  waiting: cannot read `"), "{:?}", screen.lines());

    fs::create_dir(&run).unwrap();
    let sidecar = run.join("r_failures.jsonl");
    // More kinds than lines, some with names that are wider than the terminal.
    let rows: String = (0..60)
        .map(|task| row(task, &format!("kind_{task}_{}", "x".repeat(task.into()))))
        .collect();
    fs::write(&sidecar, rows).unwrap();
    screen.wait_for("60 of 60 seen failed");
    screen.wait_for("every 1 s until Ctrl-C");
    let lines = screen.lines();
    assert_eq!(lines.len(), 23, "the cursor is on the last line: {lines:?}");
    assert!(lines[0].starts_with("ROLLOUTS: 60 of 60 seen failed"), "{lines:?}");
    assert!(lines[22].contains(" more lines without `--watch` · every 1 s until Ctrl-C"));

    append(&sidecar, &row(60, "judge_failed"));
    screen.wait_for("61 of 61 seen failed");
    screen.wait_for("every 1 s until Ctrl-C");
    let lines = screen.lines();
    assert!(lines[0].starts_with("ROLLOUTS: 61 of 61 seen failed"), "{lines:?}");
    // In place: nothing is scrolled away, and nothing is erased before it is drawn.
    screen.screen.screen_mut().set_scrollback(usize::MAX);
    assert_eq!(screen.screen.screen().scrollback(), 0);
    let raw = String::from_utf8_lossy(&screen.raw);
    assert!(!raw.contains("\x1b[2J") && !raw.contains("\x1b[2K"), "{raw:?}");

    watching.press_ctrl_c();
    assert_eq!(watching.code(), Some(0));
}

#[test]
fn a_terminal_gets_no_styles_against_no_color() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[row(0, "judge_failed").trim_end()]);
    for (no_color, is_styled) in [("", true), ("1", false)] {
        let (output, program) = terminal();
        let mut command = command(&file, &[]);
        command.env("NO_COLOR", no_color).env("TERM", "xterm").stdin(Stdio::null());
        command.stderr(program.try_clone().unwrap()).stdout(program);
        let mut watching = Watching::start(&mut command);
        drop(command);
        let mut screen = Screen { output, screen: vt100::Parser::new(24, 80, 0), raw: Vec::new() };
        screen.wait_for("every 1 s until Ctrl-C");
        watching.press_ctrl_c();
        assert_eq!(watching.code(), Some(0));
        let raw = String::from_utf8_lossy(&screen.raw);
        assert_eq!(raw.contains("\x1b[1m"), is_styled, "{raw:?}");
    }
}
