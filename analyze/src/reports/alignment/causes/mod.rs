//! Causes of the waste at the peak, the change that removes each, and its saving.

mod cause;
mod change;
mod figures;
mod in_heaps;
mod resource_groups;
mod split;

pub use cause::Cause;
pub use change::Change;
pub use figures::{CauseFigures, ChangeFigures};
pub(super) use in_heaps::HEAP_STEP_BYTES;
