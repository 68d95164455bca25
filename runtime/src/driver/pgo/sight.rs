//! What is known of the constants of some of a pipeline state's draws: of a branch, or of those that a variant served.

use super::windows::Windows;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use taut_shaders::Word;

/// Sampled constants, window by window, and how many draws they stand for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sight {
    pub windows: Windows,
    pub samples: u64,
    pub executions: u64,
}

impl Sight {
    /// Of a shader with so many slots.
    pub fn new(slots: usize) -> Sight {
        Sight { windows: Windows::new(slots), samples: 0, executions: 0 }
    }

    /// Counts the constants of a draw that stands for so many.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        self.windows.observe(constants, settings);
        self.samples += 1;
        self.executions = self.executions.saturating_add(weight);
    }

    /// How many of its draws were sampled, and how many there were.
    pub fn known(&self) -> (u64, u64) {
        (self.samples, self.executions)
    }

    /// Counts so many draws with the same constants, no further than to the window's end, each of which stands for so many.
    pub fn observe_some(&mut self, constants: &[Word], times: u32, weight: u64, settings: &Background) {
        let times = u64::from(self.windows.observe_some(constants, times, settings));
        (self.samples, self.executions) = (self.samples + times, self.executions.saturating_add(times * weight));
    }
}
