//! Bad input: one sentence or a counted row, never a panic.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::{Folder, fault, ran, report, report_of, report_with, triage};
use crate::failure_kinds;

const ROW: &str = r#"{"failure_kind":"judge_failed"}"#;

#[test]
fn a_missing_file() {
    let sentence = fault(&[Path::new("nowhere/rows.jsonl")]);
    assert_eq!(
        sentence,
        "cannot read `nowhere/rows.jsonl`: No such file or directory (os error 2)"
    );
}

#[test]
fn a_folder_without_runs() {
    let folder = Folder::new();
    folder.rows("some.jsonl", &[ROW]);
    let sentence = fault(&[folder.path()]);
    let start = format!("the folder `{}` holds no run", folder.path().display());
    assert!(sentence.starts_with(&start), "{sentence}");
}

#[test]
fn binary_junk() {
    let folder = Folder::new();
    let junk: Vec<u8> =
        (0..100_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let sentence = fault(&[&folder.write("junk.jsonl", junk)]);
    assert!(sentence.contains("junk.jsonl` holds no row of JSON Lines: line 1:"), "{sentence}");
    // Junk without a newline is not an interrupted write of an object.
    for text in ["\u{1}\u{2}", "[1,2]", "42", "null", "PK\u{3}\u{4}"] {
        fault(&[&folder.write("junk.jsonl", text)]);
    }
    fault(&[&folder.write("pretty.json", "{\n  \"failure_kind\": \"judge_failed\"\n}\n")]);
}

#[test]
fn an_empty_file_is_not_a_fault() {
    let folder = Folder::new();
    for text in ["", "\n", "\r\n \n\t\n"] {
        let report = report(&[&folder.write("rows.jsonl", text)]);
        assert_eq!(report["totals"]["rows"], 0);
        assert_eq!(report["totals"]["malformed"], 0);
    }
}

#[test]
#[ignore = "slow: reads 100 MB"]
fn a_line_of_100_megabytes() {
    let folder = Folder::new();
    let path = folder.path().join("rows.jsonl");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"{\"payload\":\"").unwrap();
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        file.write_all(&megabyte).unwrap();
    }
    file.write_all(b"\",\"failure_kind\":\"judge_failed\"}\n{}\n").unwrap();
    let report = report(&[&path]);
    assert_eq!(report["totals"]["rows"], 2);
    assert_eq!(report["groups"][0]["kind"], "judge_failed");
}

#[test]
fn nesting() {
    for depth in [200, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = open.repeat(depth) + "1" + &close.repeat(depth);
            let line = format!(r#"{{"a":{nested},"failure_kind":"judge_failed","b":{nested}}}"#);
            let folder = Folder::new();
            let file = folder.rows("rows.jsonl", &[&line]);
            for args in [&[][..], &["--strict"]] {
                assert_eq!(report_with(&[&file], args)["groups"][0]["kind"], "judge_failed");
            }
            // Where a value is read and nests, it is an object or an array and no more.
            let report = report_of(&[&format!(r#"{{"failure_kind":{nested}}}"#)]);
            assert_eq!(report["ignored"][0]["count"], 1);
        }
    }
}

#[test]
fn a_line_cut_in_the_middle() {
    let folder = Folder::new();
    for end in
        [r#"{"failure_kind":"judge_f"#, "{", r#"{"failure_kind":"judge_failed"#, r#"{"a":nul"#]
    {
        let text = format!("{ROW}\n{end}");
        let report = report(&[&folder.write("rows.jsonl", text)]);
        assert_eq!(report["files"][0]["truncated_last_line"], true, "{end}");
        assert_eq!(report["totals"]["rows"], 1);
        assert_eq!(report["totals"]["malformed"], 0);
    }
    // What cannot become an object is not an interrupted write.
    for end in ["nul", "[1", "{\"a\":1}{\"a\":1}", "{\"a\" 1", "{\"a\":1}, {\"a\":1}"] {
        let report = report(&[&folder.write("rows.jsonl", format!("{ROW}\n{end}"))]);
        assert_eq!(report["files"][0]["truncated_last_line"], false, "{end}");
        assert_eq!(report["totals"]["malformed"], 1);
    }
    // Cut in the middle of the file, it is malformed.
    let report = report(&[&folder.write("rows.jsonl", format!("{{\"a\":\n{ROW}\n"))]);
    assert_eq!(report["files"][0]["truncated_last_line"], false);
    assert_eq!(report["totals"]["malformed"], 1);
}

#[test]
fn c241_rows_without_a_newline_between_them_are_not_an_interrupted_write() {
    const A: &str = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1.0}"#;
    const B: &str =
        r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"judge_failed"}"#;
    let folder = Folder::new();
    for text in [format!("{A}{B}"), format!("{A}, {B}"), format!("{A}\r{B}\r")] {
        let sentence = fault(&[&folder.write("rows.jsonl", &text)]);
        assert!(sentence.contains("line 1: byte "), "{sentence}");
    }
    // One object counts, whatever white space follows it.
    for text in [A.to_owned(), format!("{A}\r"), format!("{A} ")] {
        let report = report(&[&folder.write("rows.jsonl", &text)]);
        assert_eq!(report["totals"]["results"], 1, "{text:?}");
        assert_eq!(report["files"][0]["truncated_last_line"], false);
    }
}

#[test]
fn c257_a_byte_is_counted_in_the_line() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[ROW, r#"{"_ng_failure_record":{"failure" 1}}"#]);
    let text = triage([&file]).stdout;
    assert!(text.contains("rows.jsonl:2: byte 34: expected `:`"), "{text}");
    let row = r#"{"failure_kind":"x","_ng_failure_record":{"failure":{"stage":tru}}}"#;
    let text = triage([&folder.rows("rows.jsonl", &[ROW, row])]).stdout;
    let why = "rows.jsonl:2: byte 62: the value of `stage` is not valid JSON";
    assert!(text.contains(why), "{text}");
}

#[test]
fn a_first_write_that_was_interrupted() {
    let folder = Folder::new();
    let report = report(&[&folder.write("rows.jsonl", r#"{"failure_kind":"ju"#)]);
    assert_eq!(report["files"][0]["truncated_last_line"], true);
    assert_eq!(report["totals"]["rows"], 0);
}

#[test]
fn a_whole_object_without_a_newline_counts() {
    let folder = Folder::new();
    let report = report(&[&folder.write("rows.jsonl", format!("{ROW}\n{ROW}"))]);
    assert_eq!(report["files"][0]["truncated_last_line"], false);
    assert_eq!(report["totals"]["rows"], 2);
}

#[test]
fn malformed_lines_are_counted_and_the_first_20_shown() {
    let folder = Folder::new();
    let text = format!("{ROW}\n") + &"[1]\n".repeat(25) + ROW + "\n";
    let file = folder.write("rows.jsonl", text);
    let report = report(&[&file]);
    assert_eq!(report["totals"]["malformed"], 25);
    assert_eq!(report["totals"]["rows"], 2);
    let text = triage([&file]).stdout;
    let shown: Vec<_> = text.lines().filter(|line| line.ends_with(": not a JSON object")).collect();
    assert_eq!(shown.len(), 20, "{text}");
    assert!(shown[0].ends_with("rows.jsonl:2: byte 1: not a JSON object"), "{text}");
    assert!(shown[19].ends_with("rows.jsonl:21: byte 1: not a JSON object"), "{text}");
    // JSON has no place for them.
    let ran = triage(["--format".as_ref(), "json".as_ref(), file.as_os_str()]);
    assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("warning: ")).count(), 20);
}

#[test]
fn strict_checks_every_byte() {
    let folder = Folder::new();
    for (fault, passes) in [
        (r#"{"failure_kind":"judge_failed","a":[1,,2]}"#, true),
        (r#"{"failure_kind":"judge_failed","a":tru}"#, true),
        (r#"{"failure_kind":"judge_failed","a":"\x"}"#, true),
        (r#"{"failure_kind":"judge_failed","a":01}"#, true),
        // What is read is always checked.
        (r#"{"failure_kind":judge_failed}"#, false),
        (r#"{"failure_kind":"\x"}"#, false),
        (r#"{"failure_kind":"judge_failed","_ng_failure_http_status":0503}"#, false),
        (r#"{"failure_kind":"judge_failed" "a":1}"#, false),
    ] {
        let file = folder.rows("rows.jsonl", &[ROW, fault]);
        let report = report(&[&file]);
        assert_eq!(report["totals"]["malformed"], u64::from(!passes), "{fault}");
        let ran =
            triage(["--strict".as_ref(), "--format".as_ref(), "json".as_ref(), file.as_os_str()]);
        assert_eq!(ran.code, 1, "{fault}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["totals"]["malformed"], 1, "{fault}");
    }
    let file = folder.rows("rows.jsonl", &[ROW, r#"{"a":[1,{"b":"\u00e9"}],"failure_kind":"x"}"#]);
    assert_eq!(report_with(&[&file], &["--strict"])["totals"]["rows"], 2);
    let mut invalid = b"{\"a\":\"\xff\"}\n".to_vec();
    invalid.extend(format!("{ROW}\n").bytes());
    let file = folder.write("rows.jsonl", invalid);
    assert_eq!(report(&[&file])["totals"]["malformed"], 0);
    assert_eq!(triage(["--strict".as_ref(), file.as_os_str()]).code, 1);
}

/// Text that would do things to a terminal.
const ESCAPES: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\r\n\u{9b}31m\u{202e}\u{0}\u{3164}\u{fe0f}";

#[test]
fn terminal_escapes_in_names_reasons_and_paths() {
    let folder = Folder::new();
    let file = folder.rows(
        "ro\u{1b}[31mws\u{9b}.jsonl",
        &[
            &json!({"failure_kind": ESCAPES, "failure_reason": ESCAPES, "_ng_failure_stage": ESCAPES})
                .to_string(),
            &json!({"failure_kind": "judge_failed", "_ng_failure_class": ESCAPES}).to_string(),
            ESCAPES,
            "\u{1b}[2J",
        ],
    );
    let json: [&std::ffi::OsStr; 2] = ["--format".as_ref(), "json".as_ref()];
    for args in [&[][..], &json] {
        let ran = triage(args.iter().copied().chain([file.as_os_str()]));
        assert_eq!(ran.code, 0);
        for text in [&ran.stdout, &ran.stderr] {
            let invisible = ['\u{202e}', '\u{3164}', '\u{fe0f}'];
            let control =
                |char: &char| char.is_control() && *char != '\n' || invisible.contains(char);
            assert_eq!(text.chars().find(control), None, "{text}");
        }
    }
    // The values are the observed ones.
    assert_eq!(report(&[&file])["unregistered"][0]["name"], ESCAPES);
    let missing = folder.path().join("a\u{1b}[31m\nb");
    assert!(fault(&[&missing]).contains("a\\u{1b}[31m\\nb"));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = Folder::new();
    // More than a pipe holds, so that the writer meets the closed end.
    let lines: String = (0..2_000).map(|n| format!("{{\"failure_kind\":\"name{n}\"}}\n")).collect();
    let file = folder.write("rows.jsonl", lines);
    let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
        .args(["triage", "--format", "json"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut start = [0; 1];
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[ROW]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
        .arg("triage")
        .arg(&file)
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: cannot write to standard output: No space left on device (os error 28)\n"
    );
}

pub(crate) fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zstandard(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

/// Five thousand rows that compress to some ten kilobytes.
fn many_rows() -> String {
    (0..5_000_u32)
        .map(|n| {
            format!("{{\"failure_kind\":\"n{}\",\"n\":{}}}\n", n % 9, n.wrapping_mul(2_654_435_761))
        })
        .collect()
}

#[test]
fn compression_is_detected_by_content() {
    let folder = Folder::new();
    let text = format!("{ROW}\n").repeat(1_000);
    for (name, content) in [
        // Each under a name that says something else.
        ("a.jsonl", gzip(&text)),
        ("b.jsonl.gz", zstandard(&text)),
        ("c.jsonl.zst", text.clone().into_bytes()),
        // Several members and frames are one stream.
        ("d.jsonl", [gzip(&text[..500]), gzip(&text[500..])].concat()),
        ("e.jsonl", [zstandard(&text[..500]), zstandard(&text[500..])].concat()),
    ] {
        let report = report(&[&folder.write(name, content)]);
        assert_eq!(report["totals"]["rows"], 1_000, "{name}");
        assert_eq!(report["files"][0]["truncated_last_line"], false, "{name}");
    }
}

#[test]
fn a_compressed_stream_that_ends_early() {
    let folder = Folder::new();
    let text = many_rows();
    for content in [gzip(&text), zstandard(&text)] {
        for end in [content.len() - 1, content.len() / 2, 20] {
            let file = folder.write("rows.jsonl", &content[..end]);
            let ran = triage(["--format".as_ref(), "json".as_ref(), file.as_os_str()]);
            assert_eq!(ran.code, 0, "{end}: {ran:?}");
            let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(report["files"][0]["truncated_last_line"], true);
            assert_eq!(report["totals"]["malformed"], 0);
            assert!(report["totals"]["rows"].as_u64().unwrap() <= 5_000);
            assert!(ran.stderr.contains("the compressed stream ends early"), "{ran:?}");
        }
    }
    // The last byte of gzip is its length: every row was there.
    let content = gzip(&text);
    let file = folder.write("rows.jsonl", &content[..content.len() - 1]);
    assert_eq!(report(&[&file])["totals"]["rows"], 5_000);
}

#[test]
fn a_compressed_stream_that_is_broken_is_a_fault() {
    let folder = Folder::new();
    let text = many_rows();
    for mut content in [gzip(&text), zstandard(&text)] {
        let middle = content.len() / 2;
        for byte in &mut content[middle..middle + 64] {
            *byte ^= 0x5a;
        }
        assert!(fault(&[&folder.write("rows.jsonl", content)]).starts_with("cannot read"));
    }
}

#[test]
fn a_zstandard_window_over_128_mib_is_rejected() {
    let folder = Folder::new();
    // Magic number, a header with the exponent of the window, and an empty last block.
    let frame = |exponent: u8| [0x28, 0xb5, 0x2f, 0xfd, 0, (exponent - 10) << 3, 1, 0, 0];
    assert_eq!(report(&[&folder.write("rows.jsonl", frame(27))])["totals"]["rows"], 0);
    let fault = fault(&[&folder.write("rows.jsonl", frame(28))]);
    assert!(fault.contains("too much memory"), "{fault}");
}

#[test]
fn standard_input() {
    let rows = format!("{ROW}\n{ROW}\n");
    for content in [rows.clone().into_bytes(), gzip(&rows), zstandard(&rows)] {
        let ran =
            ran(failure_kinds().args(["triage", "--format", "json", "-", "-"]).stdin(content));
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["totals"]["rows"], 2);
        assert_eq!(report["files"][0]["path"], "-");
        assert_eq!(report["runs"][0]["path"], "-");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[ROW]);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&file).is_ok() {
        return; // The superuser reads everything.
    }
    assert!(fault(&[&file]).ends_with("Permission denied (os error 13)"));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    for (name, stem) in [(&b"r\xff.jsonl"[..], "r\\xff"), (b"r\xfe.jsonl", "r\\xfe")] {
        let path = folder.path().join(std::ffi::OsStr::from_bytes(name));
        fs::write(&path, format!("{ROW}\n")).unwrap();
        let report = report(&[&path]);
        let expected = folder.path().join(stem);
        assert_eq!(report["runs"][0]["path"], expected.to_str().unwrap());
        assert_eq!(report["totals"]["rows"], 1);
    }
}
