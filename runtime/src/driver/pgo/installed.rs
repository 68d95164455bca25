//! Installed variants and their measured worth.

use super::code::Code;
use super::constant_profile::ConstantProfile;
use super::windows::Key;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::VariantId;
use taut_shaders::{Guard, Word};

/// Guard evaluations and misses since the miss rate was last checked.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct GuardMisses {
    #[serde(rename = "asked")]
    evaluations: u64,
    missed: u64,
}

/// A variant that draws may use.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Installed {
    pub id: VariantId,
    pub guard: Guard,
    #[serde(with = "super::shared")]
    pub code: Arc<Code>,
    /// Requested keys: constants with stable values. The guard tests only the constants that affect the code.
    #[serde(rename = "asked")]
    pub requested_keys: Vec<Key>,
    misses: GuardMisses,
    /// Draws that used the variant, instructions executed for these draws and for misses, and instructions of the
    /// generic shader.
    draws: u64,
    executed: u64,
    generic_executed: u64,
    gains: bool,
    /// Installed or measured since the last SetBackgroundProcessingMode: its gain may soon be known.
    moving: bool,
    /// Specialisation level.
    #[serde(default = "first_level")]
    pub level: u32,
    /// Branch of the variant, as the value of the slot that selects the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Word>,
    /// Keys that were tried as further specialisations of the variant.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tried: BTreeSet<Key>,
    /// Constants of draws that used the variant; `None` while no further specialisation is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "sight")]
    pub constants: Option<ConstantProfile>,
}

fn first_level() -> u32 {
    1
}

impl Installed {
    /// Creates a variant without measurements.
    pub fn new(id: VariantId, guard: Guard, code: Arc<Code>, requested_keys: Vec<Key>) -> Self {
        let (draws, executed, generic_executed) = (0, 0, 0);
        let (gains, moving) = (false, true);
        Installed {
            id,
            guard,
            code,
            requested_keys,
            misses: GuardMisses::default(),
            draws,
            executed,
            generic_executed,
            gains,
            moving,
            level: first_level(),
            branch: None,
            tried: BTreeSet::new(),
            constants: None,
        }
    }

    /// Sets level and branch.
    pub fn at(self, level: u32, branch: Option<Word>) -> Self {
        Installed { level, branch, ..self }
    }

    /// Counts the sampled constants of a draw that used the variant, for further specialisation.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        if self.level < settings.levels {
            let profile = self.constants.get_or_insert_with(|| ConstantProfile::new(constants.len()));
            profile.observe(constants, weight, settings);
        }
    }

    /// True if the variant may be specialised further: its gain is proven.
    pub fn may_be_base(&self, settings: &Background) -> bool {
        self.gains && self.level < settings.levels
    }

    /// Counts a guard miss, which costs the guard's instructions.
    pub fn miss(&mut self) {
        self.misses.count(1, true);
        if !self.gains {
            self.executed = self.executed.saturating_add(self.guard.cost());
        }
    }

    /// Counts a draw that used the variant. `executed` includes the cost of its own guard, but not of other guards.
    pub fn count_use(&mut self, executed: u64, generic_executed: u64) {
        self.misses.count(1, false);
        if !self.gains {
            self.draws += 1;
            self.executed = self.executed.saturating_add(executed);
            self.generic_executed = self.generic_executed.saturating_add(generic_executed);
            self.moving = true;
        }
    }

    /// True if the guard's miss rate exceeds the limit. A commit has no minimum number of evaluations.
    pub fn misses_too_often(&mut self, settings: &Background, committed: bool) -> bool {
        self.misses.exceed_rate(settings, if committed { 1 } else { settings.window_executions.into() })
    }

    /// Returns the miss counts.
    pub fn misses(&self) -> GuardMisses {
        self.misses
    }

    /// Counts more guard evaluations. Returns true if the guard then misses too often.
    pub fn would_miss_too_often(&mut self, times: u64, missed: bool, settings: &Background) -> bool {
        self.misses.add(times, missed, settings)
    }

    /// True if the variant executes at least as many instructions as the generic shader. The comparison ends once it
    /// has found a gain.
    pub fn has_no_gain(&mut self, settings: &Background, committed: bool) -> bool {
        let minimum = if committed { 1 } else { settings.measured_draws.into() };
        if self.gains || self.draws < minimum {
            return false;
        }
        self.gains = self.executed < self.generic_executed;
        !self.gains
    }

    /// True if further draws may show the variant's gain. False for a variant that no draw uses.
    pub fn is_awaited(&self) -> bool {
        !self.gains && self.moving
    }

    /// Marks the variant as unchanged since SetBackgroundProcessingMode.
    pub fn start_window(&mut self) {
        self.moving = false;
    }

    /// Drops all measurements.
    pub fn forget(&mut self) {
        self.misses = GuardMisses::default();
        (self.draws, self.executed, self.generic_executed) = (0, 0, 0);
        (self.gains, self.moving) = (false, false);
        self.constants = None;
        self.tried.clear();
    }
}

impl GuardMisses {
    fn count(&mut self, times: u64, missed: bool) {
        self.evaluations += times;
        self.missed += if missed { times } else { 0 };
    }

    /// Checks the miss rate after at least `minimum` evaluations.
    fn exceed_rate(&mut self, settings: &Background, minimum: u64) -> bool {
        if self.evaluations < minimum {
            return false;
        }
        let limit = u128::from(self.evaluations) * u128::from(settings.max_missed_permille);
        let too_many = u128::from(self.missed) * 1000 > limit;
        if self.evaluations >= settings.window_executions.into() {
            *self = GuardMisses::default();
        }
        too_many
    }

    /// Adds evaluations and checks the miss rate as outside of commits.
    pub fn add(&mut self, times: u64, missed: bool, settings: &Background) -> bool {
        self.count(times, missed);
        self.exceed_rate(settings, settings.window_executions.into())
    }
}
