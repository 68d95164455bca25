//! Columns of a block that is being filled.

use crate::format::limit;
use crate::format::slot_column::SlotColumn;
use crate::format::walk::{Elements, RowSink, Scalar, Walk};
use taut_schemas::CodecError;

/// Width of the length of a text or a list.
pub(crate) const COUNT_BYTES: u8 = 4;

/// Columns of a block that is being filled.
#[derive(Debug)]
pub(crate) struct Columns {
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    counts: SlotColumn,
    bytes: Vec<u8>,
    /// Values, by slot index.
    slots: Vec<SlotColumn>,
}

/// Number of rows of one layout below which the columns are filled row by row instead of column by column.
const SHORT_RUN: usize = 6;

impl Columns {
    /// Creates empty columns for slots of these widths in bytes.
    pub fn new(slot_widths: &[u8]) -> Columns {
        Columns {
            kinds: Vec::new(),
            stamps: Vec::new(),
            counts: SlotColumn::new(COUNT_BYTES),
            bytes: Vec::new(),
            slots: slot_widths.iter().map(|width_bytes| SlotColumn::new(*width_bytes)).collect(),
        }
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.kinds.len()
    }

    pub fn kinds(&self) -> &[u8] {
        &self.kinds
    }

    pub fn stamps(&self) -> &[u64] {
        &self.stamps
    }

    pub fn counts(&self) -> &SlotColumn {
        &self.counts
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Values of the slot at `index`.
    pub fn slot(&self, index: usize) -> &SlotColumn {
        &self.slots[index]
    }

    /// Number of records of each kind.
    pub fn kind_counts(&self) -> [u32; limit::BLOCK_KINDS] {
        let mut counts = [0; limit::BLOCK_KINDS];
        self.kinds().iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        counts
    }

    /// Adds the kinds and stamps of records.
    pub fn add(&mut self, kinds: &[u8], stamps: &[u64]) {
        self.kinds.extend_from_slice(kinds);
        self.stamps.extend_from_slice(stamps);
    }

    /// Adds the values of rows that have the same plain scalars and begin at `starts` in `rows`, which has to extend at
    /// least 7 bytes past the last row.
    pub fn add_plain(&mut self, scalars: &[Scalar], rows: &[u8], starts: &[u32]) {
        if starts.len() < SHORT_RUN {
            return starts.iter().for_each(|start| self.add_one_plain(scalars, rows, *start));
        }
        for (index, scalar) in scalars.iter().enumerate() {
            let slot = &mut self.slots[usize::from(scalar.slot)];
            let values = starts.iter().map(|start| value(*scalar, rows, *start).unwrap_or_default());
            // Several scalars on one slot are interleaved there.
            let on_slot = |scalars: &[Scalar]| scalars.iter().filter(|other| other.slot == scalar.slot).count();
            match (on_slot(scalars), on_slot(&scalars[..index])) {
                (1, _) => slot.extend(values),
                (turns, turn) => slot.take_turn(turn, turns, values),
            }
        }
    }

    /// Same as [`add_plain`](Self::add_plain) for one row.
    #[inline]
    fn add_one_plain(&mut self, scalars: &[Scalar], rows: &[u8], start: u32) {
        let slots = self.slots.as_mut_slice();
        for scalar in scalars {
            let (Some(values), Some(value)) = (slots.get_mut(usize::from(scalar.slot)), value(*scalar, rows, start))
            else {
                return;
            };
            values.push(value);
        }
    }

    /// Adds the values of any row.
    ///
    /// # Errors
    /// The row does not have the layout of its event; nothing has been added then.
    pub fn add_row(&mut self, walk: &Walk, row: &[u8]) -> Result<(), CodecError> {
        // Checked first: a row found invalid halfway must not leave half of its values in the columns.
        walk.check(row)?;
        walk.take(row, self)
    }

    /// Empties every column.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.stamps.clear();
        self.counts.clear();
        self.bytes.clear();
        self.slots.iter_mut().for_each(SlotColumn::clear);
    }
}

/// Value of a scalar of the plain row that begins at `start`.
#[inline]
fn value(scalar: Scalar, rows: &[u8], start: u32) -> Option<u64> {
    // Buffers are far smaller than 4 GiB, so the position is not truncated, and a sum of two 32-bit numbers does not
    // overflow.
    let at = start as usize + scalar.at as usize;
    let word = rows.get(at..at + 8)?.first_chunk()?;
    let spare_bits = u32::from(scalar.spare_bits) & 63;
    Some(u64::from_le_bytes(*word) << spare_bits >> spare_bits)
}

impl RowSink for Columns {
    fn scalar(&mut self, slot: u16, value: u64) {
        self.slots[usize::from(slot)].push(value);
    }

    fn count(&mut self, count: u32) {
        self.counts.push(count.into());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn elements(&mut self, elements: &Elements, rows: &[u8]) {
        let Elements { columns, element_bytes, apart } = elements;
        // Columns that share a slot are interleaved there, element by element.
        let run_bytes = if *apart { rows.len() } else { *element_bytes };
        for run in rows.chunks_exact(run_bytes.max(1)) {
            for scalar in columns {
                let values = &mut self.slots[usize::from(scalar.slot)];
                match scalar.width_bytes {
                    1 => append::<1>(run, *element_bytes, scalar.at, values),
                    2 => append::<2>(run, *element_bytes, scalar.at, values),
                    4 => append::<4>(run, *element_bytes, scalar.at, values),
                    _ => append::<8>(run, *element_bytes, scalar.at, values),
                }
            }
        }
    }
}

/// Appends the number of `N` bytes at offset `at` in each element.
fn append<const N: usize>(elements: &[u8], element_bytes: usize, at: u32, values: &mut SlotColumn) {
    let number = |element: &[u8]| {
        let mut word = [0; 8];
        if let Some(bytes) = element.get(at as usize..).and_then(<[u8]>::first_chunk::<N>) {
            word[..N].copy_from_slice(bytes);
        }
        u64::from_le_bytes(word)
    };
    values.extend(elements.chunks_exact(element_bytes).map(number));
}
