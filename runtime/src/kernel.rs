//! The graphics kernel: which adapters have started, what their kernel-mode drivers can do, and what is shown.

mod adapter;
mod changes;
mod described;
mod desktop;
mod frame_end;
mod front;
mod path;
mod presents;
mod saved;
mod shared;
mod state;

pub(crate) use adapter::{start_adapter, stop_adapter};
pub(crate) use described::{advance_simulation, connect, describe_adapter, describe_machine, refresh_display};
pub(crate) use desktop::Window;
pub(crate) use front::{FRAME_LATENCY, Front, Maker};
pub(crate) use presents::{Presents, SwapChain};
pub(crate) use shared::SharedResource;
pub use state::DisplayState;
