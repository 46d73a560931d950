//! Comments: what stands between tokens and is no white space. So nothing inside a string is
//! ever taken for one, whatever the string looks like.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use crate::position::Comment;
use crate::suppress;

/// The comments of a text, given its tokens. Comments of documentation are tokens.
pub(super) fn of(text: &str, tokens: &TokenStream) -> Vec<Comment> {
    if !text.contains(suppress::DIRECTIVE) {
        return Vec::new();
    }
    let mut ends = Vec::new();
    leaves(tokens.clone(), &mut ends);
    ends.push(text.len()..text.len());
    let mut comments = Vec::new();
    let mut at = 0;
    for token in ends {
        // The parts of a comment of documentation share one place.
        if token.start >= at {
            of_gap(text, at..token.start, &mut comments);
            at = token.end;
        }
    }
    comments
}

/// The places of all tokens, the brackets of groups among them.
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
        comments.push(Comment { span: start..start + length, text: inside.to_owned() });
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
