//! 64-byte vectors of x86-64 with AVX-512F: one register is one line.
#![allow(unsafe_code)]

use core::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_shuffle_i64x2, _mm512_storeu_si512, _mm512_stream_si512};

use super::sse2::{prefetch_line, store_fence};
use super::vector::Vector;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

/// Shuffle controls that take two lanes of each of two registers: first the low or high half, then the even or odd
/// lanes.
const LOW: i32 = 0b01_00_01_00;
const HIGH: i32 = 0b11_10_11_10;
const EVEN: i32 = 0b10_00_10_00;
const ODD: i32 = 0b11_01_11_01;

impl Vector for Avx512 {
    const LANES: usize = 4;

    /// Transposes 4 x 4 lanes. Whole lines are loaded: inserting 32 bytes per load would save shuffles, but loads are
    /// the bottleneck here (measured on Zen 5).
    #[inline(always)]
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4] {
        // SAFETY: readable for 64 bytes by the caller's promise, loads need no alignment; the processor has AVX-512F.
        unsafe {
            let [a, b, c, d] = sources.map(|source| _mm512_loadu_si512(source.cast()));
            let (ab, cd) = (_mm512_shuffle_i64x2::<LOW>(a, b), _mm512_shuffle_i64x2::<LOW>(c, d));
            let (ab_high, cd_high) = (_mm512_shuffle_i64x2::<HIGH>(a, b), _mm512_shuffle_i64x2::<HIGH>(c, d));
            [
                Self(_mm512_shuffle_i64x2::<EVEN>(ab, cd)),
                Self(_mm512_shuffle_i64x2::<ODD>(ab, cd)),
                Self(_mm512_shuffle_i64x2::<EVEN>(ab_high, cd_high)),
                Self(_mm512_shuffle_i64x2::<ODD>(ab_high, cd_high)),
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
    fn prefetch(source: *const u8) {
        prefetch_line(source);
    }
}

#[cfg(test)]
mod tests {
    use super::{EVEN, HIGH, LOW, ODD};

    /// Shuffles as defined for VSHUFI64X2 (two lanes of the first register, then two of the second, selected by two
    /// bits each), so that they are checked on processors without it.
    #[test]
    fn shuffles_transpose_lanes() {
        fn shuffle<T: Copy>(control: i32, first: [T; 4], second: [T; 4]) -> [T; 4] {
            let lane = |number: i32| (control >> (2 * number) & 3) as usize;
            [first[lane(0)], first[lane(1)], second[lane(2)], second[lane(3)]]
        }
        let [a, b, c, d] = ['a', 'b', 'c', 'd'].map(|source| [0, 1, 2, 3].map(|lane| (source, lane)));
        for (half, lanes) in [(LOW, [(EVEN, 0), (ODD, 1)]), (HIGH, [(EVEN, 2), (ODD, 3)])] {
            let (ab, cd) = (shuffle(half, a, b), shuffle(half, c, d));
            for (control, lane) in lanes {
                assert_eq!(shuffle(control, ab, cd), ['a', 'b', 'c', 'd'].map(|source| (source, lane)));
            }
        }
    }
}
