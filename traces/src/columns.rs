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

    /// Adds a record's kind and stamp. There must be room.
    #[inline]
    pub fn add(&mut self, kind: u8, stamp: u64) {
        if let (Some(kinds), Some(stamps)) = (self.kinds.get_mut(self.records), self.stamps.get_mut(self.records)) {
            (*kinds, *stamps) = (kind, stamp);
            self.records += 1;
        }
    }

    /// Adds the values of up to `records` rows of plain scalars, as `next` gives them: kind, stamp, scalars, and the
    /// row with at least 7 bytes behind it. There must be room.
    #[inline]
    pub fn add_plain<'a>(&mut self, records: usize, mut next: impl FnMut() -> Option<(u8, u64, &'a [Scalar], &'a [u8])>) {
        let (plain, ends) = (self.plain.as_mut_slice(), self.ends.as_mut_slice());
        let free = self.records..(self.records + records).min(self.kinds.len());
        let mut added = 0;
        for (kind_place, stamp_place) in self.kinds[free.clone()].iter_mut().zip(&mut self.stamps[free]) {
            let Some((kind, stamp, scalars, padded)) = next() else { break };
            for scalar in scalars {
                let at = scalar.at as usize;
                let Some(word) = padded.get(at..at + 8).and_then(|bytes| bytes.first_chunk()) else { break };
                let Some(end) = ends.get_mut(usize::from(scalar.slot)) else { break };
                let Some(place) = plain.get_mut(*end) else { break };
                *place = u64::from_le_bytes(*word) << (scalar.spare_bits & 63) >> (scalar.spare_bits & 63);
                *end += 1;
            }
            (*kind_place, *stamp_place) = (kind, stamp);
            added += 1;
        }
        self.records += added;
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
