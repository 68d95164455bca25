//! GPU cost of each present, from the times at which the GPU work of frames ended.

use super::log::PresentLog;
use super::plan::PlannedChain;
use std::collections::BTreeMap;
use taut_schemas::AdapterId;

/// Returns, for each present, the time in nanoseconds that its frame occupies the graphics engine.
///
/// A capture has the end of a frame's GPU work as a latency since Present, which includes the wait for earlier frames.
/// The engine executes the frames of all programs in order of their presents: a frame starts at its Present or at
/// the end of the frame before it, whichever is later. Presents of the compositor are not replayed, so they take no
/// time.
/// `adapter` returns the adapter that renders a swap chain.
pub(super) fn gpu_costs(
    log: &PresentLog,
    chains: &[PlannedChain],
    adapter: impl Fn(&PlannedChain) -> AdapterId,
) -> Vec<u64> {
    let of_chain = |chain: &PlannedChain| {
        let adapter = adapter(chain);
        chain.presents.iter().map(move |place| (*place, adapter)).collect::<Vec<_>>()
    };
    let mut order: Vec<(usize, AdapterId)> = chains.iter().flat_map(of_chain).collect();
    order.sort_by_key(|(place, _)| log.presents[*place].at_ns);
    let mut costs = vec![0; log.presents.len()];
    let mut free_at_ns: BTreeMap<AdapterId, u64> = BTreeMap::new();
    for (place, adapter) in order {
        let present = &log.presents[place];
        let ended_at_ns = present.at_ns.saturating_add(present.gpu_end_after_ns);
        let free_at_ns = free_at_ns.entry(adapter).or_default();
        costs[place] = ended_at_ns.saturating_sub((*free_at_ns).max(present.at_ns));
        *free_at_ns = ended_at_ns.max(*free_at_ns);
    }
    costs
}

/// Counts the frames whose GPU work ended before that of a frame that another program presented earlier. A capture does
/// not have how programs share an engine, so the replay cannot show such frames at their times.
pub(super) fn overtaking_frames(log: &PresentLog, chains: &[PlannedChain]) -> u64 {
    let of_chain = |(number, chain): (usize, &PlannedChain)| {
        // Swap chains of different adapters do not share an engine.
        let is_hybrid = chain.is_hybrid == Some(true);
        chain.presents.iter().map(|place| (*place, number, is_hybrid)).collect::<Vec<_>>()
    };
    let mut order: Vec<(usize, usize, bool)> = chains.iter().enumerate().flat_map(of_chain).collect();
    order.sort_by_key(|(place, ..)| log.presents[*place].at_ns);
    // Latest end of the GPU work of each swap chain so far.
    let mut ends_ns: Vec<(bool, u64)> = chains.iter().map(|chain| (chain.is_hybrid == Some(true), 0)).collect();
    let mut count = 0;
    for (place, number, is_hybrid) in order {
        let present = &log.presents[place];
        let end_ns = present.at_ns.saturating_add(present.gpu_end_after_ns);
        let others = ends_ns.iter().enumerate().filter(|(other, (hybrid, _))| *other != number && *hybrid == is_hybrid);
        count += u64::from(others.map(|(_, (_, other_ns))| *other_ns).max().is_some_and(|other_ns| end_ns < other_ns));
        ends_ns[number].1 = ends_ns[number].1.max(end_ns);
    }
    count
}
