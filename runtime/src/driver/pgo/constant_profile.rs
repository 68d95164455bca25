//! Sampled constants of a subset of a pipeline state's draws: the draws of a branch, or the draws that used a variant.

use super::windows::Windows;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use taut_shaders::Word;

/// Executions of some draws.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampleCounts {
    /// Number of sampled executions.
    pub samples: u64,
    /// Number of all executions.
    pub executions: u64,
}

/// Sampled constants by window, and the number of draws that they represent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ConstantProfile {
    pub windows: Windows,
    pub samples: u64,
    pub executions: u64,
}

impl ConstantProfile {
    /// Creates counts for a shader with this number of slots.
    pub fn new(slots: usize) -> ConstantProfile {
        ConstantProfile { windows: Windows::new(slots), samples: 0, executions: 0 }
    }

    /// Counts the constants of a sampled draw that represents `weight` draws.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        self.windows.observe(constants, settings);
        self.samples += 1;
        self.executions = self.executions.saturating_add(weight);
    }

    /// Returns the numbers of sampled and of all draws.
    pub fn known(&self) -> SampleCounts {
        SampleCounts { samples: self.samples, executions: self.executions }
    }

    /// Counts draws with the same constants up to the end of the window, each of which represents `weight` draws.
    pub fn observe_some(&mut self, constants: &[Word], times: u32, weight: u64, settings: &Background) {
        let times = u64::from(self.windows.observe_some(constants, times, settings));
        (self.samples, self.executions) = (self.samples + times, self.executions.saturating_add(times * weight));
    }
}
