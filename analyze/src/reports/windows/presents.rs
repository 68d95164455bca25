//! Figures of presents.

use super::figures::{PairFigures, PresentGroupFigures};
use crate::analysis::Analysis;
use crate::imported::{ImportedPresent, ImportedPresents, PresentPath};
use std::collections::BTreeMap;

/// Names of processes by number.
pub(super) type Names = BTreeMap<u32, String>;

/// Number of a process; `None` for the number that stands for an unknown one.
pub(super) fn process(id: u32) -> Option<u64> {
    (id != u32::MAX).then_some(id.into())
}

/// Presents by process and path. `has_display` is true if the trace has events of the display.
pub(super) fn groups(
    analysis: &Analysis,
    found: &ImportedPresents,
    names: &Names,
    has_display: bool,
) -> Vec<PresentGroupFigures> {
    let mut groups = BTreeMap::<(u32, PresentPath), Vec<&ImportedPresent>>::new();
    for present in &found.presents {
        groups.entry((present.process, present.path)).or_default().push(present);
    }
    let group = |((id, path), presents): ((u32, PresentPath), Vec<&ImportedPresent>)| {
        let mut intervals: Vec<u64> = presents.iter().filter_map(|present| present.interval_ticks).collect();
        intervals.sort_unstable();
        let percentile = |percent: usize| {
            let rank = (intervals.len() * percent).div_ceil(100);
            let ns = analysis.time_ns(*intervals.get(rank.checked_sub(1)?)?)?;
            Some(ns as f64 / 1e6)
        };
        PresentGroupFigures {
            process: process(id),
            process_name: names.get(&id).cloned(),
            path: path.name(),
            presents: presents.len() as u64,
            shown: has_display.then(|| presents.iter().filter(|present| present.shown_stamp.is_some()).count() as u64),
            cross_adapter: cross_adapter(presents.iter().copied()).map(|(crossing, _)| crossing),
            interval_ms_p50: percentile(50),
            interval_ms_p99: percentile(99),
        }
    };
    let mut groups: Vec<PresentGroupFigures> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.presents));
    groups
}

/// Presents to another adapter, and presents of which that is known. `None` if it is known of none.
pub(super) fn cross_adapter<'p>(presents: impl Iterator<Item = &'p ImportedPresent>) -> Option<(u64, u64)> {
    let known: Vec<bool> = presents.filter_map(|present| present.is_cross_adapter).collect();
    let crossing = known.iter().filter(|is_cross_adapter| **is_cross_adapter).count() as u64;
    (!known.is_empty()).then_some((crossing, known.len() as u64))
}

/// Share of presents with an unknown path; `None` without presents.
pub(super) fn unknown_path_ratio(presents: &[ImportedPresent]) -> Option<f64> {
    let unknown = presents.iter().filter(|present| present.path == PresentPath::Unknown).count();
    (!presents.is_empty()).then(|| unknown as f64 / presents.len() as f64)
}

pub(super) fn pairs(found: &ImportedPresents) -> PairFigures {
    let counts = found.counts;
    PairFigures {
        ends_without_start: counts.ends_without_start,
        starts_without_end: counts.starts_without_end,
        untracked: found.presents.iter().filter(|present| present.is_untracked).count() as u64,
        tests: counts.tests,
        tokens_started: counts.tokens_started,
        tokens_ended: counts.tokens_ended,
        token_ends_without_start: counts.token_ends_without_start,
        tokens_open: counts.tokens_open,
        tokens_without_present: counts.tokens_without_present,
        vertical_syncs: counts.vertical_syncs,
        syncs_of_unknown_flips: counts.syncs_of_unknown_flips,
    }
}
