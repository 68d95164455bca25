//! Conversion of each event's rows to columns and back: the schema table, prepared for row traversal.

use crate::format::error::ReadError;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use taut_schemas::{CodecError, Decoder, EventCode, EventSchema, FieldKind, Opcode, ScalarSchema, SchemaTable};

/// One scalar of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scalar {
    /// Offset in a row of plain scalars, or in the element of its list.
    pub at: u32,
    /// Index of the slot in [`Walks::slots`].
    pub slot: u16,
    pub width_bytes: u8,
    /// Number of bits of a word that the scalar does not use.
    pub spare_bits: u8,
}

/// One step of a row.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Scalar(Scalar),
    /// A text or a byte string.
    Bytes,
    /// A list, or an optional of up to one element.
    List {
        elements: Elements,
        optional: bool,
    },
}

impl Step {
    /// Scalars of the step.
    fn scalars(&self) -> &[Scalar] {
        match self {
            Step::Scalar(scalar) => std::slice::from_ref(scalar),
            Step::Bytes => &[],
            Step::List { elements, .. } => &elements.columns,
        }
    }
}

/// Elements of a list.
#[derive(Debug, Clone)]
pub(crate) struct Elements {
    pub columns: Vec<Scalar>,
    pub element_bytes: usize,
    /// True if no two columns share a slot.
    pub apart: bool,
}

/// Min and max width of the fields on one slot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Widths {
    /// Width of the narrowest field, in bytes; 0 without fields.
    pub narrowest: u8,
    pub widest: u8,
}

impl Widths {
    /// Extends the range by the range of further fields.
    pub fn join(&mut self, other: Widths) {
        let narrowest = [self.narrowest, other.narrowest].into_iter().filter(|width| *width > 0).min();
        *self = Widths { narrowest: narrowest.unwrap_or(0), widest: self.widest.max(other.widest) };
    }

    /// True if all fields have the same width.
    pub fn are_one(self) -> bool {
        self.narrowest == self.widest
    }
}

/// Traversal plan for the rows of one event.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub code: EventCode,
    pub opcode: Opcode,
    pub steps: Vec<Step>,
    /// Min size of a row, in bytes; the exact size of a plain one.
    pub min_bytes: usize,
    /// Slot index, rising, and number of values that each record puts on the slot; plain fields only.
    pub plain_slots: Vec<(u16, u32)>,
    /// Slot index, rising, and widths of the event's fields on the slot.
    pub widths: Vec<(u16, Widths)>,
    /// Number of lists, texts and byte strings in a row.
    pub counts: usize,
}

/// Subset of a walk that is needed for every record; small, so that the walks in use stay in the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brief {
    /// Min size of a row, in bytes; the exact size of a plain one.
    pub row_bytes: u32,
    /// Index in [`Walks::layouts`] of a plain row's layout.
    pub layout: u16,
    /// Index of the walk.
    pub index: u16,
    /// True if rows consist of scalars alone.
    pub plain: bool,
    /// True if the event neither starts nor stops a call.
    pub info: bool,
}

/// Walks of every event of a table.
#[derive(Debug)]
pub(crate) struct Walks {
    walks: Vec<Walk>,
    /// Briefs by code.
    briefs: Vec<Option<Brief>>,
    /// Distinct sequences of scalars of plain rows.
    layouts: Vec<Vec<Scalar>>,
    /// Numbers of the slots in use, rising. All other structures name a slot by its index here.
    pub slots: Vec<u16>,
    /// Width of the widest field on each slot, in bytes, by slot index.
    pub slot_widths: Vec<u8>,
}

/// Event list and its walks.
type SharedWalks = (Weak<Vec<EventSchema>>, Weak<Walks>);

impl Walks {
    /// The walks of a table. Tables that share a list of events share its walks.
    pub fn shared(table: &SchemaTable) -> Arc<Walks> {
        // Keyed by the list's address, which no other list can get while the entry has a reference, weak or not.
        static SHARED: LazyLock<Mutex<HashMap<usize, SharedWalks>>> = LazyLock::new(Mutex::default);
        let address = table.events.address();
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(walks) = shared.get(&address).and_then(|(_, walks)| walks.upgrade()) {
            return walks;
        }
        shared.retain(|_, (_, walks)| walks.strong_count() > 0);
        let walks = Arc::new(Walks::new(table));
        shared.insert(address, (table.events.downgrade(), Arc::downgrade(&walks)));
        walks
    }

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

    /// Brief of the walk for `code`.
    #[inline]
    pub fn brief(&self, code: EventCode) -> Option<Brief> {
        *self.briefs.get(usize::from(code.0))?
    }

    /// Scalars of a plain row, by [`Brief::layout`].
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

    /// True if the slot at `index` holds elements of lists.
    pub fn is_in_list(&self, index: usize) -> bool {
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
        // The header check ensured a width of 1 to 8; the clamp only keeps the shift below in range.
        let width_bytes = schema.width_bytes.clamp(1, 8);
        Scalar { at: 0, slot, width_bytes, spare_bits: 64 - 8 * width_bytes }
    }

    /// Mask of the bits within the width.
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

/// Reads a number of `width_bytes` bytes from a row.
pub(crate) fn read_number(width_bytes: u8, decoder: &mut Decoder<'_>) -> Result<u64, CodecError> {
    Ok(match width_bytes {
        1 => decoder.u8()?.into(),
        2 => decoder.u16()?.into(),
        4 => decoder.u32()?.into(),
        _ => decoder.u64()?,
    })
}

/// Receiver of a traversed row's values, in row order.
pub(crate) trait RowSink {
    /// Receives a scalar on the slot with this index.
    fn scalar(&mut self, slot: u16, value: u64);
    /// Receives the count of a list or the length of a text.
    fn count(&mut self, count: u32);
    /// Receives the bytes of a text.
    fn bytes(&mut self, bytes: &[u8]);
    /// Receives all elements of a list, in row form.
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
        // Layouts are no more than events, and events no more than codes, so the number fits into 16 bits.
        let number = layouts.len() as u16;
        let layout = *layouts.entry(self.steps.iter().filter_map(scalar).collect()).or_insert(number);
        let row_bytes = self.min_bytes as u32;
        Brief { row_bytes, layout, index, plain: self.counts == 0, info: self.opcode == Opcode::Info }
    }

    /// Number of values that each record puts on the slot of a plain field.
    pub fn values_on(&self, slot: u16) -> usize {
        let at = self.plain_slots.binary_search_by_key(&slot, |(known, _)| *known);
        at.map_or(0, |at| self.plain_slots[at].1 as usize)
    }

    /// Mask of the bits that the scalar at `step` may have.
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
        self.take(row, &mut DiscardingSink)
    }

    /// Passes a row's values to `sink`, in row order. On an error, some may have been passed already.
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

/// Sink that discards all values, for checks of rows.
struct DiscardingSink;

impl RowSink for DiscardingSink {
    fn scalar(&mut self, _: u16, _: u64) {}
    fn count(&mut self, _: u32) {}
    fn bytes(&mut self, _: &[u8]) {}
    fn elements(&mut self, _: &Elements, _: &[u8]) {}
}

/// Adds the event's name to an error of one of its rows.
pub(crate) fn row_error(event: &EventSchema, source: CodecError) -> ReadError {
    ReadError::Row { event: event.name.clone(), source }
}
