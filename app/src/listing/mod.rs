//! Workloads, driver models and machines that exist by name.

pub mod drivers;
pub mod machines;
pub mod settings;
pub mod workloads;
