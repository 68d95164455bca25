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
