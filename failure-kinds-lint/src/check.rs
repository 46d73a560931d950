//! One file from its bytes to findings, in two steps: what the file alone shows, and what depends
//! on the whole project, which is the extensions that its servers declare.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use failure_kinds_core::Quoted;

use super::config::{Config, Levels};
use super::finding::{Finding, Fix, Located, Paths, Safety, Text};
use super::id::{Id, Level};
use super::position::{Bare, Form, Position, Scan, ScanOptions, Value};
use super::rules::{self, Correction, Outcome, Verdict};
use super::source::{Language, LanguageKind, RowNames};
use super::suppress::{self, Directive};

/// The extensions that sources declare, by server.
pub(crate) type Servers = BTreeMap<String, BTreeSet<String>>;

/// The extensions that hold for a file.
pub(crate) struct Declared<'a> {
    pub(crate) config: &'a Config,
    pub(crate) sources: &'a Servers,
}

impl Declared<'_> {
    /// The kinds of a server; `None` if nothing is declared for it.
    fn of(&self, server: &str) -> Option<Vec<&str>> {
        let config = self.config.declared(server);
        let sources = self.sources.get(server).map(|kinds| kinds.iter().map(String::as_str));
        match (config, sources) {
            (Some(mut kinds), Some(more)) => {
                kinds.extend(more);
                Some(kinds)
            }
            (kinds, more) => kinds.or_else(|| more.map(Iterator::collect)),
        }
    }
}

/// What a file alone shows.
#[derive(Debug, Default)]
pub(crate) struct Report {
    candidates: Vec<Candidate>,
    directives: Vec<Placed>,
    /// Extensions that the file declares: server and kind.
    pub(crate) declared: Vec<(String, String)>,
}

/// What may become a finding.
#[derive(Debug)]
struct Candidate {
    at: Located,
    test: bool,
    what: What,
    fix: Option<Fix>,
    count: u64,
}

#[derive(Debug)]
enum What {
    Wrong(Verdict),
    Extension { server: String, kind: String },
}

/// A directive with its location.
#[derive(Debug)]
struct Placed {
    at: Located,
    /// The last line of the comment.
    line: usize,
    /// The lines of the block of code below it.
    block: Option<RangeInclusive<usize>>,
    directive: Directive,
    test: bool,
}

impl Placed {
    fn ids(&self) -> &[Id] {
        match &self.directive {
            Directive::Ignore { ids, .. } => ids,
            Directive::Bare => &[],
        }
    }
}

/// Whether a file is test code by its place or name.
pub(crate) fn is_test_file(path: &Path) -> bool {
    let folder = path.parent().is_some_and(|folder| {
        folder.components().any(|part| {
            matches!(part.as_os_str().to_str(), Some("tests" | "test" | "testing" | "benches"))
        })
    });
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    folder
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "conftest" | "tests" | "test")
}

/// Checks a text.
pub(crate) fn check_text(
    bytes: &[u8],
    language: &Language,
    path: &Path,
    config: &Config,
    levels: &Levels<'_>,
) -> Report {
    let in_tests = language.kind == LanguageKind::Code && is_test_file(path);
    let mut report = Report::default();
    // Columns count from the start of the text, after a byte order mark.
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let bytes = &bytes[mark..];
    let source = Text::new(bytes);
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            report.unparsed(&source, at, "not UTF-8", in_tests);
            return report;
        }
    };
    let literals = levels.of(Id::NearMiss, false) != Level::Off;
    let options = ScanOptions { keys: &config.keys, test: in_tests, literals, fragment: false };
    report.take(language.scan(text, options), &source, in_tests);
    if mark > 0 {
        report.shift_edits(mark);
    }
    report
}

impl Report {
    fn take(&mut self, scan: Scan, source: &Text<'_>, test: bool) {
        if let Some(unparsed) = scan.unparsed {
            self.unparsed(source, unparsed.at, &unparsed.why, test);
        }
        let mut judged = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for position in scan.positions {
            judged.insert(position.span.start);
            if let Value::Text { text, .. } = &position.value {
                // One expression may be at two positions, as in `kind = row.get(key).unwrap_or(…)`.
                let is_new = seen.insert((position.span.start, text.clone()));
                if !is_new || rules::is_placeholder(text, &position.key) {
                    continue;
                }
            }
            let what = match rules::judge(&position) {
                Outcome::Fine => continue,
                Outcome::Wrong(verdict) => What::Wrong(verdict),
                Outcome::Extension { server, kind } => What::Extension { server, kind },
            };
            let fix = match &what {
                What::Wrong(Verdict { correction: Some(correction), .. }) => {
                    fix(&position, *correction, source)
                }
                _ => None,
            };
            let at = source.locate(&position.span);
            self.candidates.push(Candidate { at, test: position.test, what, fix, count: 1 });
        }
        for literal in scan.literals {
            if judged.contains(&literal.span.start) {
                continue;
            }
            if let Some(verdict) = rules::near_miss(&literal.text) {
                let at = source.locate(&literal.span);
                let what = What::Wrong(verdict);
                self.candidates.push(Candidate {
                    at,
                    test: literal.test,
                    what,
                    fix: None,
                    count: 1,
                });
            }
        }
        for comment in scan.comments {
            if let Some(directive) = suppress::directive(&comment.text) {
                let at = source.locate(&comment.span);
                let line = at.end.line;
                let block = comment
                    .block
                    .map(|block| source.place(block.start).line..=source.place(block.end).line);
                self.directives.push(Placed { at, line, block, directive, test });
            }
        }
        self.declared = scan.declared;
    }

    fn unparsed(&mut self, source: &Text<'_>, at: usize, why: &str, test: bool) {
        self.candidates.push(Candidate {
            at: source.locate(&(at..at)),
            test,
            what: What::Wrong(Verdict::unparsed(why)),
            fix: None,
            count: 1,
        });
    }

    fn shift_edits(&mut self, by: usize) {
        let fixes = self.candidates.iter_mut().filter_map(|candidate| candidate.fix.as_mut());
        for edit in fixes.flat_map(|fix| &mut fix.edits) {
            edit.from += by;
            edit.to += by;
        }
    }

    /// The report of saved rows: one candidate for each name.
    pub(crate) fn of_rows(rows: &RowNames) -> Self {
        let mut report = Self::default();
        let mut push = |at: &Located, count, what| {
            let at = at.clone();
            // Rows are evidence of what was written: nothing is changed in them.
            report.candidates.push(Candidate { at, test: false, what, fix: None, count });
        };
        for (why, first) in rows.malformed() {
            push(&first.at, first.count, What::Wrong(Verdict::unparsed(why)));
        }
        for (position, first) in rows.positions() {
            match rules::judge(&position) {
                Outcome::Fine => {}
                Outcome::Wrong(verdict) => push(&first.at, first.count, What::Wrong(verdict)),
                Outcome::Extension { server, kind } => {
                    push(&first.at, first.count, What::Extension { server, kind });
                }
            }
        }
        report
    }

    /// The extensions that are used.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.candidates.iter().filter_map(|candidate| match &candidate.what {
            What::Extension { server, kind } => Some((server.as_str(), kind.as_str())),
            What::Wrong(_) => None,
        })
    }

    /// The findings, given what is declared.
    pub(crate) fn findings(
        self,
        paths: &Paths,
        levels: &Levels<'_>,
        declared: &Declared<'_>,
    ) -> Vec<Finding> {
        let judged = self.candidates.into_iter().filter_map(|candidate| {
            let verdict = match candidate.what {
                What::Wrong(verdict) => verdict,
                What::Extension { server, kind } => {
                    let kinds = declared.of(&server)?;
                    if kinds.contains(&kind.as_str()) {
                        return None;
                    }
                    rules::undeclared(&server, &kind, &kinds)
                }
            };
            let Candidate { at, test, fix, count, .. } = candidate;
            let level = levels.of(verdict.id, test);
            Some(finding(paths, verdict, at, level, fix, count))
        });
        let mut findings: Vec<_> = judged.collect();
        let used = suppress(&mut findings, &self.directives);
        for (index, placed) in self.directives.into_iter().enumerate() {
            let is_used = |id| used.contains(&(index, id));
            for verdict in unused(&placed, is_used, levels) {
                let level = levels.of(verdict.id, placed.test);
                findings.push(finding(paths, verdict, placed.at.clone(), level, None, 1));
            }
        }
        findings.retain(|finding| finding.level != Level::Off);
        findings.sort_by_key(|finding| (finding.at.start, finding.id));
        findings
    }
}

fn finding(
    paths: &Paths,
    verdict: Verdict,
    at: Located,
    level: Level,
    fix: Option<Fix>,
    count: u64,
) -> Finding {
    let Verdict { id, message, help, note, name, suggestion, correction: _ } = verdict;
    let (path, repository_path) = (Arc::clone(&paths.shown), Arc::clone(&paths.in_repository));
    Finding {
        id,
        level,
        path,
        repository_path,
        at,
        message,
        help,
        note,
        name,
        suggestion,
        fix,
        count,
    }
}

/// Takes out what comments suppress, and returns which comments did so for which ids. A comment is
/// for the block below it and for its own line. If there is nothing to suppress, it is for the next
/// line.
fn suppress(findings: &mut Vec<Finding>, directives: &[Placed]) -> BTreeSet<(usize, Id)> {
    let mut used = BTreeSet::new();
    for lines_down in [0, 1] {
        let before = used.clone();
        findings.retain(|finding| {
            let (id, line) = (finding.id, finding.at.start.line);
            let hit = directives.iter().enumerate().find(|(index, placed)| {
                let is_near = placed.line + lines_down == line
                    || placed.block.as_ref().is_some_and(|block| block.contains(&line));
                is_near && placed.ids().contains(&id) && !before.contains(&(*index, id))
            });
            match hit {
                Some((index, _)) => {
                    used.insert((index, id));
                    false
                }
                None => true,
            }
        });
    }
    used
}

/// What is wrong with a comment that suppresses nothing, or not all that it names.
fn unused(placed: &Placed, is_used: impl Fn(Id) -> bool, levels: &Levels<'_>) -> Vec<Verdict> {
    let verdict = |message, help| Verdict::new(Id::UnusedSuppression, message, Some(help));
    let Directive::Ignore { ids, unknown } = &placed.directive else {
        let message = "this comment names no finding, and suppresses nothing".to_owned();
        return vec![verdict(message, "write `failure-kinds: ignore[ID]`".to_owned())];
    };
    let unknown = unknown.iter().map(|name| {
        verdict(format!("there is no finding `{}`", Quoted(name)), Id::instead_of(name))
    });
    // A finding that is off was not looked for, or not shown: the comment may be needed.
    let is_unused = |id: &&Id| !is_used(**id) && levels.of(**id, placed.test) != Level::Off;
    let unused = ids.iter().filter(is_unused).map(|id| {
        verdict(format!("there is no `{id}` here to suppress"), format!("remove `{id}`"))
    });
    unknown.chain(unused).collect()
}

/// The edits of a correction, if the text is spelled so that it can be edited.
fn fix(position: &Position, correction: Correction, source: &Text<'_>) -> Option<Fix> {
    let edit = |span: &Range<usize>, text| source.edit(span, text);
    let Value::Text { text, inside } = &position.value else { return None };
    let (safety, edits) = match correction {
        Correction::Rename(name) => (Safety::Safe, vec![edit(inside.as_ref()?, name.to_owned())]),
        Correction::Macro(form) => {
            let method = if form == Form::Text { ".as_str()" } else { "" };
            let mut edits = Vec::new();
            if let Some(Bare { import: Some((at, import)), .. }) = &position.bare {
                edits.push(edit(&(*at..*at), import.replace('\n', source.line_ending())));
            }
            edits.push(edit(&position.span, format!("failure_kind!(\"{text}\"){method}")));
            (Safety::Unsafe, edits)
        }
    };
    Some(Fix { safety, edits })
}
