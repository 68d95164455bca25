//! Background processing: the queue of work items that a driver submits. It decides which task may start on which
//! worker, which are cancelled and which commits are done; its callers own the threads.
//!
//! Rules B-20 and following are from the background-processing document (`docs/rules.md`).

mod begun_mode_change;
pub(crate) mod commit;
pub(crate) mod destruction;
pub(crate) mod mode_change;
pub(crate) mod policy;
pub(crate) mod queue;
mod saved;
pub(crate) mod task;

#[cfg(test)]
mod tests;

pub use policy::{AtDestruction, TaskPolicy};
