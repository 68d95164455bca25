//! The bundled workloads.
//!
//! A workload is written against [`Callers`](crate::Callers), so the same code runs in a recording and in a test. The
//! generated ones are in [`WORKLOADS`]; a call log is played by [`call_log::run`](crate::call_log::run), a scene is
//! loaded by [`scene::run`](crate::scene::run).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub(crate) mod allocator;
mod benchmark_priming;
pub(crate) mod content;
pub(crate) mod contexts;
mod drawing_device;
mod error;
mod event;
mod external_gpu;
mod game_session;
pub(crate) mod go_on;
mod hybrid_laptop;
mod legacy_d3d9;
#[cfg(test)]
pub(crate) mod memory_session;
mod mode;
mod mode_storm;
mod multiple_displays;
mod never_converges;
mod parameter;
mod parameters;
mod phase;
mod pipeline;
mod pix_single_frame;
mod presented_game;
pub(crate) mod presented_machine;
mod random;
pub(crate) mod refusal;
pub(crate) mod renderer;
pub(crate) mod rendezvous;
mod resize_storm;
mod room;
mod rotated_display;
mod scenario_file;
mod skip_training;
mod small_level;
mod steps;
mod streaming_world;
mod table;
mod texture_upload;
pub(crate) mod thread_group;
mod turn_off;

pub use error::WorkloadError;
pub use parameter::{Parameter, ParameterValue, Range};
pub use parameters::Parameters;
pub use scenario_file::{ScenarioError, ScenarioFile};
pub use steps::Steps;
pub use table::{Scenario, WORKLOADS, Workload, machine, run, steps};
