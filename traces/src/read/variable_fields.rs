//! Extraction of texts, byte strings and lists from a block's columns.

use crate::Trace;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::columns::COUNT_BYTES;
use crate::format::error::Damage;
use crate::format::walk::{Elements, Scalar, Step, Walk};
use crate::read::block::Block;
use crate::read::extracted::{Column, ThreadExtract};
use crate::read::slot_values::{COUNT, SlotValues};
use crate::read::wanted::Wanted;
use taut_schemas::Slot;

/// Decoded columns of the variable-size fields of a block's records.
#[derive(Default)]
pub(crate) struct VariableFields {
    counts: SlotValues,
    bytes: Vec<u8>,
    /// Values by slot index; decoded only for the slots of wanted lists.
    slots: Vec<SlotValues>,
}

impl VariableFields {
    /// Decodes the columns that the wanted fields need.
    pub fn load(
        &mut self,
        block: &Block<'_>,
        trace: &Trace,
        wanted: &Wanted,
        decoder: &mut ColumnDecoder,
    ) -> Result<(), Damage> {
        let slots = trace.walks.slots.len();
        let (mut any_bytes, mut needed) = (false, vec![false; slots]);
        for index in &block.walks {
            for field in &wanted.tails[*index] {
                match &trace.walks.walk(*index).steps[field.step] {
                    Step::Scalar(_) => {}
                    Step::Bytes => any_bytes = true,
                    Step::List { elements: Elements { columns, .. }, .. } => {
                        columns.iter().for_each(|scalar| needed[usize::from(scalar.slot)] = true)
                    }
                }
            }
        }
        self.counts.load_as(block, Slot::COUNTS.0, COUNT_BYTES, COUNT, decoder)?;
        self.bytes.clear();
        if any_bytes {
            block.bytes(Slot::BYTES.0, decoder, &mut self.bytes)?;
        }
        self.slots.resize_with(slots, SlotValues::default);
        for (index, values) in self.slots.iter_mut().enumerate().filter(|(index, _)| needed[*index]) {
            values.load(block, trace.walks.slots[index], block.widths[index].widest, decoder)?;
        }
        Ok(())
    }

    /// Walks through the records and appends the wanted fields to `part`.
    pub fn gather(
        &mut self,
        block: &Block<'_>,
        walks: &[&Walk],
        wanted: &Wanted,
        kinds: &[u8],
        part: &mut ThreadExtract,
    ) -> Result<(), Damage> {
        let short = || block.damage("column", "as many values as the records have".to_owned(), "fewer".to_owned());
        let mut bytes_at = 0usize;
        for kind in kinds.iter().map(|kind| usize::from(*kind)).filter(|kind| walks[*kind].counts > 0) {
            let fields = &wanted.tails[block.walks[kind]];
            for (index, step) in walks[kind].steps.iter().enumerate() {
                let field = fields.iter().find(|field| field.step == index);
                let column = field.map(|field| &mut part.columns[field.event].fields[field.field].1);
                match step {
                    Step::Scalar(_) => {}
                    Step::Bytes => {
                        let start = bytes_at;
                        bytes_at = bytes_at.saturating_add(self.counts.take().ok_or_else(short)? as usize);
                        if let Some(Column::Texts { ends, bytes }) = column {
                            bytes.extend_from_slice(self.bytes.get(start..bytes_at).ok_or_else(short)?);
                            ends.push(bytes.len());
                        }
                    }
                    Step::List { elements: Elements { columns, .. }, .. } => {
                        let count = self.counts.take().ok_or_else(short)?;
                        match column {
                            Some(Column::Lists { ends, columns: out }) => {
                                self.elements(columns, count, out).ok_or_else(short)?;
                                // The copy above succeeded, so the slots had that many values.
                                ends.push(ends.last().copied().unwrap_or_default() + count as usize);
                            }
                            _ => self.skip(columns, count),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies a list's elements; `None` if the columns end before the list does, or a value is wider than its field.
    fn elements(&mut self, columns: &[Scalar], count: u64, out: &mut [(String, Vec<u64>)]) -> Option<()> {
        for _ in 0..count {
            for (scalar, (_, out)) in columns.iter().zip(&mut *out) {
                let value = self.slots[usize::from(scalar.slot)].take()?;
                if value & !scalar.mask() != 0 {
                    return None;
                }
                if out.len() == out.capacity() {
                    // Grows by a quarter instead of doubling: lists may have very many elements.
                    out.reserve_exact((out.len() / 4).max(64));
                }
                out.push(value);
            }
        }
        Some(())
    }

    fn skip(&mut self, columns: &[Scalar], count: u64) {
        for scalar in columns {
            self.slots[usize::from(scalar.slot)].skip(count as usize);
        }
    }
}
