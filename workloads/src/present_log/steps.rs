//! Order of a replay: creations of swap chains, presents and releases by time.

use super::log::PresentLog;
use super::plan::{LAST_FRAMES_NS, PresentPlan};

/// Step of the replay.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Create(usize),
    Present {
        chain: usize,
        place: usize,
    },
    /// A frame that the driver generated, by its index in the log.
    Generated(usize),
    Release(usize),
}

/// Returns all steps in order of time; at the same time, swap chains are released before others are created.
pub(super) fn steps(log: &PresentLog, plan: &PresentPlan) -> Vec<(u64, Step)> {
    let at = |place: &usize| log.presents.get(*place).map_or(0, |present| present.at_ns - plan.begin_ns);
    let mut steps = Vec::new();
    for (number, chain) in plan.chains.iter().enumerate() {
        let (Some(first), Some(last)) = (chain.presents.first().map(at), chain.presents.last().map(at)) else {
            continue;
        };
        steps.push((first, Step::Create(number)));
        steps.extend(chain.presents.iter().map(|place| (at(place), Step::Present { chain: number, place: *place })));
        steps.push((last + LAST_FRAMES_NS, Step::Release(number)));
    }
    let generated = log.generated.iter().enumerate();
    steps.extend(generated.map(|(place, frame)| (frame.at_ns.saturating_sub(plan.begin_ns), Step::Generated(place))));
    steps.sort_by_key(|(at_ns, step)| (*at_ns, !matches!(step, Step::Release(_))));
    steps
}
