//! The reading of rows against `serde_json` and a plain reading of the contract.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "what does not hold panics")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Formatter};
use std::io::{self, Read};

use failure_kinds::FailureStage;
use failure_kinds_core::{Legacy, legacy};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fast::agreement;
use super::feed::LONGEST;
use super::spans::{self, Spans};
use super::{Check, End, LineNumbers, Malformed, Position, RowSink, Source, read_rows, workers};
use crate::progress::Progress;
use crate::triage::row::{self, Field, Identity, RawRow};

/// The fast scanner says of any line what the plain one says.
pub fn skipper(data: &[u8]) {
    agreement::check(data);
}

/// Any stream of bytes, in pieces or spans of any length, holds the rows that `serde_json` finds in
/// it. The first byte tells how long they are.
pub fn rows(data: &[u8]) {
    let Some((piece, stream)) = data.split_first() else { return };
    for check in [Check::Read, Check::Every] {
        // What is packed is unpacked, or an error; what is in there, nobody else says.
        let packed = [&[0x1f, 0x8b][..], &[0x28, 0xb5, 0x2f, 0xfd]];
        let read = read(stream, usize::from(*piece).max(1), check);
        if packed.iter().any(|magic| stream.starts_with(magic)) {
            continue;
        }
        let read = read.unwrap();
        judge(stream, check, &read);
        assert_eq!(in_spans(stream, u64::from(*piece).max(1), check), read);
    }
}

/// What was read: the facts of each line by its number, `None` where it is no row.
type Lines = BTreeMap<u64, Option<Row>>;

fn read(stream: &[u8], piece: usize, check: Check) -> io::Result<(Lines, End)> {
    let progress = Progress::of_bytes(None);
    let pieces = Pieces { rest: io::Cursor::new(stream.to_vec()), piece };
    let mut source = Source::new(Box::new(pieces), &progress)?;
    read_rows(&mut source, check, || Keep { check, rows: vec![] }).map(lines)
}

fn in_spans(file: &[u8], span: u64, check: Check) -> (Lines, End) {
    let progress = Progress::of_bytes(None);
    let spans = Spans::new(file, file.len() as u64, &progress).of(span);
    let sinks = [(); 2].map(|()| Keep { check, rows: vec![] });
    lines(spans::read(&spans, check, sinks).unwrap())
}

fn lines((sinks, end, numbers): workers::Rows<Keep>) -> (Lines, End) {
    (by_line(sinks.into_iter().flat_map(|sink| sink.rows), &numbers), end)
}

/// What was kept of each line, by its number.
pub(super) fn by_line<T>(
    kept: impl IntoIterator<Item = (Position, T)>,
    numbers: &LineNumbers,
) -> BTreeMap<u64, T> {
    let mut lines = BTreeMap::new();
    for (at, what) in kept {
        let before = lines.insert(numbers.of(at.ordinal()), what);
        assert!(before.is_none(), "a line is given out once");
    }
    lines
}

/// A source that gives its bytes in pieces.
struct Pieces {
    rest: io::Cursor<Vec<u8>>,
    piece: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.piece.min(buffer.len());
        self.rest.read(&mut buffer[..length])
    }
}

struct Keep {
    check: Check,
    rows: Vec<(Position, Option<Row>)>,
}

impl RowSink for Keep {
    fn row(&mut self, at: Position, raw: &RawRow<'_>) -> Result<(), Malformed> {
        self.rows.push((at, Some(Row::of(&row::facts(raw, self.check)?))));
        Ok(())
    }

    fn malformed(&mut self, at: Position, _: Malformed) {
        self.rows.push((at, None));
    }
}

/// The facts of a row.
#[derive(Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
struct Row {
    failure: bool,
    kind: Option<String>,
    stage: Option<FailureStage>,
    http_status: Option<u16>,
    reason: Option<String>,
    identity: Option<Identity>,
    terminal: bool,
    masked: bool,
    degraded: bool,
    conflict: bool,
    ignored: BTreeSet<Field>,
}

impl Row {
    fn of(facts: &row::Facts<'_>) -> Self {
        Self {
            failure: facts.failure,
            kind: facts.kind.map(|kind| kind.decode().into_owned()),
            stage: facts.stage,
            http_status: facts.http_status,
            reason: facts.reason.map(|reason| reason.decode().into_owned()),
            identity: facts.identity,
            terminal: facts.terminal,
            masked: facts.masked,
            degraded: facts.degraded,
            conflict: facts.conflict,
            ignored: facts.ignored.iter().map(|(field, _)| *field).collect(),
        }
    }

    /// The table of the contract, on a row that was read whole.
    fn plain(row: &Json) -> Self {
        let record = row.get("_ng_failure_record");
        let failure = record.get("failure");
        let kinds = [
            failure.get("failure_kind"),
            row.get("_ng_failure_kind"),
            row.get("failure_kind"),
            row.get("_ng_failure_class"),
        ];
        let is_result = [record].iter().chain(&kinds[1..]).all(|value| **value == Json::Null);
        let names: Vec<&str> = kinds.iter().filter_map(|kind| kind.text()).collect();
        let from_source = || match record.get("source").text() {
            Some("environment") => Some("environment_server_failed"),
            Some("collector") => Some("agent_request_failed"),
            _ => None,
        };
        let resolved: BTreeSet<&str> = names
            .iter()
            .map(|name| legacy(name).and_then(Legacy::successor).unwrap_or(name))
            .collect();

        let stage = |value: &Json| {
            let name = value.text()?;
            FailureStage::ALL.iter().copied().find(|stage| stage.as_str() == name)
        };
        let status = |value: &Json| match value {
            Json::Integer(status @ 100..=599) => u16::try_from(*status).ok(),
            _ => None,
        };
        let index = |value: &Json| match value {
            Json::Integer(index) => i64::try_from(*index).ok(),
            _ => None,
        };
        let attempt_index = |value: &Json| index(value).and_then(|index| i32::try_from(index).ok());
        let stages = [failure.get("stage"), row.get("_ng_failure_stage")];
        let statuses = [record.get("http_status"), row.get("_ng_failure_http_status")];
        let (task, rollout) = (row.get("_ng_task_index"), row.get("_ng_rollout_index"));
        let attempt = row.get("_ng_attempt_index");
        let terminal = row.get("_ng_failure_terminal");
        let masked = [row.get("mask_sample"), row.get("instance_config").get("mask_sample")];
        let masked = masked.contains(&&Json::Boolean(true));
        let measured = matches!(row.get("reward"), Json::Integer(_) | Json::Float);

        let unusable = |value: &Json, usable: bool| *value != Json::Null && !usable;
        let ignored = [
            (Field::Kind, kinds.iter().any(|kind| unusable(kind, kind.text().is_some()))),
            (Field::Stage, stages.iter().any(|value| unusable(value, stage(value).is_some()))),
            (
                Field::HttpStatus,
                statuses.iter().any(|value| unusable(value, status(value).is_some())),
            ),
            (
                Field::Identity,
                [task, rollout].iter().any(|value| unusable(value, index(value).is_some()))
                    || unusable(attempt, attempt_index(attempt).is_some()),
            ),
            (Field::Terminal, unusable(terminal, matches!(terminal, Json::Boolean(_)))),
            (
                Field::Record,
                [record, failure].iter().any(|value| unusable(value, value.is_object())),
            ),
        ];
        let reasons = [
            failure.get("failure_reason"),
            row.get("failure_reason"),
            row.get("_ng_failure_message"),
            row.get("_ng_failure_judge_error"),
        ];
        Self {
            failure: !is_result,
            kind: names.first().copied().or_else(from_source).map(str::to_owned),
            stage: stages.into_iter().find_map(stage),
            http_status: statuses.into_iter().find_map(status),
            reason: reasons.into_iter().find_map(Json::text).map(str::to_owned),
            identity: index(task).zip(index(rollout)).map(|(task, rollout)| Identity {
                task,
                rollout,
                attempt: attempt_index(attempt).unwrap_or(0),
            }),
            terminal: *terminal == Json::Boolean(true),
            masked,
            degraded: !is_result
                && measured
                && *row.get("_ng_failure_class") == Json::Null
                && !masked,
            conflict: resolved.len() > 1,
            ignored: ignored.into_iter().filter_map(|(field, any)| any.then_some(field)).collect(),
        }
    }
}

/// Holds what was read against the lines of the stream.
fn judge(stream: &[u8], check: Check, (read, end): &(Lines, End)) {
    let stream = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let mut lines: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').collect();
    let unended = lines.pop().unwrap_or_default();
    let mut known = 0;
    let mut whole = true;
    for (number, line) in (1..).zip(lines.iter().copied().chain([unended])) {
        let is_last = number == lines.len() as u64 + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let shown = line.escape_ascii();
        let got = read.get(&number);
        known += usize::from(got.is_some());
        if line.len() > LONGEST {
            assert_eq!(got, Some(&None), "{shown}");
            continue;
        }
        if line.trim_ascii().is_empty() {
            assert_eq!(got, None, "a blank line");
            continue;
        }
        let cut = got.is_none();
        assert!(is_last || !cut, "{shown}");
        whole &= !cut;
        let as_read = got.and_then(Option::as_ref);
        match Plain::of(line) {
            Plain::Row { row, utf8 } if utf8 || check == Check::Read => {
                let as_read = as_read.unwrap_or_else(|| panic!("{shown}"));
                if let Some(row) = row {
                    assert_eq!(as_read, &Row::plain(&row), "{shown}");
                }
            }
            Plain::NotAnObject => assert!(as_read.is_none(), "{shown}"),
            // A fault that may pass where not every byte is checked.
            Plain::Row { .. } | Plain::Malformed => {
                assert!(check == Check::Read || as_read.is_none(), "{shown}");
            }
        }
        // Only the end of the stream can cut a line.
        assert!(as_read.is_some() || cut == is_last, "{shown}");
    }
    assert_eq!(known, read.len(), "every line that was read is one of the stream");
    assert_eq!(*end == End::Whole, whole);
}

/// What `serde_json` makes of a line.
enum Plain {
    /// An object; without its values where one is a number beyond the range of a float, or is
    /// nested too deeply for it.
    Row {
        row: Option<Json>,
        utf8: bool,
    },
    NotAnObject,
    Malformed,
}

impl Plain {
    fn of(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        if !text.trim_start_matches([' ', '\t', '\r']).starts_with('{') {
            return Self::NotAnObject;
        }
        if serde_json::from_str::<IgnoredAny>(&text).is_err() {
            return Self::Malformed;
        }
        let utf8 = str::from_utf8(line).is_ok();
        Self::Row { row: Json::read(&without_lone_surrogates(&text)), utf8 }
    }
}

/// The text with U+FFFD for each escape of a surrogate that stands alone, which `serde_json`
/// refuses.
fn without_lone_surrogates(mut text: &str) -> String {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut mended = String::new();
    while let Some(at) = text.find('\\') {
        let (before, escape) = text.split_at(at);
        mended.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                mended.push('\u{fffd}');
                text = &escape[6..];
                continue;
            }
            _ => 2,
        };
        mended.push_str(&escape[..length]);
        text = &escape[length..];
    }
    mended + text
}

/// A value, as deep as rows are read.
#[derive(Debug, PartialEq)]
enum Json {
    Null,
    Boolean(bool),
    Integer(i128),
    Float,
    Text(String),
    Array,
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// `None` where `serde_json` has limits of its own, or does not tell `-0` from `-0.0`.
    fn read(text: &str) -> Option<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        Depth(3).deserialize(&mut reader).ok().filter(|_| !text.contains("-0"))
    }

    /// The value of a key; null where there is none.
    fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(members) => members.get(key).unwrap_or(&Self::Null),
            _ => &Self::Null,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

/// Reads a value whose objects are followed so many levels down. Of a key that is given twice the
/// last value counts.
#[derive(Clone, Copy)]
struct Depth(u32);

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Json;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Float)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Json, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut members = BTreeMap::new();
        while let Some(key) = object.next_key::<String>()? {
            if let Some(below) = self.0.checked_sub(1) {
                members.insert(key, object.next_value_seed(Self(below))?);
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Json::Object(members))
    }
}
