//! The report as a page. What a browser makes of it is tested in `browser-tests`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Folder, report, triage};
use crate::repository;

fn page(path: &Path) -> String {
    let ran = triage(["--format".as_ref(), "html".as_ref(), path.as_os_str()]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    ran.stdout
}

/// The report in a page.
fn embedded(page: &str) -> Value {
    let (_, json) = page.split_once(r#"<script type="application/json" id="report">"#).unwrap();
    let (json, _) = json.split_once("</script>").unwrap();
    assert!(!json.contains("</") && !json.contains("<!--"));
    serde_json::from_str(json).unwrap()
}

/// The attributes of each group.
fn hooks(page: &str) -> Vec<BTreeMap<&str, &str>> {
    let groups = page.split(r#"<tbody class="group""#).skip(1);
    let attributes = groups.map(|group| group.split_once('>').unwrap().0);
    attributes
        .map(|attributes| {
            let attributes = attributes.trim_end_matches('"').split("\" ");
            attributes.map(|attribute| attribute.trim().split_once("=\"").unwrap()).collect()
        })
        .collect()
}

#[test]
fn a_page_holds_the_report_and_a_hook_for_each_fact_of_each_group() {
    let examples = repository().join("examples/data");
    let (page, report) = (page(&examples), report(&[&examples]));
    assert_eq!(embedded(&page), report);
    let groups = report["groups"].as_array().unwrap();
    let hooks = hooks(&page);
    assert_eq!(hooks.len(), groups.len());
    for (hooks, group) in hooks.iter().zip(groups) {
        for (hook, key) in [
            ("data-class", "class"),
            ("data-kind", "kind"),
            ("data-stage", "stage"),
            ("data-rule", "rule"),
            ("data-label", "http_label"),
        ] {
            assert_eq!(hooks.get(hook).copied(), group[key].as_str(), "{hook} of {group}");
        }
    }
    let runs: Vec<_> = report["runs"].as_array().unwrap().iter().map(|run| &run["path"]).collect();
    for run in hooks.iter().filter_map(|hooks| hooks.get("data-run")) {
        assert!(runs.contains(&&Value::from(*run)), "{run}");
    }
}

#[test]
fn the_page_of_the_examples_is_small_and_the_same_each_time() {
    let examples = repository().join("examples/data");
    let first = page(&examples);
    assert!(first.len() < 200_000, "{}", first.len());
    assert_eq!(first, page(&examples));
}

#[test]
fn a_page_fetches_nothing_and_runs_no_other_script() {
    let page = page(&repository().join("examples/data"));
    let policy =
        r#"<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; "#;
    assert!(page.contains(policy));
    for source in [" src=", "url(http", "@import", "<link", " style=", " onclick="] {
        assert!(!page.contains(source), "{source}");
    }
    assert!(!page.contains("innerHTML"));
}

#[test]
fn no_text_of_a_row_becomes_markup() {
    let folder = Folder::new();
    let rows = folder.rows(
        "<b>.jsonl",
        &[r#"{"failure_kind":"\"><script>x</script>","failure_reason":"</script><!-- <i>\u202e"}"#],
    );
    let page = page(&rows);
    assert_eq!(embedded(&page), report(&[&rows]));
    for markup in ["<script>x", "<b>", "<i>", "<!--", "\u{202e}"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert_eq!(hooks(&page)[0]["data-kind"], "&#34;&#62;&#60;script&#62;x&#60;/script&#62;");
    assert!(page.contains(r"&#60;/script&#62;&#60;!-- &#60;i&#62;\u{202e}"));
}
