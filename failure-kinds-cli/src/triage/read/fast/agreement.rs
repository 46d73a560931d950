//! The fast scanners beside the plain one.

use super::lanes::BLOCK;
use super::{Portable, Scanner};
use crate::triage::read::scan::{Check, Malformed, scan_object};
use crate::triage::row::{KEYS, RawRow};

/// What each of the fast scanners says of a line, with noise behind it.
pub(super) fn fast(line: &[u8], noise: u8) -> Vec<Result<RawRow<'_>, Malformed>> {
    let text = [line, &[noise; BLOCK]].concat();
    [Scanner::detect(), Scanner::Portable(Portable)]
        .map(|scanner| {
            let mut row = [None; KEYS.len()];
            scanner.scan(line, &text, &mut row).map(|()| row)
        })
        .to_vec()
}

/// Panics unless all of them say what the plain one says, whatever stands behind the line.
pub(in crate::triage::read) fn check(line: &[u8]) {
    let plain = scan_object(line, &KEYS, Check::Read);
    for noise in [0, b'"', b'}', b'\\'] {
        for scanned in fast(line, noise) {
            assert_eq!(scanned, plain, "{}", line.escape_ascii());
        }
    }
}
