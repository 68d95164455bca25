//! Draws with a pipeline state since the last change of the mode.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use taut_shaders::Word;

/// Maximum number of stored runs of equal constants; older runs are dropped.
const MAX_RUNS: usize = 1024;

/// Draws with a pipeline state since the last SetBackgroundProcessingMode.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Recent {
    /// A draw was submitted in a mode with profiling.
    pub drawn: bool,
    /// Runs of equal sampled constants, with their lengths.
    pub(super) runs: VecDeque<(Vec<Word>, u32)>,
    pub(super) samples: u64,
    pub(super) executions: u64,
}

impl Recent {
    /// Counts a measured execution, with its constants if they were sampled.
    pub fn count(&mut self, sampled: Option<&[Word]>) {
        self.executions += 1;
        let Some(constants) = sampled else { return };
        self.samples += 1;
        match self.runs.back_mut() {
            Some((last, times)) if last == constants && *times < u32::MAX => *times += 1,
            _ => {
                if self.runs.len() == MAX_RUNS {
                    self.runs.pop_front();
                }
                self.runs.push_back((constants.to_vec(), 1));
            }
        }
    }

    /// Drops the measurements, but remembers that the pipeline state was drawn with.
    pub fn forget(&mut self) {
        *self = Recent { drawn: self.drawn, ..Recent::default() };
    }

    /// Returns the runs of equal sampled constants, with their lengths.
    pub fn runs(&self) -> impl Iterator<Item = &(Vec<Word>, u32)> {
        self.runs.iter()
    }

    /// Returns the mean number of executions per sample.
    pub fn executions_per_sample(&self) -> u64 {
        (self.executions / self.samples.max(1)).max(1)
    }
}
