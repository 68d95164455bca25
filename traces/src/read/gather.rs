//! Extraction of the wanted fields from one block's columns.

use crate::Trace;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::error::Damage;
use crate::format::walk::Walk;
use crate::read::block::Block;
use crate::read::extracted::{Column, ThreadExtract};
use crate::read::selection::Heads;
use crate::read::slot_values::SlotValues;
use crate::read::variable_fields::VariableFields;
use crate::read::wanted::{Wanted, WantedField};
use taut_schemas::EventCode;

/// Number of kinds that a block may have.
const KINDS: usize = 256;

/// Extractor that decodes block after block with the same buffers.
pub(crate) struct Gatherer {
    decoder: ColumnDecoder,
    kinds: Vec<u8>,
    values: SlotValues,
    variable_fields: VariableFields,
}

/// Selected scalar field of the records of one kind that is stored in the decoded slot.
struct SelectedScalar {
    field: WantedField,
    kind: usize,
    /// Position among a record's values on the slot.
    position: usize,
    mask: u64,
    /// One value for each record of the kind, of which the first `filled` are set.
    values: Vec<u64>,
    filled: usize,
}

impl Gatherer {
    pub fn new() -> Gatherer {
        Gatherer {
            decoder: ColumnDecoder::new(),
            kinds: Vec::new(),
            values: SlotValues::default(),
            variable_fields: VariableFields::default(),
        }
    }

    /// Extracts the wanted columns of a block, with the per-record data that `heads` selects.
    pub fn gather(
        &mut self,
        block: &Block<'_>,
        trace: &Trace,
        wanted: &Wanted,
        heads: Heads,
    ) -> Result<ThreadExtract, Damage> {
        let mut part = wanted.columns(block.head.thread);
        block.kinds(&mut self.decoder, &mut self.kinds)?;
        if heads == Heads::CodesAndStamps {
            block.stamps(&mut self.decoder, &mut part.stamps)?;
        }
        if heads != Heads::None {
            let mut codes = [EventCode(0); KINDS];
            block.head.kinds.iter().zip(&mut codes).for_each(|((code, _), known)| *known = *code);
            part.codes = self.kinds.iter().map(|kind| codes[usize::from(*kind)]).collect();
        }
        let walks: Vec<&Walk> = block.walks.iter().map(|index| trace.walks.walk(*index)).collect();
        for slot in 0..trace.walks.slots.len() {
            let mut picks = picks(block, &walks, wanted, slot as u16);
            if !picks.is_empty() {
                self.values.load(block, trace.walks.slots[slot], block.widths[slot].widest, &mut self.decoder)?;
                self.pick(&walks, slot as u16, &mut picks);
                for SelectedScalar { field, mask, values, .. } in picks {
                    if values.iter().fold(0, |bits, value| bits | value) & !mask != 0 {
                        return Err(block.damage(
                            "column",
                            format!("values up to {mask:#x}"),
                            "a greater one".to_owned(),
                        ));
                    }
                    part.columns[field.event].fields[field.field].1 = Column::Numbers(values);
                }
            }
        }
        if wanted.any_tail && block.walks.iter().any(|index| !wanted.tails[*index].is_empty()) {
            self.variable_fields.load(block, trace, wanted, &mut self.decoder)?;
            self.variable_fields.gather(block, &walks, wanted, &self.kinds, &mut part)?;
        }
        Ok(part)
    }

    /// Copies the values of each pick from the slot's column.
    fn pick(&self, walks: &[&Walk], slot: u16, picks: &mut [SelectedScalar]) {
        let mut strides = [0usize; KINDS];
        for (walk, stride) in walks.iter().zip(&mut strides) {
            *stride = walk.values_on(slot);
        }
        let alone = strides.iter().filter(|stride| **stride > 0).count() == 1;
        if let ([pick], true) = (&mut *picks, alone) {
            let stride = strides[pick.kind];
            for (index, place) in pick.values.iter_mut().enumerate() {
                *place = self.values.get(pick.position + index * stride).unwrap_or_default();
            }
            return;
        }
        // Picks are sorted by kind.
        let mut ranges = [(0usize, 0usize); KINDS];
        for (index, pick) in picks.iter().enumerate() {
            let range = &mut ranges[pick.kind];
            *range = (if range.1 == 0 { index } else { range.0 }, index + 1);
        }
        let mut at = 0;
        for kind in self.kinds.iter().map(|kind| usize::from(*kind)) {
            let (start, end) = ranges[kind];
            for pick in &mut picks[start..end] {
                // The check of the block ensured that the column is as long as the strides add up to, and that there
                // are as many records of each kind as the head states.
                if let (Some(place), Some(value)) =
                    (pick.values.get_mut(pick.filled), self.values.get(at + pick.position))
                {
                    *place = value;
                    pick.filled += 1;
                }
            }
            at += strides[kind];
        }
    }
}

/// Wanted fields on `slot` of every kind in the block.
fn picks(block: &Block<'_>, walks: &[&Walk], wanted: &Wanted, slot: u16) -> Vec<SelectedScalar> {
    let mut picks = Vec::new();
    for (kind, index) in block.walks.iter().enumerate() {
        for (field, _, position) in wanted.scalars[*index].iter().filter(|(_, on, _)| *on == slot) {
            let values = vec![0; block.head.kinds[kind].1 as usize];
            let mask = walks[kind].mask(field.step);
            picks.push(SelectedScalar { field: *field, kind, position: *position as usize, mask, values, filled: 0 });
        }
    }
    picks
}
