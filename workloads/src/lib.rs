//! Everything that makes a session's calls: the bundled workloads, scenarios written as TOML, and files of other programs (call
//! logs, glTF scenes, allocators' dumps, captures of presents).
//!
//! A workload is written against [`Callers`](taut_capture::Callers), so the same code runs in a recording and in a test. The
//! generated ones are in [`WORKLOADS`]; a call log is played by [`call_log::run`], a scene is loaded by [`scene::run`].
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod call_log;
pub mod gfxrecon;
pub mod gpgmm;
pub mod inputs;
pub mod memory_dump;
pub mod present_log;
pub mod scene;

mod bundled;
mod encoding;
mod gzip;
mod json_elements;
mod scenario;
mod utf8_reader;

pub use bundled::{
    Parameter, ParameterValue, Parameters, Range, Scenario, Steps, WORKLOADS, Workload, WorkloadError, machine, run,
    steps,
};
pub use scenario::{ScenarioError, ScenarioFile};
