//! Tuning of policies other than shader specialisation, with the same task queue: whether constants are cached, and how
//! many lanes run as a group. Either changes a draw's cost, but not its output.
//!
//! Costs are a model, in instructions: an uncached constant costs [`STREAMED_COST`]; a cached one costs [`HIT_COST`] if
//! the draw before read the same constants, else [`MISS_COST`]. A group costs [`LAUNCH`] and one instruction per idle
//! lane.

use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, WorkProduct};
use taut_shaders::Word;

// A miss costs more than an uncached read, so caching constants that never repeat is a loss.
const STREAMED_COST: u64 = 4;
const HIT_COST: u64 = 1;
const MISS_COST: u64 = 5;
const LAUNCH: u64 = 16;

/// Group sizes in lanes; the first is the untuned one.
const GROUPS: [u32; 4] = [8, 16, 32, 64];

/// Minimum saving of another policy in permille: smaller gains are not worth a task.
const MIN_SAVED_PERMILLE: u64 = 50;

/// Execution policy of the draws of a pipeline state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Policy {
    /// Constants are cached.
    caches: bool,
    group_lanes: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { caches: false, group_lanes: GROUPS[0] }
    }
}

/// Observed draws, by which policies are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Observed {
    /// Numbers of draws, and of draws with the constants of the draw before.
    draws: u64,
    repeats: u64,
    words: u64,
    /// Number of draws by lane count.
    lanes: BTreeMap<u32, u64>,
}

/// Cost of a draw in instructions, apart from its code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Overhead {
    pub tuned: u64,
    pub untuned: u64,
}

/// Policy of a pipeline state, with the observed draws.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Tuning {
    policy: Policy,
    observed: Observed,
    /// A tuning task is queued or running.
    pub pending: bool,
    /// Constants of the last submitted draw.
    last: Vec<Word>,
}

fn read_cost(caches: bool, words: u64, repeats: bool) -> u64 {
    let each = match (caches, repeats) {
        (false, _) => STREAMED_COST,
        (true, true) => HIT_COST,
        (true, false) => MISS_COST,
    };
    words * each
}

fn launch_cost(group_lanes: u32, lanes: u32) -> u64 {
    let groups = u64::from(lanes.div_ceil(group_lanes));
    groups * LAUNCH + (groups * u64::from(group_lanes) - u64::from(lanes))
}

impl Observed {
    fn total_read_cost(&self, caches: bool) -> u64 {
        let one = |repeats| read_cost(caches, self.words / self.draws.max(1), repeats);
        self.repeats * one(true) + (self.draws - self.repeats) * one(false)
    }

    fn total_launch_cost(&self, group_lanes: u32) -> u64 {
        self.lanes.iter().map(|(lanes, draws)| draws * launch_cost(group_lanes, *lanes)).sum()
    }

    fn cost(&self, policy: Policy) -> u64 {
        self.total_read_cost(policy.caches) + self.total_launch_cost(policy.group_lanes)
    }

    /// Returns the policy with the minimum cost; policies that are not tuned stay as they are.
    fn best(&self, now: Policy, caches: bool, groups: bool) -> Policy {
        let cached = caches && self.total_read_cost(true) < self.total_read_cost(false);
        let min_draws = GROUPS.into_iter().min_by_key(|lanes| self.total_launch_cost(*lanes));
        Policy {
            caches: if caches { cached } else { now.caches },
            group_lanes: min_draws.filter(|_| groups).unwrap_or(now.group_lanes),
        }
    }
}

impl Tuning {
    /// Returns the cost of a submitted draw, and whether it repeats the constants of the draw before. `other` forces
    /// another group size (a fault).
    pub fn submit(&mut self, constants: &[Word], lanes: u32, other: bool) -> (Overhead, bool) {
        let repeats = self.last == constants;
        if !repeats {
            self.last = constants.to_vec();
        }
        let words = constants.len() as u64;
        let cost = |policy: Policy| read_cost(policy.caches, words, repeats) + launch_cost(policy.group_lanes, lanes);
        let tried = if self.policy.group_lanes == GROUPS[0] { GROUPS[1] } else { GROUPS[0] };
        let policy = if other { Policy { group_lanes: tried, ..self.policy } } else { self.policy };
        (Overhead { tuned: cost(policy), untuned: cost(Policy::default()) }, repeats)
    }

    /// Counts a measured draw.
    pub fn observe(&mut self, words: usize, lanes: u32, repeats: bool) {
        self.observed.draws += 1;
        self.observed.repeats += u64::from(repeats);
        self.observed.words += words as u64;
        *self.observed.lanes.entry(lanes).or_default() += 1;
    }

    /// True if another policy is worth a task after at least `min_draws` draws.
    pub fn is_worth(&self, settings: &Background, min_draws: u64) -> bool {
        let observed = &self.observed;
        if self.pending || observed.draws == 0 || observed.draws < min_draws {
            return false;
        }
        let (caches, groups) = tuned(settings);
        let (now, then) = (observed.cost(self.policy), observed.cost(observed.best(self.policy, caches, groups)));
        now.saturating_sub(then) * 1000 > now * MIN_SAVED_PERMILLE
    }

    /// Creates the work of a tuning task.
    pub fn work(&mut self, settings: &Background) -> TuningWork {
        self.pending = true;
        TuningWork { observed: self.observed.clone(), now: self.policy, tuned: tuned(settings) }
    }

    /// Handles the end of the task; `None` if it was cancelled.
    pub fn end(&mut self, policy: Option<Policy>) {
        self.pending = false;
        if let Some(policy) = policy {
            self.policy = policy;
            self.observed = Observed::default();
        }
    }

    /// Drops all measurements.
    pub fn forget(&mut self) {
        (self.observed, self.pending) = (Observed::default(), false);
    }
}

/// Returns which policies the driver tunes: caches, groups.
fn tuned(settings: &Background) -> (bool, bool) {
    (settings.tunes_cache > 0, settings.tunes_groups > 0)
}

/// Work that finds the policy with the minimum cost.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuningWork {
    observed: Observed,
    now: Policy,
    tuned: (bool, bool),
}

impl BackgroundWork for TuningWork {
    fn run(&self) -> WorkProduct {
        let (caches, groups) = self.tuned;
        let best = self.observed.best(self.now, caches, groups);
        WorkProduct { outcome: CompileOutcome::default(), product: Arc::new(best) }
    }

    fn save(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &[u32] = &[];

    fn settings() -> Background {
        Background { tunes_cache: 1, tunes_groups: 1, ..Background::default() }
    }

    fn tuned(draws: &[(&[u32], u32)]) -> (Tuning, Overhead) {
        let mut tuning = Tuning::default();
        let play = |tuning: &mut Tuning| {
            let mut last = Overhead::default();
            for (constants, lanes) in draws {
                let constants: Vec<Word> = constants.iter().copied().map(Word).collect();
                let (overhead, repeats) = tuning.submit(&constants, *lanes, false);
                tuning.observe(constants.len(), *lanes, repeats);
                last = overhead;
            }
            last
        };
        play(&mut tuning);
        assert!(!tuning.is_worth(&settings(), 1000));
        if tuning.is_worth(&settings(), 1) {
            let product = tuning.work(&settings()).run().product;
            tuning.end(product.downcast_ref().copied());
        }
        let last = play(&mut tuning);
        (tuning, last)
    }

    #[test]
    fn what_repeats_is_cached_and_what_does_not_is_not() {
        let (same, overhead) = tuned(&[(&[1_u32, 2, 3][..], 8); 8]);
        assert!(same.policy.caches);
        assert_eq!(overhead, Overhead { tuned: 3 * HIT_COST + LAUNCH, untuned: 3 * STREAMED_COST + LAUNCH });
        let (other, _) = tuned(&[(&[1], 8), (&[2], 8), (&[3], 8)]);
        assert!(!other.policy.caches);
    }

    #[test]
    fn groups_are_as_large_as_what_is_drawn() {
        let (large, overhead) = tuned(&[(NONE, 64); 4]);
        assert_eq!((large.policy.group_lanes, overhead.tuned, overhead.untuned), (64, LAUNCH, 8 * LAUNCH));
        assert_eq!(tuned(&[(NONE, 8); 4]).0.policy, Policy::default());
        assert_eq!(tuned(&[(NONE, 20); 4]).0.policy.group_lanes, 32);
    }
}
