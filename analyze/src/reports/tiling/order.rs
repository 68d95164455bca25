//! Recognises the write order of a sequence of stores and computes the cost of other orders.

use super::OrderFigures;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use taut_tiling::{Layout, Rect, Store, Surface, TileCopy, WriteCombiner, WriteOrder};

/// Order-dependent hash of a sequence of stores, with their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Fingerprint {
    stores: u64,
    sum: u64,
}

impl Fingerprint {
    pub fn add(&mut self, offset_bytes: u64, size_bytes: u64) {
        // The multipliers are odd (invertible modulo 2^64) and otherwise arbitrary. The rotation makes the hash depend
        // on order.
        let store = offset_bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ size_bytes.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        self.sum = (self.sum.rotate_left(7) ^ store).wrapping_mul(0x0000_0100_0000_01b3);
        self.stores += 1;
    }
}

/// A write order with the hash and the cost of its stores in one rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub order: WriteOrder,
    pub store_bytes: usize,
    pub fingerprint: Fingerprint,
    pub figures: OrderFigures,
}

/// Writes whose candidates are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CandidateKey {
    pub surface: Surface,
    pub rect: Rect,
    /// True if stores narrower than 16 bytes are candidates.
    pub has_narrow: bool,
}

/// Cache of candidates by rectangle; many uploads write the same rectangle.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    known: Mutex<HashMap<CandidateKey, Vec<Candidate>>>,
}

impl Candidates {
    /// Returns the candidates of a rectangle, one per write order and store width.
    pub fn of(&self, key: CandidateKey) -> Vec<Candidate> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        // Computed without the lock: concurrent uploads may compute the same entry twice, but do not wait for each
        // other.
        let computed = compute_candidates(&key);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, computed.clone());
        computed
    }
}

fn compute_candidates(key: &CandidateKey) -> Vec<Candidate> {
    let CandidateKey { surface, rect, has_narrow } = key;
    let Ok(copy) = TileCopy::new(surface, *rect, rect.width_bytes) else { return Vec::new() };
    let with = |order: WriteOrder| {
        let widths = order.store_widths_bytes().iter().filter(|width| **width >= 16 || *has_narrow);
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

/// The layout with the same tiles and the opposite setting of channel-select swizzle (CSX), if there is one.
pub(super) fn opposite(layout: Layout) -> Option<Layout> {
    match layout {
        Layout::TileY => Some(Layout::TileYNoCsx),
        Layout::TileYNoCsx => Some(Layout::TileY),
        Layout::TileX => Some(Layout::TileXNoCsx),
        Layout::TileXNoCsx => Some(Layout::TileX),
        _ => None,
    }
}
