//! Cache lines, walks and sets: what accesses tell.

use super::Sheet;
use crate::handles::{Contended, ContextBook, WAYS};
use serde::Serialize;

/// Lines that are named.
const NAMED: usize = 20;
/// Bytes after which the sets of a cache repeat.
const SET_PERIOD_BYTES: u64 = 4096;

/// A cache line that moved from one context to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineFigures {
    /// Its first address.
    pub address: u64,
    /// How often it moved.
    pub moves: u64,
    /// More than one context wrote to it.
    pub written_by_several: bool,
    /// The contexts between which it moved.
    pub between: Vec<u64>,
    /// The objects behind whose handles it was touched: type and handle of the immediate context.
    pub objects: Vec<String>,
    /// The calls in which it moved.
    pub calls: Vec<String>,
}

/// Whose memory deferred contexts touch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkFigures {
    /// Accesses to the context's own.
    pub own_accesses: u64,
    /// To what stands behind the immediate context's handles since their creation.
    pub shared_reads: u64,
    /// To what the immediate context has written there since.
    pub mutable_walks: u64,
    /// To that of other deferred contexts.
    pub foreign_walks: u64,
    /// Those beyond its own, as a part of all.
    pub indirection_ratio: Option<f64>,
}

/// Hot handles in the sets of a cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetFigures {
    /// Sets that 4096 bytes have.
    pub sets: u64,
    /// Hot handles that one holds at once.
    pub ways: u64,
    /// Most hot handles of a recording in one set.
    pub most_hot_handles: u64,
    /// That set.
    pub set: u64,
    /// The context that recorded.
    pub context: Option<u64>,
    /// Sets of recordings with more than `ways`.
    pub crowded_sets: u64,
}

pub(super) fn contended(sheet: &Sheet<'_>) -> Vec<LineFigures> {
    let figures = |line: Contended| LineFigures {
        address: line.address,
        moves: line.moves,
        written_by_several: line.is_shared,
        between: line.contexts.iter().map(|place| sheet.context(*place)).collect(),
        objects: line.objects.iter().map(|(handle_type, ic)| object(sheet, *handle_type, *ic)).collect(),
        calls: line.calls.iter().map(|line| sheet.call(*line)).collect(),
    };
    sheet.book.worst_lines().into_iter().take(NAMED).map(figures).collect()
}

fn object(sheet: &Sheet<'_>, handle_type: u32, ic: u64) -> String {
    match handle_type {
        u32::MAX => format!("context 0x{ic:x}"),
        known => format!("{} 0x{ic:x}", sheet.type_name(known)),
    }
}

fn deferred<'a>(sheet: &Sheet<'a>) -> impl Iterator<Item = &'a ContextBook> {
    sheet.book.contexts.iter().filter(|context| !context.is_immediate)
}

pub(super) fn walks(sheet: &Sheet<'_>) -> Option<WalkFigures> {
    let sum = |count: fn(&ContextBook) -> u64| deferred(sheet).map(count).sum::<u64>();
    let (own_accesses, shared_reads) = (sum(|context| context.own), sum(|context| context.shared));
    let (mutable_walks, foreign_walks) = (sum(|context| context.mutable), sum(|context| context.foreign));
    let beyond = shared_reads + mutable_walks + foreign_walks;
    let all = own_accesses + beyond;
    let indirection_ratio = (all > 0).then(|| beyond as f64 / all as f64);
    let figures = WalkFigures { own_accesses, shared_reads, mutable_walks, foreign_walks, indirection_ratio };
    sheet.has_accesses.then_some(figures)
}

pub(super) fn cache_sets(sheet: &Sheet<'_>) -> Option<SetFigures> {
    // The first of those with as many.
    let fullest = sheet
        .book
        .contexts
        .iter()
        .reduce(|most, context| if context.most_in_set.0 > most.most_in_set.0 { context } else { most });
    let (most_hot_handles, set) = fullest.map_or((0, 0), |context| context.most_in_set);
    let figures = SetFigures {
        sets: (SET_PERIOD_BYTES / sheet.book.settings.cache_line_bytes).max(1),
        ways: WAYS,
        most_hot_handles,
        set,
        context: fullest.filter(|_| most_hot_handles > 0).map(|context| context.id),
        crowded_sets: sheet.book.contexts.iter().map(|context| context.crowded).sum(),
    };
    sheet.has_accesses.then_some(figures)
}
