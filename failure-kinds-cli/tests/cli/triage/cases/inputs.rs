//! What is given instead of rows, and files beside those of a run.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::failure_kinds;
use crate::support::{Folder, ran};
use crate::triage::input::{gzip, zstandard};
use crate::triage::{fault, report, triage};

const A: &str = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1.0}"#;
const B: &str = r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"judge_failed"}"#;

/// A run of two rollouts, below a folder.
fn run(folder: &Folder, under: &str) {
    folder.rows(&format!("{under}rollouts.jsonl"), &[A]);
    folder.rows(&format!("{under}rollouts_failures.jsonl"), &[B]);
    folder.rows(&format!("{under}rollouts_materialized_inputs.jsonl"), &[A, B]);
}

/// What a folder's report skips: path below the folder, and why.
fn skipped(folder: &Folder, report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let skipped = report["skipped_files"].as_array().unwrap().iter();
    skipped
        .map(|skipped| {
            let path = text(&skipped["path"]);
            let below = Path::new(&path).strip_prefix(folder.path()).unwrap();
            (below.to_str().unwrap().to_owned(), text(&skipped["why"]))
        })
        .collect()
}

/// The report in spite of an error, with what standard error says.
fn report_with_error(folder: &Folder) -> (Value, String) {
    let ran = triage(["--format".as_ref(), "json".as_ref(), folder.path().as_os_str()]);
    assert_eq!(ran.code, 2, "{ran:?}");
    (serde_json::from_str(&ran.stdout).unwrap(), ran.stderr)
}

#[test]
fn c247_rows_without_any_key_that_is_read() {
    let folder = Folder::new();
    let foreign = r#"{"example_id":0,"reward":0.0,"error":{"error":"SandboxError"}}"#;
    let settings = r#"{"model":"policy","temperature":1.0,"instance_config":{}}"#;
    let not_recognised = "no row holds a key that triage reads";
    for lines in [&[foreign][..], &[foreign, foreign], &[settings], &["{}"]] {
        let sentence = fault(&[&folder.rows("rows.jsonl", lines)]);
        assert!(sentence.contains(not_recognised), "{sentence}");
    }
    let one = fault(&[&folder.rows("rows.jsonl", &[settings])]);
    assert!(one.contains("if it is a data frame or a report"), "{one}");
    // One such row does not matter, and neither does one such file.
    let rows = folder.rows("rows.jsonl", &[foreign, A]);
    assert_eq!(report(&[&rows])["files"][0]["recognised"], true);
    let other = folder.rows("other.jsonl", &[foreign]);
    let ran = triage(["--format".as_ref(), "json".as_ref(), rows.as_os_str(), other.as_os_str()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains(&format!("other.jsonl: {not_recognised}")), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["files"][0]["recognised"], false);
    assert_eq!(report["files"][1]["recognised"], true);
}

#[test]
fn c247_any_key_of_a_row_of_this_format_is_enough() {
    let folder = Folder::new();
    for row in [
        r#"{"_ng_task_index":1.5}"#,
        r#"{"_ng_rollout_index":0}"#,
        r#"{"failure_kind":"x"}"#,
        r#"{"_ng_failure_kind":null}"#,
        r#"{"_ng_failure_class":5}"#,
        r#"{"_ng_failure_record":{}}"#,
        r#"{"_ng_failure_events":{}}"#,
        r#"{"_ng_omitted":true}"#,
        r#"{"_ng_omitted_rollout":true}"#,
        r#"{"_ng_unrouted_run_error":true}"#,
    ] {
        let report = report(&[&folder.rows("rows.jsonl", &[row])]);
        assert_eq!(report["files"][0]["recognised"], true, "{row}");
    }
    let empty = report(&[&folder.write("rows.jsonl", "")]);
    assert_eq!(empty["files"][0]["recognised"], true);
}

#[test]
fn c248_c249_compressed_as_in_the_wild() {
    let folder = Folder::new();
    let text = format!("{A}\n{B}\n");
    let skippable = b"\x50\x2a\x4d\x18\x04\0\0\0\xff\0\0\0";
    for content in
        [[skippable.to_vec(), zstandard(&text)].concat(), [gzip(&text), vec![0; 600]].concat()]
    {
        let file = folder.write("rows.jsonl", content);
        let ran = triage(["--format".as_ref(), "json".as_ref(), file.as_os_str()]);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["totals"]["rows"], 2);
    }
}

/// A tar archive of one file.
fn tar(content: &str) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..14].copy_from_slice(b"rollouts.jsonl");
    header[257..263].copy_from_slice(b"ustar\0");
    [&header, content.as_bytes(), &[0; 1024]].concat()
}

#[test]
fn c250_an_archive_must_be_unpacked() {
    let folder = Folder::new();
    let content = format!("{A}\n{B}\n");
    let archive = tar(&content);
    let as_text: String = archive.iter().map(|byte| char::from(*byte)).collect();
    let zip = [b"PK\x03\x04\x14\0\0\0\0\0", content.as_bytes()].concat();
    for (name, content, what) in [
        ("run.tar", archive, "a tar archive"),
        ("run.tar.gz", gzip(&as_text), "a tar archive"),
        ("run.tar.zst", zstandard(&as_text), "a tar archive"),
        ("run.zip", zip, "a zip archive"),
    ] {
        let file = folder.write(name, content);
        let sentence = fault(&[&file]);
        let expected = format!(
            "`{}` is not JSON Lines but {what}: unpack it, and name the files in it",
            file.display()
        );
        assert_eq!(sentence, expected);
    }
}

#[test]
fn c251_other_formats_are_named_with_what_to_do() {
    let folder = Folder::new();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let utf32 = |text: &str| text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect();
    let rows = format!("{A}\n{B}\n");
    let pretty = "{\n  \"failure_kind\": \"judge_failed\",\n  \"x\": [\n    {}\n  ]\n}\n";
    let cases: [(Vec<u8>, &str, &str); 15] = [
        (utf16(&format!("\u{feff}{rows}")), "text in UTF-16", "iconv -f UTF-16"),
        (utf16(&rows), "text in UTF-16", "iconv -f UTF-16"),
        (utf32(&format!("\u{feff}{rows}")), "text in UTF-32", "iconv -f UTF-32"),
        (format!("[{A},{B}]").into(), "one JSON array", "jq -c '.[]'"),
        (format!("[\n{A},\n{B}\n]\n").into(), "one JSON array", "jq -c '.[]'"),
        (b"[]\n".to_vec(), "one JSON array", "jq -c '.[]'"),
        (pretty.into(), "a JSON object over several lines", "jq -c ."),
        (format!("\u{feff}{pretty}").into(), "a JSON object over several lines", "jq -c ."),
        (b"{\"a\":\n1}\n".to_vec(), "a JSON object over several lines", "jq -c ."),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "compressed with xz", "xz -d"),
        (b"BZh91AY&SY".to_vec(), "compressed with bzip2", "bzip2 -d"),
        (b"\x04\x22\x4d\x18d@\xa7".to_vec(), "compressed with lz4", "lz4 -d"),
        (b"PAR1\x15\0".to_vec(), "a Parquet file", "as JSON Lines"),
        (b"ARROW1\0\0\xff\xff\xff\xff".to_vec(), "an Arrow file", "as JSON Lines"),
        (b"\xff\xff\xff\xff\x70\0\0\0".to_vec(), "an Arrow file", "as JSON Lines"),
    ];
    for (content, what, advice) in cases {
        let sentence = fault(&[&folder.write("rows.jsonl", content)]);
        assert!(sentence.contains(&format!("is not JSON Lines but {what}: ")), "{sentence}");
        assert!(sentence.contains(advice), "{sentence}");
    }
    // A line that is an array, or that was cut off, does not hide the rows after it.
    for first in ["[1]", "{\"a\":", "{"] {
        let report = report(&[&folder.rows("rows.jsonl", &[first, A])]);
        assert_eq!(report["totals"]["results"], 1, "{first}");
        assert_eq!(report["totals"]["malformed"], 1, "{first}");
    }
}

#[test]
fn c252_hidden_names_are_not_searched() {
    let folder = Folder::new();
    run(&folder, "");
    folder.write("._rollouts_failures.jsonl", b"\0\x05\x16\x07\0\x02\0\0Mac OS X        ");
    run(&folder, ".cache/");
    let report = report(&[folder.path()]);
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    assert_eq!(report["rollouts"]["expected"], 2);
    assert_eq!(report["skipped_files"], json!([]));
    // One that is named is read.
    let hidden = super::super::report(&[&folder.path().join(".cache")]);
    assert_eq!(hidden["totals"]["rows"], 2);
}

#[cfg(unix)]
#[test]
fn c253_a_file_that_cannot_be_read_does_not_stop_the_others() {
    let folder = Folder::new();
    run(&folder, "");
    let dead = folder.path().join("dead_failures.jsonl");
    std::os::unix::fs::symlink("nowhere", &dead).unwrap();
    let (report, stderr) = report_with_error(&folder);
    assert_eq!(report["totals"]["rows"], 2);
    assert_eq!(report["rollouts"]["expected"], 2);
    let why = "cannot be read: No such file or directory (os error 2)";
    assert_eq!(skipped(&folder, &report), [("dead_failures.jsonl".to_owned(), why.to_owned())]);
    assert_eq!(stderr, format!("error: `{}` {why}\n", dead.display()));
    // `select` and `compare` say the same after what they could do.
    let root = folder.path().as_os_str();
    for args in [
        &["select".as_ref(), root, "--where".as_ref(), "failed".as_ref()][..],
        &["compare".as_ref(), root, root],
    ] {
        let ran = ran(failure_kinds().args(args));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(!ran.stdout.is_empty(), "{args:?}");
        assert!(ran.stderr.contains(&format!("error: `{}` {why}\n", dead.display())), "{ran:?}");
    }
    // One that is named is an error before anything is counted.
    let ran = triage([folder.path(), &dead]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
    // So is a folder of which nothing can be read.
    fs::remove_file(folder.path().join("rollouts.jsonl")).unwrap();
    fs::remove_file(folder.path().join("rollouts_failures.jsonl")).unwrap();
    assert_eq!(fault(&[folder.path()]), format!("`{}` {why}", dead.display()));
}

#[test]
fn c253_nor_does_one_that_holds_no_rows() {
    let folder = Folder::new();
    run(&folder, "a/");
    run(&folder, "b/");
    folder.write("b/rollouts.jsonl", tar(A));
    folder.write("c/rollouts_failures.jsonl.gz", &gzip(format!("{B}\n").repeat(99))[..20]);
    folder.rows("d/rollouts_failures.jsonl", &["junk"]);
    folder.write("e/rollouts_failures.jsonl", "");
    let (report, stderr) = report_with_error(&folder);
    let paths: Vec<_> = report["runs"].as_array().unwrap().iter().map(|run| &run["path"]).collect();
    let stem = |under: &str| json!(folder.path().join(under).join("rollouts"));
    assert_eq!(paths, [&stem("a"), &stem("b"), &stem("c"), &stem("e")]);
    let tar = "is not JSON Lines but a tar archive: unpack it, and name the files in it";
    let junk = "holds no row of JSON Lines: line 1: byte 1: not a JSON object";
    assert_eq!(
        skipped(&folder, &report),
        [
            ("b/rollouts.jsonl", tar),
            // Without the results nobody knows which rollouts are missing.
            ("b/rollouts_materialized_inputs.jsonl", "does not apply: rows of its run are missing"),
            ("d/rollouts_failures.jsonl", junk)
        ]
        .map(|(path, why)| (path.to_owned(), why.to_owned()))
    );
    assert_eq!(report["runs"][0]["expected"], 2);
    assert_eq!(report["runs"][1]["expected"], Value::Null);
    assert_eq!(stderr.lines().filter(|line| line.starts_with("error: `")).count(), 2, "{stderr}");
    // A named one is an error.
    let sentence = fault(&[folder.path(), &folder.path().join("b/rollouts.jsonl")]);
    assert!(sentence.ends_with(tar), "{sentence}");
}

#[cfg(target_os = "linux")]
#[test]
fn c254_whatever_can_be_opened_can_be_named() {
    let folder = Folder::new();
    let rows = format!("{A}\n{B}\n");
    folder.write("x.jsonl.gz", gzip(&rows));
    folder.write("x.jsonl", &rows);
    let command = snapbox::cmd::cargo_bin!("failure-kinds");
    let pipe = "mkfifo pipe_failures.jsonl; cat x.jsonl > pipe_failures.jsonl & ";
    for (script, failures, results) in [
        ("triage <(zcat x.jsonl.gz)".to_owned(), 1, 1),
        ("triage <(cat x.jsonl) <(cat x.jsonl)".to_owned(), 2, 2),
        ("triage <(cat x.jsonl.gz)".to_owned(), 1, 1),
        ("cat x.jsonl | triage /dev/stdin".to_owned(), 1, 1),
        ("cat x.jsonl | triage /dev/stdin -".to_owned(), 1, 1),
        ("triage - /dev/stdin < x.jsonl".to_owned(), 1, 1),
        ("triage x.jsonl - < x.jsonl".to_owned(), 1, 1),
        (format!("{pipe} triage pipe_failures.jsonl"), 2, 0),
    ] {
        let output = Command::new("bash")
            .args(["-c", &format!("triage() {{ \"$0\" triage --format json \"$@\"; }}; {script}")])
            .arg(command)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["totals"]["failures"], failures, "{script}");
        assert_eq!(report["totals"]["results"], results, "{script}");
    }
}

#[test]
fn c255_a_closed_pipe_is_quiet_in_every_format() {
    let folder = Folder::new();
    let lines: String =
        (0..60_000).map(|n| format!("{{\"failure_kind\":\"name {n}\"}}\n")).collect();
    let file = folder.write("rows.jsonl", lines);
    for format in ["csv", "json", "text", "markdown", "openmetrics"] {
        let mut child = Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
            .args(["triage", "--format", format])
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.lines().all(|line| line.starts_with("warning: ")), "{format}: {stderr}");
    }
}

#[test]
fn c256_a_folder_and_a_file_in_it_are_one_run() {
    let folder = Folder::new();
    run(&folder, "run/");
    let root = folder.path().join("run");
    let sidecar = root.join("rollouts_failures.jsonl");
    let once = report(&[&root]);
    assert_eq!(once["skipped_files"], json!([]));
    let inventory = root.join("rollouts_materialized_inputs.jsonl");
    let another_way = folder.path().join("run/../run/rollouts_failures.jsonl");
    for paths in [
        &[&*root, &sidecar][..],
        &[&sidecar, &root],
        &[&root, &sidecar, &sidecar],
        &[&root, &another_way],
        &[&root, &root.join("rollouts.jsonl"), &inventory],
    ] {
        assert_eq!(report(paths), once, "{paths:?}");
    }
    // Another copy of a file of the run is not another run.
    let copy = folder.write("run/rollouts_failures.jsonl.gz", gzip(format!("{B}\n")));
    assert_eq!(report(&[&root, &copy])["runs"], once["runs"]);
    // A file that the folder leaves out is read.
    let alone = folder.rows("run/alone.jsonl", &[A]);
    let report = report(&[&root, &alone]);
    assert_eq!(report["totals"]["rows"], 3);
    assert_eq!(skipped(&folder, &report).len(), 1);
}

#[cfg(unix)]
#[test]
fn c259_out_follows_a_link_whose_target_does_not_exist() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    run(&folder, "run/");
    fs::create_dir(folder.path().join("reports")).unwrap();
    let link = folder.path().join("latest.json");
    let between = folder.path().join("reports/link.json");
    symlink("reports/link.json", &link).unwrap();
    symlink("real.json", &between).unwrap();
    let out = |link: &Path| {
        let run = folder.path().join("run");
        triage(["--format=json".as_ref(), "--out".as_ref(), link.as_os_str(), run.as_os_str()])
    };
    assert_eq!(out(&link).code, 0);
    assert!(link.is_symlink() && between.is_symlink());
    let written = fs::read_to_string(folder.path().join("reports/real.json")).unwrap();
    assert!(serde_json::from_str::<Value>(&written).is_ok());
    let circle = folder.path().join("circle");
    symlink("circle", &circle).unwrap();
    assert_eq!(out(&circle).code, 2);
    let nowhere = folder.path().join("nowhere");
    symlink("no/folder", &nowhere).unwrap();
    let ran = out(&nowhere);
    assert!(ran.stderr.contains("is in no folder that exists"), "{ran:?}");
}

#[test]
fn c266_captures_of_a_folder_are_one_entry() {
    let folder = Folder::new();
    run(&folder, "");
    for rollout in 0..23 {
        folder.write(&format!("model-calls/{rollout}-0.capture.jsonl"), "{}\n");
        folder.write(&format!("model-calls/{rollout}-0.capture.incomplete"), "");
    }
    folder.write("other/0-0.capture.jsonl.gz", "");
    folder.write("other/notes.txt", "");
    folder.write("quality_summary.json", "{}");
    folder.rows("rollout_verdicts.jsonl", &[A]);
    folder.rows("health_verdicts.jsonl", &[A]);
    folder.write("kinds_coverage.json", "{}");
    folder.write("run_manifest.json", "{}");
    let report = report(&[folder.path()]);
    assert_eq!(
        skipped(&folder, &report),
        [
            ("health_verdicts.jsonl", "verdicts on rollouts"),
            ("kinds_coverage.json", "a report on coverage"),
            ("model-calls", "captures of model calls"),
            ("other", "captures of model calls"),
            ("quality_summary.json", "a summary of verdicts"),
            ("rollout_verdicts.jsonl", "verdicts on the health of rollouts"),
            ("run_manifest.json", "a manifest"),
        ]
        .map(|(path, why)| (path.to_owned(), why.to_owned()))
    );
    // A folder of captures alone has no run.
    assert!(fault(&[&folder.path().join("model-calls")]).contains("holds no run"));
}
