//! Why memory is wasted at the peak: causes that add up, what removes each, and what that saves.

mod alike;
mod cause;
mod change;
mod figures;
mod in_heaps;
mod split;

pub use cause::Cause;
pub use change::Change;
pub use figures::{CauseFigures, ChangeFigures};
