//! 16-byte vectors of x86-64.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence, _mm_storeu_si128, _mm_stream_si128,
};

use super::vector::Vector;

/// One lane.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128i);

impl Vector for Sse2 {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4] {
        // SAFETY: readable for 16 bytes by the caller's promise; the load needs no alignment.
        sources.map(|source| Self(unsafe { _mm_loadu_si128(source.cast()) }))
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut u8) {
        // SAFETY: writable for 16 bytes by the caller's promise; the store needs no alignment.
        unsafe { _mm_storeu_si128(target.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, target: *mut u8) {
        // SAFETY: writable for 16 bytes and aligned to them by the caller's promise; `fence` exists for the order.
        unsafe { _mm_stream_si128(target.cast(), self.0) }
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

/// Orders earlier stores, including non-temporal stores, before later stores.
#[inline(always)]
pub(super) fn store_fence() {
    // SAFETY: every x86-64 processor has SSE.
    unsafe { _mm_sfence() }
}

/// Returns the same pointer, hidden from the optimiser.
#[allow(clippy::pointers_in_nomem_asm_block)]
#[inline(always)]
pub(super) fn opaque_pointer(mut pointer: *mut u8) -> *mut u8 {
    // SAFETY: no instruction, so no memory is used and nothing happens; the pointer leaves as it came.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags)) };
    pointer
}

/// Prefetches the line that contains `source`.
#[inline(always)]
pub(super) fn prefetch_line(source: *const u8) {
    // SAFETY: a prefetch reads nothing the program can see and never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(source.cast()) }
}
