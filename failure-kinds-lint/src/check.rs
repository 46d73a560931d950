//! One file from its bytes to findings, in two steps: what the file alone tells, and what only
//! the whole project tells, which is the extensions that its servers declare.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::config::{Config, Levels};
use super::finding::{Finding, Fix, Lines, Located};
use super::id::{Id, Level};
use super::position::{Ask, Bare, Form, Position, Scan, Value};
use super::rules::{self, Mend, Outcome, Verdict};
use super::source::{Language, RowNames};
use super::suppress::{self, Directive};

/// The extensions that a project declares, by server.
pub(crate) type Servers = BTreeMap<String, BTreeSet<String>>;

/// What a file alone tells.
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

/// A comment that speaks to the linter.
#[derive(Debug)]
struct Placed {
    at: Located,
    /// The last line of the comment.
    line: usize,
    directive: Directive,
    test: bool,
}

impl Placed {
    fn names(&self, id: Id) -> bool {
        matches!(&self.directive, Directive::Ignore { ids, .. } if ids.contains(&id))
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

/// Looks through a text.
pub(crate) fn check_text(
    bytes: &[u8],
    language: Language,
    path: &Path,
    config: &Config,
    levels: &Levels<'_>,
) -> Report {
    let in_tests = language.is_code() && is_test_file(path);
    let mut report = Report::default();
    // Places count from the start of the text; a byte-order mark is no part of it.
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let bytes = &bytes[mark..];
    let lines = Lines::new(bytes);
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            report.unparsed(&lines, at, "not UTF-8", in_tests);
            return report;
        }
    };
    let literals = levels.of(Id::NearMiss, false) != Level::Off;
    let ask = Ask { keys: &config.keys, test: in_tests, literals, fragment: false };
    report.take(language.scan(text, ask), &lines, in_tests);
    if mark > 0 {
        report.shift_edits(mark);
    }
    report
}

impl Report {
    fn take(&mut self, scan: Scan, lines: &Lines<'_>, test: bool) {
        if let Some(unparsed) = scan.unparsed {
            self.unparsed(lines, unparsed.at, &unparsed.why, test);
        }
        let mut judged = BTreeSet::new();
        for position in scan.positions {
            judged.insert(position.span.start);
            let what = match rules::judge(&position) {
                Outcome::Fine => continue,
                Outcome::Wrong(verdict) => What::Wrong(verdict),
                Outcome::Extension { server, kind } => What::Extension { server, kind },
            };
            let fix = match &what {
                What::Wrong(Verdict { mend: Some(mend), .. }) => fix(&position, *mend, lines),
                _ => None,
            };
            let at = lines.locate(&position.span);
            self.candidates.push(Candidate { at, test: position.test, what, fix, count: 1 });
        }
        for literal in scan.literals {
            if judged.contains(&literal.span.start) {
                continue;
            }
            if let Some(verdict) = rules::near_miss(&literal.text) {
                let at = lines.locate(&literal.span);
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
            if let Some(directive) = suppress::directive(&comment) {
                let at = lines.locate(&comment.span);
                let line = at.end.line;
                self.directives.push(Placed { at, line, directive, test });
            }
        }
        self.declared = scan.declared;
    }

    fn unparsed(&mut self, lines: &Lines<'_>, at: usize, why: &str, test: bool) {
        self.candidates.push(Candidate {
            at: lines.locate(&(at..at)),
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

    /// The findings, given what the whole project declares.
    pub(crate) fn findings(
        self,
        path: &Arc<str>,
        levels: &Levels<'_>,
        servers: &Servers,
    ) -> Vec<Finding> {
        let judged = self.candidates.into_iter().filter_map(|candidate| {
            let verdict = match candidate.what {
                What::Wrong(verdict) => verdict,
                What::Extension { server, kind } => {
                    let kinds = servers.get(&server).filter(|kinds| !kinds.contains(&kind))?;
                    let declared: Vec<_> = kinds.iter().map(String::as_str).collect();
                    rules::undeclared(&server, &kind, &declared)
                }
            };
            let Candidate { at, test, fix, count, .. } = candidate;
            Some(finding(path, verdict, at, levels, test, fix, count))
        });
        let mut findings: Vec<_> = judged.collect();
        let used = suppress(&mut findings, &self.directives);
        for (placed, used) in self.directives.into_iter().zip(used) {
            if let Some(verdict) = unused(&placed.directive, used, placed.test, levels) {
                findings.push(finding(path, verdict, placed.at, levels, placed.test, None, 1));
            }
        }
        findings.retain(|finding| finding.level != Level::Off);
        findings.sort_by_key(|finding| (finding.at.start, finding.id));
        findings
    }
}

fn finding(
    path: &Arc<str>,
    verdict: Verdict,
    at: Located,
    levels: &Levels<'_>,
    test: bool,
    fix: Option<Fix>,
    count: u64,
) -> Finding {
    let Verdict { id, message, help, note, name, suggestion, mend: _ } = verdict;
    let level = levels.of(id, test);
    let path = Arc::clone(path);
    Finding { id, level, path, at, message, help, note, name, suggestion, fix, count }
}

/// Takes out what comments suppress, and tells which comments did so. A comment speaks of its own
/// line; where nothing is to be suppressed there, of the next one.
fn suppress(findings: &mut Vec<Finding>, directives: &[Placed]) -> Vec<bool> {
    let mut used = vec![false; directives.len()];
    for lines_down in [0, 1] {
        let before = used.clone();
        findings.retain(|finding| {
            let hit = directives.iter().position(|placed| {
                placed.line + lines_down == finding.at.start.line && placed.names(finding.id)
            });
            match hit {
                Some(index) if !before[index] => {
                    used[index] = true;
                    false
                }
                _ => true,
            }
        });
    }
    used
}

/// What is to be said of a comment that suppressed nothing.
fn unused(directive: &Directive, used: bool, test: bool, levels: &Levels<'_>) -> Option<Verdict> {
    let (message, help) = match directive {
        Directive::Bare => (
            "this comment names no finding, and suppresses nothing".to_owned(),
            Some("write `failure-kinds: ignore[ID]`".to_owned()),
        ),
        Directive::Ignore { unknown, .. } if !unknown.is_empty() => (
            format!("there is no finding `{}`", failure_kinds_core::Quoted(&unknown[0])),
            Some(Id::instead_of(&unknown[0])),
        ),
        // A finding that is off was not looked for, or not shown: the comment may be needed.
        Directive::Ignore { ids, .. }
            if used || ids.iter().any(|id| levels.of(*id, test) == Level::Off) =>
        {
            return None;
        }
        Directive::Ignore { ids, .. } => {
            let names: Vec<_> = ids.iter().map(|id| format!("`{id}`")).collect();
            (
                format!("there is no finding {} here", names.join(" or ")),
                Some("remove it".to_owned()),
            )
        }
    };
    let id = Id::UnusedSuppression;
    Some(Verdict::new(id, message, help))
}

/// The edits of a mend, where the text is spelled so that it can be edited.
fn fix(position: &Position, mend: Mend, lines: &Lines<'_>) -> Option<Fix> {
    let edit = |span: &Range<usize>, text| lines.edit(span, text);
    let Value::Text { text, inside } = &position.value else { return None };
    let edits = match mend {
        Mend::Rename(name) => vec![edit(inside.as_ref()?, name.to_owned())],
        Mend::Macro(form) => {
            let method = if form == Form::Text { ".as_str()" } else { "" };
            let mut edits = Vec::new();
            if let Some(Bare { import: Some((at, import)), .. }) = &position.bare {
                edits.push(edit(&(*at..*at), import.clone()));
            }
            edits.push(edit(&position.span, format!("failure_kind!(\"{text}\"){method}")));
            edits
        }
    };
    Some(Fix { edits })
}
