//! The facts of one row, from the raw values of the keys that are read.
//!
//! Only keys at the top level count: payloads hold decoys of the same names. The table of
//! `docs/triage.md` says where each fact comes from.

use std::fmt::Write;

use failure_kinds::{FailureKind, FailureStage, RecordedStatus, kinds};
use failure_kinds_core::{Entry, Legacy, legacy, resolve};

use failure_kinds_rows::{
    Check, JsonType, Keys, SyntaxError, Text, Value, is_key, scan_members, scan_object,
};

/// The keys that are read of a row. Every other key is skipped.
pub static KEYS: Keys<KEYS_READ> = Keys::new(NAMES);

const NAMES: [&str; KEYS_READ] = [
    "_ng_failure_record",
    "_ng_failure_kind",
    "failure_kind",
    "_ng_failure_class",
    "_ng_failure_events",
    "_ng_failure_id",
    "_ng_failure_stage",
    "_ng_failure_http_status",
    "failure_reason",
    "_ng_failure_message",
    "_ng_failure_judge_error",
    "_ng_task_index",
    "_ng_rollout_index",
    "_ng_attempt_index",
    "_ng_failure_terminal",
    "_ng_failure_counts_as_zero",
    "mask_sample",
    "instance_config",
    "reward",
    "response",
    "_ng_omitted_rollout",
    "_ng_omitted",
    "_ng_unrouted_run_error",
    "_ng_rollout_id",
    "ng_model_call_capture",
];

/// The place of a key among [`KEYS`], for those who read only some of them.
const fn place(name: &str) -> usize {
    let mut place = 0;
    while !are_equal(NAMES[place].as_bytes(), name.as_bytes()) {
        place += 1;
    }
    place
}

/// The places of several keys, as the bits of [`RawRow::present`](failure_kinds_rows::RawRow).
const fn places(mut names: &[&str]) -> u64 {
    let mut places = 0;
    while let [name, rest @ ..] = names {
        places |= 1 << place(name);
        names = rest;
    }
    places
}

/// `==` for a `const fn`.
const fn are_equal(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        ([], []) => true,
        ([first, one @ ..], [second, other @ ..]) => *first == *second && are_equal(one, other),
        _ => false,
    }
}

const TASK: usize = place("_ng_task_index");
const ROLLOUT: usize = place("_ng_rollout_index");
/// The keys by which a row of this format is recognised: an identity, a kind key, a record, events
/// or an omission mark.
const RECOGNISED: u64 = places(&[
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
]);

/// Keys that most rows do not have.
const EVENTS: u64 = places(&["_ng_failure_events", "_ng_failure_id"]);
const MASKS: u64 = places(&["mask_sample", "instance_config"]);
const OMISSIONS: u64 = places(&["_ng_omitted_rollout", "_ng_omitted", "_ng_unrouted_run_error"]);

/// How many keys are read of a row.
pub const KEYS_READ: usize = 25;

/// The raw text of the values of [`KEYS`], in that order.
pub type RawRow<'a> = failure_kinds_rows::RawRow<'a, KEYS_READ>;

/// Which attempt at which rollout a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `_ng_task_index`.
    pub task: i64,
    /// `_ng_rollout_index`.
    pub rollout: i64,
    /// `_ng_attempt_index`; 0 if absent.
    pub attempt: i64,
}

/// What a value that could not be used was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The current event, or what it names as its cause.
    Event,
    /// Whether the failure is the model's own zero.
    Final,
    /// The HTTP status.
    HttpStatus,
    /// The task, the rollout or the attempt.
    Identity,
    /// The kind.
    Kind,
    /// Whether the row is masked.
    Mask,
    /// The failure record, or its `failure`.
    Record,
    /// The stage.
    Stage,
    /// Whether the failure is terminal.
    Terminal,
}

impl Field {
    /// All fields, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::Event,
        Self::Final,
        Self::HttpStatus,
        Self::Identity,
        Self::Kind,
        Self::Mask,
        Self::Record,
        Self::Stage,
        Self::Terminal,
    ];

    /// The name of the field in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Final => "final",
            Self::HttpStatus => "http_status",
            Self::Identity => "identity",
            Self::Kind => "kind",
            Self::Mask => "mask",
            Self::Record => "record",
            Self::Stage => "stage",
            Self::Terminal => "terminal",
        }
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// An attempt that failed.
    Failure,
    /// An attempt that did not fail.
    #[default]
    Result,
    /// No attempt: the rollout was left out.
    Omitted,
    /// No attempt: one failed request ended the whole run.
    Unrouted,
}

impl Sort {
    /// Whether the row is an attempt.
    pub(crate) const fn is_attempt(self) -> bool {
        matches!(self, Self::Failure | Self::Result)
    }
}

/// The facts of one row.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
pub struct Facts<'a> {
    /// What the row is.
    pub sort: Sort,
    /// The name of the failure.
    pub kind: Option<Text<'a>>,
    /// Where the failure originated.
    pub stage: Option<FailureStage>,
    /// The status of the failure.
    pub http_status: Option<u16>,
    /// A text for people.
    pub reason: Option<Text<'a>>,
    /// Which attempt at which rollout the row is.
    pub identity: Option<Identity>,
    /// Whether the producer says that no retry may follow.
    pub terminal: bool,
    /// Whether it is the model's own scored zero, which no retry may replace.
    pub is_final: bool,
    /// Whether the row is left out of scores.
    pub masked: bool,
    /// Whether it is a failure that was measured nevertheless.
    pub degraded: bool,
    /// Whether the model's answer was saved.
    pub answer: bool,
    /// The first two names that disagree.
    pub conflict: Option<[Text<'a>; 2]>,
    /// `_ng_rollout_id`, which captures of model calls are named after.
    pub rollout_id: Option<Text<'a>>,
    /// The copy of its model calls that the row carries: the text of an object.
    pub capture: Option<&'a [u8]>,
    /// The values that could not be used.
    pub ignored: Vec<(Field, JsonType)>,
}

impl Facts<'_> {
    /// The id that the reference's model servers name captures of this attempt after.
    pub(crate) fn capture_id(&self) -> Option<String> {
        let Identity { task, rollout, attempt } = self.identity?;
        let mut id = match self.rollout_id {
            Some(id) => id.decode().into_owned(),
            None => format!("{task}-{rollout}"),
        };
        if attempt > 0 {
            let _ = write!(id, "-a{attempt}");
        }
        Some(id)
    }
}

/// The rollout that a line of an inventory names.
///
/// # Errors
///
/// When a value that is read is not valid JSON.
pub fn identity<'a>(raw: &RawRow<'a>) -> Result<Option<Identity>, SyntaxError<'a>> {
    let value = |key: usize| match raw.get(key) {
        Some(raw) => Value::parse(raw).ok_or(SyntaxError::value(NAMES[key], raw)),
        None => Ok(Value::Null),
    };
    let (task, rollout) = (value(TASK)?, value(ROLLOUT)?);
    // A line of an inventory is not a row, so nothing in it counts as ignored.
    Ok(Ignored::default().identity(&task, &rollout, &Value::Null))
}

/// The facts of a row. In a sidecar each attempt is a failure, whatever keys it has.
///
/// # Errors
///
/// When a value that is read is not valid JSON.
pub fn facts<'a>(
    raw: &RawRow<'a>,
    in_sidecar: bool,
    check: Check,
) -> Result<Facts<'a>, SyntaxError<'a>> {
    let has = |keys: u64| raw.present() & keys != 0;
    let mut found = [const { Value::Null }; KEYS_READ];
    values(raw, KEYS.names(), &mut found)?;
    let [
        record,
        ng_kind,
        kind,
        class,
        events,
        event_id,
        stage,
        http_status,
        reason,
        message,
        judge_error,
        task,
        rollout,
        attempt,
        terminal,
        is_final,
        mask,
        instance_config,
        reward,
        response,
        omitted_rollout,
        omitted,
        unrouted,
        rollout_id,
        capture,
    ] = &found;
    let is_failure = in_sidecar
        || [record, ng_kind, kind, class, events].into_iter().any(|value| !value.is_null());
    let omission = has(OMISSIONS).then(|| omission(unrouted, [omitted_rollout, omitted])).flatten();
    let sort = omission.unwrap_or(if is_failure { Sort::Failure } else { Sort::Result });
    let measured = class.is_null() && matches!(reward, Value::Integer(_) | Value::Float);

    let mut ignored = Ignored::default();
    // Most rows have neither.
    let (named, read);
    let event = if has(EVENTS) {
        named = Event::named(events, event_id, check, &mut ignored)?;
        &named
    } else {
        &Event::NONE
    };
    let record = if record.is_null() {
        &Record::NONE
    } else {
        read = Record::read(record, check, &mut ignored)?;
        &read
    };
    let [record_kind, record_stage, record_reason] = &record.failure;
    let mut conflict = None;
    let kinds = [record_kind, ng_kind, kind, class];
    let kind = first(kinds, |value, first| {
        let name = ignored.string(Field::Kind, value)?;
        conflict =
            conflict.or(first.filter(|first| disagree(*first, name)).map(|first| [first, name]));
        Some(name)
    });
    let source_kind = record.source_kind.map(|kind| Text::plain(kind.as_str()));
    let kind = event.kind.or(kind).or(source_kind);

    let stage = first([&event.stage, record_stage, stage], |value, _| ignored.stage(value));
    let [event_status, cause_status] = &event.http_statuses;
    let statuses = [event_status, cause_status, &record.http_status, http_status];
    let http_status = first(statuses, |value, _| ignored.http_status(value));
    let reasons = [&event.reason, record_reason, reason, message, judge_error];
    let reason = reasons.into_iter().find_map(string);
    let masked = has(MASKS) && is_masked(mask, instance_config, check, &mut ignored)?;
    let identity = ignored.identity(task, rollout, attempt);
    let terminal = ignored.boolean(Field::Terminal, terminal);
    let is_final = ignored.boolean(Field::Final, is_final);

    if !sort.is_attempt() {
        // It counts in no figure of attempts.
        return Ok(Facts { sort, kind, reason, identity, ..Facts::default() });
    }
    let is_failure = sort == Sort::Failure;
    Ok(Facts {
        sort,
        kind,
        stage,
        http_status,
        reason,
        identity,
        terminal,
        is_final,
        masked,
        degraded: is_failure && measured && !masked,
        answer: matches!(response, Value::Object(_)),
        conflict,
        rollout_id: string(rollout_id),
        capture: match capture {
            Value::Object(text) => Some(text),
            _ => None,
        },
        ignored: ignored.0,
    })
}

/// The sort of a row that its marks say is not an attempt.
fn omission(unrouted: &Value<'_>, omitted: [&Value<'_>; 2]) -> Option<Sort> {
    let is_set = |value: &Value<'_>| !matches!(value, Value::Null | Value::Boolean(false));
    if is_set(unrouted) {
        Some(Sort::Unrouted)
    } else {
        omitted.into_iter().any(is_set).then_some(Sort::Omitted)
    }
}

/// Whether the row is left out of scores, by either of the keys that say so.
fn is_masked<'a>(
    mask: &Value<'a>,
    instance_config: &Value<'a>,
    check: Check,
    ignored: &mut Ignored,
) -> Result<bool, SyntaxError<'a>> {
    let [old_mask] = nested(instance_config, &["mask_sample"], check)?;
    let masks = [mask, &old_mask].map(|value| ignored.boolean(Field::Mask, value));
    Ok(masks.contains(&true))
}

/// Whether a row holds a key by which a row of this format is recognised.
#[must_use]
pub fn is_recognised(raw: &RawRow<'_>) -> bool {
    raw.present() & RECOGNISED != 0
}

/// Reads the values of keys. If a key is absent, the value stays what it is.
#[inline]
pub(crate) fn values<'a, const N: usize>(
    row: &failure_kinds_rows::RawRow<'a, N>,
    keys: &[&'static str; N],
    values: &mut [Value<'a>; N],
) -> Result<(), SyntaxError<'a>> {
    for (key, raw) in row.iter() {
        let Some(value) = Value::parse(raw) else {
            return Err(SyntaxError::value(keys[key], raw));
        };
        values[key] = value;
    }
    Ok(())
}

/// The values of keys inside a value; all null if it is not an object.
fn nested<'a, const N: usize>(
    value: &Value<'a>,
    keys: &[&'static str; N],
    check: Check,
) -> Result<[Value<'a>; N], SyntaxError<'a>> {
    let mut inside = [const { Value::Null }; N];
    if let Value::Object(text) = value {
        values(&scan_object(text, keys, check)?, keys, &mut inside)?;
    }
    Ok(inside)
}

/// How many causes of the named event are followed.
const CAUSES: usize = 8;

/// What is read of the event that `_ng_failure_id` names. Other events are observations of
/// retries that may have recovered, and never count.
struct Event<'a> {
    kind: Option<Text<'a>>,
    stage: Value<'a>,
    /// Its own status, and that of the cause that gave the kind.
    http_statuses: [Value<'a>; 2],
    reason: Value<'a>,
}

impl<'a> Event<'a> {
    const NONE: Self = Self {
        kind: None,
        stage: Value::Null,
        http_statuses: [Value::Null, Value::Null],
        reason: Value::Null,
    };

    #[cold]
    fn named(
        events: &Value<'a>,
        id: &Value<'a>,
        check: Check,
        ignored: &mut Ignored,
    ) -> Result<Self, SyntaxError<'a>> {
        let (Value::Object(events), Value::String(name)) = (events, id) else {
            ignored.note(Field::Event, events);
            ignored.note(Field::Event, id);
            return Ok(Self::NONE);
        };
        let event = member(events, *name, check)?;
        if !matches!(event, Value::Object(_)) {
            ignored.note(Field::Event, if event.is_null() { id } else { &event });
            return Ok(Self::NONE);
        }
        let [kind, cause, stage, http_status, reason] = nested(
            &event,
            &["failure_kind", "cause_id", "stage", "http_status", "failure_reason"],
            check,
        )?;
        let own = ignored.string(Field::Kind, &kind);
        let (kind, cause_status) = if own.is_some_and(is_kind) {
            (own, Value::Null)
        } else {
            let cause = ignored.string(Field::Event, &cause);
            match Self::cause(events, cause, check)? {
                Some((kind, http_status)) => (Some(kind), http_status),
                None => (own, Value::Null),
            }
        };
        Ok(Self { kind, stage, http_statuses: [http_status, cause_status], reason })
    }

    /// The kind and the status of the first cause that has a kind. A cycle ends with the bound:
    /// its events have none.
    fn cause(
        events: &'a [u8],
        mut id: Option<Text<'a>>,
        check: Check,
    ) -> Result<Option<(Text<'a>, Value<'a>)>, SyntaxError<'a>> {
        for _ in 0..CAUSES {
            let Some(name) = id else { break };
            let [kind, cause, http_status] = nested(
                &member(events, name, check)?,
                &["failure_kind", "cause_id", "http_status"],
                check,
            )?;
            if let Some(kind) = string(&kind).filter(|kind| is_kind(*kind)) {
                return Ok(Some((kind, http_status)));
            }
            id = string(&cause);
        }
        Ok(None)
    }
}

/// The value of a key of an object; null if it is absent.
fn member<'a>(
    object: &'a [u8],
    name: Text<'_>,
    check: Check,
) -> Result<Value<'a>, SyntaxError<'a>> {
    let name = name.decode();
    let mut found = None;
    scan_members(object, check, |key, value| {
        if is_key(key, &name) {
            found = Some(value);
        }
    })?;
    let Some(value) = found else { return Ok(Value::Null) };
    Value::parse(value).ok_or(SyntaxError::value("_ng_failure_events", value))
}

/// Whether a name is registered or an extension.
fn is_kind(name: Text<'_>) -> bool {
    matches!(resolve(&name.decode()), Entry::Registered(_) | Entry::Extension { .. })
}

/// What is read of `_ng_failure_record`.
struct Record<'a> {
    /// `failure_kind`, `stage` and `failure_reason` of its `failure`.
    failure: [Value<'a>; 3],
    http_status: Value<'a>,
    /// The kind that the record's `source` stands for.
    source_kind: Option<&'static FailureKind>,
}

/// The kind of a record without one that an environment server wrote.
const ENVIRONMENT: &FailureKind = &kinds::ENVIRONMENT_SERVER_FAILED;
/// The kind of a record without one that a collector wrote.
const COLLECTOR: &FailureKind = &kinds::AGENT_REQUEST_FAILED;

impl<'a> Record<'a> {
    const NONE: Self =
        Self { failure: [const { Value::Null }; 3], http_status: Value::Null, source_kind: None };

    fn read(
        record: &Value<'a>,
        check: Check,
        ignored: &mut Ignored,
    ) -> Result<Self, SyntaxError<'a>> {
        let Value::Object(_) = record else {
            ignored.note(Field::Record, record);
            return Ok(Self::NONE);
        };
        let [failure, http_status, source] =
            nested(record, &["failure", "http_status", "source"], check)?;
        if !matches!(failure, Value::Object(_)) {
            ignored.note(Field::Record, &failure);
        }
        Ok(Self {
            failure: nested(&failure, &["failure_kind", "stage", "failure_reason"], check)?,
            http_status,
            source_kind: string(&source).and_then(|source| match &*source.decode() {
                "environment" => Some(ENVIRONMENT),
                "collector" => Some(COLLECTOR),
                _ => None,
            }),
        })
    }
}

/// A value as a status, if it is an integer in 100..=599.
pub(crate) fn status(value: &Value<'_>) -> Option<u16> {
    match value {
        Value::Integer(status) => status.recorded_status(),
        _ => None,
    }
}

const fn string<'a>(value: &Value<'a>) -> Option<Text<'a>> {
    match value {
        Value::String(text) => Some(*text),
        _ => None,
    }
}

/// The first value that can be used, by its order. All others are read too, with the first so far,
/// but for those that are null.
#[inline]
fn first<'v, 'a, T: Copy, const N: usize>(
    values: [&'v Value<'a>; N],
    mut read: impl FnMut(&'v Value<'a>, Option<T>) -> Option<T>,
) -> Option<T> {
    let mut first = None;
    for value in values {
        if !value.is_null() {
            first = first.or(read(value, first));
        }
    }
    first
}

/// Whether two names differ after renamed labels are resolved.
fn disagree(one: Text<'_>, other: Text<'_>) -> bool {
    fn current(name: &str) -> &str {
        legacy(name).and_then(Legacy::successor).unwrap_or(name)
    }
    one != other && current(&one.decode()) != current(&other.decode())
}

/// Collects what could not be used.
#[derive(Default)]
struct Ignored(Vec<(Field, JsonType)>);

impl Ignored {
    #[cold]
    fn note(&mut self, field: Field, value: &Value<'_>) {
        if let Some(json_type) = value.json_type() {
            self.0.push((field, json_type));
        }
    }

    #[inline]
    fn string<'a>(&mut self, field: Field, value: &Value<'a>) -> Option<Text<'a>> {
        match value {
            Value::Null => None,
            Value::String(text) => Some(*text),
            _ => {
                self.note(field, value);
                None
            }
        }
    }

    #[inline]
    fn stage(&mut self, value: &Value<'_>) -> Option<FailureStage> {
        let stage = match value {
            Value::String(text) => FailureStage::ALL.iter().find(|stage| text.is(stage.as_str())),
            _ => None,
        };
        if stage.is_none() {
            self.note(Field::Stage, value);
        }
        stage.copied()
    }

    #[inline]
    fn http_status(&mut self, value: &Value<'_>) -> Option<u16> {
        let status = status(value);
        if status.is_none() {
            self.note(Field::HttpStatus, value);
        }
        status
    }

    #[inline]
    fn identity(
        &mut self,
        task: &Value<'_>,
        rollout: &Value<'_>,
        attempt: &Value<'_>,
    ) -> Option<Identity> {
        let task = self.index(task);
        let rollout = self.index(rollout);
        let attempt = self.index(attempt);
        Some(Identity { task: task?, rollout: rollout?, attempt: attempt.unwrap_or(0) })
    }

    /// A part of the identity.
    fn index(&mut self, value: &Value<'_>) -> Option<i64> {
        match value {
            Value::Null => None,
            Value::Integer(Some(index)) => Some(*index),
            _ => {
                self.note(Field::Identity, value);
                None
            }
        }
    }

    #[inline]
    fn boolean(&mut self, field: Field, value: &Value<'_>) -> bool {
        match value {
            Value::Null => false,
            Value::Boolean(boolean) => *boolean,
            _ => {
                self.note(field, value);
                false
            }
        }
    }
}
