//! Seeded names, too many for a branch predictor to learn.

use std::ops::Range;

use failure_kinds::{FAILURE_KINDS, FailureKind};

/// The number of names in each mix: more than a branch predictor learns.
pub const NAMES: usize = 65_536;

/// The mixes of names. The last one cycles through the others.
pub const MIXES: &[&str] = &["hit", "miss", "near_miss", "namespaced", "mixed"];

/// The names of a mix; `None` if there is no such mix.
#[must_use]
pub fn names(mix: &str) -> Option<Vec<String>> {
    let mix = MIXES.iter().position(|name| *name == mix)?;
    let mut random = fastrand::Rng::with_seed(7);
    Some(
        (0..NAMES).map(|index| name(if mix == 4 { index % 4 } else { mix }, &mut random)).collect(),
    )
}

fn name(mix: usize, random: &mut fastrand::Rng) -> String {
    let registered = random.choice(FAILURE_KINDS).map_or("", FailureKind::as_str);
    match mix {
        0 => registered.to_owned(),
        1 => letters(random, 4..40),
        2 => {
            let at = random.usize(..registered.len());
            let other = if registered[at..].starts_with('x') { "y" } else { "x" };
            [&registered[..at], other, &registered[at + 1..]].concat()
        }
        _ => format!("{}:{}", letters(random, 3..12), letters(random, 3..16)),
    }
}

fn letters(random: &mut fastrand::Rng, length: Range<usize>) -> String {
    let length = random.usize(length);
    std::iter::repeat_with(|| random.lowercase()).take(length).collect()
}
