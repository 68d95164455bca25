//! Vector registers of the raw mover.
#![allow(unsafe_code)]

/// A register of 16, 32 or 64 bytes: one, two or four lanes of 16.
///
/// All four methods have the same contract: the pointers are valid for the bytes read or written, and the
/// processor has the instructions of the type.
pub(crate) trait Vector: Copy {
    /// Lanes of 16 bytes.
    const LANES: usize;

    /// Bytes of a register.
    const WIDTH_BYTES: usize = 16 * Self::LANES;

    /// Loads one register from each of four sources and regroups the lanes: first all four lanes of number 0, then all
    /// four of number 1, and so on. Returns four registers, in the order of memory.
    ///
    /// # Safety
    /// Each source is readable for [`WIDTH_BYTES`](Vector::WIDTH_BYTES); the processor has the instructions.
    unsafe fn regroup(sources: [*const u8; 4]) -> [Self; 4];

    /// Stores the register.
    ///
    /// # Safety
    /// `target` is writable for [`WIDTH_BYTES`](Vector::WIDTH_BYTES); the processor has the instructions.
    unsafe fn store(self, target: *mut u8);

    /// Stores the register with a non-temporal store.
    ///
    /// # Safety
    /// As [`store`](Vector::store), and `target` is aligned to the width. Other threads see the bytes only after a
    /// store fence, [`fence`](Vector::fence).
    unsafe fn stream(self, target: *mut u8);

    /// Orders all earlier [`stream`](Vector::stream)s before all later stores.
    fn fence();

    /// Moves at most 16 bytes with ordinary stores.
    ///
    /// # Safety
    /// `source` is readable and `target` writable for `N` bytes.
    #[inline(always)]
    unsafe fn move_bytes<const N: usize>(source: *const u8, target: *mut u8) {
        // SAFETY: readable and writable for N bytes by the caller's promise; an array of bytes needs no alignment.
        unsafe { target.cast::<[u8; N]>().write_unaligned(source.cast::<[u8; N]>().read_unaligned()) }
    }

    /// Returns the same pointer, hidden from the optimiser for vectors narrower than a line. Otherwise it would turn
    /// one pointer and its fixed distances into eight pointers, which do not fit into the registers.
    #[inline(always)]
    fn opaque(pointer: *mut u8) -> *mut u8 {
        pointer
    }

    /// Prefetches the line that contains `source`; any address is valid.
    fn prefetch(source: *const u8);
}
