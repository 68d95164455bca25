//! 32-byte vectors of x86-64 with AVX2.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_loadu_si256, _mm256_permute2x128_si256, _mm256_storeu_si256, _mm256_stream_si256,
};

use super::sse2::{opaque_pointer, prefetch_line, store_fence};
use super::vector::Vector;

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

impl Vector for Avx2 {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4] {
        // SAFETY: readable for 32 bytes by the caller's promise, loads need no alignment; the processor has AVX2.
        unsafe {
            let [a, b, c, d] = sources.map(|source| _mm256_loadu_si256(source.cast()));
            [
                Self(_mm256_permute2x128_si256::<0x20>(a, b)),
                Self(_mm256_permute2x128_si256::<0x20>(c, d)),
                Self(_mm256_permute2x128_si256::<0x31>(a, b)),
                Self(_mm256_permute2x128_si256::<0x31>(c, d)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut u8) {
        // SAFETY: writable for 32 bytes by the caller's promise, no alignment needed; the processor has AVX2.
        unsafe { _mm256_storeu_si256(target.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, target: *mut u8) {
        // SAFETY: writable for 32 bytes and aligned to them by the caller's promise; `fence` exists for the order.
        unsafe { _mm256_stream_si256(target.cast(), self.0) }
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
