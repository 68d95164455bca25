//! Picks texts, byte strings and lists out of a block's columns.

use crate::Trace;
use crate::block::Block;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;
use crate::extracted::{Column, ThreadExtract};
use crate::slot_values::{COUNT, COUNT_BYTES, SlotValues};
use crate::walk::{Elements, Scalar, Step, Walk};
use crate::wanted::Wanted;
use taut_schemas::Slot;

/// The columns that the variable part of records lies in.
#[derive(Default)]
pub(crate) struct Tail {
    counts: SlotValues,
    bytes: Vec<u8>,
    /// By slot index; only of the slots that wanted lists lie on.
    slots: Vec<SlotValues>,
}

impl Tail {
    /// Decodes the columns that the wanted fields of the block's records need.
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

    /// Walks through the records and adds the wanted fields to `part`.
    pub fn gather(
        &mut self,
        block: &Block<'_>,
        walks: &[&Walk],
        wanted: &Wanted,
        kinds: &[u8],
        part: &mut ThreadExtract,
    ) -> Result<(), Damage> {
        let short = || block.wrong("column", "as many values as the records have".to_owned(), "fewer".to_owned());
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
                                // There were so many values in the slots, or the list would have ended before.
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
