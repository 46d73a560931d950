//! The failure rows one by one.

use std::borrow::Cow;

use failure_kinds::{Classification, is_rejudged};
use failure_kinds_rows::{
    Keys, Malformed, Position, Progress, RowSink, SyntaxError, Text, read_rows_in_order,
};

use super::captures::{Captures, LastCall};
use super::error::Unread;
use super::file::without_objects;
use super::inputs::{Input, Inputs};
use super::row::{self, Identity, KEYS_READ, RawRow, Sort};
use super::seen::{Failure, Terms};
use crate::{Error, ReadOptions};

/// A failure row.
#[derive(Debug)]
pub struct FailureRow<'r> {
    /// The path of its file, as in reports.
    pub path: &'r str,
    /// The number of its line, from 1.
    pub line: u64,
    /// Which attempt at which rollout it is.
    pub identity: Option<Identity>,
    /// What failed.
    pub failure: Failure<'r>,
    /// The reason, for people.
    pub reason: Option<Cow<'r, str>>,
    /// On whose side it is.
    pub classification: Classification,
}

/// Visits all failure rows, in the order of files and lines, in bounded memory.
///
/// # Errors
///
/// When a file that is named cannot be read or holds no row; for another one, once all were
/// visited.
pub fn visit_failures(
    inputs: &Inputs,
    options: &ReadOptions,
    terms: &Terms<'_>,
    progress: &dyn Progress,
    mut visit: impl FnMut(&FailureRow<'_>) + Send,
) -> Result<(), Error> {
    let mut first_error = Ok(());
    for run in &inputs.runs {
        let captures = Captures::new(&options.calls, run.folder());
        for file in &run.rows {
            let path = file.input.text();
            let failures = Failures {
                path: &path,
                in_sidecar: !file.in_results,
                captures: captures.as_ref(),
                options,
                terms,
                progress,
                visit: &mut visit,
                objects: 0,
                malformed: None,
            };
            if let Err(unread) = failures.visit(&file.input) {
                let error = Err(unread.of_named(&path));
                if file.input.is_named {
                    return error;
                }
                first_error = first_error.and(error);
            }
        }
    }
    first_error
}

/// Takes the rows of one file.
struct Failures<'s, V> {
    path: &'s str,
    in_sidecar: bool,
    captures: Option<&'s Captures>,
    options: &'s ReadOptions,
    terms: &'s Terms<'s>,
    progress: &'s dyn Progress,
    visit: &'s mut V,
    objects: u64,
    /// The first malformed line, and why.
    malformed: Option<(u64, String)>,
}

/// Of rows in their order, the ordinal is how many lines lie before.
const fn line(at: Position) -> u64 {
    at.ordinal() + 1
}

impl<V: FnMut(&FailureRow<'_>) + Send> Failures<'_, V> {
    fn visit(self, input: &Input) -> Result<(), Unread> {
        let (check, progress) = (self.options.check, self.progress);
        let mut source = input.open(progress)?;
        if let Some(format) = source.format() {
            return Err(Unread::of_format(format));
        }
        let (sink, _) = read_rows_in_order(&mut source, check, self)?;
        match sink.malformed {
            Some((line, why)) if sink.objects == 0 => Err(without_objects(&source, line, &why)),
            _ => Ok(()),
        }
    }
}

impl<V: FnMut(&FailureRow<'_>) + Send> RowSink<KEYS_READ> for Failures<'_, V> {
    const KEYS: &'static Keys<KEYS_READ> = &row::KEYS;

    fn row<'a>(&mut self, at: Position, row: &RawRow<'a>) -> Result<(), SyntaxError<'a>> {
        let facts = row::facts(row, self.in_sidecar, self.options.check)?;
        self.objects += 1;
        if facts.sort != Sort::Failure {
            return Ok(());
        }
        let joined = self.captures.map(|captures| captures.join(&facts, self.progress));
        let last = joined.map_or(LastCall::Unobserved, |joined| joined.last);
        let kind = facts.kind.map(Text::decode);
        let failure = Failure {
            kind: kind.as_deref(),
            stage: facts.stage,
            http_status: facts.http_status,
            terminal: facts.terminal,
            is_final: facts.is_final,
            rejudgeable: facts.answer && kind.as_deref().is_some_and(is_rejudged),
            call_observed: last != LastCall::Unobserved,
            failed_call: match &last {
                LastCall::Failed(call) => Some(call),
                LastCall::Unobserved | LastCall::Succeeded => None,
            },
        };
        (self.visit)(&FailureRow {
            path: self.path,
            line: line(at),
            identity: facts.identity,
            failure,
            reason: facts.reason.map(Text::decode),
            classification: failure.classify(self.terms),
        });
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.malformed.get_or_insert_with(|| (line(at), why.to_string()));
    }
}
