//! Rows of all sources, whatever the borders of their parts.

use std::collections::BTreeMap;
use std::io::{self, Read};

use proptest::prelude::*;

use super::feed::READ;
use super::source::ReadAt;
use super::spans::Spans;
use super::*;

/// A source that gives its bytes in pieces of this length.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len());
        Read::take(&mut self.0, count as u64).read(buffer)
    }
}

/// Keeps the value of `reward` of each row, and the lines that are not rows.
#[derive(Debug, Default)]
struct Keep(Vec<(Position, String)>);

impl RowSink<1> for Keep {
    const KEYS: &'static Keys<1> = &Keys::new(["reward"]);

    fn row<'a>(&mut self, at: Position, row: &RawRow<'a, 1>) -> Result<(), SyntaxError<'a>> {
        let [reward] = row.values();
        let reward = reward.ok_or(SyntaxError::value("reward", b""))?;
        self.0.push((at, reward.escape_ascii().to_string()));
        Ok(())
    }

    fn malformed(&mut self, at: Position, why: Malformed) {
        self.0.push((at, why.to_string()));
    }
}

/// The rows by the numbers of their lines, and how the source ended.
type Found = (BTreeMap<u64, String>, End);

fn found(Rows { sinks, end, lines }: Rows<Keep>) -> Found {
    let rows = sinks.into_iter().flat_map(|Keep(rows)| rows);
    let mut by_line = BTreeMap::new();
    for (at, row) in rows {
        let before = by_line.insert(lines.of(at.ordinal()), row);
        assert!(before.is_none(), "a line is read once");
    }
    (by_line, end)
}

fn sinks(threads: usize) -> impl Iterator<Item = Keep> {
    std::iter::repeat_with(Keep::default).take(threads)
}

fn streamed(source: impl Read + Send, threads: usize) -> Found {
    found(stream::read(source, Check::Read, sinks(threads)).unwrap())
}

/// Reads spans of this length.
fn in_spans(file: &(impl ReadAt + ?Sized), length: u64, span: u64, threads: usize) -> Found {
    let spans = Spans::new(file, 0..length, &()).of(span);
    found(spans::read(&spans, Check::Read, sinks(threads)).unwrap())
}

/// What is found in any way to read it.
fn rows(text: &str) -> Found {
    let (bytes, length) = (text.as_bytes(), text.len() as u64);
    let found = streamed(bytes, 1);
    assert_eq!(streamed(bytes, 2), found);
    for span in [length / 40, length / 2, length].map(|span| span.max(1)) {
        assert_eq!(in_spans(&bytes.to_vec(), length, span, 2), found, "in spans of {span}");
    }
    found
}

fn texts(text: &str) -> Vec<(u64, String)> {
    rows(text).0.into_iter().collect()
}

fn row(number: u64, reward: &str) -> (u64, String) {
    (number, reward.to_owned())
}

#[test]
fn lines_end_at_newlines_alone() {
    assert_eq!(
        texts("{\"reward\":1}\r\n\n \t\r\n{\"a\":\"\u{85}\u{2028}\u{b}\",\"reward\":2}\n"),
        [row(1, "1"), row(4, "2")]
    );
}

#[test]
fn a_byte_order_mark_belongs_to_no_line() {
    let rows = texts("\u{feff}{\"reward\":1}\n\u{feff}{\"reward\":2}\n");
    assert_eq!(rows, [row(1, "1"), row(2, "byte 1: not a JSON object")]);
}

#[test]
fn the_last_line_may_lack_its_end() {
    let end = |text: &str| rows(text).1;
    assert_eq!(end("{\"reward\":1}"), End::Whole);
    assert_eq!(end("{\"reward\":1"), End::CutLine);
    assert_eq!(end("{\"reward\":1}\n{"), End::CutLine);
    assert_eq!(end(""), End::Whole);
    let (a, b) = ("{\"reward\":1}", "{\"reward\":2}");
    for last in [format!("{a}{b}"), format!("{a}, {b}"), format!("{a}\r{b}\r"), "x".to_owned()] {
        let (rows, end) = rows(&format!("{a}\n{last}"));
        assert_eq!((rows.len(), &*rows[&1], end), (2, "1", End::Whole), "{last}");
        assert!(rows[&2].starts_with("byte "), "{last}");
    }
}

/// Rows of lengths around that of a read and far beyond it, each with its number.
fn file(lengths: &[usize]) -> String {
    let row = |(index, length): (usize, &usize)| {
        format!("{{\"p\":\"{}\",\"reward\":{index}}}\n", "x".repeat(*length))
    };
    lengths.iter().enumerate().map(row).collect()
}

#[test]
fn no_border_of_a_read_shows() {
    const READ: usize = 512 << 10;
    let around = (0..130).map(|offset| vec![READ - 90 + offset, 3, 0]);
    let beyond = vec![5, 2 * READ, 0, READ, 5 << 20, 17 << 20, 5 << 20, 5];
    for lengths in around.chain([beyond]) {
        let text = file(&lengths);
        let (rows, end) = rows(&text);
        let expected = (1..).map(|number| row(number, &(number - 1).to_string()));
        assert!(rows.into_iter().eq(expected.take(lengths.len())), "{lengths:?}");
        assert_eq!(end, End::Whole);
    }
}

/// Short texts with lines between them that are too long to be buffered.
struct Long([&'static str; 3]);

impl Long {
    /// By more than a read, so that it cannot be buffered to its end.
    const LINE: u64 = (256 << 20) + (1 << 20);

    fn parts(&self) -> impl Iterator<Item = (u64, Option<&[u8]>)> {
        let texts = self.0.iter().map(|text| (text.len() as u64, Some(text.as_bytes())));
        texts.flat_map(|text| [text, (Self::LINE, None)]).take(2 * self.0.len() - 1)
    }

    fn len(&self) -> u64 {
        self.parts().map(|(length, _)| length).sum()
    }
}

impl ReadAt for Long {
    fn read_at(&self, buffer: &mut [u8], mut at: u64) -> io::Result<usize> {
        for (length, text) in self.parts() {
            if at < length {
                return match text {
                    Some(text) => text.to_vec().read_at(buffer, at),
                    None => io::repeat(b'x').take(length - at).read(buffer),
                };
            }
            at -= length;
        }
        Ok(0)
    }
}

/// All of a file, one byte after the other.
struct Whole<'f, F>(&'f F, u64);

impl<F: ReadAt> Read for Whole<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read_at(buffer, self.1)?;
        self.1 += read as u64;
        Ok(read)
    }
}

#[test]
#[ignore = "slow: reads 1 GiB"]
fn a_line_of_more_than_256_mib_is_skipped() {
    // Two lines in the read that ends a long one, before another long one.
    let texts = ["{\"reward\":1}\n", "\n{\"reward\":2}\n{\"reward\":3}\n{", "\n{\"reward\":4}\n"];
    let long = |number| row(number, "longer than 256 MiB");
    let expected = [row(1, "1"), long(2), row(3, "2"), row(4, "3"), long(5), row(6, "4")];
    let expected = (expected.into_iter().collect(), End::Whole);
    let file = Long(texts);
    assert_eq!(streamed(Whole(&file, 0), 2), expected);
    assert_eq!(in_spans(&file, file.len(), 8 << 20, 2), expected);
}

#[test]
fn a_source_that_fails_is_an_error() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    impl ReadAt for Fails {
        fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
            if at < 20 {
                b"{\"reward\":1}\n".repeat(2).read_at(buffer, at)
            } else {
                Self.read(buffer)
            }
        }
    }
    let source = b"{\"reward\":1}\n".chain(Fails);
    let error = stream::read(source, Check::Read, sinks(2)).unwrap_err();
    assert_eq!(error.to_string(), "gone");
    let spans = Spans::new(&Fails, 0..50, &()).of(25);
    let error = spans::read(&spans, Check::Read, sinks(2)).unwrap_err();
    assert_eq!(error.to_string(), "gone");
}

#[test]
fn a_source_that_panics_passes_its_panic_on() {
    struct Panics;
    impl Read for Panics {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("gone")
        }
    }
    // So much that there are several threads by then.
    let source = b"{\"reward\":1}\n".repeat(400_000);
    let read = || stream::read(source.chain(Panics), Check::Read, sinks(3));
    let payload = std::panic::catch_unwind(read).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&"gone"));
}

#[test]
fn a_file_that_has_become_shorter_ends_there() {
    let text = "{\"reward\":1}\n{\"reward\":2}\n{\"rew";
    for span in 1..60 {
        let (rows, end) = in_spans(&text.as_bytes().to_vec(), 200, span, 2);
        assert_eq!(rows.into_iter().collect::<Vec<_>>(), [row(1, "1"), row(2, "2")]);
        assert_eq!(end, End::CutLine);
    }
}

#[test]
fn what_is_appended_meanwhile_is_not_read() {
    let text = "{\"reward\":1}\n{\"reward\":2}\n";
    let (rows, end) = in_spans(&text.as_bytes().to_vec(), 20, 8, 2);
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), [row(1, "1")]);
    assert_eq!(end, End::CutLine);
}

proptest! {
    #[test]
    fn neither_pieces_nor_spans_nor_threads_show(
        lengths in prop::collection::vec(0_usize..200_000, 0..12),
        part in 1_usize..300_000,
        threads in 1_usize..4,
    ) {
        let text = file(&lengths);
        let (bytes, part) = (text.as_bytes(), part.max(97));
        let found = streamed(bytes, 1);
        prop_assert_eq!(&streamed(Pieces(bytes, part), threads), &found);
        prop_assert_eq!(&in_spans(&bytes.to_vec(), bytes.len() as u64, part as u64, threads), &found);
    }

    #[test]
    fn spans_of_any_length_hold_the_lines_of_any_text(
        text in r#"([ax{]|\n|\r\n|\{"reward":[0-9]\}\n){0,20}"#,
        span in 1_u64..40,
        threads in 1_usize..4,
    ) {
        let found = streamed(text.as_bytes(), 1);
        prop_assert_eq!(in_spans(&text.as_bytes().to_vec(), text.len() as u64, span, threads), found);
    }
}

#[test]
fn slow_rows_are_divided_among_all_threads() {
    let spans = |length: u64| {
        let none = Vec::new();
        let spans = Spans::new(&none, 0..length, &());
        (spans.count(), spans.for_slow_rows(2).count())
    };
    assert_eq!(spans(0), (0, 0));
    assert_eq!(spans(READ as u64 / 32), (1, 1));
    assert_eq!(spans(READ as u64 / 2), (1, 16));
    assert_eq!(spans(16 * READ as u64), (1, 16));
    // A large file is divided as it is anyway.
    assert_eq!(spans(16_000 * READ as u64), (1000, 1000));
}

/// The rows of a source that is opened as callers open it.
fn opened(bytes: impl Into<Vec<u8>>) -> io::Result<Found> {
    read_rows(&mut Source::from_bytes(bytes.into(), &())?, Check::Read, Keep::default).map(found)
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    io::Write::write_all(&mut encoder, text).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).unwrap()
}

const TWO_ROWS: &[u8] = b"{\"reward\":1}\n{\"reward\":2}\n";

/// As the rows of an uncompressed file.
fn is_two_rows((rows, end): Found) -> bool {
    rows.into_iter().eq([row(1, "1"), row(2, "2")]) && end == End::Whole
}

#[test]
fn c249_gzip_members_and_their_padding() {
    let (one, other) = TWO_ROWS.split_at(20);
    let zeros = vec![0; 300_000];
    for bytes in [
        gzip(TWO_ROWS),
        [gzip(one), gzip(other)].concat(),
        [gzip(one), gzip(b""), gzip(other)].concat(),
        // Zero bytes after the last member.
        [&*gzip(TWO_ROWS), &zeros[..1]].concat(),
        [&*gzip(TWO_ROWS), &zeros[..600]].concat(),
        [&*gzip(TWO_ROWS), &zeros].concat(),
        [&*gzip(one), &zeros, &*gzip(other), &zeros].concat(),
    ] {
        assert!(is_two_rows(opened(bytes).unwrap()));
    }
    for garbage in [&b"x"[..], b"\0\0x", b"{\"reward\":3}\n"] {
        assert!(opened([&*gzip(TWO_ROWS), garbage].concat()).is_err());
    }
    let (rows, end) = opened([&*gzip(TWO_ROWS), b"\x1f\x8b"].concat()).unwrap();
    assert_eq!((rows.len(), end), (2, End::CutStream));
}

#[test]
fn c248_zstandard_frames_and_skippable_ones() {
    let (one, other) = TWO_ROWS.split_at(20);
    // `pzstd` begins with a skippable frame.
    let skippable = |magic: u8| [&[magic, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"size"].concat();
    for bytes in [
        zstandard(TWO_ROWS),
        [zstandard(one), zstandard(other)].concat(),
        [skippable(0x50), zstandard(TWO_ROWS)].concat(),
        [skippable(0x5f), zstandard(one), skippable(0x57), zstandard(other)].concat(),
        [zstandard(TWO_ROWS), skippable(0x50), skippable(0x51)].concat(),
    ] {
        assert!(is_two_rows(opened(bytes).unwrap()));
    }
    assert!(opened([zstandard(TWO_ROWS), b"garbage".to_vec()].concat()).is_err());
    let (rows, end) = opened(skippable(0x50)).unwrap();
    assert_eq!((rows.len(), end), (0, End::Whole));
}

#[test]
fn a_compressed_stream_that_ends_early_is_cut() {
    let text = TWO_ROWS.repeat(2_000);
    for compressed in [gzip(&text), zstandard(&text)] {
        for length in [5, compressed.len() / 2, compressed.len() - 1] {
            let (rows, end) = opened(&compressed[..length]).unwrap();
            assert_eq!(end, End::CutStream, "{length}");
            assert!(rows.values().all(|row| row == "1" || row == "2"), "{length}");
        }
    }
}

#[test]
fn the_format_of_a_source_is_that_of_its_decompressed_content() {
    let mut tar = vec![0; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    let format = |bytes: Vec<u8>| Source::from_bytes(bytes, &()).unwrap().format();
    for bytes in [gzip(&tar), zstandard(&tar), tar] {
        assert_eq!(format(bytes), Some(Format::Tar));
    }
    assert_eq!(format(gzip(TWO_ROWS)), None);
    assert_eq!(format(Vec::new()), None);
}

#[test]
fn rows_in_order_are_those_of_any_reading() {
    let text = file(&[0, 700_000, 3, 17 << 20, 5]);
    let mut source = Source::from_bytes(text.clone().into_bytes(), &()).unwrap();
    let (Keep(rows), end) = read_rows_in_order(&mut source, Check::Read, Keep::default()).unwrap();
    let expected: Vec<_> = rows_by_number(&text);
    assert_eq!(rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>(), expected);
    assert_eq!(end, End::Whole);
}

fn rows_by_number(text: &str) -> Vec<String> {
    rows(text).0.into_values().collect()
}

#[test]
fn what_was_appended_is_read_alone() {
    let mut file = tempfile::tempfile().unwrap();
    let mut mark = Mark::default();
    let mut append = |text: &str| {
        io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let (rows, next) = read_appended(&file, mark, Check::Read, &(), Keep::default).unwrap();
        mark = next;
        let (rows, end) = found(rows);
        assert_eq!(end, End::Whole);
        (rows.into_iter().collect::<Vec<_>>(), next.lines)
    };
    assert_eq!(append(""), (vec![], 0));
    assert_eq!(append("\u{feff}{\"reward\":1}\n\n{\"rew"), (vec![row(1, "1")], 2));
    assert_eq!(append("ard\":2"), (vec![], 2));
    assert_eq!(append("}\n{\"reward\":3}\n"), (vec![row(3, "2"), row(4, "3")], 4));
    assert_eq!(append(""), (vec![], 4));
    assert_eq!(append("\n[]\n"), (vec![row(6, "byte 1: not a JSON object")], 6));
    let long = format!("{{\"p\":\"{}\",\"reward\":4}}", "x".repeat(2 << 20));
    assert_eq!(append(&long), (vec![], 6));
    assert_eq!(append("\n{"), (vec![row(7, "4")], 7));
    file.set_len(20).unwrap();
    assert!(read_appended(&file, mark, Check::Read, &(), Keep::default).is_err());
}

proptest! {
    #[test]
    fn appended_lines_are_those_of_the_whole(
        text in r#"([ax{]|\n|\r\n|\{"reward":[0-9]\}\n){0,20}"#,
        at in any::<prop::sample::Index>(),
    ) {
        let cut = at.index(text.len() + 1);
        let mut file = tempfile::tempfile().unwrap();
        let mut mark = Mark::default();
        let mut all = BTreeMap::new();
        for part in [&text.as_bytes()[..cut], &text.as_bytes()[cut..], b"\n"] {
            io::Write::write_all(&mut file, part).unwrap();
            let rows;
            (rows, mark) = read_appended(&file, mark, Check::Read, &(), Keep::default).unwrap();
            all.extend(found(rows).0);
        }
        prop_assert_eq!(all, streamed(&*[text.as_bytes(), b"\n"].concat(), 1).0);
    }
}
