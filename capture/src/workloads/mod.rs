//! The bundled workloads, and how a workload makes its calls.
//!
//! A workload is written against [`Callers`], so the same code runs in a recording and in a test. The generated ones are
//! in [`WORKLOADS`]; a call log is played by [`call_log::run`](crate::call_log::run), a scene is loaded by
//! [`scene::run`](crate::scene::run).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod caller;
pub(crate) mod content;
mod error;
pub(crate) mod kit;
mod parameters;
mod pix_single_frame;
mod random;
#[cfg(test)]
pub(crate) mod rehearsal;
pub(crate) mod renderer;
mod rendezvous;
mod small_level;
mod streaming_world;
mod table;
mod texture_upload;

pub use caller::{Caller, Callers};
pub use error::WorkloadError;
pub use parameters::{Parameter, ParameterValue, Parameters, Range};
pub use table::{Scenario, WORKLOADS, Workload, run};
