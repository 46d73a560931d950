//! The marks of a block with AVX2, where the processor has it.
#![expect(
    clippy::inline_always,
    reason = "it must be compiled into the walk for each kind of lanes"
)]

use std::arch::x86_64::{
    __m256i, _mm_clmulepi64_si128, _mm_cvtsi128_si64, _mm_set_epi64x, _mm_set1_epi8,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
};

use super::{BLOCK, BRACKET_BIT, Lanes};
use crate::fast::walk;
use crate::{Keys, RawRow, SyntaxError};

/// Proof that this processor has the instructions used here: [`Avx2::detect`] alone makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Self(()))
    }

    pub(crate) fn scan<'a, const N: usize>(
        self,
        line: &'a [u8],
        text: &[u8],
        keys: &Keys<N>,
        row: &mut RawRow<'a, N>,
    ) -> Result<(), SyntaxError<'a>> {
        #[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt")]
        fn compiled<'a, const N: usize>(
            line: &'a [u8],
            text: &[u8],
            keys: &Keys<N>,
            row: &mut RawRow<'a, N>,
            lanes: Avx2,
        ) -> Result<(), SyntaxError<'a>> {
            walk(line, text, keys, row, lanes)
        }
        // SAFETY: `self` proves the features.
        unsafe { compiled(line, text, keys, row, self) }
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn quotes_and_backslashes(self, block: &[u8; BLOCK]) -> (u64, u64) {
        // SAFETY: `self` proves the features.
        unsafe { quotes_and_backslashes(block) }
    }

    #[inline(always)]
    fn brackets(self, block: &[u8; BLOCK]) -> (u64, u64) {
        // SAFETY: `self` proves the features.
        unsafe { brackets(block) }
    }

    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { prefix_xor(bits) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn quotes_and_backslashes(block: &[u8; BLOCK]) -> (u64, u64) {
    let halves = load(block);
    (equal(halves, b'"'), equal(halves, b'\\'))
}

#[inline]
#[target_feature(enable = "avx2")]
fn brackets(block: &[u8; BLOCK]) -> (u64, u64) {
    let bit = _mm256_set1_epi8(BRACKET_BIT.cast_signed());
    let [low, high] = load(block);
    let halves = [_mm256_or_si256(low, bit), _mm256_or_si256(high, bit)];
    (equal(halves, b'{'), equal(halves, b'}'))
}

#[inline]
#[target_feature(enable = "pclmulqdq")]
fn prefix_xor(bits: u64) -> u64 {
    // A carry-less product with all ones is the running parity.
    let product =
        _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits.cast_signed()), _mm_set1_epi8(-1));
    _mm_cvtsi128_si64(product).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &[u8; BLOCK]) -> [__m256i; 2] {
    let (low, high) = block.split_at(32);
    // SAFETY: each half is 32 readable bytes, and these loads ask for no alignment.
    unsafe { [_mm256_loadu_si256(low.as_ptr().cast()), _mm256_loadu_si256(high.as_ptr().cast())] }
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal([low, high]: [__m256i; 2], byte: u8) -> u64 {
    let wanted = _mm256_set1_epi8(byte.cast_signed());
    equal_half(low, wanted) | equal_half(high, wanted) << 32
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal_half(half: __m256i, wanted: __m256i) -> u64 {
    u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(half, wanted)).cast_unsigned())
}
