//! The named sets, made from the columns of the tables.

use crate::{Domain, GATE_DERIVED, KINDS, Kind, LEGACY, Legacy, kind};

/// A `for` loop over a table that also runs at compile time.
macro_rules! each {
    ($row:ident of $table:ident $body:block) => {
        let mut index = 0;
        while index < $table.len() {
            let $row = &$table[index];
            $body
            index += 1;
        }
    };
}

/// The names of the rows for which the condition holds, table by table.
macro_rules! names {
    ($($name:ident of $table:ident if |$row:ident| $condition:expr),+) => {{
        const LEN: usize = {
            let mut len = 0;
            $(each!($row of $table { if $condition { len += 1; } });)+
            len
        };
        let mut names = [""; LEN];
        let mut len = 0;
        $(each!($row of $table { if $condition { names[len] = $row.$name; len += 1; } });)+
        assert!(len == LEN);
        names
    }};
}

/// The observations of a provider.
pub static PROVIDER: &[&str] = &names!(name of KINDS if |kind| kind.is_provider());

/// The labels whose saved answer is judged again: registered kinds, and legacy labels of the same
/// meaning.
pub static REJUDGED: &[&str] = &names!(
    name of KINDS if |kind| kind.rejudged,
    label of LEGACY if |legacy| legacy.is_rejudged()
);

/// The classes that an acceptance gate derives.
pub static GATE_DERIVED_NAMES: &[&str] = &names!(name of GATE_DERIVED if |_class| true);

/// Whether a set has this name.
#[must_use]
pub const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if is_equal(names[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

/// `==` cannot be used at compile time.
const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

impl Kind {
    /// Whether a provider observed it.
    #[must_use]
    pub const fn is_provider(&self) -> bool {
        matches!(self.domain, Domain::Provider)
    }
}

impl Legacy {
    /// Whether its successor is judged again.
    const fn is_rejudged(&self) -> bool {
        match self.successor() {
            Some(successor) => match kind(successor) {
                Some(kind) => kind.rejudged,
                None => false,
            },
            None => false,
        }
    }
}
