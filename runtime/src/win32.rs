//! The operating system: its events and its settings.

mod developer_mode;
mod event;
mod system;

pub(crate) use developer_mode::*;
pub(crate) use event::*;
pub use system::SystemState;
