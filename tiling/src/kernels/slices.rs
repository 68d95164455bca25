//! Mover in safe code, for every processor.

use super::bands::{Bands, GroupMover};
use super::lines::{GROUP_BYTES, LINE_BYTES};
use super::mover::Mover;
use crate::Store;

/// Pair of slices; with `TO_TILED`, the target is the tiled slice, else the source.
pub(crate) struct SliceMover<'a, S, const TO_TILED: bool> {
    source: &'a [u8],
    target: &'a mut [u8],
    linear_pitch_bytes: usize,
    sink: S,
}

impl<'a, S: Store, const TO_TILED: bool> SliceMover<'a, S, TO_TILED> {
    #[inline(always)]
    pub fn new(source: &'a [u8], target: &'a mut [u8], linear_pitch_bytes: usize, sink: S) -> Self {
        Self { source, target, linear_pitch_bytes, sink }
    }
}

impl<S: Store, const TO_TILED: bool> GroupMover for SliceMover<'_, S, TO_TILED> {
    /// Moves target by target, so that a line is finished before the next is begun.
    #[inline(always)]
    fn group(&mut self, linear: usize, tiled: usize, steps: [usize; 4]) {
        let lines = steps.map(|step| tiled + step);
        let rows = [0, 1, 2, 3].map(|row| linear + row * self.linear_pitch_bytes);
        let (from, to) = if TO_TILED { (rows, lines) } else { (lines, rows) };
        let sources = from.map(|from| chunk::<GROUP_BYTES>(self.source, from));
        let [Some(a), Some(b), Some(c), Some(d)] = sources else {
            debug_assert!(false, "a loop left its slices: group at {linear}, {lines:?}");
            return;
        };
        for (part, to) in to.into_iter().enumerate() {
            if let Some(target) = chunk_mut::<GROUP_BYTES>(self.target, to) {
                for (place, source) in [a, b, c, d].into_iter().enumerate() {
                    let (at, from) = (place * LINE_BYTES, part * LINE_BYTES);
                    target[at..at + LINE_BYTES].copy_from_slice(&source[from..from + LINE_BYTES]);
                    self.sink.stored(to + at, LINE_BYTES);
                }
            }
        }
    }
}

impl<S: Store, const TO_TILED: bool> Mover for SliceMover<'_, S, TO_TILED> {
    #[inline(always)]
    fn bands(&mut self, bands: &Bands) {
        bands.each_group(self);
    }

    #[inline(always)]
    fn line(&mut self, linear: usize, tiled: usize) {
        for row in 0..4 {
            self.bytes::<16>(linear + row * self.linear_pitch_bytes, tiled + row * 16);
        }
    }

    #[inline(always)]
    fn pair(&mut self, linear: usize, tiled: usize) {
        let rows = [linear, linear + self.linear_pitch_bytes];
        if !TO_TILED {
            return rows.into_iter().enumerate().for_each(|(row, at)| self.bytes::<16>(at, tiled + row * 16));
        }
        let sources = rows.map(|at| chunk::<16>(self.source, at));
        let ([Some(a), Some(b)], Some(target)) = (sources, chunk_mut::<32>(self.target, tiled)) else {
            debug_assert!(false, "a loop left its slices: pair at {linear}, {tiled}");
            return;
        };
        target[..16].copy_from_slice(a);
        target[16..].copy_from_slice(b);
        self.sink.stored(tiled, 32);
    }

    #[inline(always)]
    fn bytes<const N: usize>(&mut self, linear: usize, tiled: usize) {
        let (from, to) = if TO_TILED { (linear, tiled) } else { (tiled, linear) };
        let (source, target) = (chunk::<N>(self.source, from), chunk_mut::<N>(self.target, to));
        debug_assert!(source.is_some() && target.is_some(), "a loop left its slices: {linear}, {tiled}, {N}");
        if let (Some(source), Some(target)) = (source, target) {
            *target = *source;
            self.sink.stored(to, N);
        }
    }

    #[inline(always)]
    fn run(&mut self, linear: usize, tiled: usize) {
        let (from, to) = if TO_TILED { (linear, tiled) } else { (tiled, linear) };
        let (source, target) = (chunk::<64>(self.source, from), chunk_mut::<64>(self.target, to));
        debug_assert!(source.is_some() && target.is_some(), "a loop left its slices: run at {linear}, {tiled}");
        if let (Some(source), Some(target)) = (source, target) {
            *target = *source;
            [0, 16, 32, 48].into_iter().for_each(|at| self.sink.stored(to + at, 16));
        }
    }
}

#[inline(always)]
fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk()
}

#[inline(always)]
fn chunk_mut<const N: usize>(bytes: &mut [u8], at: usize) -> Option<&mut [u8; N]> {
    bytes.get_mut(at..)?.first_chunk_mut()
}
