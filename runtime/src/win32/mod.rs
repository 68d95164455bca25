//! Operating system: events and settings.

mod developer_mode;
mod event;
mod system;

pub(crate) use developer_mode::*;
pub(crate) use event::*;
pub use system::SystemState;
