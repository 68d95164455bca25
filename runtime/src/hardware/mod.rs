//! Machine profiles: adapters, their links and displays.

mod bundled;
mod description;
mod efficiency;
mod link;
mod machine_profile;
mod machine_text;
mod validate;

pub use efficiency::Efficiency;
pub use link::Link;
pub use machine_profile::{AdapterHardware, Display, MachineProfile, MemoryKind};
