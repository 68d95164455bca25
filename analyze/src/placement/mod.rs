//! Applies another placement policy to a recording: the same resources, in other heaps.
//!
//! Number, size and contents of heaps are decided again, by one policy for all; resources and their lifetimes are those
//! of the recording. Calls are not replayed: a policy is judged by the memory of its heaps.

mod free_space;
mod outcome;
mod policy;
mod pool;
mod request;
mod slabs;
#[cfg(test)]
mod tests;

pub use outcome::{Placed, PlacementOutcome};
pub use policy::{ParsePolicyError, Policy};
pub use pool::Limits;
pub use request::{Request, RequestKind, Requests};
