//! What one row says: the facts of the contract's table, from the raw values of the keys read.
//!
//! Keys count at the top level only; payloads hold decoys of the same names.

use failure_kinds::{FailureKind, FailureStage, RecordedStatus, kinds};
use failure_kinds_core::{Legacy, legacy};

use failure_kinds_rows::{Check, JsonType, Keys, Malformed, Text, Value, scan_object};

/// The keys that are read of a row. Every other one is passed over.
pub(crate) static KEYS: Keys<KEYS_READ> = Keys::new([
    "_ng_failure_record",
    "_ng_failure_kind",
    "failure_kind",
    "_ng_failure_class",
    "_ng_failure_stage",
    "_ng_failure_http_status",
    "failure_reason",
    "_ng_failure_message",
    "_ng_failure_judge_error",
    "_ng_task_index",
    "_ng_rollout_index",
    "_ng_attempt_index",
    "_ng_failure_terminal",
    "mask_sample",
    "instance_config",
    "reward",
]);

/// How many keys are read of a row.
pub(crate) const KEYS_READ: usize = 16;

/// The raw text of the values of [`KEYS`], in that order.
pub(crate) type RawRow<'a> = failure_kinds_rows::RawRow<'a, KEYS_READ>;

/// Which rollout a row is an attempt of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub task: i64,
    pub rollout: i64,
    pub attempt: i32,
}

/// What a value could not be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    HttpStatus,
    Identity,
    Kind,
    Record,
    Stage,
    Terminal,
}

impl Field {
    pub const ALL: [Self; 6] =
        [Self::HttpStatus, Self::Identity, Self::Kind, Self::Record, Self::Stage, Self::Terminal];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HttpStatus => "http_status",
            Self::Identity => "identity",
            Self::Kind => "kind",
            Self::Record => "record",
            Self::Stage => "stage",
            Self::Terminal => "terminal",
        }
    }
}

/// The facts of one row.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with a name")]
pub struct Facts<'a> {
    /// Whether the row is a failure; else it is a result.
    pub failure: bool,
    pub kind: Option<Text<'a>>,
    pub stage: Option<FailureStage>,
    pub http_status: Option<u16>,
    pub reason: Option<Text<'a>>,
    pub identity: Option<Identity>,
    pub terminal: bool,
    pub masked: bool,
    /// Whether the failure was measured all the same.
    pub degraded: bool,
    /// Whether two kind keys disagree.
    pub conflict: bool,
    /// Every value that is there and could not be used.
    pub ignored: Vec<(Field, JsonType)>,
}

/// The rollout that a line of an inventory names.
pub fn identity(raw: &RawRow<'_>) -> Result<Option<Identity>, Malformed> {
    let [.., task, rollout, _, _, _, _, _] = raw;
    let mut found = [const { Value::Null }; 2];
    values(&[*task, *rollout], &["_ng_task_index", "_ng_rollout_index"], &mut found)?;
    let [task, rollout] = found;
    let absent = Value::Null;
    // What an inventory holds besides is no row, so nothing of it is counted as ignored.
    Ok(Ignored::default().identity(&task, &rollout, &absent))
}

/// Reads the facts from raw values.
pub fn facts<'a>(raw: &RawRow<'a>, check: Check) -> Result<Facts<'a>, Malformed> {
    let mut found = [const { Value::Null }; KEYS_READ];
    values(raw, KEYS.names(), &mut found)?;
    let [
        record,
        ng_kind,
        kind,
        class,
        stage,
        http_status,
        reason,
        message,
        judge_error,
        task,
        rollout,
        attempt,
        terminal,
        mask,
        instance_config,
        reward,
    ] = &found;
    let mut ignored = Ignored::default();
    let is_result = [record, ng_kind, kind, class].into_iter().all(Value::is_null);
    let measured = class.is_null() && matches!(reward, Value::Integer(_) | Value::Float);

    let record = Record::read(record, check, &mut ignored)?;
    let [record_kind, record_stage, record_reason] = &record.failure;
    let kinds = [record_kind, ng_kind, kind, class].map(|value| ignored.string(Field::Kind, value));
    let conflict = disagree(&kinds);
    let source_kind = record.source_kind.map(|kind| Text::plain(kind.as_str()));
    let kind = kinds.into_iter().flatten().next().or(source_kind);

    let stages = [record_stage, stage].map(|value| ignored.stage(value));
    let statuses = [&record.http_status, http_status].map(|value| ignored.http_status(value));
    let reasons = [record_reason, reason, message, judge_error];
    let masked = mask.is_true() || nested(instance_config, &["mask_sample"], check)?[0].is_true();

    Ok(Facts {
        failure: !is_result,
        kind,
        stage: stages.into_iter().flatten().next(),
        http_status: statuses.into_iter().flatten().next(),
        reason: reasons.into_iter().find_map(string),
        identity: ignored.identity(task, rollout, attempt),
        terminal: ignored.boolean(Field::Terminal, terminal),
        masked,
        degraded: !is_result && measured && !masked,
        conflict,
        ignored: ignored.0,
    })
}

/// Reads the values of keys. Where a key is absent, the value stays what it is.
#[inline]
fn values<'a, const N: usize>(
    raw: &[Option<&'a [u8]>; N],
    keys: &[&'static str; N],
    values: &mut [Value<'a>; N],
) -> Result<(), Malformed> {
    for ((value, raw), key) in values.iter_mut().zip(raw).zip(keys) {
        if let Some(raw) = raw
            && !value.set(raw)
        {
            return Err(Malformed::Value { key });
        }
    }
    Ok(())
}

/// The values of keys inside a value, all null where it is no object.
fn nested<'a, const N: usize>(
    value: &Value<'a>,
    keys: &[&'static str; N],
    check: Check,
) -> Result<[Value<'a>; N], Malformed> {
    let mut inside = [const { Value::Null }; N];
    if let Value::Object(text) = value {
        values(&scan_object(text, keys, check)?, keys, &mut inside)?;
    }
    Ok(inside)
}

/// What is read of `_ng_failure_record`.
#[derive(Default)]
struct Record<'a> {
    /// `failure_kind`, `stage` and `failure_reason` of its `failure`.
    failure: [Value<'a>; 3],
    http_status: Value<'a>,
    /// The kind that the record's `source` stands for.
    source_kind: Option<&'static FailureKind>,
}

/// The kind of a record that an environment server wrote and that names none.
const ENVIRONMENT: &FailureKind = &kinds::ENVIRONMENT_SERVER_FAILED;
/// The kind of a record that a collector wrote and that names none.
const COLLECTOR: &FailureKind = &kinds::AGENT_REQUEST_FAILED;

impl<'a> Record<'a> {
    fn read(record: &Value<'a>, check: Check, ignored: &mut Ignored) -> Result<Self, Malformed> {
        let Value::Object(_) = record else {
            ignored.note(Field::Record, record);
            return Ok(Self::default());
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

const fn string<'a>(value: &Value<'a>) -> Option<Text<'a>> {
    match value {
        Value::String(text) => Some(*text),
        _ => None,
    }
}

/// Whether two of the names differ once renamed labels stand under their successors.
fn disagree(names: &[Option<Text<'_>>]) -> bool {
    fn current(name: &str) -> &str {
        legacy(name).and_then(Legacy::successor).unwrap_or(name)
    }
    let mut names = names.iter().flatten();
    names.next().is_some_and(|first| {
        names.any(|name| name != first && current(&name.decode()) != current(&first.decode()))
    })
}

/// Gathers what could not be used while it reads.
#[derive(Default)]
struct Ignored(Vec<(Field, JsonType)>);

impl Ignored {
    fn note(&mut self, field: Field, value: &Value<'_>) {
        if let Some(json_type) = value.json_type() {
            self.0.push((field, json_type));
        }
    }

    fn string<'a>(&mut self, field: Field, value: &Value<'a>) -> Option<Text<'a>> {
        let text = string(value);
        if text.is_none() {
            self.note(field, value);
        }
        text
    }

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

    fn http_status(&mut self, value: &Value<'_>) -> Option<u16> {
        let status = match value {
            Value::Integer(status) => status.recorded_status(),
            _ => None,
        };
        if status.is_none() {
            self.note(Field::HttpStatus, value);
        }
        status
    }

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

    /// A part of the identity: an integer in the range of `T`.
    fn index<T: TryFrom<i64>>(&mut self, value: &Value<'_>) -> Option<T> {
        let index = match value {
            Value::Integer(integer) => integer.and_then(|integer| T::try_from(integer).ok()),
            _ => None,
        };
        if index.is_none() {
            self.note(Field::Identity, value);
        }
        index
    }

    fn boolean(&mut self, field: Field, value: &Value<'_>) -> bool {
        if let Value::Boolean(boolean) = value {
            return *boolean;
        }
        self.note(field, value);
        false
    }
}
