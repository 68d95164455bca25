//! The bundled workloads, and how a workload makes its calls.

mod caller;
mod error;
pub(crate) mod free_map;
#[cfg(test)]
pub(crate) mod rehearsal;

pub use caller::{Caller, Callers};
pub use error::WorkloadError;
