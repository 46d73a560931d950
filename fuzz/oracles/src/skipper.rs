//! The fast scanner, compared with the portable one.

use failure_kinds_rows::{
    Check, End, Keys, LONGEST_LINE, Malformed, Position, RawRow, RowSink, Source, SyntaxError,
    read_rows_in_order, scan_object,
};

/// Keys of all lengths. Some differ in one byte.
static KEYS: Keys<12> = Keys::new([
    "reward",
    "failure_kind",
    "failure_king",
    "_ng_failure_kind",
    "_ng_failure_class",
    "_ng_failure_stage",
    "_ng_failure_http_status",
    "_ng_failure_judge_error",
    "_ng_failure_counts_as_zero",
    "_ng_task_index",
    "mask_sample",
    "a_key_of_the_greatest_length_32_",
]);

/// A line as one of the two scanners reads it: the text of each value, or why it is not a row.
type Scanned = Result<[Option<Vec<u8>>; 12], Malformed>;

fn texts(row: &RawRow<'_, 12>) -> [Option<Vec<u8>>; 12] {
    row.values().map(|value| value.map(<[u8]>::to_vec))
}

#[derive(Default)]
struct Lines(Vec<Scanned>);

impl RowSink<12> for Lines {
    const KEYS: &'static Keys<12> = &KEYS;

    fn row<'a>(&mut self, _: Position, row: &RawRow<'a, 12>) -> Result<(), SyntaxError<'a>> {
        self.0.push(Ok(texts(row)));
        Ok(())
    }

    fn malformed(&mut self, _: Position, why: Malformed) {
        self.0.push(Err(why));
    }
}

/// The fast scanner reads each line as the portable one does, whatever follows it.
pub fn skipper(data: &[u8]) {
    // A line feed first, so that everything before it is lines.
    let text = [b"\n", data, b"\n"].concat();
    let mut source = Source::from_bytes(text, &()).unwrap();
    let (Lines(fast), end) =
        read_rows_in_order(&mut source, Check::Read, Lines::default()).unwrap();
    assert_eq!(end, End::Whole);
    let plain = data.split(|byte| *byte == b'\n').filter_map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST_LINE {
            return Some(Err(Malformed::TooLong));
        }
        let scanned = scan_object(line, KEYS.names(), Check::Read);
        let scanned = scanned.map(|row| texts(&row));
        (!line.trim_ascii().is_empty()).then(|| scanned.map_err(|error| error.in_line(line)))
    });
    assert_eq!(fast, plain.collect::<Vec<_>>(), "{}", data.escape_ascii());
}
