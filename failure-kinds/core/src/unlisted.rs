//! Texts that are not in a closed list of names, and the message for them.

use core::fmt::Display;

use crate::text::from_fn;
use crate::{Quoted, suggest_among};

/// A text that is not in a closed list of names.
#[derive(Clone, Copy, Debug)]
pub struct Unlisted<'a> {
    /// The text.
    pub text: &'a str,
    /// What it should be, with an article: `a class`.
    pub one: &'a str,
    /// The same in the plural: `classes`.
    pub many: &'a str,
    /// The names of the list.
    pub names: &'a [&'a str],
    /// Another valid word, and what it does: `none`, `clears the entry`.
    pub also: Option<(&'a str, &'a str)>,
}

impl<'a> Unlisted<'a> {
    /// The name that was most likely meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'a str> {
        let also = self.also.map(|(word, _)| word);
        suggest_among(self.text, &self.names.iter().copied().chain(also))
    }

    /// What is wrong, in one clause without a final period.
    #[must_use]
    pub fn problem(&self) -> impl Display + '_ {
        from_fn(|f| {
            if self.text.is_empty() {
                write!(f, "an empty text is not {}", self.one)
            } else {
                write!(f, "`{}` is not {}", Quoted(self.text), self.one)
            }
        })
    }

    /// Problem and help, each on a line of its own.
    #[must_use]
    pub fn report(&self) -> impl Display + '_ {
        from_fn(|f| write!(f, "{}\nhelp: {}", self.problem(), self.help()))
    }

    /// What to write instead, in one clause.
    #[must_use]
    pub fn help(&self) -> impl Display + '_ {
        from_fn(|f| {
            if let Some(name) = self.suggestion() {
                return write!(f, "a similar one is `{name}`");
            }
            write!(f, "the {} are {}", self.many, listed(self.names.iter().copied()))?;
            match self.also {
                Some((word, does)) => write!(f, "; `{word}` {does}"),
                None => Ok(()),
            }
        })
    }
}

/// `` `a`, `b` and `c` ``
pub fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str> + Clone) -> impl Display {
    from_fn(move |f| {
        let last = names.len().saturating_sub(1);
        for (index, name) in names.clone().enumerate() {
            let separator = match index {
                0 => "",
                _ if index == last => " and ",
                _ => ", ",
            };
            write!(f, "{separator}`{name}`")?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    fn said(text: &str, also: Option<(&str, &str)>) -> std::string::String {
        let names = &["model", "evaluation", "unknown"];
        let unlisted = Unlisted { text, one: "a class", many: "classes", names, also };
        format!("{}; {}", unlisted.problem(), unlisted.help())
    }

    #[test]
    fn a_near_miss_has_a_suggestion() {
        assert_eq!(said("modle", None), "`modle` is not a class; a similar one is `model`");
        assert_eq!(
            said("nnoe", Some(("none", ""))),
            "`nnoe` is not a class; a similar one is `none`"
        );
    }

    #[test]
    fn without_one_the_names_are_listed() {
        assert_eq!(
            said("", None),
            "an empty text is not a class; the classes are `model`, `evaluation` and `unknown`"
        );
        assert_eq!(
            said("environment\n", Some(("none", "clears the entry"))),
            "`environment\\n` is not a class; the classes are `model`, `evaluation` and `unknown`; \
             `none` clears the entry"
        );
    }
}
