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
    let (mut shared, mut hybrid) = (LatestEnds::default(), LatestEnds::default());
    let mut count = 0;
    for (place, number, is_hybrid) in order {
        let present = &log.presents[place];
        let end_ns = present.at_ns.saturating_add(present.gpu_end_after_ns);
        let latest = if is_hybrid { &mut hybrid } else { &mut shared };
        count += u64::from(end_ns < latest.of_others(number));
        latest.add(number, end_ns);
    }
    count
}

/// Latest ends of GPU work of two swap chains: enough to know the latest end of all swap chains but one.
#[derive(Debug, Default)]
struct LatestEnds {
    /// Swap chain and end.
    latest: Option<(usize, u64)>,
    /// The latest end of the other swap chains.
    second: Option<(usize, u64)>,
}

impl LatestEnds {
    /// Latest end of all swap chains but one; 0 without any.
    fn of_others(&self, number: usize) -> u64 {
        let of_another = |end: &(usize, u64)| end.0 != number;
        self.latest.filter(of_another).or(self.second.filter(of_another)).map_or(0, |(_, end_ns)| end_ns)
    }

    fn add(&mut self, number: usize, end_ns: u64) {
        let is_later = |end: Option<(usize, u64)>| end.is_none_or(|(_, known_ns)| end_ns > known_ns);
        if is_later(self.latest) {
            if self.latest.is_some_and(|(other, _)| other != number) {
                self.second = self.latest;
            }
            self.latest = Some((number, end_ns));
        } else if self.latest.is_some_and(|(other, _)| other != number) && is_later(self.second) {
            self.second = Some((number, end_ns));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_latest_end_of_others_is_the_maximum_over_all_other_swap_chains(
            ends in proptest::collection::vec((0_usize..5, 1_u64..50), 0..40),
        ) {
            let mut found = LatestEnds::default();
            let mut all = [0; 5];
            for (number, end_ns) in ends {
                let others = all.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, end_ns)| *end_ns);
                prop_assert_eq!(found.of_others(number), others.max().unwrap_or_default());
                found.add(number, end_ns);
                all[number] = end_ns.max(all[number]);
            }
        }
    }
}
