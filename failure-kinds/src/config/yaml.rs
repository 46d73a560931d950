//! YAML as a tree with places.

use std::format;
use std::ops::Range;
use std::vec::Vec;

use serde_core::de::Deserialize;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{
    DuplicateKeyPolicy, Error, Location, MergeKeyPolicy, NonFiniteFloatPolicy, Options, Spanned,
};

use super::faults::{Problem, offset_of};
use super::node::{Node, Placed, Places, Value};
use super::read::{MAX_DEPTH, NoTree};

/// More nodes than a file of the largest size has in entries that are right.
const MAX_NODES: usize = 500_000;
/// More than a file has use for, and little to replay.
const MAX_REPLAYED_EVENTS: usize = 100_000;

pub(super) fn tree(text: &str) -> Result<Node, NoTree> {
    let placed: Spanned<Placed<InText>> = serde_saphyr::from_str_with_options(text, options())
        .map_err(|error| refused(text, error.without_snippet()))?;
    let (Placed(value, _), span) = InText::open(placed);
    // A file of comments alone names nothing, as in TOML; YAML has an empty document there.
    let value = match value {
        Value::Null if only_comments(text) => Value::Map(Vec::new()),
        value => value,
    };
    Ok(Node { value, span })
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MAX_REPLAYED_EVENTS,
        },
        // Told with the other faults.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        // YAML 1.2: `y` and `no` are texts.
        strict_booleans: true,
    }
}

fn only_comments(text: &str) -> bool {
    text.lines().all(|line| {
        let line = line.trim_start_matches('\u{feff}').trim_start();
        line.is_empty() || line.starts_with('#')
    })
}

/// Places as the parser gives them: of an alias, where it is used.
enum InText {}

impl Places for InText {
    type Placed<'de, T: Deserialize<'de>> = Spanned<T>;

    fn open<'de, T: Deserialize<'de>>(placed: Spanned<T>) -> (T, Option<Range<usize>>) {
        let span = bytes(&placed.referenced);
        (placed.value, span)
    }
}

fn bytes(location: &Location) -> Option<Range<usize>> {
    let span = location.span();
    let start = usize::try_from(span.byte_offset()?).ok()?;
    Some(start..start + usize::try_from(span.byte_len()?).ok()?)
}

fn refused(text: &str, error: &Error) -> NoTree {
    let span = error.location().map(|at| {
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        bytes(&at).unwrap_or_else(|| {
            let offset = offset_of(text, number(at.line()), number(at.column()), |_| 1);
            offset..offset
        })
    });
    let message = match error {
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => return NoTree::too_deep(),
        Error::MultipleDocuments { .. } => "a second document starts here",
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            "this alias stands inside what it stands for"
        }
        Error::Budget { .. }
        | Error::AliasError { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "the file holds more than a configuration can, aliases followed"
        }
        _ => {
            // The place is told in our own way.
            let message = format!("{error}");
            let end = message.find(" at line ").unwrap_or(message.len());
            return NoTree::syntax(&message[..end], span);
        }
    };
    NoTree { problem: Problem::new(message), span }
}
