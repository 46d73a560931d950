//! The fast scanners compared with the plain one.

use super::lanes::BLOCK;
use super::{Portable, Scanner};
use crate::scan::{Check, scan_object};
use crate::{Keys, RawRow, SyntaxError};

/// Keys of all lengths, some of which differ in one byte.
pub(super) static KEYS: Keys<12> = Keys::new([
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

type Row<'a> = RawRow<'a, 12>;

/// What each of the fast scanners finds in a line, with noise after it.
pub(super) fn fast(line: &[u8], noise: u8) -> Vec<Result<Row<'_>, SyntaxError<'_>>> {
    let text = [line, &[noise; BLOCK]].concat();
    [Scanner::detect(), Scanner::Portable(Portable)]
        .map(|scanner| {
            let mut row = RawRow::default();
            scanner.scan(line, &text, &KEYS, &mut row).map(|()| row)
        })
        .to_vec()
}

/// Panics unless all of them agree with the plain one, whatever comes after the line.
pub(super) fn check(line: &[u8]) {
    let plain = scan_object(line, KEYS.names(), Check::Read);
    for noise in [0, b'"', b'}', b'\\'] {
        for scanned in fast(line, noise) {
            assert_eq!(scanned, plain, "{}", line.escape_ascii());
        }
    }
}
