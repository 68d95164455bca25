//! 64-byte vectors of x86-64 with AVX-512F: one register is one line.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_castsi256_si512, _mm512_inserti64x4, _mm512_loadu_si512,
    _mm512_permutex2var_epi64, _mm512_storeu_si512, _mm512_stream_si512,
};

use super::sse2::{opaque_pointer, prefetch_line, store_fence};
use super::vector::Vector;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

/// Which 64-bit words of a pair of registers (the second's from 8 on) make the register of the even lanes, and of
/// the odd ones. The pair holds two lanes each of sources 0 and 2, and of sources 1 and 3.
const EVEN_LANES: [i64; 8] = [0, 1, 8, 9, 4, 5, 12, 13];
const ODD_LANES: [i64; 8] = [2, 3, 10, 11, 6, 7, 14, 15];

impl Vector for Avx512 {
    const LANES: usize = 4;

    /// Half of the regrouping is done by the loads, which insert 32 bytes each: shuffles are the narrowest resource
    /// here, and this needs four where a plain 4 x 4 transpose needs eight.
    #[inline(always)]
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4] {
        // SAFETY: readable for 64 bytes by the caller's promise, so for 32 at 0 and at 32, and loads need no alignment;
        // the arrays of indices are 64 bytes each; the processor has AVX-512F.
        unsafe {
            let even = _mm512_loadu_si512(EVEN_LANES.as_ptr().cast());
            let odd = _mm512_loadu_si512(ODD_LANES.as_ptr().cast());
            let pair = |low: *const u8, high: *const u8| {
                let low = _mm512_castsi256_si512(_mm256_loadu_si256(low.cast()));
                _mm512_inserti64x4::<1>(low, _mm256_loadu_si256(high.cast()))
            };
            let [a, b, c, d] = sources;
            let (ac, bd) = (pair(a, c), pair(b, d));
            let (ac_high, bd_high) =
                (pair(a.wrapping_add(32), c.wrapping_add(32)), pair(b.wrapping_add(32), d.wrapping_add(32)));
            [
                Self(_mm512_permutex2var_epi64(ac, even, bd)),
                Self(_mm512_permutex2var_epi64(ac, odd, bd)),
                Self(_mm512_permutex2var_epi64(ac_high, even, bd_high)),
                Self(_mm512_permutex2var_epi64(ac_high, odd, bd_high)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut u8) {
        // SAFETY: writable for 64 bytes by the caller's promise, no alignment needed; the processor has AVX-512F.
        unsafe { _mm512_storeu_si512(target.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, target: *mut u8) {
        // SAFETY: writable for 64 bytes and aligned to them by the caller's promise; `fence` exists for the order.
        unsafe { _mm512_stream_si512(target.cast(), self.0) }
    }

    #[inline(always)]
    fn fence() {
        store_fence();
    }

    #[inline(always)]
    fn opaque(pointer: *mut u8) -> *mut u8 {
        opaque_pointer(pointer)
    }

    #[inline(always)]
    fn prefetch(source: *const u8) {
        prefetch_line(source);
    }
}

#[cfg(test)]
mod tests {
    use super::{EVEN_LANES, ODD_LANES};

    /// The two index tables by the definition of VPERMT2Q (index bit 3 chooses the register, bits 2 to 0 the word), so
    /// that they are checked on machines without it: every word is (source, lane, half).
    #[test]
    fn index_tables_make_lines_of_pairs() {
        let pair = |low, high| {
            [(low, 0, 0), (low, 0, 1), (low, 1, 0), (low, 1, 1), (high, 0, 0), (high, 0, 1), (high, 1, 0), (high, 1, 1)]
        };
        let (ac, bd) = (pair('a', 'c'), pair('b', 'd'));
        for (table, lane) in [(EVEN_LANES, 0), (ODD_LANES, 1)] {
            let line = table.map(|index| if index & 8 == 0 { ac[index as usize] } else { bd[index as usize & 7] });
            let expected = ['a', 'b', 'c', 'd'].map(|source| [(source, lane, 0), (source, lane, 1)]);
            assert_eq!(line.as_slice(), expected.as_flattened());
        }
    }
}
