//! Runs of instrumented code.

use crate::grid::Run;
use crate::shader::Shader;

/// Cost of a counter per execution, in instructions of the form: a load, an addition, a store.
pub const COUNTER_COST: u64 = 3;

/// Result of a run of instrumented code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Result of the code without counters, except that the executed instructions include the counters' instructions.
    pub run: Run,
    /// Execution counts of the basic blocks, over all lanes: first the body, then the loop bodies in the order of the
    /// text.
    pub counts: Vec<u64>,
}

impl Counted {
    /// Returns the number of instructions executed by counters.
    pub fn counter_executed(&self) -> u64 {
        self.counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)).saturating_mul(COUNTER_COST)
    }
}

/// Returns the number of basic blocks of a shader: its body, and each loop body.
pub(crate) fn basic_block_count(shader: &Shader) -> usize {
    1 + shader.facts().partner.iter().enumerate().filter(|(at, partner)| **partner > *at).count()
}
