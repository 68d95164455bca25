//! Cache line contention, accesses to other contexts' memory, and cache set conflicts.

use super::ReportInputs;
use crate::handles::{ContendedLine, ContextState, LineAccesses, SetConflicts, WordAccesses};
use crate::reports::figures::figures;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Maximum number of lines listed.
const NAMED: usize = 20;
/// Values of `sharing`.
pub(super) const TRUE_SHARING: &str = "true";
const FALSE_SHARING: &str = "false";
/// Maximum number of cache sets listed.
const LISTED_SETS: usize = 16;

figures! {
    /// A cache line that was transferred between contexts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LineFigures {
        objects: Vec<String>, List, same;
        address: u64, Id, "First address of the line.";
        transfers: u64, Count, "Number of transfers of the line.";
        total_writes: u64, Count, "Writes to the line by all contexts, also before the first transfer; independent of the order of threads.";
        written_by_several: bool, Flag, "More than one context wrote to the line.";
        between: Vec<u64>, List, "Ids of the contexts of the transfers, at most eight.";
        calls: Vec<String>, List, "DDI calls that caused the transfers, at most eight.";
        accesses_by_context: Vec<LineAccessFigures>, List, "Accesses to the line by context, at most eight contexts, starting with the last write before the first transfer.";
        sharing: &'static str, Text, "`true` if a context writes a word (8 bytes) of the line that another one accesses: the data are shared, and each context needs its own. `false` (false sharing) if the contexts access different words, of which padding makes different lines.";
        words: Vec<WordFigures>, List, "The accesses of `accesses_by_context` by word, context and call, at most 64 entries.";
    }
}

figures! {
    /// Accesses of one context to a contended line.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LineAccessFigures {
        context: u64, Id, same;
        reads: u64, Count, "Reads of the line, or of the word, by the context.";
        writes: u64, Count, "Writes to the line, or to the word, by the context.";
    }
}

figures! {
    /// Accesses of one context to a word of a contended line, in calls of one function.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WordFigures {
        offset_bytes: u64, Bytes, "Offset of the word in the line.";
        context: u64, Id, same;
        call: String, Text, same;
        reads: u64, Count, same;
        writes: u64, Count, same;
    }
}

figures! {
    /// Accesses of deferred contexts by owner of the memory.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OwnerAccessFigures {
        own_accesses: u64, Count, "Accesses to the context's own memory.";
        shared_reads: u64, Count, "Reads of immediate-context handle memory, unchanged since creation.";
        mutable_accesses: u64, Count, "Reads of words that the immediate context has written since creation; advice, because the words move between caches.";
        shared_writes: u64, Count, "Writes to immediate-context handle memory; they break a rule.";
        foreign_accesses: u64, Count, "Accesses to memory of another deferred context; they break a rule.";
        indirection_ratio: Option<f64>, Ratio, "Share of accesses outside the context's own memory; null without accesses.";
    }
}

figures! {
    /// Conflicts of hot lines in one cache set.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct SetConflictFigures {
        set: u64, Id, same;
        max_hot_lines: u64, Count, same;
        conflicts: u64, Count, "Recordings with more than `ways` hot lines in the set.";
    }
}

figures! {
    /// Conflicts of frequently accessed handle memory in cache sets.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SetFigures {
        context: Option<u64>, Id, same;
        cache_bytes: u64, Bytes, "Size of the cache: `--cache-geometry`.";
        sets: u64, Count, "Cache sets: `cache_bytes` / (`ways` × `cache_line_bytes`).";
        ways: u64, Count, "Associativity: lines per set.";
        max_hot_lines: u64, Count, "Maximum hot lines of one recording in one set.";
        set: u64, Id, "Set with `max_hot_lines`; number of the line modulo `sets`.";
        conflicting_sets: u64, Count, "Cache-set conflicts: sets of recordings with more than `ways` hot lines.";
        by_set: Vec<SetConflictFigures>, List, "Sets with the most conflicts, at most 16.";
    }
}

pub(super) fn contended(inputs: &ReportInputs<'_>) -> Vec<LineFigures> {
    let figures = |line: ContendedLine| LineFigures {
        address: line.address,
        transfers: line.transfers,
        total_writes: line.writes,
        written_by_several: line.is_shared,
        between: line.contexts.iter().map(|place| inputs.context(*place)).collect(),
        objects: line.objects.iter().map(|(handle_type, ic)| object(inputs, *handle_type, *ic)).collect(),
        calls: line.calls.iter().map(|line| inputs.call(*line)).collect(),
        accesses_by_context: line.accesses.iter().map(|one| accesses(inputs, one)).collect(),
        sharing: if line.is_truly_shared() { TRUE_SHARING } else { FALSE_SHARING },
        words: line.words.iter().map(|one| word(inputs, one)).collect(),
    };
    inputs.tracker.worst_lines().into_iter().take(NAMED).map(figures).collect()
}

fn accesses(inputs: &ReportInputs<'_>, one: &LineAccesses) -> LineAccessFigures {
    LineAccessFigures { context: inputs.context(one.context), reads: one.reads, writes: one.writes }
}

fn word(inputs: &ReportInputs<'_>, one: &WordAccesses) -> WordFigures {
    let WordAccesses { offset_bytes, context, call, reads, writes } = *one;
    WordFigures { offset_bytes, context: inputs.context(context), call: inputs.call(call), reads, writes }
}

fn object(inputs: &ReportInputs<'_>, handle_type: u32, ic: u64) -> String {
    match handle_type {
        // The type of a context's own handle.
        u32::MAX => format!("context 0x{ic:x}"),
        known => format!("{} 0x{ic:x}", inputs.type_name(known)),
    }
}

fn deferred<'a>(inputs: &ReportInputs<'a>) -> impl Iterator<Item = &'a ContextState> {
    inputs.tracker.contexts.iter().filter(|context| !context.is_immediate)
}

pub(super) fn accesses_by_owner(inputs: &ReportInputs<'_>) -> Option<OwnerAccessFigures> {
    let sum = |count: fn(&ContextState) -> u64| deferred(inputs).map(count).sum::<u64>();
    let (own_accesses, shared_reads) = (sum(|context| context.own), sum(|context| context.shared));
    let (mutable_accesses, foreign_accesses) = (sum(|context| context.mutable), sum(|context| context.foreign));
    let shared_writes = sum(|context| context.shared_writes);
    let beyond = shared_reads + mutable_accesses + shared_writes + foreign_accesses;
    let all = own_accesses + beyond;
    let indirection_ratio = (all > 0).then(|| beyond as f64 / all as f64);
    let figures = OwnerAccessFigures {
        own_accesses,
        shared_reads,
        mutable_accesses,
        shared_writes,
        foreign_accesses,
        indirection_ratio,
    };
    inputs.has_accesses.then_some(figures)
}

pub(super) fn cache_sets(inputs: &ReportInputs<'_>) -> Option<SetFigures> {
    let (settings, contexts) = (&inputs.tracker.settings, &inputs.tracker.contexts);
    // The strict comparison selects the first of several equal contexts.
    let max = |context: &ContextState| context.hot_lines.max_in_set.0;
    let fullest = contexts.iter().reduce(|top, context| if max(context) > max(top) { context } else { top });
    let (max_hot_lines, set) = fullest.map_or((0, 0), |context| context.hot_lines.max_in_set);
    let figures = SetFigures {
        cache_bytes: settings.cache_bytes,
        sets: settings.sets(),
        ways: settings.cache_ways,
        max_hot_lines,
        set,
        context: fullest.filter(|_| max_hot_lines > 0).map(|context| context.id),
        conflicting_sets: contexts.iter().map(|context| context.hot_lines.crowded).sum(),
        by_set: by_set(contexts),
    };
    inputs.has_accesses.then_some(figures)
}

fn by_set(contexts: &[ContextState]) -> Vec<SetConflictFigures> {
    let mut sums: BTreeMap<u64, SetConflicts> = BTreeMap::new();
    for (set, one) in contexts.iter().flat_map(|context| &context.hot_lines.conflicts) {
        let sum = sums.entry(*set).or_default();
        sum.recordings += one.recordings;
        sum.max_hot_lines = sum.max_hot_lines.max(one.max_hot_lines);
    }
    let mut sets: Vec<(u64, SetConflicts)> = sums.into_iter().collect();
    sets.sort_by_key(|(set, one)| (Reverse(one.recordings), Reverse(one.max_hot_lines), *set));
    let figures = |(set, one): (u64, SetConflicts)| {
        let SetConflicts { recordings, max_hot_lines } = one;
        SetConflictFigures { set, conflicts: recordings, max_hot_lines }
    };
    sets.into_iter().take(LISTED_SETS).map(figures).collect()
}
