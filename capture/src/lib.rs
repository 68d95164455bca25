//! The live side: application threads, locks, real time, the recorder, and the workloads that drive them.

pub mod call_log;
pub mod clock;
pub mod locks;
pub mod machine;
pub mod scene;
pub mod session;
pub mod shell;
mod stop;
mod sync;
pub mod workloads;

pub use clock::Clock;
pub use session::{Session, Unrecorded};
pub use stop::Stop;
