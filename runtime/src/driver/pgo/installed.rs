//! A variant in use, and what is known of its worth.

use super::code::Code;
use super::sight::Sight;
use super::windows::Key;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::VariantId;
use taut_shaders::{Guard, Word};

/// How often a guard was asked, and missed, since its misses were last judged.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Misses {
    asked: u64,
    missed: u64,
}

/// A variant that draws may be served by.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Installed {
    pub id: VariantId,
    pub guard: Guard,
    #[serde(with = "super::shared")]
    pub code: Arc<Code>,
    /// What it was asked for: the slots that were found stable, of which the guard has those that are of use.
    pub asked: Vec<Key>,
    misses: Misses,
    /// Draws served, and what was executed for them, misses included, and what the generic shader executes.
    draws: u64,
    executed: u64,
    generic_executed: u64,
    gains: bool,
    /// Installed or measured since SetBackgroundProcessingMode was last called, so that more may be learned soon.
    moving: bool,
    /// How often it was specialised.
    #[serde(default = "first_level")]
    pub level: u32,
    /// The branch that it is for, by the value of the slot that tells branches apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Word>,
    /// What it was specialised further for, or is not worth that.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tried: BTreeSet<Key>,
    /// Constants of draws that it served; none where nobody asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<Sight>,
}

fn first_level() -> u32 {
    1
}

impl Installed {
    /// A variant of which nothing is known yet.
    pub fn new(id: VariantId, guard: Guard, code: Arc<Code>, asked: Vec<Key>) -> Self {
        let (draws, executed, generic_executed) = (0, 0, 0);
        let (gains, moving) = (false, true);
        Installed {
            id,
            guard,
            code,
            asked,
            misses: Misses::default(),
            draws,
            executed,
            generic_executed,
            gains,
            moving,
            level: first_level(),
            branch: None,
            tried: BTreeSet::new(),
            sight: None,
        }
    }

    /// The same, specialised so often, for a branch.
    pub fn at(self, level: u32, branch: Option<Word>) -> Self {
        Installed { level, branch, ..self }
    }

    /// Counts the constants of a draw that it served, which stands for so many: to specialise it further.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        if self.level < settings.levels {
            let sight = self.sight.get_or_insert_with(|| Sight::new(constants.len()));
            sight.observe(constants, weight, settings);
        }
    }

    /// Whether it may be specialised further: a gain was found.
    pub fn may_be_base(&self, settings: &Background) -> bool {
        self.gains && self.level < settings.levels
    }

    /// Its guard was asked in vain, which costs and gains nothing.
    pub fn miss(&mut self) {
        self.misses.count(1, true);
        if !self.gains {
            self.executed = self.executed.saturating_add(self.guard.cost());
        }
    }

    /// It served a draw. `executed` has the cost of its own guard in it, but not those of others.
    pub fn serve(&mut self, executed: u64, generic_executed: u64) {
        self.misses.count(1, false);
        if !self.gains {
            self.draws += 1;
            self.executed = self.executed.saturating_add(executed);
            self.generic_executed = self.generic_executed.saturating_add(generic_executed);
            self.moving = true;
        }
    }

    /// Whether its guard misses too often. A commit takes what was seen, however little that is.
    pub fn misses_too_often(&mut self, settings: &Background, committed: bool) -> bool {
        self.misses.are_too_many(settings, if committed { 1 } else { settings.window_executions.into() })
    }

    /// How its guard does.
    pub fn misses(&self) -> Misses {
        self.misses
    }

    /// Counts more times that its guard is asked; whether it misses too often then.
    pub fn would_miss_too_often(&mut self, times: u64, missed: bool, settings: &Background) -> bool {
        self.misses.add(times, missed, settings)
    }

    /// Whether it has been found to execute no less than the generic shader. Once a gain is found, it is not measured
    /// any more.
    pub fn loses(&mut self, settings: &Background, committed: bool) -> bool {
        let least = if committed { 1 } else { settings.measured_draws.into() };
        if self.gains || self.draws < least {
            return false;
        }
        self.gains = self.executed < self.generic_executed;
        !self.gains
    }

    /// Whether its gain is not known, but may soon be: a variant that no draw asks for is not waited for.
    pub fn is_awaited(&self) -> bool {
        !self.gains && self.moving
    }

    /// SetBackgroundProcessingMode has been answered.
    pub fn settle(&mut self) {
        self.moving = false;
    }

    /// Forgets what was measured.
    pub fn forget(&mut self) {
        self.misses = Misses::default();
        (self.draws, self.executed, self.generic_executed) = (0, 0, 0);
        (self.gains, self.moving) = (false, false);
        self.sight = None;
        self.tried.clear();
    }
}

impl Misses {
    fn count(&mut self, times: u64, missed: bool) {
        self.asked += times;
        self.missed += if missed { times } else { 0 };
    }

    /// Judges them once the guard was asked `least` times.
    fn are_too_many(&mut self, settings: &Background, least: u64) -> bool {
        if self.asked < least {
            return false;
        }
        let most = u128::from(self.asked) * u128::from(settings.most_missed_permille);
        let too_many = u128::from(self.missed) * 1000 > most;
        if self.asked >= settings.window_executions.into() {
            *self = Misses::default();
        }
        too_many
    }

    /// Counts more of them, and judges as outside of commits.
    pub fn add(&mut self, times: u64, missed: bool, settings: &Background) -> bool {
        self.count(times, missed);
        self.are_too_many(settings, settings.window_executions.into())
    }
}
