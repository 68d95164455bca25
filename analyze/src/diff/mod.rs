//! How two traces differ: calls, results, messages and report figures.
//!
//! The calls of a thread in one trace are aligned with those of the same thread in the other, by what they say and the
//! names of what they are about, so that a call more or less shifts nothing. Objects, events and tasks are matched by the calls that gave them, each in their own id space, so that other
//! numbers alone are no difference.

mod align;
mod calls;
mod figures;
mod keys;
mod presents;
mod record;
mod values;
mod verdict;

pub use calls::{AloneCall, CallDiff, FieldDiff, MessageDiff, diff_calls};
pub use figures::{FigureDiff, diff_figures};
pub use presents::{SwapChainDiff, diff_presents};

use serde::Serialize;

/// How two traces, `a` and `b`, differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceDiff {
    /// Calls, their arguments and results, and messages.
    pub calls: CallDiff,
    /// Swap chains that are presented in another way, or at another cost.
    pub presents: Vec<SwapChainDiff>,
    /// Report figures that are others.
    pub figures: Vec<FigureDiff>,
}

impl TraceDiff {
    /// Nothing differs.
    pub fn is_identical(&self) -> bool {
        self.calls.is_identical() && self.presents.is_empty() && self.figures.is_empty()
    }
}
