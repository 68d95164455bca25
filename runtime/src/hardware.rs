//! Machines as people describe them: adapters, the links that they hang on, the displays that hang on them.

mod bundled;
mod efficiency;
mod impossible;
mod link;
mod machine_profile;
mod machine_text;

pub use efficiency::Efficiency;
pub use link::Link;
pub use machine_profile::{AdapterHardware, Display, MachineProfile, MemoryKind};
