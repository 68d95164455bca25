//! The rules of contexts and their handles as predicates over what is said at the driver's interface: one automaton, whoever
//! listens. It knows nothing of a runtime.

mod accesses;
mod audit;
mod audited;
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
pub use event::{HandleEvent, HeardIn};
pub use feed::HandleFeed;
