//! Lint of any bytes as each language.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "what does not hold panics")]

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use anstream::StripStream;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::check::{Report, Servers, check_text};
use super::config::{Config, FILE_NAME};
use super::finding::{Finding, Place};
use super::render::{self, Format};
use super::source::{Language, read_rows};
use super::{Fixed, STACK};
use crate::fuzzing::assert_printable;
use crate::progress::Progress;
use failure_kinds_rows::Source;

const LANGUAGES: [Language; 7] = [
    Language::Rust,
    Language::Python,
    Language::Json,
    Language::JsonLines,
    Language::Yaml,
    Language::Toml,
    Language::Markdown,
];

/// Any text of any language gives findings with places in it, which every form of output shows;
/// and fixes, after which it is still a text of its language. The first byte tells the language.
///
/// Behind the last language come the bytes of a configuration file.
pub fn lint(data: &[u8]) {
    static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
        ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().unwrap()
    });
    let Some((selector, bytes)) = data.split_first() else { return };
    let selector = usize::from(*selector) % (LANGUAGES.len() + 1);
    POOL.install(|| {
        if let Some(language) = LANGUAGES.get(selector) {
            return judge(bytes, *language);
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        match Config::parse(PathBuf::from(FILE_NAME), text, Path::new("/project")) {
            Ok(config) => config.useless().iter().for_each(|entry| assert_printable(entry)),
            Err(fault) => assert_printable(&fault.to_string()),
        }
    });
}

/// Every finding is on, and a server declares its kinds.
static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    let text = "[[lint.levels]]\nids = [\"dynamic-kind\", \"near-miss\"]\nlevel = \"warning\"\n";
    Config::parse(PathBuf::from(FILE_NAME), text.to_owned(), Path::new("/project")).unwrap()
});

fn judge(bytes: &[u8], language: Language) {
    let findings = findings(bytes, language);
    assert!(findings.is_sorted_by_key(|finding| (finding.at.start, finding.id)));
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let lines = text.split(|byte| *byte == b'\n').count();
    for finding in &findings {
        let (start, end) = (finding.at.start, finding.at.end);
        assert!(Place { line: 1, column: 1 } <= start && start <= end, "{finding:?}");
        assert!(end.line <= lines && finding.count > 0, "{finding:?}");
        let excerpt = &finding.at.excerpt;
        assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{finding:?}");
        assert!(!excerpt.text.contains('\n'), "{finding:?}");
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            let text = str::from_utf8(bytes).unwrap();
            assert!(text.get(edit.from..edit.to).is_some(), "{finding:?}");
        }
    }
    show(&findings);

    let could_be_fixed = findings.iter().any(|finding| finding.fix.is_some());
    let fixed = Fixed::of(bytes.to_vec(), |text| self::findings(text, language));
    // What can be fixed is fixed, and nothing else is broken by it.
    assert!(fixed.findings.iter().all(|finding| finding.fix.is_none()), "{:?}", fixed.findings);
    assert_eq!(fixed.applied > 0, could_be_fixed);
    assert_eq!(fixed.after != fixed.before, could_be_fixed);
}

fn findings(bytes: &[u8], language: Language) -> Vec<Finding> {
    let levels = CONFIG.levels(Path::new("/project/src/text"));
    let report = if language == Language::JsonLines {
        let progress = Progress::of_bytes(None);
        let bytes = Box::new(io::Cursor::new(bytes.to_vec()));
        let rows = Source::new(bytes, &progress)
            .and_then(|mut source| read_rows(&mut source, &CONFIG.keys));
        // Packed bytes may be broken.
        let Ok(rows) = rows else { return Vec::new() };
        Report::of_rows(&rows)
    } else {
        check_text(bytes, language, Path::new("src/text"), &CONFIG, &levels)
    };
    let kinds = ["tab_crashed".to_owned()].into();
    let servers = Servers::from([("browser_env".to_owned(), kinds)]);
    report.findings(&Arc::from("src/text"), &levels, &servers)
}

fn show(findings: &[Finding]) {
    let forms = [Format::Full, Format::Concise, Format::Json, Format::Github, Format::Sarif];
    for form in forms {
        let mut shown = StripStream::new(Vec::new());
        form.write(&mut shown, findings).unwrap();
        assert_printable(str::from_utf8(&shown.into_inner()).unwrap());
    }
    let mut shown = Vec::new();
    render::statistics(&mut shown, findings).unwrap();
    assert_printable(str::from_utf8(&shown).unwrap());
}
