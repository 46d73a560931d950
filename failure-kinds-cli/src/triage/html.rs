//! The report as a page for a browser.

mod glossary;

use std::collections::HashMap;
use std::io::{self, Write};

use askama::Template;
use failure_kinds::FailureClass;
use failure_kinds_core::text::Escaped;
use failure_kinds_core::{Entry, STAGES, resolve};
use failure_kinds_triage::{Group, Outcomes, Report, RolloutReport, RunReport};

use super::text::calls;
use super::text::failures::{count, largest_first, no_failure};
use super::text::next::{ORDER, next};
use super::text::rest::{
    GATE_DERIVED_HINT, doubts, flags, legacy_hint, skipped, unregistered_hint, what_was_read,
};
use super::text::{WARNING, below, common_folder, runs::expected_in_part};
use crate::html::{Bar, Frame, MANY, Name, Part, Sentence, Side, filter, heading};
use crate::page::{counted, percent, quoted, rows, share};
use crate::words;

/// How many kinds the table of kinds and stages shows.
const KINDS: usize = 25;
/// How many names the table of names shows. All of them are in the JSON, and among the groups.
const NAMES: usize = 100;
/// The value of a filter for what is absent.
const ABSENT: &str = "none";
/// What is shown instead of an absent stage.
const NO_STAGE: &str = "no stage";

/// Writes the page. It depends on the report alone, and not on the time.
pub(crate) fn write(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    Page::new(report)?.write_into(&mut { stream })
}

/// Writes the start of the page for a notebook: without a script and without a style.
pub(crate) fn write_notebook(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    Notebook { page: Page::new(report)? }.write_into(&mut { stream })
}

/// How many groups a notebook shows.
const SHOWN: usize = 30;

#[derive(Template)]
#[template(path = "notebook.html")]
struct Notebook<'r> {
    page: Page<'r>,
}

#[derive(Template)]
#[template(path = "triage.html")]
struct Page<'r> {
    frame: Frame,
    report: &'r Report,
    headline: String,
    warning: String,
    doubts: Vec<Sentence<'r>>,
    read: String,
    base: String,
    figures: [Figure; 2],
    all_rollouts: String,
    outcomes: Bar,
    order: &'static str,
    next: Vec<(Sentence<'r>, Option<String>)>,
    matrix: Matrix,
    /// Each side with its rows.
    sides: [(Side, String); 3],
    all_rows: String,
    groups: Vec<GroupView<'r>>,
    more_groups: Option<String>,
    run_columns: Vec<(&'static str, &'static str)>,
    runs: Vec<RunView>,
    names: Vec<NameView<'r>>,
    more_names: Option<String>,
    rest: [(&'static str, String, Vec<Sentence<'r>>); 3],
    glossary: Vec<glossary::Words>,
}

/// A number that stands out.
struct Figure {
    what: String,
    value: String,
}

/// Rows by kind and stage.
struct Matrix {
    stages: Vec<(&'static str, String)>,
    rows: Vec<MatrixRow>,
    more: Option<String>,
}

struct MatrixRow {
    side: Side,
    kind: Name,
    filter: String,
    cells: Vec<Cell>,
    count: u64,
}

struct Cell {
    count: u64,
    /// From 1 to 8.
    shade: usize,
    filter: String,
}

struct GroupView<'r> {
    group: &'r Group,
    side: Side,
    kind: Name,
    data_kind: Option<String>,
    /// The run, if it is the only one.
    run: Option<String>,
    /// The paths, names and rollouts of its runs, if the report is of several.
    runs: Vec<(String, String, u64)>,
    /// Its share of all rows, where it can be large enough to be seen.
    share: Option<Bar>,
    /// What its name means, and what else is known.
    facts: Sentence<'r>,
    last_call: Option<Sentence<'r>>,
    example: Option<ExampleView>,
}

struct ExampleView {
    /// The path and the line.
    place: String,
    /// The same without the common folder.
    shown: String,
    reason: Option<String>,
}

struct RunView {
    name: Name,
    filter: String,
    bar: Bar,
    /// Each with what it is out of.
    cells: Vec<(String, Option<u64>)>,
}

struct NameView<'r> {
    name: Name,
    state: &'static str,
    instead: Sentence<'r>,
    count: u64,
}

impl<'r> Page<'r> {
    fn new(report: &'r Report) -> io::Result<Self> {
        let base = common_folder(report);
        let headline = headline(report);
        let all: Vec<&Group> = report.groups.iter().collect();
        let columns = run_columns(report);
        Ok(Self {
            frame: Frame::new(format!("{headline}: {}", title(base)), report)?,
            report,
            headline,
            warning: heading(WARNING),
            doubts: doubts(report).into_iter().map(|doubt| Sentence(doubt.into())).collect(),
            read: format!(
                "{}, {}",
                counted(report.runs.len() as u64, "run"),
                what_was_read(report)
            ),
            base: Escaped(base).to_string(),
            figures: figures(report),
            all_rollouts: all_rollouts(report),
            outcomes: Bar::new(outcomes(
                &report.runs.iter().map(|run| &run.outcomes).collect::<Vec<_>>(),
                report.rollouts.recovered,
            )),
            order: ORDER,
            next: next(report, base)
                .into_iter()
                .map(|next| {
                    let filter = next.about.map(|(class, kind)| {
                        filter(&[("class", class.as_str()), ("kind", &data(kind))])
                    });
                    (Sentence(next.sentence.into()), filter)
                })
                .collect(),
            matrix: Matrix::new(&all),
            sides: Side::all().map(|side| {
                let of_side =
                    report.classes.iter().filter(|class| class.class.as_str() == side.class);
                (side, rows(of_side.map(|class| class.count).sum()))
            }),
            all_rows: rows(total(report)),
            groups: groups(report, base),
            more_groups: (report.more_groups.groups > 0).then(|| {
                let more = report.more_groups;
                format!("{} more groups with {} are not listed.", more.groups, rows(more.count))
            }),
            runs: report
                .runs
                .iter()
                .map(|run| RunView::new(run, run_name(report, base, &run.path), &columns))
                .collect(),
            run_columns: columns.into_iter().map(|column| (column.id, column.name)).collect(),
            names: names(report),
            more_names: more_names(report),
            rest: rest(report, base),
            glossary: glossary::of(report),
        })
    }
}

fn title(base: &str) -> String {
    match base.trim_end_matches('/') {
        "" => "failure triage".to_owned(),
        base => Escaped(base).to_string(),
    }
}

/// What a tired reader needs first.
fn headline(report: &Report) -> String {
    let RolloutReport { seen, failed, .. } = report.rollouts;
    match (report.totals.failures, failed) {
        (0, _) => heading(&no_failure(report)),
        (failures, _) if seen == 0 => counted(failures, "failure row"),
        _ => format!("{failed} of {} failed", counted(seen, "rollout")),
    }
}

/// The two figures that a reader came for.
fn figures(report: &Report) -> [Figure; 2] {
    let RolloutReport { expected, seen, missing, failed, .. } = report.rollouts;
    let figure = |count: u64, what: &str, of: u64, of_what: &str| Figure {
        what: format!(
            "{} {what}, of {of} {of_what} ({})",
            if count == 1 { "rollout" } else { "rollouts" },
            percent(count, of)
        ),
        value: count.to_string(),
    };
    [
        figure(failed, "failed", seen, "seen"),
        match missing.zip(expected) {
            Some((missing, expected)) => figure(missing, "missing", expected, "expected"),
            None => Figure {
                what: format!("rollouts missing: {}", expected_in_part(report)),
                value: "?".to_owned(),
            },
        },
    ]
}

/// What the bar of all rollouts is of.
fn all_rollouts(report: &Report) -> String {
    let RolloutReport { expected, unexpected, .. } = report.rollouts;
    let all: u64 = report.runs.iter().map(|run| run.outcomes.all()).sum();
    let all_of = match (expected, unexpected.unwrap_or(0)) {
        (Some(expected), 0) if expected == all => counted(all, "expected rollout"),
        (_, 0) => counted(all, "rollout"),
        (_, unexpected) => {
            let what = words::UNEXPECTED;
            format!("{}, {unexpected} of them unexpected ({what})", counted(all, "rollout"))
        }
    };
    format!("{all_of}, each in one part of the bar")
}

/// The parts of a bar of rollouts.
fn outcomes(all: &[&Outcomes], recovered: u64) -> Vec<Part> {
    let sum = |count: fn(&Outcomes) -> u64| all.iter().map(|outcomes| count(outcomes)).sum();
    let sides = [FailureClass::Evaluation, FailureClass::Model, FailureClass::Unknown];
    let failed = sides.into_iter().map(|class| {
        let count = all.iter().filter_map(|outcomes| outcomes.failed.get(&class)).sum();
        let side = Side::named(class.as_str());
        let what = match class {
            FailureClass::Unknown => "failed, side unknown".to_owned(),
            _ => format!("failed on the {} side", side.class),
        };
        Part::new(side.class, what, count)
    });
    let passed_again = sum(|outcomes| outcomes.recovered);
    let degraded = Part::degraded(sum(|outcomes| outcomes.degraded));
    // A rollout can be degraded and recovered, and is in one part of the bar.
    let degraded = match recovered - passed_again {
        0 => degraded,
        both => degraded.meaning(format!("{}; {both} recovered so", words::DEGRADED)),
    };
    let others = [
        degraded,
        Part::new("recovered", "recovered", passed_again).meaning(words::RECOVERED),
        Part::new("passed", "passed", sum(|outcomes| outcomes.passed)),
        Part::omitted(sum(|outcomes| outcomes.omitted)),
        Part::missing(sum(|outcomes| outcomes.missing)),
    ];
    failed.chain(others).collect()
}

/// What names are in attributes: like the text, without what nobody sees.
fn data(kind: Option<&str>) -> String {
    kind.map_or(ABSENT.to_owned(), |kind| Escaped(kind).to_string())
}

fn shown(kind: Option<&str>) -> String {
    kind.map_or("no kind".to_owned(), quoted)
}

impl Matrix {
    fn new(groups: &[&Group]) -> Self {
        let total = count(groups);
        let occurs = |stage: Option<&str>| groups.iter().any(|group| group.stage == stage);
        let stages: Vec<Option<&'static str>> =
            [None].into_iter().chain(STAGES.map(Some)).filter(|stage| occurs(*stage)).collect();
        let all = largest_first(groups, |group| (group.kind.as_deref(), group.class));
        let rows = all.iter().take(KINDS).map(|((kind, class), groups)| {
            let kind_filter = data(*kind);
            let cells = stages.iter().map(|stage| {
                let of_stage = groups.iter().filter(|group| group.stage == *stage);
                let count = of_stage.map(|group| group.count).sum();
                let stage = stage.unwrap_or(ABSENT);
                Cell {
                    count,
                    shade: share(count, total, 8).max(1),
                    filter: filter(&[("class", class), ("kind", &kind_filter), ("stage", stage)]),
                }
            });
            MatrixRow {
                side: Side::named(class),
                kind: Name(shown(*kind)),
                cells: cells.collect(),
                count: count(groups),
                filter: filter(&[("kind", &kind_filter)]),
            }
        });
        let rows = rows.collect();
        let more = all.get(KINDS..).filter(|more| !more.is_empty()).map(|more| {
            let rows: u64 = more.iter().map(|(_, groups)| count(groups)).sum();
            format!("{} more kinds with {rows} rows are among the groups below.", more.len())
        });
        let stages = stages.into_iter().map(|stage| {
            let filter = filter(&[("stage", stage.unwrap_or(ABSENT))]);
            (stage.unwrap_or(NO_STAGE), filter)
        });
        Self { stages: stages.collect(), rows, more }
    }
}

/// All failure rows, listed or not.
fn total(report: &Report) -> u64 {
    report.classes.iter().map(|class| class.count).sum()
}

fn groups<'r>(report: &'r Report, base: &str) -> Vec<GroupView<'r>> {
    let total = total(report);
    let suggestions: HashMap<&str, _> =
        report.unregistered.iter().map(|name| (&*name.name, name)).collect();
    let run_of: HashMap<&str, usize> = report
        .runs
        .iter()
        .enumerate()
        .flat_map(|(place, run)| run.files.iter().map(move |file| (&**file, place)))
        .collect();
    let is_small = report.groups.len() <= MANY;
    let view = |group: &'r Group| {
        let mut runs: Vec<_> = group
            .runs
            .iter()
            .map(|(place, count)| {
                let path = &report.runs[*place].path;
                (Escaped(path).to_string(), run_name(report, base, path), *count)
            })
            .collect();
        let run = match &runs[..] {
            [(path, _, _)] => Some(path.clone()),
            // Rows that decide no rollout are of the run of their example.
            [] => {
                let example = group.example.as_ref();
                let run = example.and_then(|example| run_of.get(&*example.path));
                run.map(|run| Escaped(&report.runs[*run].path).to_string())
            }
            _ => None,
        };
        // Of one run there is nothing to tell apart.
        if report.runs.len() == 1 {
            runs.clear();
        }
        let side = Side::named(group.class);
        GroupView {
            side,
            kind: Name(shown(group.kind.as_deref())),
            data_kind: group.kind.as_deref().map(|kind| Escaped(kind).to_string()),
            run,
            runs,
            share: is_small.then(|| Bar::of_share(side.class, group.count, total)),
            facts: Sentence((meaning(group, &suggestions) + &facts(group, is_small)).into()),
            last_call: calls::line(&[group]).map(|line| Sentence(line.into())),
            example: group.example.as_ref().map(|example| ExampleView {
                place: format!("{}:{}", Escaped(&example.path), example.line),
                shown: format!("{}:{}", below(base, &example.path), example.line),
                reason: example.reason.as_deref().map(|reason| Escaped(reason).to_string()),
            }),
            group,
        }
    };
    report.groups.iter().map(view).collect()
}

/// What the paths of all runs end with, if there are several: the name of the stem.
fn common_stem(report: &Report) -> &str {
    let [first, rest @ ..] = &report.runs[..] else { return "" };
    let stem = first.path.rfind('/').map_or("", |separator| &first.path[separator..]);
    let is_common = !rest.is_empty() && rest.iter().all(|run| run.path.ends_with(stem));
    if is_common { stem } else { "" }
}

/// The path of a run without what all of them share.
fn run_name(report: &Report, base: &str, path: &str) -> String {
    let name = path.strip_suffix(common_stem(report)).unwrap_or(path);
    below(base, if name.len() < base.len() { path } else { name })
}

/// What the name of a group says.
fn meaning(
    group: &Group,
    unregistered: &HashMap<&str, &failure_kinds_triage::Unregistered>,
) -> String {
    let Some(kind) = group.kind.as_deref() else {
        return "The rows name no kind.".to_owned();
    };
    match resolve(kind) {
        Entry::Registered(kind) => kind.summary.to_owned(),
        Entry::Extension { server, .. } => {
            format!("A kind of the server `{}` only.", quoted(server))
        }
        Entry::Legacy(legacy) => match legacy.successor() {
            Some(successor) => format!("A legacy label, now `{successor}`."),
            None => format!("A legacy label: {}.", legacy.hint().unwrap_or_default()),
        },
        Entry::GateDerived(class) => class.summary.to_owned(),
        Entry::Unregistered => match unregistered.get(kind) {
            Some(name) => {
                format!("Not registered: {}.", unregistered_hint(name).trim_end_matches('?'))
            }
            None => "Not registered.".to_owned(),
        },
    }
}

/// What else is known about the rows of a group: sentences after the one with its meaning. Names
/// are code only where that is affordable: of 10,000 groups, each element counts.
fn facts(group: &Group, is_small: bool) -> String {
    let name = |name: &str| if is_small { format!("`{name}`") } else { name.to_owned() };
    let rule = name(group.rule);
    let label =
        group.http_label.map_or(String::new(), |label| format!(" HTTP label: {}.", name(label)));
    let counts = [
        (group.terminal, "terminal"),
        (group.is_final, "final"),
        (group.rejudgeable, "rejudgeable"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let flags: Vec<_> = counts.map(|(count, what)| format!("{} {what}", rows(*count))).collect();
    let flags = if flags.is_empty() { String::new() } else { format!(" {}.", flags.join(", ")) };
    let server = if group.server { " Server subcategory." } else { "" };
    let degraded = match group.degraded {
        0 => String::new(),
        count => format!(" {} degraded.", counted(count, "rollout")),
    };
    format!(" Rule: {rule}.{label}{flags}{degraded}{server}")
}

/// A column of the table of runs.
struct Column {
    id: &'static str,
    name: &'static str,
    count: fn(&RunReport) -> Option<u64>,
    of: Option<fn(&RunReport) -> Option<u64>>,
    /// Whether it is shown even if all its numbers are 0.
    is_always: bool,
}

const COLUMNS: [Column; 8] = [
    Column {
        id: "failed",
        name: "Failed",
        count: |run| Some(run.rollouts.failed),
        of: Some(|run| Some(run.rollouts.seen)),
        is_always: true,
    },
    Column {
        id: "missing",
        name: "Missing",
        count: |run| run.rollouts.missing,
        of: Some(|run| run.rollouts.expected),
        is_always: true,
    },
    Column {
        id: "omitted",
        name: "Omitted",
        count: |run| Some(run.rollouts.omitted),
        of: None,
        is_always: false,
    },
    Column {
        id: "degraded",
        name: "Degraded",
        count: |run| Some(run.rollouts.degraded),
        of: None,
        is_always: false,
    },
    Column {
        id: "recovered",
        name: "Recovered",
        count: |run| Some(run.rollouts.recovered),
        of: None,
        is_always: false,
    },
    Column {
        id: "unexpected",
        name: "Unexpected",
        count: |run| Some(run.rollouts.unexpected.unwrap_or(0)),
        of: None,
        is_always: false,
    },
    Column {
        id: "calls",
        name: "Rows with last call",
        count: |run| Some(run.captures.as_ref().map_or(0, |captures| captures.joined)),
        of: Some(|run| Some(run.counts.failures)),
        is_always: false,
    },
    Column {
        id: "masked",
        name: "Masked rows",
        count: |run| Some(run.counts.masked),
        of: None,
        is_always: false,
    },
];

/// The columns that are worth their place.
fn run_columns(report: &Report) -> Vec<Column> {
    let is_shown = |column: &Column| {
        column.is_always || report.runs.iter().any(|run| (column.count)(run) != Some(0))
    };
    COLUMNS.into_iter().filter(is_shown).collect()
}

impl RunView {
    fn new(run: &RunReport, name: String, columns: &[Column]) -> Self {
        let cell = |column: &Column| match (column.count)(run) {
            Some(count) => (count.to_string(), column.of.and_then(|of| of(run))),
            None => ("?".to_owned(), None),
        };
        Self {
            name: Name(name),
            filter: filter(&[("run", &Escaped(&run.path).to_string())]),
            bar: Bar::new(outcomes(&[&run.outcomes], run.rollouts.recovered)),
            cells: columns.iter().map(cell).collect(),
        }
    }
}

fn names(report: &Report) -> Vec<NameView<'_>> {
    let unregistered = report.unregistered.iter().take(NAMES).map(|name| NameView {
        name: Name(quoted(&name.name)),
        state: "unregistered",
        instead: Sentence(unregistered_hint(name).into()),
        count: name.count,
    });
    let legacy = report.legacy.iter().map(|name| NameView {
        name: Name(name.name.to_owned()),
        state: "a legacy label",
        instead: Sentence(legacy_hint(name).into()),
        count: name.count,
    });
    let gate_derived = report.gate_derived.iter().map(|(name, count)| NameView {
        name: Name((*name).to_owned()),
        state: "gate-derived",
        instead: Sentence(GATE_DERIVED_HINT.into()),
        count: *count,
    });
    unregistered.chain(legacy).chain(gate_derived).collect()
}

/// The unregistered names that are not in the table.
fn more_names(report: &Report) -> Option<String> {
    let rest = report.unregistered.iter().skip(NAMES);
    let more = rest.len() as u64 + report.more_unregistered.names;
    let count = rest.map(|name| name.count).sum::<u64>() + report.more_unregistered.count;
    (more > 0).then(|| format!("{more} more unregistered names in {}.", rows(count)))
}

/// What was not as it should be, below headings.
fn rest<'r>(report: &'r Report, base: &str) -> [(&'static str, String, Vec<Sentence<'r>>); 3] {
    let plain = |text: String| Sentence(text.into());
    let skipped = skipped(report);
    [
        (
            "flags",
            "Rows and files".to_owned(),
            flags(report, base).into_iter().map(plain).collect(),
        ),
        (
            "malformed",
            format!("Malformed lines: {}", report.totals.malformed),
            report
                .malformed_lines
                .iter()
                .map(|line| {
                    plain(format!("{}:{}: {}", below(base, &line.path), line.line, line.why))
                })
                .collect(),
        ),
        (
            "skipped",
            format!("Skipped: {}", skipped.len()),
            skipped
                .into_iter()
                .map(|file| plain(format!("{}: {}", below(base, &file.path), Escaped(&file.why))))
                .collect(),
        ),
    ]
}
