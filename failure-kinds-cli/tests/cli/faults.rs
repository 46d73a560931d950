//! Faults of the machine, in both commands that write: no wrong number, no half-written file
//! under the final name, and a clear sentence.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use crate::support::Folder;

const ROW: &str = "{\"failure_kind\":\"judge_failed\"}\n";
const LEGACY: &str = "f(failure_kind='timeout_exceeded')\n";

/// The command, under these settings of a shell.
fn under(settings: &str, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{settings} exec \"$0\" \"$@\"")]);
    command.arg(snapbox::cmd::cargo_bin!("failure-kinds"));
    command.args(args).current_dir(folder).env("COLUMNS", "100").env("LC_ALL", "C");
    command
}

fn run(settings: &str, folder: &Path, args: &[&str]) -> Output {
    under(settings, folder, args).output().unwrap()
}

/// The exit code and the text on standard error.
#[track_caller]
fn ended(output: &Output, code: i32, stderr: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// No file may grow beyond 512 bytes, and the program is told so instead of being ended: as on a
/// disk that is full.
const FULL: &str = "trap '' XFSZ; ulimit -f 1;";

#[test]
fn a_full_disk_keeps_the_report_that_was_there() {
    let folder = Folder::new();
    // A report that is longer than the disk has room for.
    let rows: String = (0..99).map(|n| format!("{{\"failure_kind\":\"name{n}\"}}\n")).collect();
    folder.write("rows.jsonl", rows);
    folder.write("report.json", "old");
    for format in ["json", "text", "csv", "markdown"] {
        let args = ["triage", "rows.jsonl", "--format", format, "--out", "report.json"];
        ended(
            &run(FULL, folder.path(), &args),
            2,
            "error: cannot write `report.json`: File too large (os error 27)\n",
        );
        assert_eq!(fs::read_to_string(folder.path().join("report.json")).unwrap(), "old");
    }
    let args = ["triage", "rows.jsonl", "--out", "new.txt"];
    ended(
        &run(FULL, folder.path(), &args),
        2,
        "error: cannot write `new.txt`: File too large (os error 27)\n",
    );
    assert_eq!(names(folder.path()), ["report.json", "rows.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_a_fault() {
    let folder = Folder::new();
    folder.write("rows.jsonl", ROW);
    ended(
        &run("", folder.path(), &["triage", "rows.jsonl", "--out", "/dev/full"]),
        2,
        "error: cannot write `/dev/full`: No space left on device (os error 28)\n",
    );
    for args in [&["--help"][..], &["--version"], &["triage", "--help"], &["list"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = under("", folder.path(), args).stdout(full).output().unwrap();
        ended(
            &output,
            2,
            "error: cannot write to standard output: No space left on device (os error 28)\n",
        );
    }
}

#[test]
fn a_full_disk_keeps_the_source_that_was_there() {
    let folder = Folder::new();
    let long = format!("{LEGACY}{}", "# more\n".repeat(200));
    folder.write("long.py", &long);
    folder.write("short.py", LEGACY);
    let output = run(FULL, folder.path(), &["lint", "--fix", "--fail-on", "none", "."]);
    ended(
        &output,
        2,
        "1 warning, 1 fix applied, 1 can be fixed with `--fix`\n\
         error: cannot write `long.py`: File too large (os error 27)\n",
    );
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("long.py"), long);
    // One file is not a reason to leave the others as they are.
    assert_eq!(read("short.py"), "f(failure_kind='agent_timeout')\n");
    assert_eq!(names(folder.path()), ["long.py", "short.py"]);
}

/// Changes a file while the command reads it, until the command has ended.
fn change_while_read(
    path: &Path,
    args: &[&str],
    mut change: impl FnMut(&mut File) + Send,
) -> Output {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = File::options().write(true).open(path).unwrap();
            while !ended.load(Ordering::Relaxed) {
                change(&mut file);
            }
        });
        let output = run("", path.parent().unwrap(), args);
        ended.store(true, Ordering::Relaxed);
        output
    })
}

/// Several reads of the reader.
const MANY: u64 = 100_000;
/// No processor has larger pages than this by default.
const PAGE: u64 = 1 << 16;
const TRIAGE: [&str; 4] = ["triage", "--format", "json", "rows.jsonl"];

#[test]
fn a_file_that_grows_while_it_is_read() {
    let folder = Folder::new();
    let path = folder.write("rows.jsonl", ROW.repeat(usize::try_from(MANY).unwrap()));
    let mut parts = [&ROW[..9], &ROW[9..]].into_iter().cycle();
    let start = fs::metadata(&path).unwrap().len();
    let mut end = start;
    let output = change_while_read(&path, &TRIAGE, |file| {
        // Not without end, or a slow reader would never reach it.
        if end < 2 * start {
            let part = parts.next().unwrap();
            file.write_all_at(part.as_bytes(), end).unwrap();
            end += part.len() as u64;
        }
    });
    let report = json(&output);
    let rows = report["totals"]["rows"].as_u64().unwrap();
    let written = fs::metadata(&path).unwrap().len() / ROW.len() as u64;
    assert!((MANY..=written).contains(&rows), "{rows} of {written}");
    assert_eq!(report["groups"][0]["count"], rows);
    assert_eq!(report["totals"]["malformed"], 0);
}

#[test]
fn a_file_that_shrinks_while_it_is_read() {
    let folder = Folder::new();
    let path = folder.write("rows.jsonl", ROW.repeat(usize::try_from(MANY).unwrap()));
    let mut length = fs::metadata(&path).unwrap().len();
    let output = change_while_read(&path, &TRIAGE, |file| {
        // To somewhere in a row, but to whole pages: the kernel fills the rest of a page with
        // zeros, which a reader can see as a part of the last row.
        length = ((length - length / 50) / PAGE * PAGE).max(PAGE);
        file.set_len(length).unwrap();
    });
    let report = json(&output);
    let rows = report["totals"]["rows"].as_u64().unwrap();
    assert!((1..=MANY).contains(&rows), "{rows}");
    assert_eq!(report["groups"][0]["count"], rows);
    assert_eq!(report["totals"]["malformed"], 0);
}

#[test]
fn a_source_that_changes_while_it_is_fixed_is_old_or_fixed() {
    let folder = Folder::new();
    let path = folder.write("a.py", LEGACY.repeat(2_000));
    let mut length = fs::metadata(&path).unwrap().len();
    let args = ["lint", "--fix", "--fail-on", "none", "a.py"];
    let output = change_while_read(&path, &args, |file| {
        length = (length - LEGACY.len() as u64).max(LEGACY.len() as u64);
        file.set_len(length).unwrap();
    });
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = fs::read_to_string(&path).unwrap();
    let fixed = "f(failure_kind='agent_timeout')\n";
    assert_eq!(text, fixed.repeat(text.len() / fixed.len()));
}

/// Makes a pipe with a name.
fn fifo(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path
}

#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = Folder::new();
    let path = fifo(&folder, "rows.jsonl");
    for args in [&TRIAGE[..], &["lint", "--format", "json", "rows.jsonl"]] {
        let child = under("", folder.path(), args).stdout(Stdio::piped()).spawn().unwrap();
        let mut pipe = File::options().write(true).open(&path).unwrap();
        // In two writes, the second one of which starts in the middle of a row.
        let rows = ROW.repeat(3) + "{\"failure_kind\":\"judge_faild\"}\n";
        let (first, second) = rows.split_at(ROW.len() + 5);
        pipe.write_all(first.as_bytes()).unwrap();
        pipe.write_all(second.as_bytes()).unwrap();
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        if args[0] == "triage" {
            assert_eq!(said["totals"]["rows"], 4);
        } else {
            assert_eq!((&said["name"], &said["line"]), (&"judge_faild".into(), &4.into()));
        }
    }
}

#[test]
fn a_pipe_in_a_folder_is_not_waited_for() {
    let folder = Folder::new();
    folder.write("a_failures.jsonl", ROW);
    fifo(&folder, "b_failures.jsonl");
    fifo(&folder, "a_materialized_inputs.jsonl");
    fifo(&folder, "a.py");
    let report = json(&run("", folder.path(), &["triage", "--format", "json", "."]));
    assert_eq!(report["totals"]["rows"], 1);
    assert_eq!(report["runs"][0]["expected"], Value::Null);
    assert_eq!(report["skipped_files"][2]["path"], "./b_failures.jsonl");
    assert_eq!(report["skipped_files"][2]["why"], "neither a file nor a folder");
    // Nor is one beside a file that is named.
    let report = json(&run("", folder.path(), &["triage", "--format", "json", "a_failures.jsonl"]));
    assert_eq!(report["runs"][0]["expected"], Value::Null);
    ended(&run("", folder.path(), &["lint", "."]), 0, "");
}

#[test]
fn a_report_goes_into_a_pipe() {
    let folder = Folder::new();
    folder.write("rows.jsonl", ROW);
    let path = fifo(&folder, "out");
    let args = ["triage", "rows.jsonl", "--format", "csv", "--out", "out"];
    let child = under("", folder.path(), &args).spawn().unwrap();
    let report = fs::read_to_string(&path).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert!(report.contains("evaluation,judge_failed,registered,"), "{report}");
    assert_eq!(names(folder.path()), ["out", "rows.jsonl"]);
}

#[test]
fn another_name_of_standard_output_is_standard_output() {
    let folder = Folder::new();
    folder.write("rows.jsonl", ROW);
    let args = ["triage", "rows.jsonl", "--format", "csv", "--out", "/dev/stdout"];
    let output = run("", folder.path(), &args);
    ended(&output, 0, "");
    assert!(output.stdout.starts_with(b"class,kind,"), "{output:?}");
    // A file is written to from where it is, and not replaced.
    let path = folder.write("out.csv", "before\n");
    let out = File::options().append(true).open(&path).unwrap();
    ended(&under("", folder.path(), &args).stdout(out).output().unwrap(), 0, "");
    let text = fs::read(&path).unwrap();
    assert_eq!(text, [b"before\n", &output.stdout[..]].concat());
    // Any other pipe that a process has open is written to as well.
    let args = ["triage", "rows.jsonl", "--format", "csv", "--out", "/dev/stderr"];
    let to_stderr = run("", folder.path(), &args);
    assert_eq!((to_stderr.status.code(), to_stderr.stderr), (Some(0), output.stdout));
}

/// Runs the command as a user to whom permissions apply; `None` where that is not possible.
#[allow(clippy::print_stderr, reason = "a test that cannot be made says so")]
fn run_as_user(folder: &Folder, args: &[&str]) -> Option<Output> {
    const NOBODY: u32 = 65534;
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        return Some(run("", folder.path(), args));
    }
    // The superuser may do everything, so that somebody else must try. What was built may stand
    // where they cannot reach it.
    let program = folder.path().join("failure-kinds");
    if !program.exists() {
        fs::copy(snapbox::cmd::cargo_bin!("failure-kinds"), &program).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = Command::new(&program);
    command.args(args).current_dir(folder.path()).uid(NOBODY).gid(NOBODY);
    let output = command.output();
    output
        .inspect_err(|error| {
            eprintln!("SKIPPED: the command cannot be run as another user: {error}");
        })
        .ok()
}

#[test]
fn a_folder_without_permission() {
    let folder = Folder::new();
    let rows = folder.write("runs/a_failures.jsonl", ROW);
    folder.write("runs/locked/b_failures.jsonl", ROW);
    folder.write("src/a.py", LEGACY);
    folder.write("src/locked/b.py", LEGACY);
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path().join(name), Permissions::from_mode(mode)).unwrap();
    };
    for locked in ["runs/locked", "src/locked"] {
        set(locked, 0o000);
    }
    set("src", 0o555);

    // The rest is reported, and the exit code says that something is missing from it.
    let Some(output) = run_as_user(&folder, &["triage", "runs"]) else { return };
    ended(&output, 2, "error: `runs/locked` cannot be read: Permission denied (os error 13)\n");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("EVALUATION SIDE: 1 of 1 failure rows"), "{stdout}");

    // What can be looked at is looked at.
    let output = run_as_user(&folder, &["lint", "--format", "concise", "src"]).unwrap();
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(stdout.starts_with("src/a.py:1:16: warning[legacy-kind] "), "{stdout}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    ended(
        &output,
        2,
        "1 warning, 1 can be fixed with `--fix`\n\
         error: cannot read `src/locked`: Permission denied (os error 13)\n",
    );

    // Nothing can be written into a folder that is read only.
    let file = rows.strip_prefix(folder.path()).unwrap().to_str().unwrap();
    for (args, named) in [
        (&["triage", file, "--out", "src/report.txt"][..], "src/report.txt"),
        (&["lint", "--fix", "--format", "json", "src/a.py"], "src/a.py"),
    ] {
        let output = run_as_user(&folder, args).unwrap();
        ended(&output, 2, &format!("error: cannot write `{named}`: permission denied\n"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("src/a.py")).unwrap(), LEGACY);
    assert_eq!(names(&folder.path().join("src")), ["a.py", "locked"]);

    // So that the folder can be removed.
    for name in ["runs/locked", "src/locked", "src"] {
        set(name, 0o755);
    }
}

#[test]
fn captures_without_permission() {
    let folder = Folder::new();
    let row = |task: u32, attempt: u32| {
        format!(
            "{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"_ng_attempt_index\":{attempt},\
             \"failure_kind\":\"agent_run_error\"}}\n"
        )
    };
    // The last one has the same capture as the first, which is opened once.
    folder.write("runs/a_failures.jsonl", [row(1, 0), row(0, 0), row(0, 1), row(0, 0)].concat());
    let call = "{\"status_code\":429,\"error_category\":\"rate_limit\"}\n";
    for name in ["0-0", "0-0-a1", "1-0"] {
        let capture = folder.write(&format!("runs/model-calls/{name}.capture.jsonl"), call);
        if name != "0-0-a1" {
            fs::set_permissions(capture, Permissions::from_mode(0o000)).unwrap();
        }
    }
    let Some(output) = run_as_user(&folder, &["triage", "runs", "--format", "json"]) else {
        return;
    };
    let why =
        "cannot be read: Permission denied (os error 13) (nor can 1 more of the run's captures)";
    let path = "runs/model-calls/0-0.capture.jsonl";
    ended(&output, 2, &format!("error: `{path}` {why}\n"));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let captures = &report["runs"][0]["captures"];
    assert_eq!(
        [&captures["joined"], &captures["unobserved"]].map(Value::as_u64),
        [Some(1), Some(3)]
    );
    let skipped = report["skipped_files"].as_array().unwrap();
    assert!(skipped.contains(&serde_json::json!({"path": path, "why": why})), "{skipped:?}");
    let output = run_as_user(&folder, &["triage", "runs"]).unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("  model-calls/0-0.capture.jsonl: cannot be read: "), "{stdout}");
}

fn terminate(child: &Child) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_program_that_is_ended_in_the_middle_leaves_the_report_that_was_there() {
    const SIGTERM: i32 = 15;
    let folder = Folder::new();
    folder.write("report.txt", "old");
    let path = fifo(&folder, "rows.jsonl");
    let args = ["triage", "rows.jsonl", "--out", "report.txt"];
    let child = under("", folder.path(), &args).spawn().unwrap();
    // The child has opened the other end when this returns, and waits for more.
    let mut pipe = File::options().write(true).open(&path).unwrap();
    pipe.write_all(ROW.repeat(2_000).as_bytes()).unwrap();
    terminate(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(SIGTERM));
    assert_eq!(fs::read_to_string(folder.path().join("report.txt")).unwrap(), "old");
    assert_eq!(names(folder.path()), ["report.txt", "rows.jsonl"]);
}

/// Fewer than there are files, so that one that stays open shows.
const FEW_OPEN: &str = "ulimit -n 64;";
const FILES: usize = 10_000;

#[test]
fn ten_thousand_files() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("src")).unwrap();
    for number in 0..FILES {
        let name = format!("{number:05}_failures.jsonl");
        fs::write(folder.path().join(name), ROW).unwrap();
        fs::write(folder.path().join(format!("src/f{number:05}.py")), LEGACY).unwrap();
    }
    let report = json(&run(FEW_OPEN, folder.path(), &["triage", "--format", "json", "."]));
    assert_eq!(report["totals"]["rows"], FILES);
    assert_eq!(report["runs"].as_array().unwrap().len(), FILES);
    assert_eq!(report["groups"][0]["count"], FILES);
    let output = run(FEW_OPEN, folder.path(), &["lint", "--format", "concise", "src"]);
    assert_eq!(str::from_utf8(&output.stdout).unwrap().lines().count(), FILES);
    ended(&output, 0, "10000 warnings, 10000 can be fixed with `--fix`\n");
}

#[test]
fn names_that_are_not_utf8() {
    let folder = Folder::new();
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    for name in [&b"r\xff_failures.jsonl"[..], b"r\xfe_failures.jsonl"] {
        fs::write(path(name), ROW).unwrap();
    }
    for name in [&b"s\xff.py"[..], b"s\xfe.py"] {
        fs::write(path(name), LEGACY).unwrap();
    }
    let ran = |args: &[&OsStr]| {
        let program = snapbox::cmd::cargo_bin!("failure-kinds");
        Command::new(program).current_dir(folder.path()).args(args).output().unwrap()
    };

    // Two files stay two, and a report can be read by whoever reads JSON.
    let out = path(b"out\xff.json");
    let args = ["triage", "--format", "json", ".", "--out"].map(OsStr::new);
    ended(&ran(&[&args[..], &[out.as_os_str()]].concat()), 0, "");
    let report: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    let runs: Vec<_> = report["runs"].as_array().unwrap().iter().map(|run| &run["path"]).collect();
    assert_eq!(runs, ["./r\\xfe", "./r\\xff"]);
    assert_eq!(report["totals"]["rows"], 2);

    let output = ran(&["lint", "--format", "concise", "--fix", "."].map(OsStr::new));
    ended(&output, 0, "2 fixes applied\n");
    for name in [&b"s\xff.py"[..], b"s\xfe.py"] {
        assert_eq!(fs::read_to_string(path(name)).unwrap(), "f(failure_kind='agent_timeout')\n");
    }
    let output = ran(&[OsStr::new("triage"), OsStr::from_bytes(b"gone\xff.jsonl")]);
    ended(
        &output,
        2,
        "error: cannot read `gone\\xff.jsonl`: No such file or directory (os error 2)\n",
    );
}
