//! Set-ups that the integration tests of several crates share. A failure of a set-up panics, as that of a test does.
//!
//! Nothing but tests depends on this crate. It serves the crates from `workloads` and `replay` upward: the unit tests of
//! a crate that it imports would see two copies of that crate's types, and `traces`, `runtime` and `capture` would
//! compile everything above them.
#![allow(clippy::expect_used)]

mod devices;
mod etl_file;
mod files;
mod programs;
mod recording;
mod replaying;

pub use devices::{d3d11_device, d3d12_device};
pub use etl_file::{EtlEvent, EtlFile};
pub use files::{repository_file, testdata};
pub use programs::{Run, Taut, built_program};
pub use recording::{Recording, recorded, recorded_scenario, recorded_under, short, workload_parameters};
pub use replaying::{assert_replays, replayed};
