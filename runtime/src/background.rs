//! Background processing: the queue of the work items that a driver hands to the runtime. It says which may begin, on
//! which worker, which are cancelled and which commits are done; who calls it has the threads.
//!
//! Rules B-20 and following are those of the background-processing document (`docs/rules.md`).

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
