//! Sixty-four bytes at a time: where a block holds the bytes that give JSON its shape.

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "vector instructions beyond the baseline can be called in no other way, and without \
              them the scan of small and medium rows takes several times as long"
)]
pub(crate) mod avx2;
pub(crate) mod portable;

/// The number of bytes that are looked at together: one per bit of a mask.
pub(crate) const BLOCK: usize = 64;

/// `{` and `[`, like `}` and `]`, differ in this bit only, and no other byte joins them without it.
const BRACKET_BIT: u8 = 0x20;

/// A way to look at a block. Bit *i* of a mask speaks of byte *i*.
pub(crate) trait Lanes: Copy {
    /// Where `"` and where `\` is.
    fn quotes_and_backslashes(self, block: &[u8; BLOCK]) -> (u64, u64);

    /// Where an opening, `{` or `[`, and where a closing bracket is.
    fn brackets(self, block: &[u8; BLOCK]) -> (u64, u64);

    /// Bit *i* of the answer is the parity of the bits 0 to *i*.
    fn prefix_xor(self, bits: u64) -> u64;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check<L: Lanes>(lanes: L, block: &[u8; BLOCK], bits: u64) {
        let mask = |wanted: &[u8]| {
            (0..BLOCK)
                .filter(|bit| wanted.contains(&block[*bit]))
                .fold(0, |mask, bit| mask | 1 << bit)
        };
        assert_eq!(lanes.quotes_and_backslashes(block), (mask(b"\""), mask(b"\\")));
        assert_eq!(lanes.brackets(block), (mask(b"{["), mask(b"}]")));
        let parity = (0..64).fold(0, |parity: u64, bit| {
            parity | u64::from((bits << (63 - bit)).count_ones() % 2) << bit
        });
        assert_eq!(lanes.prefix_xor(bits), parity);
    }

    fn check_all(block: &[u8; BLOCK], bits: u64) {
        check(portable::Portable, block, bits);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            check(avx2, block, bits);
        }
    }

    #[test]
    fn every_byte_is_told_from_the_others() {
        for byte in 0..=u8::MAX {
            check_all(&[byte; BLOCK], u64::from(byte));
        }
    }

    proptest! {
        #[test]
        fn masks_are_those_of_a_plain_search(block: [u8; BLOCK], bits: u64) {
            check_all(&block, bits);
        }
    }
}
