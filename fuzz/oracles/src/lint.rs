//! Lint of any bytes in each language.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use failure_kinds_lint::{Checked, Config, Finding, Linter, Options, Place, Report, Safety};

use crate::assert_printable;

/// One name for each language.
const NAMES: [&str; 7] =
    ["src/a.rs", "src/a.py", "src/a.json", "src/a.jsonl", "src/a.yaml", "src/a.toml", "src/a.md"];

/// Every finding is on, and a server declares its kinds.
static LINTER: LazyLock<Linter> = LazyLock::new(|| {
    let text = "[[lint.levels]]\nids = [\"dynamic-kind\", \"near-miss\"]\nlevel = \"warning\"\n\
                [servers.browser_env]\nkinds = [\"tab_crashed\"]\n";
    let mut options = Options::default();
    options.config = Some(config(text).unwrap());
    Linter::new(options).unwrap()
});

fn config(text: &str) -> Result<Config, failure_kinds_lint::Error> {
    Config::parse(Path::new("/project/failure-kinds.toml"), text.to_owned())
}

/// Any text of any language gives findings with locations inside it, and fixes that leave a text
/// of its language. The first byte chooses the language; after the last one comes the
/// configuration file.
pub fn lint(data: &[u8]) {
    let Some((selector, bytes)) = data.split_first() else { return };
    match NAMES.get(usize::from(*selector) % (NAMES.len() + 1)) {
        Some(name) => check(bytes, Path::new(name)),
        None => {
            if let Err(error) = config(&String::from_utf8_lossy(bytes)) {
                assert_printable(&error.to_string());
            }
        }
    }
}

fn report(bytes: &[u8], name: &Path) -> Option<Report> {
    // Compressed rows may be broken.
    LINTER.check_input(name, Cursor::new(bytes.to_vec()), &()).ok()
}

fn check(bytes: &[u8], name: &Path) {
    let Some(report) = report(bytes, name) else { return };
    let [file] = &report.files[..] else { panic!("one file gives one report") };
    check_findings(bytes, &file.findings);
    if name.extension().is_some_and(|extension| extension != "jsonl") {
        check_fixes(bytes, name, file, &report);
    }
}

fn check_findings(bytes: &[u8], findings: &[Finding]) {
    assert!(findings.is_sorted_by_key(|finding| (finding.at.start, finding.id)));
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let lines = text.split(|byte| *byte == b'\n').count();
    for finding in findings {
        let (start, end) = (finding.at.start, finding.at.end);
        assert!(Place { line: 1, column: 1 } <= start && start <= end, "{finding:?}");
        assert!(end.line <= lines && finding.count > 0, "{finding:?}");
        let excerpt = &finding.at.excerpt;
        assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{finding:?}");
        assert!(!excerpt.text.contains('\n'), "{finding:?}");
        assert_printable(&finding.message);
        finding.help.iter().chain(&finding.note).for_each(|text| assert_printable(text));
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            let text = str::from_utf8(bytes).unwrap();
            assert!(text.get(edit.from..edit.to).is_some(), "{finding:?}");
        }
    }
}

/// Fixes are applied, and break nothing else.
fn check_fixes(bytes: &[u8], name: &Path, file: &Checked, report: &Report) {
    let fixable = |findings: &[Finding]| findings.iter().any(|finding| finding.fix.is_some());
    let fixed = LINTER.fixed(file, report, Safety::Unsafe).unwrap();
    assert_eq!(fixed.before, bytes, "{}", name.display());
    assert!(!fixable(&fixed.findings), "{:?}", fixed.findings);
    assert_eq!(fixed.applied > 0, fixable(&file.findings));
    assert_eq!(fixed.after != fixed.before, fixable(&file.findings));
}
