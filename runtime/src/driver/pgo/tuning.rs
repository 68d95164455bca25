//! What a driver tunes beside shaders, behind the same queue: whether the constants that draws read are cached, and how many lanes
//! run as a group. Either changes what a draw costs, and nothing of what it gives.
//!
//! Costs are a model, in instructions: a constant read past the cache takes [`STREAMED`]; one that is cached takes [`HIT`] where
//! the draw before read the same, else [`MISSED`]. A group takes [`LAUNCH`], and one for each lane of it that has nothing to do.

use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, WorkProduct};
use taut_shaders::Word;

const STREAMED: u64 = 4;
const HIT: u64 = 1;
const MISSED: u64 = 5;
const LAUNCH: u64 = 16;

/// Lanes of a group, the one that is used untuned first.
const GROUPS: [u32; 4] = [8, 16, 32, 64];

/// Thousandths of the costs that another policy has to save.
const LEAST_SAVED_PERMILLE: u64 = 50;

/// How draws of a pipeline state are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Policy {
    /// Their constants are cached.
    caches: bool,
    group_lanes: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { caches: false, group_lanes: GROUPS[0] }
    }
}

/// What a policy is judged by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Observed {
    /// Draws, and those that had the constants of the one before.
    draws: u64,
    repeats: u64,
    words: u64,
    /// By number of lanes.
    lanes: BTreeMap<u32, u64>,
}

/// What a draw costs beside its code, in instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Overhead {
    pub tuned: u64,
    pub untuned: u64,
}

/// The policy of a pipeline state, and what was seen of its draws.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Tuning {
    policy: Policy,
    observed: Observed,
    /// A task looks for another.
    pub pending: bool,
    /// Constants of the last draw that was submitted.
    last: Vec<Word>,
}

fn reading(caches: bool, words: u64, repeats: bool) -> u64 {
    let each = match (caches, repeats) {
        (false, _) => STREAMED,
        (true, true) => HIT,
        (true, false) => MISSED,
    };
    words * each
}

fn launching(group_lanes: u32, lanes: u32) -> u64 {
    let groups = u64::from(lanes.div_ceil(group_lanes));
    groups * LAUNCH + (groups * u64::from(group_lanes) - u64::from(lanes))
}

impl Observed {
    fn cost_of_reading(&self, caches: bool) -> u64 {
        let one = |repeats| reading(caches, self.words / self.draws.max(1), repeats);
        self.repeats * one(true) + (self.draws - self.repeats) * one(false)
    }

    fn cost_of_launching(&self, group_lanes: u32) -> u64 {
        self.lanes.iter().map(|(lanes, draws)| draws * launching(group_lanes, *lanes)).sum()
    }

    fn cost(&self, policy: Policy) -> u64 {
        self.cost_of_reading(policy.caches) + self.cost_of_launching(policy.group_lanes)
    }

    /// The policy that would have cost least, of what is tuned.
    fn best(&self, now: Policy, (caches, groups): (bool, bool)) -> Policy {
        let cached = caches && self.cost_of_reading(true) < self.cost_of_reading(false);
        let least = GROUPS.into_iter().min_by_key(|lanes| self.cost_of_launching(*lanes));
        Policy {
            caches: if caches { cached } else { now.caches },
            group_lanes: least.filter(|_| groups).unwrap_or(now.group_lanes),
        }
    }
}

impl Tuning {
    /// A draw is submitted: what it costs, and whether it has the constants of the one before. `other`: with the other group
    /// that is next in size, whatever the policy.
    pub fn submit(&mut self, constants: &[Word], lanes: u32, other: bool) -> (Overhead, bool) {
        let repeats = self.last == constants;
        if !repeats {
            self.last = constants.to_vec();
        }
        let words = constants.len() as u64;
        let cost = |policy: Policy| reading(policy.caches, words, repeats) + launching(policy.group_lanes, lanes);
        let tried = if self.policy.group_lanes == GROUPS[0] { GROUPS[1] } else { GROUPS[0] };
        let policy = if other { Policy { group_lanes: tried, ..self.policy } } else { self.policy };
        (Overhead { tuned: cost(policy), untuned: cost(Policy::default()) }, repeats)
    }

    /// A draw was measured.
    pub fn observe(&mut self, words: usize, lanes: u32, repeats: bool) {
        self.observed.draws += 1;
        self.observed.repeats += u64::from(repeats);
        self.observed.words += words as u64;
        *self.observed.lanes.entry(lanes).or_default() += 1;
    }

    /// Whether another policy is worth a task, of so many draws seen at least.
    pub fn is_worth(&self, settings: &Background, least: u64) -> bool {
        let observed = &self.observed;
        if self.pending || observed.draws == 0 || observed.draws < least {
            return false;
        }
        let (now, then) = (observed.cost(self.policy), observed.cost(observed.best(self.policy, tuned(settings))));
        now.saturating_sub(then) * 1000 > now * LEAST_SAVED_PERMILLE
    }

    /// A task that looks for the best policy.
    pub fn work(&mut self, settings: &Background) -> TuningWork {
        self.pending = true;
        TuningWork { observed: self.observed.clone(), now: self.policy, tuned: tuned(settings) }
    }

    /// The task has ended; without a policy it was cancelled.
    pub fn end(&mut self, policy: Option<Policy>) {
        self.pending = false;
        if let Some(policy) = policy {
            self.policy = policy;
            self.observed = Observed::default();
        }
    }

    /// Forgets what was measured.
    pub fn forget(&mut self) {
        (self.observed, self.pending) = (Observed::default(), false);
    }
}

/// What a driver tunes: caches, groups.
fn tuned(settings: &Background) -> (bool, bool) {
    (settings.tunes_cache > 0, settings.tunes_groups > 0)
}

/// Finds the policy that would have cost least.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuningWork {
    observed: Observed,
    now: Policy,
    tuned: (bool, bool),
}

impl BackgroundWork for TuningWork {
    fn run(&self) -> WorkProduct {
        let best = self.observed.best(self.now, self.tuned);
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
        assert_eq!(overhead, Overhead { tuned: 3 * HIT + LAUNCH, untuned: 3 * STREAMED + LAUNCH });
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
