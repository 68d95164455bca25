//! The port that moves vectors through pointers.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use super::lines::GROUP_BYTES;
use super::port::{Band, Port};
use super::vector::Vector;
use crate::Store;

/// Two slices, taken apart into pointers; `TO_TILED` says which is written, `STREAM` whether past the caches.
///
/// Every method compares its offsets with the slices' lengths before it makes a pointer of them, so the port is
/// safe to use in any way; in the loop over groups that costs two instructions for 256 bytes.
pub(crate) struct RawPort<'a, V, S, const TO_TILED: bool, const STREAM: bool> {
    source: *const u8,
    target: *mut u8,
    linear_bytes: usize,
    tiled_bytes: usize,
    linear_pitch_bytes: usize,
    /// The band that groups are counted from. Its groups were found to fit the linear side.
    band: Band,
    /// Groups that fit the tiled side start below this; zero where none does.
    groups_end: usize,
    /// All bits that occur in the distances between the four targets of a group.
    target_steps_bits: usize,
    sink: S,
    slices: PhantomData<(&'a [u8], &'a mut [u8], V)>,
}

impl<'a, V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> RawPort<'a, V, S, TO_TILED, STREAM> {
    /// A port from `source` to `target`. With `STREAM`, groups whose targets are not aligned to the width of
    /// `V` are stored the ordinary way.
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

    /// A port from `source_bytes` bytes at `source` to `target_bytes` at `target`.
    ///
    /// # Safety
    /// The processor has the instructions of `V`; and either both pointers are valid for their bytes during 'a, the
    /// second for nobody else, or `V` never uses a pointer.
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
        Self {
            source,
            target,
            linear_bytes,
            tiled_bytes,
            linear_pitch_bytes,
            band: Band { linear: 0, tiled: 0, groups: 0, steps: [0; 4] },
            groups_end: 0,
            target_steps_bits: 0,
            sink,
            slices: PhantomData,
        }
    }
}

impl<V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> RawPort<'_, V, S, TO_TILED, STREAM> {
    /// Source and target offset of one move.
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

    /// Distances from the first of four rows.
    #[inline(always)]
    fn row_steps(&self) -> [usize; 4] {
        let pitch = self.linear_pitch_bytes;
        [0, pitch, 2 * pitch, 3 * pitch]
    }
}

impl<V: Vector, S: Store, const TO_TILED: bool, const STREAM: bool> Port for RawPort<'_, V, S, TO_TILED, STREAM> {
    const PREFETCHES: bool = STREAM && !TO_TILED;

    #[inline(always)]
    fn begin_band(&mut self, band: Band) {
        let furthest = band.steps[0].max(band.steps[1]).max(band.steps[2]).max(band.steps[3]);
        let reach = self.linear_pitch_bytes.saturating_mul(3).saturating_add(band.groups.saturating_mul(GROUP_BYTES));
        let fits = band.linear.saturating_add(reach) <= self.linear_bytes;
        debug_assert!(fits, "a loop left its slices: band at {}, {}", band.linear, band.tiled);
        self.band = Band { groups: if fits { band.groups } else { 0 }, ..band };
        let tiled_reach = band.tiled.saturating_add(furthest).saturating_add(GROUP_BYTES - 1);
        self.groups_end = self.tiled_bytes.saturating_sub(tiled_reach);
        self.target_steps_bits = match TO_TILED {
            true => band.steps[0] | band.steps[1] | band.steps[2] | band.steps[3],
            false => self.linear_pitch_bytes,
        };
    }

    #[inline(always)]
    fn group(&mut self, number: usize, group: usize) {
        if number >= self.band.groups || group >= self.groups_end {
            debug_assert!(false, "a loop left its slices: group {number}, {group} of the band at {}", self.band.linear);
            return;
        }
        let (linear, tiled) = (self.band.linear + number * GROUP_BYTES, self.band.tiled + group);
        let (source, target) = Self::directed(linear, tiled);
        let (source_steps, target_steps) = Self::directed(self.row_steps(), self.band.steps);
        let sources = V::opaque(self.source.wrapping_add(source).cast_mut()).cast_const();
        let targets = V::opaque(self.target.wrapping_add(target));
        let streams = STREAM && (targets.addr() | self.target_steps_bits).is_multiple_of(V::WIDTH_BYTES);
        for part in 0..4 / V::LANES {
            let at = part * V::WIDTH_BYTES;
            // SAFETY: `begin_band` found that 3 pitches and all groups fit behind the band's start on the linear side, and
            // `groups_end` leaves the furthest step and 64 bytes on the tiled one. `at` + the width is 64 or less.
            let registers = unsafe { V::regroup(source_steps.map(|step| sources.wrapping_add(step).wrapping_add(at))) };
            for (number, register) in registers.into_iter().enumerate() {
                // A target of 64 bytes takes 4 / LANES registers; it is finished before the next is begun.
                let step = target_steps[part * V::LANES + number * V::LANES / 4];
                let within = number % (4 / V::LANES) * V::WIDTH_BYTES;
                let pointer = targets.wrapping_add(step).wrapping_add(within);
                // SAFETY: inside the 64 bytes at `targets` + `step`, by the same comparison; and aligned where it
                // streams: `targets` and all steps are multiples of the width, and so is `within`.
                unsafe { if streams { register.stream(pointer) } else { register.store(pointer) } }
                self.sink.stored(target + step + within, V::WIDTH_BYTES);
            }
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

    #[inline(always)]
    fn prefetch(&mut self, group: usize) {
        for step in self.band.steps {
            V::prefetch(self.source.wrapping_add(self.band.tiled + group + step));
        }
    }
}

impl<V, S, const TO_TILED: bool, const STREAM: bool> RawPort<'_, V, S, TO_TILED, STREAM> {
    /// The fence that stores past the caches need before anybody else may rely on them.
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
