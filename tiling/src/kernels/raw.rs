//! Mover with vectors and pointers.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use super::bands::{Bands, GroupMover};
use super::lines::GROUP_BYTES;
use super::mover::Mover;
use super::vector::Vector;
use crate::Store;

/// Pair of slices as pointers; `TO_TILED` selects the written one, `STREAM` enables non-temporal stores.
///
/// Every method compares its offsets with the slices' lengths before it forms a pointer, so the mover is safe to use in
/// any way; for bands, the ends are compared before the first.
pub(crate) struct RawMover<'a, V, S, const TO_TILED: bool, const STREAM: bool> {
    source: *const u8,
    target: *mut u8,
    linear_bytes: usize,
    tiled_bytes: usize,
    linear_pitch_bytes: usize,
    sink: S,
    slices: PhantomData<(&'a [u8], &'a mut [u8], V)>,
}

impl<'a, V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> RawMover<'a, V, S, TO_TILED, STREAM> {
    /// Creates a mover from `source` to `target`. With `STREAM`, groups whose targets are not aligned to the width of
    /// `V` are stored with ordinary stores.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub unsafe fn new(source: &'a [u8], target: &'a mut [u8], linear_pitch_bytes: usize, sink: S) -> Self {
        let (source_bytes, target_bytes) = (source.len(), target.len());
        // SAFETY: the pointers come from slices of these lengths, borrowed for 'a; the rest is the caller's promise.
        unsafe {
            Self::from_parts(source.as_ptr(), source_bytes, target.as_mut_ptr(), target_bytes, linear_pitch_bytes, sink)
        }
    }

    /// Creates a mover from `source_bytes` bytes at `source` to `target_bytes` at `target`.
    ///
    /// # Safety
    /// The processor has the instructions of `V`; and either both pointers are valid for their bytes during 'a, the
    /// second one exclusively, or `V` never uses a pointer.
    #[inline(always)]
    pub unsafe fn from_parts(
        source: *const u8,
        source_bytes: usize,
        target: *mut u8,
        target_bytes: usize,
        linear_pitch_bytes: usize,
        sink: S,
    ) -> Self {
        let (linear_bytes, tiled_bytes) =
            if TO_TILED { (source_bytes, target_bytes) } else { (target_bytes, source_bytes) };
        Self { source, target, linear_bytes, tiled_bytes, linear_pitch_bytes, sink, slices: PhantomData }
    }
}

impl<V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> RawMover<'_, V, S, TO_TILED, STREAM> {
    /// Returns source and target offset of one move.
    #[inline(always)]
    fn directed<T>(linear: T, tiled: T) -> (T, T) {
        if TO_TILED { (linear, tiled) } else { (tiled, linear) }
    }

    #[inline(always)]
    fn fits(&self, linear: usize, tiled: usize, count: usize) -> bool {
        let fits = linear <= self.linear_bytes
            && tiled <= self.tiled_bytes
            && count <= self.linear_bytes - linear
            && count <= self.tiled_bytes - tiled;
        debug_assert!(fits, "a loop left its slices: {linear}, {tiled}, {count}");
        fits
    }

    /// Returns the distances from the first of four rows.
    #[inline(always)]
    fn row_steps(&self) -> [usize; 4] {
        let pitch = self.linear_pitch_bytes;
        [0, pitch, 2 * pitch, 3 * pitch]
    }

    /// Moves the group at `linear` and `tiled`. With `streams`, stores are non-temporal.
    ///
    /// # Safety
    /// On the linear side, 64 bytes are valid from `linear` and from one, two and three pitches after it; on the tiled
    /// side, from `tiled` plus each of `steps`. With `streams`, all targets are aligned to the width of `V`.
    #[inline(always)]
    unsafe fn group(&mut self, linear: usize, tiled: usize, steps: [usize; 4], streams: bool) {
        debug_assert!(
            self.row_steps().into_iter().all(|step| linear + step + GROUP_BYTES <= self.linear_bytes)
                && steps.into_iter().all(|step| tiled + step + GROUP_BYTES <= self.tiled_bytes),
            "a loop left its slices: group at {linear}, {tiled} and {steps:?}"
        );
        let (source, target) = Self::directed(linear, tiled);
        let (source_steps, target_steps) = Self::directed(self.row_steps(), steps);
        let sources = V::opaque(self.source.wrapping_add(source).cast_mut()).cast_const();
        let targets = V::opaque(self.target.wrapping_add(target));
        for part in 0..4 / V::LANES {
            let at = part * V::WIDTH_BYTES;
            // SAFETY: `at` + the width is 64 or less, and the caller promises that many bytes at each source.
            let registers = unsafe { V::regroup(source_steps.map(|step| sources.wrapping_add(step).wrapping_add(at))) };
            for (number, register) in registers.into_iter().enumerate() {
                // A target of 64 bytes takes 4 / LANES registers; it is finished before the next is begun.
                let step = target_steps[part * V::LANES + number * V::LANES / 4];
                let within = number % (4 / V::LANES) * V::WIDTH_BYTES;
                let pointer = targets.wrapping_add(step).wrapping_add(within);
                // SAFETY: inside the 64 bytes that the caller promises at each target; aligned if it streams, because
                // `within` is a multiple of the width.
                unsafe { if streams { register.stream(pointer) } else { register.store(pointer) } }
                self.sink.stored(target + step + within, V::WIDTH_BYTES);
            }
        }
    }
}

/// Groups of bands that are validated for both slices of the mover. With `STREAMS`, stores are non-temporal; then all
/// written lines, or rows of groups on the linear side, are aligned to the width of `V`.
struct Groups<'p, 'a, V, S, const TO_TILED: bool, const STREAM: bool, const STREAMS: bool> {
    mover: &'p mut RawMover<'a, V, S, TO_TILED, STREAM>,
    bands: &'p Bands,
}

impl<V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool, const STREAMS: bool> GroupMover
    for Groups<'_, '_, V, S, TO_TILED, STREAM, STREAMS>
{
    #[inline(always)]
    fn group(&mut self, linear: usize, tiled: usize, steps: [usize; 4]) {
        if STREAM && !TO_TILED {
            let line = self.mover.source.wrapping_add(self.bands.ahead(tiled));
            for step in steps {
                V::prefetch(line.wrapping_add(step));
            }
        }
        // SAFETY: whoever makes a `Groups` has found this: no group reaches beyond the ends, and targets are aligned.
        unsafe { self.mover.group(linear, tiled, steps, STREAMS) }
    }
}

impl<V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> Mover for RawMover<'_, V, S, TO_TILED, STREAM> {
    #[inline(always)]
    fn bands(&mut self, bands: &Bands) {
        if bands.linear_end() > self.linear_bytes || bands.tiled_end() > self.tiled_bytes {
            debug_assert!(false, "the bands leave their slices: {bands:?}");
            return;
        }
        // First target, combined with the bits of the distances to all others.
        let bits =
            self.target.addr() | if TO_TILED { bands.tiled_bits() } else { bands.linear() | self.linear_pitch_bytes };
        // Both ends were just compared. Distances between targets consist of these bits, or are whole groups of 64
        // bytes: if the combined bits are a multiple of the width, every target is.
        if STREAM && bits.is_multiple_of(V::WIDTH_BYTES) {
            bands.each_group(&mut Groups::<_, _, TO_TILED, STREAM, true> { mover: self, bands });
        } else {
            bands.each_group(&mut Groups::<_, _, TO_TILED, STREAM, false> { mover: self, bands });
        }
    }

    #[inline(always)]
    fn line(&mut self, linear: usize, tiled: usize) {
        for (number, step) in self.row_steps().into_iter().enumerate() {
            self.bytes::<16>(linear + step, tiled + number * 16);
        }
    }

    #[inline(always)]
    fn pair(&mut self, linear: usize, tiled: usize) {
        let second = linear + self.linear_pitch_bytes;
        if !self.fits(linear, tiled, 16) || !self.fits(second, tiled + 16, 16) {
            return;
        }
        for (linear, tiled) in [(linear, tiled), (second, tiled + 16)] {
            let (source, target) = Self::directed(linear, tiled);
            // SAFETY: both sides were just found to have 16 bytes from these offsets on.
            unsafe { V::move_bytes::<16>(self.source.wrapping_add(source), self.target.wrapping_add(target)) }
        }
        self.sink.stored(Self::directed(linear, tiled).1, 32);
    }

    #[inline(always)]
    fn bytes<const N: usize>(&mut self, linear: usize, tiled: usize) {
        if !self.fits(linear, tiled, N) {
            return;
        }
        let (source, target) = Self::directed(linear, tiled);
        // SAFETY: both sides were just found to have N bytes from these offsets on.
        unsafe { V::move_bytes::<N>(self.source.wrapping_add(source), self.target.wrapping_add(target)) }
        self.sink.stored(target, N);
    }
}

impl<V, S, const TO_TILED: bool, const STREAM: bool> RawMover<'_, V, S, TO_TILED, STREAM> {
    /// Executes the fence that non-temporal stores need before other observers may rely on them.
    #[inline(always)]
    pub fn finish(self)
    where
        V: Vector,
    {
        if STREAM {
            V::fence();
        }
    }
}
