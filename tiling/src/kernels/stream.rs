//! Plain copy with non-temporal stores: the limit against which tiled copies of large surfaces are measured.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::{sse2::Sse2, vector::Vector};

/// Bytes per step.
#[cfg(target_arch = "x86_64")]
const BLOCK_BYTES: usize = 64;

/// Copies `source` to the start of `target` with non-temporal stores if the processor has them, followed by a fence; at
/// most the shorter length. Returns the number of copied bytes.
pub fn stream_copy(source: &[u8], target: &mut [u8]) -> usize {
    let count = source.len().min(target.len());
    let (source, target) = (&source[..count], &mut target[..count]);
    let streamed = streamed(source, target);
    target[streamed..].copy_from_slice(&source[streamed..]);
    count
}

/// Copies whole blocks from the start of two slices of equal length, if the target is aligned. Returns the number of
/// copied bytes.
#[cfg(target_arch = "x86_64")]
fn streamed(source: &[u8], target: &mut [u8]) -> usize {
    if !target.as_ptr().addr().is_multiple_of(Sse2::WIDTH_BYTES) {
        return 0;
    }
    let blocks = source.chunks_exact(BLOCK_BYTES).zip(target.chunks_exact_mut(BLOCK_BYTES));
    let mut copied = 0;
    for (source, target) in blocks {
        let sources = [0, 16, 32, 48].map(|at| source.as_ptr().wrapping_add(at));
        // SAFETY: each source has 16 bytes inside the 64 of its chunk; every x86-64 processor has SSE2.
        let registers = unsafe { Sse2::regroup(sources) };
        for (number, register) in registers.into_iter().enumerate() {
            // SAFETY: inside the 64 bytes of the chunk, whose offset from an aligned address is a multiple of 64.
            unsafe { register.stream(target.as_mut_ptr().wrapping_add(number * Sse2::WIDTH_BYTES)) }
        }
        copied += BLOCK_BYTES;
    }
    Sse2::fence();
    copied
}

#[cfg(not(target_arch = "x86_64"))]
fn streamed(_source: &[u8], _target: &mut [u8]) -> usize {
    0
}
