//! Vectors of ordinary loads and stores, which the compiler converts to the processor's vector instructions.
//!
//! One lane is the kernel of AArch64. In tests, two and four lanes replace the wider vectors of x86-64, so that every
//! loop runs on every processor; they are also the reference for those vectors.
#![allow(unsafe_code)]

use super::vector::Vector;

/// A register of `LANES` lanes of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Plain<const LANES: usize>([[u8; 16]; LANES]);

impl<const LANES: usize> Vector for Plain<LANES> {
    const LANES: usize = LANES;

    #[inline(always)]
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4] {
        let mut registers = [Self([[0; 16]; LANES]); 4];
        for place in 0..4 * LANES {
            let lane = sources[place % 4].wrapping_add(place / 4 * 16);
            // SAFETY: lane number place / 4 < LANES of a source that is readable for 16 * LANES bytes by the caller's
            // promise; an array of bytes needs no alignment.
            registers[place / LANES].0[place % LANES] = unsafe { lane.cast::<[u8; 16]>().read_unaligned() };
        }
        registers
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut u8) {
        // SAFETY: writable for 16 * LANES bytes by the caller's promise; an array of bytes needs no alignment.
        unsafe { target.cast::<[[u8; 16]; LANES]>().write_unaligned(self.0) }
    }

    /// Same as `store`, except for the alignment that other vectors require.
    #[inline(always)]
    unsafe fn stream(self, target: *mut u8) {
        debug_assert!(target.addr().is_multiple_of(Self::WIDTH_BYTES), "streamed to an unaligned address");
        // SAFETY: the caller promises more than `store` requires.
        unsafe { self.store(target) }
    }

    #[inline(always)]
    fn fence() {}

    #[inline(always)]
    fn prefetch(_source: *const u8) {}
}
