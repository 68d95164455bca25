//! The rules of contexts and their handles as checks over events of the driver's interface, for live runtimes and for
//! traces. Independent of the runtime.

mod accesses;
mod audit;
mod audited;
mod describe;
mod event;
mod feed;
mod lines;
mod open_counts;
mod recording;
mod slots;
#[cfg(test)]
mod tests;

pub use audit::{BrokenRule, HandleAudit};
pub use audited::AUDITED;
pub use event::{CallSpan, HandleEvent};
pub use feed::HandleFeed;
