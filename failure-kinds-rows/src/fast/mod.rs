//! One pass over a line: the top level of its object is read, all below it is skipped, 64 bytes
//! at a time.
//!
//! For every line the result is that of [`scan_object`](super::scan::scan_object) with
//! [`Check::Read`](super::Check::Read); tests compare the two.
#![expect(
    clippy::inline_always,
    reason = "it must be compiled into the walk for each kind of lanes"
)]

#[cfg(test)]
mod agreement;
mod cursor;
pub(super) mod lanes;

use self::cursor::Cursor;
use self::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use self::lanes::avx2::Avx2;
use self::lanes::portable::Portable;
use super::scan::{Reason, SyntaxError, scalar_len};
use crate::{Keys, RawRow};

/// Scans lines with the lanes of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scanner {
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable(Portable),
}

impl Scanner {
    /// The fastest scanner for this processor.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Portable(Portable)
    }

    /// Scans `line`, which `text` starts with: puts the raw values of the keys that are read into a
    /// `row` that is still empty, or returns why the line is not a row.
    ///
    /// What follows the line in the text has no effect on the result, but there must be at least
    /// [`lanes::BLOCK`] bytes of it.
    #[inline]
    pub(super) fn scan<'a, const N: usize>(
        self,
        line: &'a [u8],
        text: &[u8],
        keys: &Keys<N>,
        row: &mut RawRow<'a, N>,
    ) -> Result<(), SyntaxError<'a>> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.scan(line, text, keys, row),
            Self::Portable(portable) => portable.scan(line, text, keys, row),
        }
    }
}

/// The walk along the top level; it is compiled for each kind of lanes.
#[inline(always)]
fn walk<'a, const N: usize, L: Lanes>(
    line: &'a [u8],
    text: &[u8],
    keys: &Keys<N>,
    row: &mut RawRow<'a, N>,
    lanes: L,
) -> Result<(), SyntaxError<'a>> {
    let open = find(line, 0, b'{').ok_or_else(|| not_an_object(line))?;
    if let Some(close) = find(line, open + 1, b'}') {
        return finish(line, close);
    }
    let mut cursor = Cursor::new(text, line.len(), lanes);
    let mut at = open + 1;
    loop {
        let open = find(line, at, b'"').ok_or_else(|| expected(line, at, "a key"))?;
        cursor.next_quote();
        cursor.watch_for_backslashes();
        let name_end = cursor.next_quote().ok_or_else(|| cut(line))?;
        let may_be_escaped = cursor.backslash_seen();
        let name = &line[open + 1..name_end];
        let colon =
            find(line, name_end + 1, b':').ok_or_else(|| expected(line, name_end + 1, "`:`"))?;
        let value = after_space(line, colon + 1);
        let value_end = match line.get(value) {
            Some(b'"') => {
                cursor.next_quote();
                cursor.next_quote().ok_or_else(|| cut(line))? + 1
            }
            Some(b'{' | b'[') => cursor.skip_container(value).ok_or_else(|| cut(line))?,
            _ => value + scalar_len(&line[value..]),
        };
        if value == value_end {
            return Err(expected(line, value, "a value"));
        }
        let key = match keys.index_of(name) {
            None if may_be_escaped => keys.index_of_escaped(name),
            key => key,
        };
        if let Some(key) = key {
            row.set(key, &line[value..value_end]);
        }
        let Some(comma) = find(line, value_end, b',') else {
            let close = find(line, value_end, b'}')
                .ok_or_else(|| expected(line, value_end, "`,` or `}`"))?;
            return finish(line, close);
        };
        at = comma + 1;
    }
}

fn finish(line: &[u8], close: usize) -> Result<(), SyntaxError<'_>> {
    let at = close + 1;
    if after_space(line, at) == line.len() {
        Ok(())
    } else {
        Err(expected(line, at, "the end of the line"))
    }
}

/// Where `byte` is, if at most white space comes before it.
#[inline(always)]
fn find(line: &[u8], from: usize, byte: u8) -> Option<usize> {
    if line.get(from) == Some(&byte) {
        return Some(from);
    }
    let at = after_space(line, from);
    (line.get(at) == Some(&byte)).then_some(at)
}

#[inline(always)]
fn after_space(line: &[u8], mut at: usize) -> usize {
    // Nearly always there is none.
    while let Some(byte @ ..=b' ') = line.get(at)
        && matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
    {
        at += 1;
    }
    at
}

/// Another byte comes first.
#[cold]
fn not_an_object(line: &[u8]) -> SyntaxError<'_> {
    SyntaxError { reason: Reason::NotAnObject, at: &line[after_space(line, 0)..] }
}

/// Something else comes after the white space at `from`.
#[cold]
fn expected<'a>(line: &'a [u8], from: usize, what: &'static str) -> SyntaxError<'a> {
    SyntaxError::expected(what, line, after_space(line, from))
}

/// A string or a container does not end.
#[cold]
fn cut(line: &[u8]) -> SyntaxError<'_> {
    SyntaxError::cut(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::agreement::{KEYS, check, fast};
    use super::lanes::BLOCK;

    /// A row of members, some of them read, with decoys and white space.
    fn rows() -> impl Strategy<Value = String> {
        let key = prop_oneof![
            3 => prop::sample::select(KEYS.names().to_vec()).prop_map(str::to_owned),
            1 => Just("failure\\u005fkind".to_owned()),
            2 => r#"([a-z_ ]|\\\\|\\"|\\u00e9|é){0,30}"#,
        ];
        let string = r#"([a-zA-Z:,\{\}\[\] ]|\\\\|\\"|\\n|\\ud83d|é|"failure_kind\\":){0,80}"#
            .prop_map(|text| format!("\"{}\"", text.replace("\"failure", "\\\"failure")));
        let scalar = prop_oneof![
            string,
            prop::sample::select(vec!["null", "true", "-1.5e3", "0", "NaN", "503", "{}", "[]"])
                .prop_map(str::to_owned),
        ];
        let value = scalar.prop_recursive(4, 24, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6)
                    .prop_map(|items| format!("[{}]", items.join(", "))),
                prop::collection::vec(("[a-z_]{0,12}", inner), 0..6).prop_map(|members| {
                    let members: Vec<_> = members
                        .into_iter()
                        .map(|(key, value)| format!("\"{key}\": {value}"))
                        .collect();
                    format!("{{{}}}", members.join(","))
                }),
            ]
        });
        let space = || prop::sample::select(vec!["", "", "", " ", "\t ", "  "]);
        let member = (space(), key, space(), space(), value, space())
            .prop_map(|(a, key, b, c, value, d)| format!("{a}\"{key}\"{b}:{c}{value}{d}"));
        (space(), prop::collection::vec(member, 0..8), space())
            .prop_map(|(a, members, b)| format!("{a}{{{}}}{b}", members.join(",")))
    }

    #[test]
    fn both_scanners_find_the_same_error_of_every_shape() {
        for line in [
            "",
            " ",
            "{",
            "}",
            "{}",
            "{} ",
            " {}x",
            "[]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":[}",
            "{\"a\":[]]}",
            "{a:1}",
            "{\"a\":\"}",
            "{\"a\":\"\\\"}",
            "{\"a\":\"\\\\\"}",
            "{\"failure_kind\":NaN}",
            "{\"failure_kind\":tru e}",
            "{\"failure_kind\": 1 , \"reward\" : 2 }",
            "{\"failure\\u005fkind\":\"x\",\"failure_kind\":\"y\"}",
            "{\"failure_kind\":\"y\",\"failure\\u005fkind\":\"x\"}",
            "{\"a\":1}{\"a\":1}",
            "{\"a\":[\\\"],\"b\":1}",
            "{\"a\":[\\]],\"b\":1}",
            "{\"a\":[\\\\\"],\"b\":1}",
        ] {
            check(line.as_bytes());
        }
    }

    #[test]
    fn every_key_is_found_alone_and_after_a_payload_at_every_offset() {
        for (index, key) in KEYS.names().iter().enumerate() {
            for padding in 0..2 * BLOCK {
                let line = format!("{{\"p\":[\"{}\\\\\"],\"{key}\":7}}", "x".repeat(padding));
                for scanned in fast(line.as_bytes(), 0) {
                    assert_eq!(scanned.unwrap().get(index), Some(&b"7"[..]), "{line}");
                }
            }
        }
    }

    #[test]
    fn depth_has_no_limit() {
        for depth in [200, 100_000] {
            let line = format!("{{\"b\":{}{},\"reward\":1}}", "[".repeat(depth), "]".repeat(depth));
            check(line.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn both_scanners_agree_on_rows(row in rows()) {
            check(row.as_bytes());
        }

        #[test]
        fn both_scanners_agree_on_broken_rows(
            row in rows(),
            at in any::<prop::sample::Index>(),
            byte in prop::sample::select(b"\"\\{}[]:,x 0\xff".to_vec()),
            cut in any::<bool>(),
        ) {
            let mut row = row.into_bytes();
            let at = at.index(row.len());
            if cut {
                row.truncate(at);
            } else {
                row[at] = byte;
            }
            check(&row);
        }

        #[test]
        fn both_scanners_agree_on_noise(
            noise in prop::collection::vec(prop::sample::select(b"\"\\{}[]:,a 1\n\r".to_vec()), 0..200),
        ) {
            check(&noise);
            check(&[b"{\"", &noise[..]].concat());
        }
    }
}
