//! Differences between two traces: calls, results, messages and report figures.
//!
//! The calls of a thread in one trace are aligned with the calls of the same thread in the other trace, by their
//! arguments and the names of their objects, so that an inserted or removed call does not shift the rest. Objects,
//! events and tasks are matched by the calls that created them, each in their own id space, so that different numbers
//! alone are no difference.

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

/// Differences between two traces, `a` and `b`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceDiff {
    /// Calls, their arguments and results, and messages.
    pub calls: CallDiff,
    /// Swap chains with other present paths or costs.
    pub presents: Vec<SwapChainDiff>,
    /// Report figures that differ.
    pub figures: Vec<FigureDiff>,
}

impl TraceDiff {
    /// True if nothing differs.
    pub fn is_identical(&self) -> bool {
        self.calls.is_identical() && self.presents.is_empty() && self.figures.is_empty()
    }
}
