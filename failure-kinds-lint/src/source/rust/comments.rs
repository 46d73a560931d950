//! Comments: what is between tokens and not white space. So nothing inside a string is ever taken
//! for one. Documentation comments are tokens.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use crate::position::Comment;
use crate::source::markdown::Pieces;
use crate::suppress;

/// The comments of a text, given its tokens, and its documentation.
pub(super) fn of(text: &str, tokens: &TokenStream) -> (Vec<Comment>, Vec<Pieces>) {
    let has_directive = text.contains(suppress::DIRECTIVE);
    if !has_directive && !text.contains("```") {
        return (Vec::new(), Vec::new());
    }
    let mut places = Vec::new();
    leaves(tokens.clone(), &mut places);
    let docs = docs(text, &places);
    if !has_directive {
        return (Vec::new(), docs);
    }
    places.push(text.len()..text.len());
    let mut comments = Vec::new();
    let mut at = 0;
    for token in places {
        // The parts of a documentation comment share one location.
        if token.start >= at {
            of_gap(text, at..token.start, &mut comments);
            at = token.end;
        }
    }
    (comments, docs)
}

/// The documentation comments. Those that follow each other belong together.
fn docs(text: &str, places: &[Range<usize>]) -> Vec<Pieces> {
    let mut docs: Vec<Pieces> = Vec::new();
    let mut last = 0..0;
    for place in places.iter().filter(|place| is_doc(&text[(*place).clone()])) {
        if *place == last {
            continue;
        }
        if docs.is_empty() || !text[last.end..place.start].trim().is_empty() {
            docs.push(Pieces::default());
        }
        last = place.clone();
        let Some(pieces) = docs.last_mut() else { continue };
        let mut at = place.start;
        let comment = &text[place.clone()];
        let comment = comment.strip_suffix("*/").unwrap_or(comment);
        for line in comment.split_inclusive('\n') {
            let content =
                line.trim_start_matches(|char: char| char.is_whitespace() || "/*!".contains(char));
            pieces.push(content, at + line.len() - content.len());
            at += line.len();
        }
        pieces.push("\n", place.end);
    }
    docs
}

fn is_doc(token: &str) -> bool {
    ["///", "//!", "/**", "/*!"].iter().any(|open| token.starts_with(open))
}

/// The spans of all tokens, the brackets of groups among them.
fn leaves(tokens: TokenStream, places: &mut Vec<Range<usize>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if super::is_invisible(group.delimiter()) => {
                leaves(group.stream(), places);
            }
            TokenTree::Group(group) => {
                places.push(group.span_open().byte_range());
                leaves(group.stream(), places);
                places.push(group.span_close().byte_range());
            }
            token => places.push(token.span().byte_range()),
        }
    }
}

fn of_gap(text: &str, gap: Range<usize>, comments: &mut Vec<Comment>) {
    let mut at = gap.start;
    while let Some(slash) = text[at..gap.end].find('/') {
        let start = at + slash;
        let rest = &text[start..gap.end];
        let (length, inside) = if rest.starts_with("/*") {
            let length = block_len(rest);
            (length, &rest[2..length.saturating_sub(2).max(2)])
        } else {
            let length = rest.find('\n').unwrap_or(rest.len());
            (length, rest[..length].trim_start_matches('/'))
        };
        comments.push(Comment::new(start..start + length, inside));
        at = start + length.max(1);
    }
}

/// The length of a block comment; block comments nest.
fn block_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}
