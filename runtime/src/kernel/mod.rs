//! Graphics kernel: started adapters, caps of their kernel-mode drivers, and displayed frames.

mod adapter;
mod advance;
mod changes;
mod desktop;
mod frame_end;
mod front;
mod machine_inputs;
mod overlay_functions;
mod path;
mod presents;
mod saved;
mod shared;
mod state;
mod swap_chain;

pub(crate) use adapter::{start_adapter, stop_adapter};
pub(crate) use desktop::Window;
pub(crate) use front::{ApplicationState, FRAME_LATENCY, SwapChainOwner};
pub(crate) use machine_inputs::{advance_simulation, connect, describe_adapter, describe_machine, refresh_display};
pub(crate) use presents::Presents;
pub(crate) use shared::SharedResource;
pub use state::DisplayState;
pub(crate) use swap_chain::SwapChain;
