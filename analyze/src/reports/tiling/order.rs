//! Which order of writing made a sequence of stores, and what other orders would have cost.

use super::OrderFigures;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use taut_tiling::{Layout, Rect, Store, Surface, TileCopy, WriteCombiner, WriteOrder};

/// A sequence of stores, to be compared with another: number, and a sum that depends on every store and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Fingerprint {
    stores: u64,
    sum: u64,
}

impl Fingerprint {
    pub fn add(&mut self, offset_bytes: u64, size_bytes: u64) {
        // The constants are odd and otherwise arbitrary; the rotation makes the order count.
        let store = offset_bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ size_bytes.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        self.sum = (self.sum.rotate_left(7) ^ store).wrapping_mul(0x0000_0100_0000_01b3);
        self.stores += 1;
    }
}

/// An order, its stores in one rectangle, and their cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub order: WriteOrder,
    pub store_bytes: usize,
    pub fingerprint: Fingerprint,
    pub figures: OrderFigures,
}

/// What is asked for: a rectangle of a surface, and whether stores of 4 bytes come into question.
pub(super) type Question = (Surface, Rect, bool);

/// The candidates of rectangles asked for so far: uploads are often alike.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    known: Mutex<HashMap<Question, Vec<Candidate>>>,
}

impl Candidates {
    /// Every order's stores in a rectangle.
    pub fn of(&self, question: Question) -> Vec<Candidate> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&question) {
            return known.clone();
        }
        let made = make(&question);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(question, made.clone());
        made
    }
}

fn make((surface, rect, narrow): &Question) -> Vec<Candidate> {
    let Ok(copy) = TileCopy::new(surface, *rect, rect.width_bytes) else { return Vec::new() };
    let with = |order: WriteOrder| {
        let widths = order.store_widths_bytes().iter().filter(|width| **width >= 16 || *narrow);
        widths.filter_map(|width| candidate(&copy, order, *width)).collect::<Vec<_>>()
    };
    WriteOrder::all().flat_map(with).collect()
}

fn candidate(copy: &TileCopy, order: WriteOrder, store_bytes: usize) -> Option<Candidate> {
    let (mut fingerprint, mut model) = (Fingerprint::default(), WriteCombiner::new(WriteCombiner::GUARANTEED).ok()?);
    let store = |offset: usize, width: usize| {
        fingerprint.add(offset as u64, width as u64);
        model.stored(offset, width);
    };
    copy.observe_order(order, store_bytes, store).ok()?;
    model.drain();
    let counts = model.counts();
    let figures = OrderFigures {
        order: order.name(),
        store_bytes,
        stores: counts.stores,
        full_lines: counts.full_lines,
        partial_evictions: counts.partial_evictions,
        transactions: counts.transactions(),
    };
    Some(Candidate { order, store_bytes, fingerprint, figures })
}

/// The same tiles by the opposite rule of channel-select swizzle.
pub(super) fn opposite(layout: Layout) -> Option<Layout> {
    match layout {
        Layout::TileY => Some(Layout::TileYNoCsx),
        Layout::TileYNoCsx => Some(Layout::TileY),
        Layout::TileX => Some(Layout::TileXNoCsx),
        Layout::TileXNoCsx => Some(Layout::TileX),
        _ => None,
    }
}
