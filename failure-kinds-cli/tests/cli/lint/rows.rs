//! Saved rows.

use std::fmt::Write;

use serde_json::Value;

use super::{Folder, findings, findings_of, lint};

#[test]
fn one_finding_for_each_name() {
    let folder = Folder::new();
    let mut rows = String::new();
    for index in 0..1000 {
        let name = if index % 2 == 0 { "judge_faild" } else { "session_lost" };
        writeln!(rows, "{{\"_ng_task_index\":{index},\"failure_kind\":\"{name}\"}}").unwrap();
    }
    rows.push_str("{\"failure_kind\":\"transient\"}\n{\"_ng_failure_class\":\"judge_faild\"}\n");
    folder.write("rows.jsonl", rows);
    let ran = lint(&folder, &["--format", "json"]);
    let found: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<_> = found
        .iter()
        .map(|finding| (&finding["name"], &finding["line"], &finding["count"], &finding["fix"]))
        .collect();
    assert_eq!(
        facts,
        [
            (&"judge_faild".into(), &1.into(), &501.into(), &Value::Null),
            (&"transient".into(), &1001.into(), &1.into(), &Value::Null)
        ]
    );
}

#[test]
fn keys_count_at_the_top_level_and_in_the_record() {
    let rows = concat!(
        r#"{"response":{"failure_kind":"decoy"},"failure_kind":"session_lost"}"#,
        "\n",
        r#"{"_ng_failure_record":{"failure":{"failure_kind":"deep_one","stage":"agent"},"failure_kind":"no"}}"#,
        "\n",
        r#"{"failure_kind":"first","failure_kind":"second"}"#,
        "\n",
        r#"{"failure\u005fkind":"esc\u0061ped"}"#,
        "\n",
    );
    assert_eq!(
        findings_of("rows.jsonl", rows),
        [
            "rows.jsonl:2:50 error[unregistered-kind] deep_one",
            "rows.jsonl:3:40 error[unregistered-kind] second",
            "rows.jsonl:4:22 error[unregistered-kind] escaped"
        ]
    );
}

#[test]
fn lines_that_are_not_json() {
    let folder = Folder::new();
    folder.write(
        "rows.jsonl",
        "{\"failure_kind\":\"a_b\"}\n{\"failure_kind\" 1}\n\n{\"x\" 1}\n[1, 2]\n\"text\"\n{\"failure_kind\":\"c_d\"",
    );
    // The last line was interrupted; lists and texts are neither rows nor errors.
    assert_eq!(
        findings(&folder, &[]),
        ["rows.jsonl:1:17 error[unregistered-kind] a_b", "rows.jsonl:2:17 error[unparsed-file]"]
    );
    let ran = lint(&folder, &["--format", "concise"]);
    assert!(ran.stdout.contains("cannot be parsed: expected `:` (2 times)"), "{ran:?}");
}

#[test]
fn broken_text_in_rows_is_shown_escaped() {
    let folder = Folder::new();
    folder.write("rows.jsonl", b"{\"failure_kind\":\"a\xff\"}\n{\"failure_kind\":\"b\\u001b\"}\n");
    let ran = lint(&folder, &["--format", "full"]);
    assert_eq!(ran.code, 1);
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
    assert!(ran.stdout.contains("`a\\u{fffd}`"), "{ran:?}");
    assert!(ran.stdout.contains("`b\\u{1b}`"), "{ran:?}");
}

#[test]
fn c257_a_column_is_counted_in_the_line() {
    let row = r#"{"_ng_failure_record":{"failure" 1}}"#;
    assert_eq!(
        findings_of("rows.jsonl", &format!("{row}\n")),
        ["rows.jsonl:1:34 error[unparsed-file]"]
    );
}

#[test]
fn compressed_rows() {
    let text = "{\"failure_kind\":\"x_y\"}\n";
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstandard = zstd::encode_all(text.as_bytes(), 1).unwrap();
    let folder = Folder::new();
    folder.write("a.jsonl.gz", gzip);
    folder.write("b.jsonl.zst", &zstandard);
    folder.write("c.jsonl.zstd", &zstandard);
    let finding = |name: &str| format!("{name}:1:17 error[unregistered-kind] x_y");
    assert_eq!(findings(&folder, &[]), ["a.jsonl.gz", "b.jsonl.zst", "c.jsonl.zstd"].map(finding));
}

#[test]
fn a_file_of_another_format_is_one_finding() {
    let mut tar = [0; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    let folder = Folder::new();
    folder.write("archive.jsonl", tar);
    folder.write("list.jsonl", "[\n{\"failure_kind\":\"x_y\"}\n]\n");
    let ran = lint(&folder, &["--format", "concise"]);
    let (archive, list) = ran.stdout.split_once('\n').unwrap();
    assert_eq!(
        archive,
        "archive.jsonl:1:1: error[unparsed-file] cannot be parsed: \
         not JSON Lines but a tar archive: unpack it, and name the files in it"
    );
    assert_eq!(
        list,
        "list.jsonl:1:1: error[unparsed-file] cannot be parsed: not JSON Lines but \
         one JSON array: write each of its objects on a line with `jq -c '.[]'`\n"
    );
}
