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
    let policy = r#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; "#;
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
    assert_eq!(hooks(&page)[0]["data-kind"], "&quot;&gt;&lt;script&gt;x&lt;/script&gt;");
    assert!(page.contains(r"&lt;/script&gt;&lt;!-- &lt;i&gt;\u{202e}"));
}

/// The text of a page without its tags, each run of spaces as one.
fn plain(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<').skip(1) {
        let (tag, rest) = part.split_once('>').unwrap();
        if matches!(tag, "/li" | "/dt" | "/dd") {
            text.push(' ');
        }
        text.push_str(rest);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_number_says_what_it_counts() {
    let page = page(&repository().join("examples/data"));
    let text = plain(&page);
    for counted in [
        "rollouts failed, of 149 seen (66.4%)",
        "rollouts missing, of 174 expected (14.4%)",
        "174 expected rollouts, each in one part of the bar.",
        "58 rollouts failed on the evaluation side",
        "0 rollouts failed on the model side",
        "41 rollouts failed, side unknown",
        "1 rollout degraded failed, but scored",
        "4 rollouts recovered did not fail in the end, after a failed attempt",
        "45 rollouts without a failure a result, whatever its reward",
        "0 rollouts omitted no attempt was made",
        "25 rollouts missing expected, but left no row",
        "All 120 rows",
        "Model 0 rows",
        "Evaluation 70 rows",
        "Unknown 50 rows",
        "Rollouts by run enospc×10",
        "Rows by HTTP status 500×29",
        "Rule: fallback. 1 rollout degraded.",
    ] {
        assert!(text.contains(counted), "{counted}");
    }
}

#[test]
fn what_to_look_at_has_a_count_a_reason_and_no_path_that_is_left_out() {
    let page = page(&repository().join("examples/data"));
    let (_, next) = page.split_once("<ol>").unwrap();
    let (next, _) = next.split_once("</ol>").unwrap();
    assert!(!next.contains("examples/data/"), "{next}");
    let next = plain(next);
    let mut rest = &*next;
    // Lost rollouts, then the failures of each side, those with the most rows first.
    for step in [
        "25 rollouts of enospc/rollouts that left no row: killed, drained or never started; \
         enospc/rollouts_failures.jsonl ends in the middle of a line; run them again: failure-kinds \
         select … --where missing --emit inputs",
        "48 of 50 rows of unknown side: agent_run_error; neither kind nor HTTP status decides; read \
         gateway/rollouts_failures.jsonl:10, or save captures of model calls",
        "24 of 70 rows on the evaluation side: environment_server_failed; by the rules kind and \
         stage_default; read sat/rollouts_failures.jsonl:1, and list this side's failures with \
         failure-kinds select … --where failed,class=evaluation",
        "19 of 169 rows masked: left out of scores; list the rollouts: failure-kinds select … \
         --where masked",
    ] {
        rest = rest.split_once(step).unwrap_or_else(|| panic!("{step}: {next}")).1;
    }
}

#[test]
fn the_words_of_a_page_are_explained_on_it() {
    let examples = repository().join("examples/data");
    let (page, report) = (page(&examples), report(&[&examples]));
    let (_, glossary) = page.split_once("Words on this page").unwrap();
    let terms = glossary.split("<dt><code>").skip(1);
    let terms: Vec<&str> = terms.map(|term| term.split_once("</code>").unwrap().0).collect();
    for group in report["groups"].as_array().unwrap() {
        for key in ["rule", "http_label", "stage"] {
            let word = group[key].as_str().unwrap_or("no stage");
            assert!(key == "http_label" && group[key].is_null() || terms.contains(&word), "{word}");
        }
    }
    let marks = ["degraded", "terminal", "rejudgeable", "server subcategory"];
    assert_eq!(terms[terms.len() - 4..], marks);
    // Nothing else is there.
    assert!(!terms.contains(&"final") && !terms.contains(&"admission"), "{terms:?}");
    assert!(plain(glossary).contains("http_auth The caller is not allowed to do this (401, 403)."));
}

#[test]
fn captures_that_were_read_are_not_skipped() {
    let run = repository().join("examples/data/policy_obs");
    let skipped = &report(&[&run])["skipped_files"];
    assert_eq!(skipped[0]["why"], "captures of model calls", "{skipped}");
    let page = page(&run);
    assert!(page.contains("Rows with last call"));
    let text = crate::support::ran(crate::failure_kinds().arg("triage").arg(&run)).stdout;
    assert!(!plain(&page).contains("Skipped") && !text.contains("SKIPPED"), "{text}");
    // Nothing reads them with this.
    let args = ["--calls", "off"];
    let text =
        crate::support::ran(crate::failure_kinds().arg("triage").arg(&run).args(args)).stdout;
    assert!(text.contains("SKIPPED: 1\n  model-calls: captures of model calls\n"), "{text}");
}
