//! Rows of a stream, compared with `serde_json` and a naive implementation of the table in
//! `docs/triage.md`.

use std::collections::BTreeSet;
use std::io::{self, Read};

use failure_kinds::{FAILURE_KINDS, FailureStage};
use failure_kinds_core::{Legacy, legacy, split_extension};
use failure_kinds_rows::{
    Check, End, Format, JsonType, Keys, LONGEST_LINE, Malformed, Position, RawRow, RowSink, Rows,
    Source, SyntaxError, read_rows, read_rows_in_order,
};
use failure_kinds_triage::row::{self, Facts, Field, Identity, KEYS, KEYS_READ, Sort};

use serde::de::IgnoredAny;

use crate::json::{Json, Line};

/// In any stream of bytes, the rows are those that `serde_json` finds, with the facts that a naive
/// implementation finds.
///
/// The first byte chooses how the stream is read: in pieces of some length, as a sidecar or not.
/// Threads cost a hundred times what a short stream does, so only one choice in 32 has several.
pub fn rows(data: &[u8]) {
    let Some((choice, stream)) = data.split_first() else { return };
    // The content of compressed bytes is not known here.
    if [&[0x1f, 0x8b][..], &[0x28, 0xb5, 0x2f, 0xfd]].iter().any(|magic| stream.starts_with(magic))
        || stream.get(1..4) == Some(&[0x2a, 0x4d, 0x18])
    {
        let mut source = pieces(stream, 7);
        let _ = source.as_mut().map(|source| read_rows(source, Check::Read, || Keep::new(false)));
        return;
    }
    let (piece, in_sidecar) = (usize::from(*choice >> 1).max(1), choice & 1 == 1);
    for check in [Check::Read, Check::Every] {
        let keep = || Keep { check, ..Keep::new(in_sidecar) };
        let mut source = pieces(stream, piece).unwrap();
        judge_format(stream, source.format(), source.format_without_objects());
        let (sink, end) = read_rows_in_order(&mut source, check, keep()).unwrap();
        let found: Vec<_> = sink.rows.into_iter().map(|(_, row)| row).collect();
        judge(stream, check, in_sidecar, &found, end);
        if choice >> 1 & 31 == 3 {
            let mut source = pieces(stream, piece).unwrap();
            assert_eq!(
                in_order(read_rows(&mut source, check, keep).unwrap()),
                (found.clone(), end)
            );
            let mut source = Source::from_bytes(stream.to_vec(), &()).unwrap();
            assert_eq!(in_order(read_rows(&mut source, check, keep).unwrap()), (found, end));
        }
    }
}

/// A source that gives its bytes in pieces.
fn pieces(bytes: &[u8], length: usize) -> io::Result<Source<'static>> {
    struct Pieces(io::Cursor<Vec<u8>>, usize);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    Source::new(Box::new(Pieces(io::Cursor::new(bytes.to_vec()), length)), &())
}

/// What several sinks took, in the order of the lines.
fn in_order(rows: Rows<Keep>) -> (Vec<Option<Row>>, End) {
    let Rows { sinks, end, lines } = rows;
    let mut found: Vec<_> = sinks.into_iter().flat_map(|sink| sink.rows).collect();
    found.sort_by_key(|(at, _)| lines.of(at.ordinal()));
    assert!(found.is_sorted_by(|(one, _), (other, _)| one < other), "a line is read once");
    (found.into_iter().map(|(_, row)| row).collect(), end)
}

/// Takes the facts of rows; `None` for a line that is not one.
struct Keep {
    check: Check,
    in_sidecar: bool,
    rows: Vec<(Position, Option<Row>)>,
}

impl Keep {
    const fn new(in_sidecar: bool) -> Self {
        Self { check: Check::Read, in_sidecar, rows: Vec::new() }
    }
}

impl RowSink<KEYS_READ> for Keep {
    const KEYS: &'static Keys<KEYS_READ> = &KEYS;

    fn row<'a>(
        &mut self,
        at: Position,
        raw: &RawRow<'a, KEYS_READ>,
    ) -> Result<(), SyntaxError<'a>> {
        let facts = row::facts(raw, self.in_sidecar, self.check)?;
        self.rows.push((at, Some(Row::of(&facts, row::is_recognised(raw)))));
        Ok(())
    }

    fn malformed(&mut self, at: Position, _: Malformed) {
        self.rows.push((at, None));
    }
}

/// The facts of a row.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
struct Row {
    sort: Sort,
    kind: Option<String>,
    stage: Option<FailureStage>,
    http_status: Option<u16>,
    reason: Option<String>,
    identity: Option<Identity>,
    terminal: bool,
    is_final: bool,
    masked: bool,
    degraded: bool,
    answer: bool,
    conflict: Option<[String; 2]>,
    recognised: bool,
    ignored: Vec<(Field, JsonType)>,
}

/// `serde_json` reads integers beyond 64 bits as floats.
fn sorted(ignored: impl IntoIterator<Item = (Field, JsonType)>) -> Vec<(Field, JsonType)> {
    let mut ignored: Vec<_> = ignored
        .into_iter()
        .map(|(field, found)| match found {
            JsonType::Integer => (field, JsonType::Float),
            other => (field, other),
        })
        .collect();
    ignored.sort_unstable();
    ignored
}

impl Row {
    fn of(facts: &Facts<'_>, recognised: bool) -> Self {
        let text = |text: failure_kinds_rows::Text<'_>| text.decode().into_owned();
        Self {
            sort: facts.sort,
            kind: facts.kind.map(text),
            stage: facts.stage,
            http_status: facts.http_status,
            reason: facts.reason.map(text),
            identity: facts.identity,
            terminal: facts.terminal,
            is_final: facts.is_final,
            masked: facts.masked,
            degraded: facts.degraded,
            answer: facts.answer,
            conflict: facts.conflict.map(|names| names.map(text)),
            recognised,
            ignored: sorted(facts.ignored.iter().copied()),
        }
    }

    /// A naive implementation of the table, for a row that was parsed as a whole.
    fn plain(row: &Json, in_sidecar: bool) -> Self {
        let omitted = |key| !matches!(row.get(key), Json::Null | Json::Boolean(false));
        let record = row.get("_ng_failure_record");
        let failure = record.get("failure");
        let events = row.get("_ng_failure_events");
        let event = Named::of(row);
        let kinds = [
            failure.get("failure_kind"),
            row.get("_ng_failure_kind"),
            row.get("failure_kind"),
            row.get("_ng_failure_class"),
        ];
        let sort = if omitted("_ng_unrouted_run_error") {
            Sort::Unrouted
        } else if omitted("_ng_omitted_rollout") || omitted("_ng_omitted") {
            Sort::Omitted
        } else if in_sidecar
            || [record, events].iter().chain(&kinds[1..]).any(|value| **value != Json::Null)
        {
            Sort::Failure
        } else {
            Sort::Result
        };
        let names: Vec<&str> = kinds.iter().filter_map(|kind| kind.text()).collect();
        let from_source = match record.get("source").text() {
            Some("environment") => Some("environment_server_failed"),
            Some("collector") => Some("agent_request_failed"),
            _ => None,
        };
        let kind = event.kind.or(names.first().copied()).or(from_source).map(str::to_owned);
        let reasons = [
            event.event.get("failure_reason"),
            failure.get("failure_reason"),
            row.get("failure_reason"),
            row.get("_ng_failure_message"),
            row.get("_ng_failure_judge_error"),
        ];
        let reason = reasons.into_iter().find_map(Json::text).map(str::to_owned);
        let index = |key| match row.get(key) {
            Json::Integer(index) => i64::try_from(*index).ok(),
            _ => None,
        };
        let attempt = index("_ng_attempt_index").unwrap_or(0);
        let identity = index("_ng_task_index")
            .zip(index("_ng_rollout_index"))
            .map(|(task, rollout)| Identity { task, rollout, attempt });
        let recognised = [
            "_ng_task_index",
            "_ng_rollout_index",
            "_ng_failure_record",
            "_ng_failure_kind",
            "failure_kind",
            "_ng_failure_class",
            "_ng_failure_events",
            "_ng_omitted_rollout",
            "_ng_omitted",
            "_ng_unrouted_run_error",
        ];
        let recognised = recognised.iter().any(|key| row.has(key));
        if matches!(sort, Sort::Omitted | Sort::Unrouted) {
            return Self { sort, kind, reason, identity, recognised, ..Self::default() };
        }

        let stages = [event.event.get("stage"), failure.get("stage"), row.get("_ng_failure_stage")];
        let statuses = [
            event.event.get("http_status"),
            event.cause_status,
            record.get("http_status"),
            row.get("_ng_failure_http_status"),
        ];
        let masks = [row.get("mask_sample"), row.get("instance_config").get("mask_sample")];
        let masked = masks.contains(&&Json::Boolean(true));
        let is_true = |key| *row.get(key) == Json::Boolean(true);
        let measured = matches!(row.get("reward"), Json::Integer(_) | Json::Float);
        let is_failure = sort == Sort::Failure;
        Self {
            sort,
            kind,
            stage: stages.into_iter().find_map(stage),
            http_status: statuses.into_iter().find_map(status),
            reason,
            identity,
            terminal: is_true("_ng_failure_terminal"),
            is_final: is_true("_ng_failure_counts_as_zero"),
            masked,
            degraded: is_failure
                && measured
                && *row.get("_ng_failure_class") == Json::Null
                && !masked,
            answer: row.get("response").is_object(),
            conflict: conflict(&names),
            recognised,
            ignored: Self::ignored(row, &event, &kinds, &stages, &statuses, &masks),
        }
    }

    fn ignored(
        row: &Json,
        event: &Named<'_>,
        kinds: &[&Json],
        stages: &[&Json],
        statuses: &[&Json],
        masks: &[&Json],
    ) -> Vec<(Field, JsonType)> {
        let record = row.get("_ng_failure_record");
        let own_kind = [event.event.get("failure_kind")];
        let indices = ["_ng_task_index", "_ng_rollout_index", "_ng_attempt_index"];
        let is_boolean = |value: &Json| matches!(value, Json::Boolean(_));
        let is_index =
            |value: &Json| matches!(value, Json::Integer(index) if i64::try_from(*index).is_ok());
        let mut ignored = Vec::new();
        let mut note = |field, values: &[&Json], is_usable: &dyn Fn(&Json) -> bool| {
            let unusable = values.iter().filter(|value| !is_usable(value));
            ignored.extend(unusable.filter_map(|value| Some((field, value.json_type()?))));
        };
        note(Field::Event, &event.unusable, &|_| false);
        note(Field::Final, &[row.get("_ng_failure_counts_as_zero")], &is_boolean);
        note(Field::HttpStatus, statuses, &|value| status(value).is_some());
        note(Field::Identity, &indices.map(|key| row.get(key)), &is_index);
        note(Field::Kind, &own_kind, &|value| value.text().is_some());
        note(Field::Kind, kinds, &|value| value.text().is_some());
        note(Field::Mask, masks, &is_boolean);
        note(Field::Record, &[record, record.get("failure")], &Json::is_object);
        note(Field::Stage, stages, &|value| stage(value).is_some());
        note(Field::Terminal, &[row.get("_ng_failure_terminal")], &is_boolean);
        sorted(ignored)
    }
}

fn stage(value: &Json) -> Option<FailureStage> {
    let name = value.text()?;
    FailureStage::ALL.iter().copied().find(|stage| stage.as_str() == name)
}

fn status(value: &Json) -> Option<u16> {
    match value {
        Json::Integer(status @ 100..=599) => u16::try_from(*status).ok(),
        _ => None,
    }
}

/// The first name, and the first that differs from it after renamed labels are resolved.
fn conflict(names: &[&str]) -> Option<[String; 2]> {
    let resolved = |name| legacy(name).and_then(Legacy::successor).unwrap_or(name);
    let (first, others) = names.split_first()?;
    let other = others.iter().find(|name| resolved(name) != resolved(first))?;
    Some([first, other].map(|name| (*name).to_owned()))
}

/// The named event of a row.
struct Named<'j> {
    event: &'j Json,
    kind: Option<&'j str>,
    cause_status: &'j Json,
    unusable: Vec<&'j Json>,
}

impl<'j> Named<'j> {
    fn of(row: &'j Json) -> Self {
        let (events, id) = (row.get("_ng_failure_events"), row.get("_ng_failure_id"));
        let none =
            |unusable| Self { event: &Json::Null, kind: None, cause_status: &Json::Null, unusable };
        let Some(name) = id.text().filter(|_| events.is_object()) else {
            return none(vec![events, id]);
        };
        let event = events.get(name);
        match event {
            Json::Object(_) => {}
            Json::Null => return none(vec![id]),
            other => return none(vec![other]),
        }
        let own = event.get("failure_kind").text();
        if own.is_some_and(is_kind) {
            return Self { event, kind: own, ..none(vec![]) };
        }
        let mut unusable = vec![event.get("cause_id")];
        unusable.retain(|cause| cause.text().is_none());
        let mut visited = BTreeSet::from([name]);
        let mut cause = event.get("cause_id").text();
        while let Some(id) = cause
            && visited.len() <= 8
            && visited.insert(id)
        {
            let event = events.get(id);
            if let Some(kind) = event.get("failure_kind").text().filter(|kind| is_kind(kind)) {
                let cause_status = event.get("http_status");
                return Self { event: events.get(name), kind: Some(kind), cause_status, unusable };
            }
            cause = event.get("cause_id").text();
        }
        Self { event, kind: own, cause_status: &Json::Null, unusable }
    }
}

/// Whether a name is registered or an extension.
fn is_kind(name: &str) -> bool {
    FAILURE_KINDS.iter().any(|kind| kind.as_str() == name) || split_extension(name).is_some()
}

/// Compares what was found with the lines of the stream.
fn judge(stream: &[u8], check: Check, in_sidecar: bool, found: &[Option<Row>], end: End) {
    let stream = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let lines = stream.split(|byte| *byte == b'\n');
    let last = lines.clone().count() - 1;
    let mut found = found.iter();
    let mut cut = false;
    for (number, line) in lines.enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let shown = line.escape_ascii();
        if line.len() <= LONGEST_LINE && line.trim_ascii().is_empty() {
            continue;
        }
        let Some(row) = found.next() else {
            assert!(number == last && end == End::CutLine, "{shown}");
            assert!(line.trim_ascii_start().starts_with(b"{"), "{shown}");
            cut = true;
            continue;
        };
        if line.len() > LONGEST_LINE {
            assert_eq!(*row, None, "{shown}");
            continue;
        }
        match Line::of(line) {
            Line::Row { row: plain, is_utf8 } if is_utf8 || check == Check::Read => {
                let row = row.as_ref().unwrap_or_else(|| panic!("{shown}"));
                if let Some(plain) = plain {
                    assert_eq!(row, &Row::plain(&plain, in_sidecar), "{shown}");
                }
            }
            Line::NotAnObject => assert_eq!(*row, None, "{shown}"),
            // An error that may pass if not every byte is checked.
            Line::Row { .. } | Line::Malformed => {
                assert!(check == Check::Read || row.is_none(), "{shown}");
            }
            // The start of an object is an interrupted write only at the end of the stream. Half a
            // character is not UTF-8, which is checked with every byte.
            Line::Start => {
                let is_half = check == Check::Every && str::from_utf8(line).is_err();
                assert!(row.is_none() && (number < last || is_half), "{shown}");
            }
        }
    }
    assert!(found.next().is_none(), "every row is in a line of the stream");
    assert_eq!(end == End::CutLine, cut);
}

/// Checks what the stream is said to be instead of JSON Lines: without a doubt, and if no line is an
/// object.
fn judge_format(stream: &[u8], certain: Option<Format>, without_objects: Option<Format>) {
    assert!(certain.is_none() || certain == without_objects);
    let text = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let first = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    if let (Some(format), Some(first)) = (certain, first) {
        let is_row = matches!(Line::of(first), Line::Row { is_utf8: true, .. });
        assert!(!is_row, "{format}: {}", first.escape_ascii());
    }
    // What is recognized is in the first bytes.
    if let Ok(text) = str::from_utf8(text)
        && text.len() < 512
        && serde_json::from_str::<Vec<IgnoredAny>>(text).is_ok()
    {
        assert_eq!(without_objects, Some(Format::JsonArray), "{text}");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::rows;

    /// Values of every type, and names that mean something to some key.
    const VALUES: &[&str] = &[
        "null",
        "true",
        "false",
        "0",
        "1",
        "7.0",
        "500",
        "429",
        "-1",
        "4294967296",
        "99999999999999999999",
        r#""judge_failed""#,
        r#""judge_faild""#,
        r#""timeout_exceeded""#,
        r#""agent_timeout""#,
        r#""my_server:gone""#,
        r#""agent""#,
        r#""end""#,
        r#""environment""#,
        r#""a""#,
        r#""\u0062""#,
        r#""é\n""#,
        r#""""#,
        "[]",
        r#"[{"failure_kind":"decoy"}]"#,
        "{}",
        r#"{"mask_sample":true,"failure_kind":"decoy"}"#,
    ];

    fn value() -> impl Strategy<Value = String> {
        prop::sample::select(VALUES).prop_map(str::to_owned)
    }

    fn object(
        keys: &'static [&'static str],
        value: impl Strategy<Value = String>,
        most: usize,
    ) -> impl Strategy<Value = String> {
        let member =
            (prop::sample::select(keys), value).prop_map(|(key, value)| format!("{key:?}:{value}"));
        prop::collection::vec(member, 0..most)
            .prop_map(|members| format!("{{{}}}", members.join(",")))
    }

    fn failure() -> impl Strategy<Value = String> {
        let keys =
            &["failure_kind", "stage", "failure_reason", "cause_id", "http_status", "mask_sample"];
        prop_oneof![object(keys, value(), 6), value()]
    }

    fn inner() -> impl Strategy<Value = String> {
        let record = object(&["failure", "http_status", "source"], failure(), 5);
        let events = object(&["a", "b", "c", "\\u0061"], failure(), 6);
        prop_oneof![2 => value(), 1 => record, 2 => events, 1 => failure()]
    }

    fn row() -> impl Strategy<Value = String> {
        let keys = super::KEYS.names();
        let others = &["payload", "error", "_ng_failure_type", "failure_kinds"];
        let key = prop_oneof![
            20 => prop::sample::select(&keys[..]),
            // Events matter only together.
            4 => Just("_ng_failure_events"),
            4 => Just("_ng_failure_id"),
            2 => prop::sample::select(&others[..]),
        ];
        let member = (key, inner()).prop_map(|(key, value)| match key {
            "_ng_failure_id" if !value.starts_with('"') => format!("{key:?}:\"a\""),
            _ => format!("{key:?}:{value}"),
        });
        prop::collection::vec(member, 0..10)
            .prop_map(|members| format!("{{{}}}", members.join(",")))
    }

    proptest! {
        /// Every key with values of every type, in both modes, as a sidecar and not, on one thread
        /// and on several.
        #[test]
        fn any_row_has_the_facts_of_a_naive_implementation(
            lines in prop::collection::vec(row(), 1..4),
            choice in prop::sample::select(&[6_u8, 7, 8, 9][..]),
        ) {
            rows(&[&[choice], lines.join("\n").as_bytes()].concat());
        }
    }
}
