//! What JSON with comments has that JSON has not: comments, and commas after the last element.

use crate::position::Comment;

/// The text with spaces in their place, so that all offsets stay, and the comments.
pub(super) fn take_out(text: &str) -> (String, Vec<Comment>) {
    let mut plain = text.as_bytes().to_vec();
    let mut comments = Vec::new();
    let mut comma = None;
    let mut at = 0;
    while at < plain.len() {
        let rest = &text.as_bytes()[at..];
        match rest[0] {
            b'"' => {
                comma = None;
                at += string_len(rest);
            }
            b'/' if matches!(rest.get(1), Some(b'/' | b'*')) => {
                let (length, inside) = comment(&text[at..]);
                comments.push(Comment::new(at..at + length, inside));
                blank(&mut plain[at..at + length]);
                at += length;
            }
            byte => {
                match byte {
                    b',' => comma = Some(at),
                    b']' | b'}' => {
                        if let Some(comma) = comma.take() {
                            plain[comma] = b' ';
                        }
                    }
                    byte if byte.is_ascii_whitespace() => {}
                    _ => comma = None,
                }
                at += 1;
            }
        }
    }
    // Only whole comments and commas were replaced.
    (String::from_utf8_lossy(&plain).into_owned(), comments)
}

fn string_len(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of a comment, and what is in it.
fn comment(text: &str) -> (usize, &str) {
    if let Some(inside) = text.strip_prefix("/*") {
        let end = inside.find("*/").unwrap_or(inside.len());
        ((end + 4).min(text.len()), &inside[..end])
    } else {
        let line = text.lines().next().unwrap_or_default();
        (line.len(), line.trim_start_matches('/'))
    }
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_last_commas_become_spaces() {
        let text = "{ // one\n \"a//b\": [1, /* é */ 2, ], \"\\\"/*\": \",]\",\n}";
        let (plain, comments) = take_out(text);
        assert_eq!(plain, "{       \n \"a//b\": [1,          2  ], \"\\\"/*\": \",]\" \n}");
        let comments: Vec<_> = comments.iter().map(|comment| comment.text.trim()).collect();
        assert_eq!(comments, ["one", "é"]);
    }
}
