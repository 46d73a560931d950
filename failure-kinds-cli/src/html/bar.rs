//! Bars of rollouts.

use std::borrow::Cow;

use maud::{Markup, Render, html};

use crate::page::{counted, share};
use crate::words;

/// A bar of rollouts, whose parts together are the whole.
pub(crate) struct Bar {
    parts: Vec<Part>,
    /// What all parts are together.
    of: u64,
    is_thin: bool,
}

/// A part of a bar.
pub(crate) struct Part {
    /// Its look.
    class: &'static str,
    what: Cow<'static, str>,
    /// What that means; may be empty.
    meaning: Cow<'static, str>,
    count: u64,
}

impl Part {
    pub(crate) fn new(class: &'static str, what: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self { class, what: what.into(), meaning: "".into(), count }
    }

    pub(crate) fn passed(count: u64) -> Self {
        Self::new("passed", "without a failure", count).meaning(words::PASSED)
    }

    pub(crate) fn degraded(count: u64) -> Self {
        Self::new("degraded", "degraded", count).meaning(words::DEGRADED)
    }

    pub(crate) fn omitted(count: u64) -> Self {
        Self::new("omitted", "omitted", count).meaning(words::OMITTED)
    }

    pub(crate) fn missing(count: u64) -> Self {
        Self::new("missing", "missing", count).meaning(words::MISSING)
    }

    pub(crate) fn meaning(self, meaning: impl Into<Cow<'static, str>>) -> Self {
        Self { meaning: meaning.into(), ..self }
    }

    /// `58 rollouts`
    fn rollouts(&self) -> String {
        counted(self.count, "rollout")
    }
}

impl Bar {
    /// The parts side by side.
    pub(crate) fn new(parts: impl IntoIterator<Item = Part>) -> Self {
        let parts: Vec<Part> = parts.into_iter().collect();
        let of = parts.iter().map(|part| part.count).sum();
        Self { parts, of, is_thin: false }
    }

    /// One part of a whole, which a number beside it says too.
    pub(crate) fn of_share(class: &'static str, count: u64, of: u64) -> Self {
        Self { parts: vec![Part::new(class, "", count)], of, is_thin: true }
    }

    /// The parts that are not empty.
    fn filled(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.count > 0)
    }

    /// The parts that are not empty, each with its start and its width in percent.
    fn places(&self) -> impl Iterator<Item = (&Part, String, String)> {
        let mut before = 0;
        self.filled().map(move |part| {
            let start = share(before, self.of, PARTS);
            before += part.count;
            (part, percent(start), percent(share(before, self.of, PARTS) - start))
        })
    }

    fn label(&self) -> String {
        let parts = self.filled().map(|part| format!("{} {}", part.rollouts(), part.what));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// What each part is.
    pub(crate) fn key(&self) -> Markup {
        html! {
            ul.key {
                @for part in &self.parts {
                    li {
                        svg.swatch aria-hidden="true" { rect class=(part.class) width="100%" height="100%" {} }
                        span {
                            strong { (part.rollouts()) } " " (part.what)
                            @if !part.meaning.is_empty() { " " small { (part.meaning) } }
                        }
                    }
                }
            }
        }
    }
}

impl Render for Bar {
    fn render(&self) -> Markup {
        // A number beside a thin one says the same.
        let is_image = !self.is_thin;
        html! {
            svg.bar.thin[self.is_thin]
                aria-hidden=[self.is_thin.then_some("true")]
                role=[is_image.then_some("img")]
                aria-label=[is_image.then(|| self.label())]
            {
                @for (part, start, width) in self.places() {
                    rect class=(part.class) x=(start) width=(width) height="100%" {}
                }
            }
        }
    }
}

/// Hundredths of a percent.
const PARTS: usize = 10_000;

fn percent(parts: usize) -> String {
    format!("{}.{:02}%", parts / 100, parts % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_bar_fill_it() {
        let bar = Bar::new([
            Part::new("a", "one", 1),
            Part::new("b", "none", 0),
            Part::new("c", "two", 2),
        ]);
        let places: Vec<_> = bar.places().map(|(_, start, width)| [start, width]).collect();
        assert_eq!(places, [["0.00%", "33.33%"], ["33.33%", "66.67%"]]);
        assert_eq!(bar.label(), "1 rollout one, 2 rollouts two");
    }
}
