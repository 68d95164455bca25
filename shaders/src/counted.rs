//! Runs of code that has counters in it.

use crate::grid::Run;
use crate::shader::Shader;

/// Instructions of the form that a counter costs each time: a load, an addition, a store.
pub const COUNTER_COST: u64 = 3;

/// What a run of code with counters gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// What the code gives without them; executed are the counters' instructions, too.
    pub run: Run,
    /// How often each straight stretch of the code was executed, all lanes together: first the body, then the loops in the order
    /// of the text, trip by trip.
    pub counts: Vec<u64>,
}

impl Counted {
    /// Instructions that the counters executed.
    pub fn counter_executed(&self) -> u64 {
        self.counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)).saturating_mul(COUNTER_COST)
    }
}

/// Straight stretches of a shader: its body, and each loop's.
pub(crate) fn stretches(shader: &Shader) -> usize {
    1 + shader.facts().partner.iter().enumerate().filter(|(at, partner)| **partner > *at).count()
}
