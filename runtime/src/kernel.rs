//! The graphics kernel: which adapters have started, what their kernel-mode drivers can do, and what is shown.

mod adapter;
mod state;

pub(crate) use adapter::{start_adapter, stop_adapter};
pub use state::DisplayState;
