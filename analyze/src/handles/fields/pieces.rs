//! The accesses of one call, split into fields and other words, and the cache lines that they touch in a layout.

use super::{Block, FieldCosts, TypeModel};
use crate::handles::live_handles::LiveHandles;
use crate::handles::tracker::NO_TYPE;
use std::ops::Range;
use taut_schemas::{
    DriverHandle, FieldPlacement, FieldPlaces, HandleAccess, PADDED_LINE_BYTES, SEPARATE_AREA, TypeLayout,
};

/// Offset in a deferred context's memory of the used bytes of its area of separate fields, and the word's size.
const USED_AREA: u64 = 64;
const WORD_BYTES: u64 = 8;
/// Marks the memory of a handle's block of separate fields, whose address another layout does not determine. Addresses
/// of handles are below.
const BLOCK: u64 = 1 << 63;
/// Max lines of one access that are counted; bounds the time of damaged traces.
const MAX_LINES: u64 = 1 << 10;

/// A call on a deferred context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// The context's own handle.
    pub device: u64,
    /// The handle that the call creates, 0 for none, and the object's handle of the immediate context.
    pub created: u64,
    pub object: u64,
    /// Index of its type, if that has fields.
    pub open_type: Option<usize>,
}

/// Bytes of a handle's memory: begin and end.
#[derive(Debug, Clone, Copy)]
struct Span {
    region: u64,
    begin: u64,
    end: u64,
}

/// Part of an access.
#[derive(Debug, Clone, Copy)]
enum Part {
    Other,
    /// Bytes of a field; `begin` and `end` are offsets in it.
    Field {
        of_type: usize,
        field: usize,
        owner: Owner,
        begin: u64,
        end: u64,
    },
    /// The pointer to a block of this type, or the context's word of used blocks: follows from the fields.
    Pointer {
        of_type: usize,
    },
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    span: Span,
    part: Part,
    is_write: bool,
}

/// The accesses of one call.
#[derive(Debug)]
pub(super) struct Pieces {
    call: Call,
    /// True once the call that opens a handle has accessed its block of separate fields.
    has_block: bool,
    pieces: Vec<Piece>,
}

/// Distinct cache lines of one call.
#[derive(Debug)]
pub(super) struct Lines {
    line_bytes: u64,
    lines: Vec<(u64, u64)>,
}

impl Lines {
    pub fn new(line_bytes: u64) -> Lines {
        Lines { line_bytes, lines: Vec::new() }
    }

    fn touch(&mut self, span: Span) {
        let Span { region, begin, end } = span;
        // Blocks begin at a line of their own; handles where the runtime placed them.
        let (region, at) = if region & BLOCK != 0 { (region, 0) } else { (0, region) };
        let (begin, last) = (at.saturating_add(begin), at.saturating_add(end.max(begin + 1) - 1));
        let (first, last) = (begin / self.line_bytes, last / self.line_bytes);
        self.lines.extend((first..=last.min(first + MAX_LINES)).map(|line| (region, line)));
    }

    pub fn count(mut self) -> u64 {
        self.lines.sort_unstable();
        self.lines.dedup();
        self.lines.len() as u64
    }
}

impl Pieces {
    pub fn split(costs: &mut FieldCosts, call: Call, accesses: &[HandleAccess], live: &LiveHandles) -> Pieces {
        let mut pieces = Pieces { call, has_block: false, pieces: Vec::new() };
        let known = |access: &HandleAccess| if access.handle.0 == 0 { live.find(access) } else { Some(*access) };
        let accesses: Vec<HandleAccess> = accesses.iter().map(|access| known(access).unwrap_or(*access)).collect();
        for access in &accesses {
            let region = access.handle.0;
            let end = access.offset_bytes.saturating_add(access.size_bytes.max(1).into());
            let span = Span { region, begin: access.offset_bytes, end };
            let Some(handle) = live.get(region) else {
                pieces.add(span, Part::Other, access.is_write);
                continue;
            };
            if handle.handle_type == NO_TYPE {
                pieces.add_context(costs, span, access.is_write);
                continue;
            }
            let Some(of_type) = costs.of_type(handle.handle_type.0) else {
                pieces.add(span, Part::Other, access.is_write);
                continue;
            };
            let model = &costs.types[of_type];
            let placed = if handle.ic == 0 {
                // The same call accesses the deferred context's handle, which has the pointer to this memory.
                let is_of_object = |other: &&HandleAccess| live.get(other.handle.0).is_some_and(|one| one.ic == region);
                let user =
                    accesses.iter().find(is_of_object).map_or(DriverHandle(call.created), |access| access.handle);
                Placed::of_immediate(model, of_type, Owner { handle: user.0, object: region })
            } else {
                Placed::in_handle(model, of_type, Owner { handle: region, object: handle.ic })
            };
            pieces.add_placed(span, 0, &placed, access.is_write);
        }
        pieces
    }

    fn add(&mut self, span: Span, part: Part, is_write: bool) {
        if span.begin < span.end {
            self.pieces.push(Piece { span, part, is_write });
        }
    }

    /// Adds an access to a context's own memory: its words, and blocks of separate fields.
    fn add_context(&mut self, costs: &mut FieldCosts, span: Span, is_write: bool) {
        if span.region != self.call.device {
            return self.add(span, Part::Other, is_write);
        }
        let opens = self.call.open_type.filter(|of_type| costs.types[*of_type].layout.block_bytes > 0);
        if let Some(of_type) = opens.filter(|_| span.begin == USED_AREA && span.end <= USED_AREA + WORD_BYTES) {
            return self.add(span, Part::Pointer { of_type }, is_write);
        }
        if span.begin < SEPARATE_AREA {
            return self.add(span, Part::Other, is_write);
        }
        if let Some(of_type) = opens.filter(|_| !self.has_block) {
            // The first access is to the first separate field.
            self.has_block = true;
            let is_separate = |places: &&FieldPlaces| places.placement == FieldPlacement::Separate;
            let first = costs.types[of_type].layout.fields.iter().find(is_separate);
            let begin = span.begin.saturating_sub(first.map_or(0, |places| places.deferred_offset));
            let owner = Owner { handle: self.call.created, object: self.call.object };
            let lines = costs.types[of_type].layout.block_bytes / PADDED_LINE_BYTES;
            for line in (begin / PADDED_LINE_BYTES..).take(lines as usize) {
                costs.blocks.insert((span.region, line), Block { of_type, begin, owner });
            }
        }
        let block = costs.blocks.get(&(span.region, span.begin / PADDED_LINE_BYTES)).copied();
        let Some(Block { of_type, begin, owner }) = block else {
            return self.add(span, Part::Other, is_write);
        };
        let placed = Placed::in_block(&costs.types[of_type], of_type, owner);
        self.add_placed(span, begin, &placed, is_write);
    }

    /// Splits an access at the fields; `origin` is the offset in the region from which the fields' places count.
    fn add_placed(&mut self, span: Span, origin: u64, placed: &Placed, is_write: bool) {
        let mut at = span.begin;
        for one in &placed.places {
            let (begin, end) = (origin + one.offset, origin + one.offset + one.size_bytes);
            if end <= at || begin >= span.end {
                continue;
            }
            let (from, to) = (begin.max(at), end.min(span.end));
            self.add(Span { begin: at, end: from, ..span }, Part::Other, is_write);
            let part = match one.part {
                Part::Field { of_type, field, owner, .. } => {
                    Part::Field { of_type, field, owner, begin: from - begin, end: to - begin }
                }
                part => part,
            };
            self.add(Span { begin: from, end: to, ..span }, part, is_write);
            at = to;
        }
        self.add(Span { begin: at, ..span }, Part::Other, is_write);
    }

    /// Indices of the types whose fields the call accesses.
    pub fn types(&self) -> Vec<usize> {
        let of_piece = |piece: &Piece| match piece.part {
            Part::Field { of_type, .. } | Part::Pointer { of_type } => Some(of_type),
            Part::Other => None,
        };
        let mut types: Vec<usize> = self.pieces.iter().filter_map(of_piece).chain(self.call.open_type).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// Passes the index of the field of each access to a type's fields, and true for a write. An access to a part of a
    /// field counts if it has the field's beginning.
    pub fn each_access(&self, of_type: usize, mut found: impl FnMut(usize, bool)) {
        for piece in &self.pieces {
            if let Part::Field { of_type: other, field, begin: 0, .. } = piece.part
                && other == of_type
            {
                found(field, piece.is_write);
            }
        }
    }

    /// Touches the lines of the call as recorded.
    pub fn recorded(&self, lines: &mut Lines) {
        self.pieces.iter().for_each(|piece| lines.touch(piece.span));
    }

    /// Touches the lines of the call if the fields of a type are placed by `layout`.
    pub fn moved(&self, of_type: usize, layout: &TypeLayout, lines: &mut Lines) {
        let is_opened = |owner: Owner| {
            self.call.open_type == Some(of_type)
                && (owner.handle == self.call.created || owner.object == self.call.object)
        };
        for piece in &self.pieces {
            match piece.part {
                Part::Field { of_type: other, owner, .. } if other == of_type && is_opened(owner) => {}
                Part::Field { of_type: other, field, owner, begin, end } if other == of_type => {
                    touch_field(lines, layout, field, owner, begin..end);
                }
                Part::Pointer { of_type: other } if other == of_type => {}
                _ => lines.touch(piece.span),
            }
        }
        if self.call.open_type == Some(of_type) {
            self.open(layout, lines);
        }
    }

    /// Touches the lines of the fields of the handle that the call opens, as the driver model creates them.
    fn open(&self, layout: &TypeLayout, lines: &mut Lines) {
        let Call { device, created, object, .. } = self.call;
        if layout.block_bytes > 0 {
            lines.touch(Span { region: device, begin: USED_AREA, end: USED_AREA + WORD_BYTES });
        }
        for (field, place) in layout.fields.iter().enumerate() {
            if place.placement == FieldPlacement::Shared {
                continue;
            }
            touch_field(lines, layout, field, Owner { handle: created, object }, 0..place.size_bytes);
            if !place.is_mutable {
                let (begin, end) = (place.immediate_offset, place.immediate_offset + place.size_bytes);
                lines.touch(Span { region: object, begin, end });
            }
        }
    }
}

/// Touches the lines of a part of a field in a layout, and of the pointer to it.
fn touch_field(lines: &mut Lines, layout: &TypeLayout, field: usize, owner: Owner, part: Range<u64>) {
    let Some(place) = layout.fields.get(field) else { return };
    let span = |region: u64, offset: u64| Span { region, begin: offset + part.start, end: offset + part.end };
    match place.placement {
        FieldPlacement::Shared => lines.touch(span(owner.object, place.immediate_offset)),
        FieldPlacement::PerContext => lines.touch(span(owner.handle, place.deferred_offset)),
        FieldPlacement::Separate => {
            let begin = layout.pointer_offset;
            lines.touch(Span { region: owner.handle, begin, end: begin + WORD_BYTES });
            lines.touch(span(owner.handle | BLOCK, place.deferred_offset));
        }
    }
}

/// A handle of a deferred context, and its object's handle of the immediate context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    pub handle: u64,
    pub object: u64,
}

/// Place of a field or a pointer in memory.
#[derive(Debug)]
struct Place {
    offset: u64,
    size_bytes: u64,
    part: Part,
}

/// Fields and pointers in the memory of one owner, in order of their offsets.
#[derive(Debug)]
struct Placed {
    places: Vec<Place>,
}

impl Placed {
    fn new(model: &TypeModel, of_type: usize, owner: Owner, offset: impl Fn(&FieldPlaces) -> Option<u64>) -> Placed {
        let place = |(field, places): (usize, &FieldPlaces)| {
            let part = Part::Field { of_type, field, owner, begin: 0, end: 0 };
            Some(Place { offset: offset(places)?, size_bytes: places.size_bytes, part })
        };
        let mut places: Vec<Place> = model.layout.fields.iter().enumerate().filter_map(place).collect();
        places.sort_by_key(|place| place.offset);
        Placed { places }
    }

    /// All fields, in a handle of the immediate context.
    fn of_immediate(model: &TypeModel, of_type: usize, owner: Owner) -> Placed {
        Placed::new(model, of_type, owner, |places| Some(places.immediate_offset))
    }

    /// The fields in a deferred context's handle, and the pointer to its block.
    fn in_handle(model: &TypeModel, of_type: usize, owner: Owner) -> Placed {
        let own =
            |places: &FieldPlaces| (places.placement == FieldPlacement::PerContext).then_some(places.deferred_offset);
        let mut placed = Placed::new(model, of_type, owner, own);
        if model.layout.block_bytes > 0 {
            let (offset, size_bytes) = (model.layout.pointer_offset, WORD_BYTES);
            placed.places.insert(0, Place { offset, size_bytes, part: Part::Pointer { of_type } });
        }
        placed
    }

    /// The fields in a block.
    fn in_block(model: &TypeModel, of_type: usize, owner: Owner) -> Placed {
        let separate =
            |places: &FieldPlaces| (places.placement == FieldPlacement::Separate).then_some(places.deferred_offset);
        Placed::new(model, of_type, owner, separate)
    }
}
