//! How two traces differ: calls, results, messages and report figures.
//!
//! Calls are matched by thread and position: the third call of thread 2 in one trace is the third call of thread 2 in the
//! other. Objects, events and tasks are matched by the calls that gave them, each in their own id space, so that other
//! numbers alone are no difference.

mod calls;
mod figures;
mod record;
mod values;
mod verdict;

pub use calls::{CallDiff, FieldDiff, MessageDiff, diff_calls};
pub use figures::{FigureDiff, diff_figures};

use serde::Serialize;

/// How two traces, `a` and `b`, differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceDiff {
    /// Calls, their arguments and results, and messages.
    pub calls: CallDiff,
    /// Report figures that are others.
    pub figures: Vec<FigureDiff>,
}

impl TraceDiff {
    /// Nothing differs.
    pub fn is_identical(&self) -> bool {
        self.calls.is_identical() && self.figures.is_empty()
    }
}
