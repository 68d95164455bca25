//! The columns of a block being filled.

use crate::limit;
use crate::walk::{RowSink, Scalar, Walk, Walks};
use taut_schemas::CodecError;

/// The columns of a block being filled.
///
/// Plain slots lie side by side in one piece of memory, so that adding a value costs one bounds check.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Kind and stamp of each record; `records` of each are in use.
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    records: usize,
    counts: Vec<u64>,
    bytes: Vec<u8>,
    /// Values of the plain slots: that with index i begins at i · `stride`.
    plain: Vec<u64>,
    stride: usize,
    /// Where each plain slot's next value goes in `plain`.
    ends: Vec<usize>,
    /// Values of the slots of list elements, by slot index.
    lists: Vec<Vec<u64>>,
}

/// Rows of one layout in a run that are not worth going through column by column.
const SHORT_RUN: usize = 6;

/// Values a slot has room for at first.
const FIRST_STRIDE: usize = 1 << 10;

impl Columns {
    pub fn new(slots: usize) -> Columns {
        let mut columns = Columns {
            kinds: Vec::new(),
            stamps: Vec::new(),
            records: 0,
            counts: Vec::new(),
            bytes: Vec::new(),
            plain: vec![0; slots * FIRST_STRIDE],
            stride: FIRST_STRIDE,
            ends: vec![0; slots],
            lists: vec![Vec::new(); slots],
        };
        columns.clear();
        columns
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.records
    }

    pub fn kinds(&self) -> &[u8] {
        &self.kinds[..self.records]
    }

    pub fn stamps(&self) -> &[u64] {
        &self.stamps[..self.records]
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Values of the slot at `index`.
    pub fn slot(&self, index: usize) -> &[u64] {
        let start = index * self.stride;
        if self.lists[index].is_empty() { &self.plain[start..self.ends[index]] } else { &self.lists[index] }
    }

    /// Records of each kind.
    pub fn kind_counts(&self) -> [u32; limit::BLOCK_KINDS] {
        let mut counts = [0; limit::BLOCK_KINDS];
        self.kinds().iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        counts
    }

    /// Makes room for `records` more records of at most `values` values on each plain slot.
    pub fn reserve(&mut self, records: usize, values: usize) {
        if self.kinds.len() < self.records + records {
            self.kinds.resize((2 * (self.records + records)).min(limit::BLOCK_RECORDS), 0);
            self.stamps.resize(self.kinds.len(), 0);
        }
        let most = self.ends.iter().enumerate().map(|(index, end)| end - index * self.stride).max().unwrap_or(0);
        let wanted = most + records * values;
        if wanted > self.stride {
            let stride = wanted.next_power_of_two();
            let mut plain = vec![0; self.ends.len() * stride];
            for (index, end) in self.ends.iter_mut().enumerate() {
                let values = &self.plain[index * self.stride..*end];
                plain[index * stride..index * stride + values.len()].copy_from_slice(values);
                *end = index * stride + values.len();
            }
            (self.plain, self.stride) = (plain, stride);
        }
    }

    /// Adds records' kinds and stamps. There must be room.
    pub fn add(&mut self, kinds: &[u8], stamps: &[u64]) {
        let places = self.records..self.records + kinds.len();
        self.kinds[places.clone()].copy_from_slice(kinds);
        self.stamps[places.clone()].copy_from_slice(stamps);
        self.records = places.end;
    }

    /// Adds the values of rows of the same plain scalars, which begin at `starts` in `rows`; this goes on at least 7
    /// bytes behind the last. There must be room.
    pub fn add_plain(&mut self, scalars: &[Scalar], rows: &[u8], starts: &[u32]) {
        if starts.len() < SHORT_RUN {
            return starts.iter().for_each(|start| self.add_one_plain(scalars, rows, *start));
        }
        for (index, scalar) in scalars.iter().enumerate() {
            // Several scalars on one slot take turns there.
            let on_slot = |scalars: &[Scalar]| scalars.iter().filter(|other| other.slot == scalar.slot).count();
            let (stride, turn) = (on_slot(scalars), on_slot(&scalars[..index]));
            let end = self.ends[usize::from(scalar.slot)];
            let places = &mut self.plain[end + turn..end + starts.len() * stride];
            if stride == 1 {
                copy(*scalar, rows, starts, places.iter_mut());
            } else {
                copy(*scalar, rows, starts, places.iter_mut().step_by(stride));
            }
        }
        scalars.iter().for_each(|scalar| self.ends[usize::from(scalar.slot)] += starts.len());
    }

    /// The same for one row.
    #[inline]
    fn add_one_plain(&mut self, scalars: &[Scalar], rows: &[u8], start: u32) {
        let (plain, ends) = (self.plain.as_mut_slice(), self.ends.as_mut_slice());
        for scalar in scalars {
            let Some(end) = ends.get_mut(usize::from(scalar.slot)) else { return };
            let (Some(value), Some(place)) = (value(*scalar, rows, start), plain.get_mut(*end)) else { return };
            *place = value;
            *end += 1;
        }
    }

    /// Adds the values of any row. There must be room.
    ///
    /// # Errors
    /// The row has not the layout of its event; nothing has been added then.
    pub fn add_row(&mut self, walks: &Walks, walk: &Walk, row: &[u8]) -> Result<(), CodecError> {
        // A row that turns out wrong half-way must not leave half of its values.
        walk.check(row)?;
        walk.take(row, &mut Sink { columns: self, walks })
    }

    /// Empties every column.
    pub fn clear(&mut self) {
        self.records = 0;
        self.counts.clear();
        self.bytes.clear();
        let stride = self.stride;
        self.ends.iter_mut().enumerate().for_each(|(index, end)| *end = index * stride);
        self.lists.iter_mut().for_each(Vec::clear);
    }
}

/// The value of a scalar of the plain row that begins at `start`.
#[inline]
fn value(scalar: Scalar, rows: &[u8], start: u32) -> Option<u64> {
    // Buffers are far smaller than 4 GiB, so nothing is cut off here; and a sum of 32-bit numbers does not overflow.
    let at = start as usize + scalar.at as usize;
    let word = rows.get(at..at + 8)?.first_chunk()?;
    let spare_bits = u32::from(scalar.spare_bits) & 63;
    Some(u64::from_le_bytes(*word) << spare_bits >> spare_bits)
}

/// Copies a scalar of each row to its place.
#[inline]
fn copy<'a>(scalar: Scalar, rows: &[u8], starts: &[u32], places: impl Iterator<Item = &'a mut u64>) {
    for (place, start) in places.zip(starts) {
        *place = value(scalar, rows, *start).unwrap_or_default();
    }
}

struct Sink<'a> {
    columns: &'a mut Columns,
    walks: &'a Walks,
}

impl RowSink for Sink<'_> {
    fn scalar(&mut self, slot: u16, value: u64) {
        let slot = usize::from(slot);
        if self.walks.in_list(slot) {
            self.columns.lists[slot].push(value);
        } else {
            let end = &mut self.columns.ends[slot];
            self.columns.plain[*end] = value;
            *end += 1;
        }
    }

    fn count(&mut self, count: u32) {
        self.columns.counts.push(count.into());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.columns.bytes.extend_from_slice(bytes);
    }
}
