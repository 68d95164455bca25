//! Vectors that move nothing, to observe the stores of a kernel without memory and without its instructions.
#![allow(unsafe_code)]

use super::vector::Vector;

/// Placeholder of a register of `LANES` lanes of 16 bytes; never uses a pointer.
#[derive(Clone, Copy)]
pub(crate) struct NullVector<const LANES: usize>;

impl<const LANES: usize> Vector for NullVector<LANES> {
    const LANES: usize = LANES;

    unsafe fn regroup(_sources: [*const u8; 4]) -> [Self; 4] {
        [Self; 4]
    }

    unsafe fn store(self, _target: *mut u8) {}

    unsafe fn stream(self, _target: *mut u8) {}

    fn fence() {}

    unsafe fn move_bytes<const N: usize>(_source: *const u8, _target: *mut u8) {}

    fn prefetch(_source: *const u8) {}
}
