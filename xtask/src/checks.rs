//! Checks that the documents agree with the code, where they are not generated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::repository::{cargo, read, root, texts};
use crate::{Result, features};

type Check = fn() -> Result;

const CHECKS: &[Check] = &[
    readme_links,
    links,
    readme_shows_a_report,
    security_names_tests,
    exported_names_are_listed,
    c218_newer_compilers_are_checked_before_a_release,
    c239_the_macro_alone_brings_neither_syn_nor_serde,
];

/// The problems that were found.
pub(crate) fn check() -> Vec<String> {
    CHECKS.iter().filter_map(|check| check().err()).map(|error| error.to_string()).collect()
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result {
    if holds { Ok(()) } else { Err(problem().into()) }
}

/// The README is the front page of the repository, the packages and the library's documentation, so
/// its links are absolute, and defined at the end.
fn readme_links() -> Result {
    const FILES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
    let readme = read("README.md")?;
    ensure(!readme.contains("]("), || "README.md: define links at the end".to_owned())?;
    for (label, target) in
        readme.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
    {
        let file = target.strip_prefix(FILES);
        ensure(file.is_some_and(|file| root().join(file).exists()), || {
            format!(
                "README.md: the target of the link `{label}` is not a file of the repository: {target}"
            )
        })?;
    }
    Ok(())
}

/// Links from a document to a file of the repository, and to a heading in one.
fn links() -> Result {
    for (document, text) in texts("md")? {
        for event in Parser::new(&text) {
            let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
            if dest_url.contains("://") {
                continue;
            }
            let (path, anchor) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
            let folder = Path::new(&document).parent().unwrap_or(Path::new(""));
            let target = if path.is_empty() { PathBuf::from(&document) } else { folder.join(path) };
            let is_there = root().join(&target).exists()
                && (anchor.is_empty()
                    || anchors(&read(&target.to_string_lossy())?).contains(anchor));
            ensure(is_there, || format!("{document}: the link to `{dest_url}` leads nowhere"))?;
        }
    }
    Ok(())
}

/// The anchors of the headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut heading: Option<String> = None;
    let mut anchors = BTreeSet::new();
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let heading = heading.take().unwrap_or_default().to_lowercase().replace(' ', "-");
                let is_kept = |char: &char| char.is_alphanumeric() || matches!(char, '-' | '_');
                anchors.insert(heading.chars().filter(is_kept).collect());
            }
            _ => {}
        }
    }
    anchors
}

/// The report in the README is that of the examples, with omissions at each `...`.
fn readme_shows_a_report() -> Result {
    let report = read("failure-kinds-cli/tests/cli/triage/examples_80.txt")?;
    let readme = read("README.md")?;
    let block = readme.split_once("```text\n").and_then(|(_, rest)| rest.split_once("\n```"));
    let (block, _) = block.ok_or("README.md shows no report")?;
    let mut rest = report.as_str();
    for part in block.split("\n...\n") {
        let (_, after) = rest.split_once(part).ok_or_else(|| {
            format!("README.md: not in the report of `triage examples/data`, or not in this order:\n{part}")
        })?;
        rest = after;
    }
    Ok(())
}

fn security_names_tests() -> Result {
    let texts: String = texts("rs")?.into_iter().map(|(_, text)| text).collect();
    let security = read("SECURITY.md")?;
    let names = security.split('`').skip(1).step_by(2);
    let is_test = |name: &&str| name.contains('_') && !name.contains(['/', '.']);
    for name in names.filter(is_test) {
        ensure(texts.contains(&format!("fn {name}(")), || {
            format!("SECURITY.md names `{name}`, and there is no such test")
        })?;
    }
    Ok(())
}

/// Missing items in the list of the interface can be found without a nightly compiler.
fn exported_names_are_listed() -> Result {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let library = read("failure-kinds/src/lib.rs")?;
    let (interface, _hidden) = library.split_once("pub mod __private").unwrap_or((&library, ""));
    let mut exported = words("document failure_kind kinds");
    for item in interface.split("\npub use ").skip(1) {
        let names = item.split_once(';').and_then(|(path, _)| path.split_once("::"));
        let (_, names) = names.ok_or("failure-kinds/src/lib.rs: `pub use` without a path")?;
        exported.extend(words(names));
    }
    let listed = read("docs/public-api/failure-kinds.txt")?;
    let first = |item: &str| {
        item.split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .next()
            .map(str::to_owned)
    };
    // The supertrait that seals `RecordedStatus` is in the list, but cannot be named.
    let items = listed.split("failure_kinds::").skip(1);
    let listed: BTreeSet<String> =
        items.filter(|item| !item.starts_with("status::Sealed")).filter_map(first).collect();
    let differing: Vec<_> = listed.symmetric_difference(&exported).map(String::as_str).collect();
    ensure(differing.is_empty(), || {
        let names = differing.join(", ");
        format!(
            "docs/public-api/failure-kinds.txt does not match what the library exports: {names}"
        )
    })
}

/// CI only has the pinned toolchain, so this is a documented command.
fn c218_newer_compilers_are_checked_before_a_release() -> Result {
    let contributing = read("CONTRIBUTING.md")?;
    let command = contributing.lines().find(|line| line.starts_with("cargo +beta clippy"));
    let command = command.ok_or("CONTRIBUTING.md has no command for newer compilers")?;
    let mut words = command.split(' ');
    let asked = ["failure-kinds-hygiene", "failure-kinds-tests-stage-overrides"]
        .iter()
        .all(|package| words.any(|word| word == *package));
    ensure(asked && command.ends_with("--all-targets -- -D warnings"), || {
        format!(
            "CONTRIBUTING.md: this does not check every package with newer compilers: {command}"
        )
    })
}

fn c239_the_macro_alone_brings_neither_syn_nor_serde() -> Result {
    let tree = features::tree("macros")?;
    for heavy in ["syn", "quote", "proc-macro2", "serde", "serde_core", "serde_derive"] {
        ensure(!tree.contains(heavy), || format!("the feature `macros` brings `{heavy}`"))?;
    }
    let all = cargo(&["tree", "--locked", "-p", "failure-kinds", "--edges", "features"])?;
    ensure(!all.contains("tracing feature \"attributes\""), || {
        "the runtime turns on `attributes` of `tracing`, which brings a second `syn`".to_owned()
    })
}
