//! How the rows of each event turn into columns and back: the schema table, prepared for walking.

use crate::error::ReadError;
use std::collections::BTreeMap;
use taut_schemas::{CodecError, Decoder, EventCode, EventSchema, FieldKind, Opcode, ScalarSchema, SchemaTable};

/// One scalar of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scalar {
    /// Where it begins in a row of plain scalars, or in its list's element.
    pub at: u32,
    /// Index of its slot in [`Walks::slots`].
    pub slot: u16,
    pub width_bytes: u8,
    /// Bits that a word has more than it.
    pub spare_bits: u8,
}

/// One step of a row.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Scalar(Scalar),
    /// A text or a byte string.
    Bytes,
    /// A list, or an optional of at most one element.
    List {
        elements: Elements,
        optional: bool,
    },
}

impl Step {
    /// The scalars of it.
    fn scalars(&self) -> &[Scalar] {
        match self {
            Step::Scalar(scalar) => std::slice::from_ref(scalar),
            Step::Bytes => &[],
            Step::List { elements, .. } => &elements.columns,
        }
    }
}

/// The elements of a list.
#[derive(Debug, Clone)]
pub(crate) struct Elements {
    pub columns: Vec<Scalar>,
    pub element_bytes: usize,
    /// No two columns share a slot.
    pub apart: bool,
}

/// How wide the fields on one slot are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Widths {
    /// In bytes; 0 where there are no fields.
    pub narrowest: u8,
    pub widest: u8,
}

impl Widths {
    /// Those of more fields.
    pub fn join(&mut self, other: Widths) {
        let narrowest = [self.narrowest, other.narrowest].into_iter().filter(|width| *width > 0).min();
        *self = Widths { narrowest: narrowest.unwrap_or(0), widest: self.widest.max(other.widest) };
    }

    /// All of its fields are as wide.
    pub fn are_one(self) -> bool {
        self.narrowest == self.widest
    }
}

/// How the rows of one event are walked.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub code: EventCode,
    pub opcode: Opcode,
    pub steps: Vec<Step>,
    /// Smallest size of a row; the size of a plain one.
    pub min_bytes: usize,
    /// Values that each record puts on the slots of plain fields: slot index, rising, and values.
    pub plain_slots: Vec<(u16, u32)>,
    /// How wide its fields are: slot index, rising, and widths.
    pub widths: Vec<(u16, Widths)>,
    /// Lists, texts and byte strings in a row.
    pub counts: usize,
}

/// What is needed of a walk for every record; small, so that the walks in use stay in the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brief {
    /// Smallest size of a row; the size of a plain one.
    pub row_bytes: u32,
    /// Which of [`Walks::layouts`] a plain row has.
    pub layout: u16,
    /// Index of the walk.
    pub index: u16,
    /// Rows consist of scalars alone.
    pub plain: bool,
    /// The event neither starts nor stops a call.
    pub info: bool,
}

/// The walks of every event of a table.
#[derive(Debug)]
pub(crate) struct Walks {
    walks: Vec<Walk>,
    /// By code.
    briefs: Vec<Option<Brief>>,
    /// Scalars of plain rows, each sequence once.
    layouts: Vec<Vec<Scalar>>,
    /// Numbers of the slots in use, rising. Everything else names a slot by its index here.
    pub slots: Vec<u16>,
    /// Width in bytes of the widest field on each slot, by its index.
    pub slot_widths: Vec<u8>,
}

impl Walks {
    pub fn new(table: &SchemaTable) -> Walks {
        let mut slots: Vec<u16> = table.events.iter().flat_map(scalars).map(|scalar| scalar.slot.0).collect();
        slots.sort_unstable();
        slots.dedup();
        let walks: Vec<Walk> = table.events.iter().map(|event| Walk::new(event, &slots)).collect();
        let mut briefs = vec![None; walks.last().map_or(0, |walk| usize::from(walk.code.0) + 1)];
        let mut layouts = BTreeMap::new();
        for (index, walk) in walks.iter().enumerate() {
            briefs[usize::from(walk.code.0)] = Some(walk.brief(index as u16, &mut layouts));
        }
        let mut by_number: Vec<(Vec<Scalar>, u16)> = layouts.into_iter().collect();
        by_number.sort_by_key(|(_, number)| *number);
        let layouts = by_number.into_iter().map(|(layout, _)| layout).collect();
        let mut slot_widths = vec![0; slots.len()];
        for (slot, widths) in walks.iter().flat_map(|walk| &walk.widths) {
            let width: &mut u8 = &mut slot_widths[usize::from(*slot)];
            *width = widths.widest.max(*width);
        }
        Walks { walks, briefs, layouts, slots, slot_widths }
    }

    /// The brief of the walk for `code`.
    #[inline]
    pub fn brief(&self, code: EventCode) -> Option<Brief> {
        *self.briefs.get(usize::from(code.0))?
    }

    /// The scalars of a plain row, by [`Brief::layout`].
    #[inline]
    pub fn layout(&self, number: u16) -> &[Scalar] {
        &self.layouts[usize::from(number)]
    }

    /// Index of the walk for `code`.
    pub fn index(&self, code: EventCode) -> Option<usize> {
        self.brief(code).map(|brief| usize::from(brief.index))
    }

    pub fn walk(&self, index: usize) -> &Walk {
        &self.walks[index]
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.walks.len()
    }

    /// Whether the slot at `index` holds elements of lists.
    pub fn in_list(&self, index: usize) -> bool {
        self.slots[index] % 2 == 1
    }
}

fn scalars(event: &EventSchema) -> impl Iterator<Item = &ScalarSchema> {
    event.fields.iter().flat_map(|field| match &field.kind {
        FieldKind::Scalar(scalar) => std::slice::from_ref(scalar),
        FieldKind::List(columns) | FieldKind::Optional(columns) => columns.as_slice(),
        FieldKind::Text | FieldKind::Bytes => &[],
    })
}

impl Scalar {
    fn new(schema: &ScalarSchema, slots: &[u16]) -> Scalar {
        let slot = slots.partition_point(|slot| *slot < schema.slot.0) as u16;
        // The header's check has made sure of a width from 1 to 8.
        let width_bytes = schema.width_bytes.clamp(1, 8);
        Scalar { at: 0, slot, width_bytes, spare_bits: 64 - 8 * width_bytes }
    }

    /// Bits that its width has.
    #[inline]
    pub fn mask(self) -> u64 {
        u64::MAX >> (self.spare_bits & 63)
    }
}

impl Elements {
    fn new(schemas: &[ScalarSchema], slots: &[u16]) -> Elements {
        let mut elements = Elements { columns: Vec::with_capacity(schemas.len()), element_bytes: 0, apart: true };
        for schema in schemas {
            let scalar = Scalar { at: elements.element_bytes as u32, ..Scalar::new(schema, slots) };
            elements.element_bytes += usize::from(scalar.width_bytes);
            elements.columns.push(scalar);
        }
        let mut on: Vec<u16> = elements.columns.iter().map(|scalar| scalar.slot).collect();
        on.sort_unstable();
        elements.apart = on.windows(2).all(|pair| pair[0] != pair[1]);
        elements
    }
}

/// Reads a number of `width_bytes` from a row.
pub(crate) fn read_number(width_bytes: u8, decoder: &mut Decoder<'_>) -> Result<u64, CodecError> {
    Ok(match width_bytes {
        1 => decoder.u8()?.into(),
        2 => decoder.u16()?.into(),
        4 => decoder.u32()?.into(),
        _ => decoder.u64()?,
    })
}

/// What a walked row consists of, in order.
pub(crate) trait RowSink {
    /// A scalar on the slot with this index.
    fn scalar(&mut self, slot: u16, value: u64);
    /// A list's count, or a text's length.
    fn count(&mut self, count: u32);
    /// A text's bytes.
    fn bytes(&mut self, bytes: &[u8]);
    /// A list's elements, whole, in row form.
    fn elements(&mut self, elements: &Elements, rows: &[u8]);
}

impl Walk {
    fn new(event: &EventSchema, slots: &[u16]) -> Walk {
        let mut walk = Walk {
            code: event.code,
            opcode: event.opcode,
            steps: Vec::new(),
            min_bytes: 0,
            plain_slots: Vec::new(),
            widths: Vec::new(),
            counts: 0,
        };
        let mut on = Vec::new();
        for field in &event.fields {
            match &field.kind {
                FieldKind::Scalar(schema) => {
                    let scalar = Scalar { at: walk.min_bytes as u32, ..Scalar::new(schema, slots) };
                    walk.min_bytes += usize::from(scalar.width_bytes);
                    on.push(scalar.slot);
                    walk.steps.push(Step::Scalar(scalar));
                    continue;
                }
                FieldKind::Text | FieldKind::Bytes => walk.steps.push(Step::Bytes),
                FieldKind::List(columns) | FieldKind::Optional(columns) => {
                    let optional = matches!(field.kind, FieldKind::Optional(_));
                    walk.steps.push(Step::List { elements: Elements::new(columns, slots), optional });
                }
            }
            walk.counts += 1;
            walk.min_bytes += size_of::<u32>();
        }
        let mut widths = BTreeMap::<u16, Widths>::new();
        for scalar in walk.steps.iter().flat_map(Step::scalars) {
            let width = Widths { narrowest: scalar.width_bytes, widest: scalar.width_bytes };
            widths.entry(scalar.slot).or_default().join(width);
        }
        walk.widths = widths.into_iter().collect();
        on.sort_unstable();
        walk.plain_slots.extend(on.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)));
        walk
    }

    fn brief(&self, index: u16, layouts: &mut BTreeMap<Vec<Scalar>, u16>) -> Brief {
        let scalar = |step: &Step| if let Step::Scalar(scalar) = step { Some(*scalar) } else { None };
        // There are no more layouts than events, and no more of these than codes.
        let number = layouts.len() as u16;
        let layout = *layouts.entry(self.steps.iter().filter_map(scalar).collect()).or_insert(number);
        let row_bytes = self.min_bytes as u32;
        Brief { row_bytes, layout, index, plain: self.counts == 0, info: self.opcode == Opcode::Info }
    }

    /// Values that each record puts on the slot of a plain field.
    pub fn values_on(&self, slot: u16) -> usize {
        let at = self.plain_slots.binary_search_by_key(&slot, |(known, _)| *known);
        at.map_or(0, |at| self.plain_slots[at].1 as usize)
    }

    /// Bits that the scalar at `step` may have.
    pub fn mask(&self, step: usize) -> u64 {
        match &self.steps[step] {
            Step::Scalar(scalar) => scalar.mask(),
            Step::Bytes | Step::List { .. } => u64::MAX,
        }
    }

    /// Checks that `row` has this event's layout.
    pub fn check(&self, row: &[u8]) -> Result<(), CodecError> {
        if self.counts == 0 && row.len() == self.min_bytes {
            return Ok(());
        }
        self.take(row, &mut Nowhere)
    }

    /// Hands a row's values to `sink`, in row order. On an error, some may have been handed over already.
    pub fn take(&self, row: &[u8], sink: &mut impl RowSink) -> Result<(), CodecError> {
        let mut decoder = Decoder::new(row);
        for step in &self.steps {
            match step {
                Step::Scalar(scalar) => sink.scalar(scalar.slot, read_number(scalar.width_bytes, &mut decoder)?),
                Step::Bytes => {
                    let bytes = decoder.bytes()?;
                    sink.count(bytes.len() as u32);
                    sink.bytes(bytes);
                }
                Step::List { elements, optional } => {
                    let at = decoder.position();
                    let count = decoder.count(elements.element_bytes)?;
                    if *optional && count > 1 {
                        let what = "an optional of 0 or 1 elements";
                        return Err(CodecError::Value { at, what, found: count as u64 });
                    }
                    sink.count(count as u32);
                    sink.elements(elements, decoder.raw(count * elements.element_bytes)?);
                }
            }
        }
        decoder.finish()
    }
}

/// A sink for rows that are only checked.
struct Nowhere;

impl RowSink for Nowhere {
    fn scalar(&mut self, _: u16, _: u64) {}
    fn count(&mut self, _: u32) {}
    fn bytes(&mut self, _: &[u8]) {}
    fn elements(&mut self, _: &Elements, _: &[u8]) {}
}

/// Names an event in an error about one of its rows.
pub(crate) fn row_error(event: &EventSchema, source: CodecError) -> ReadError {
    ReadError::Row { event: event.name.clone(), source }
}
