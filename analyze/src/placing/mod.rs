//! What an allocator of another policy would make of a recording: the same resources, in other heaps.
//!
//! Which heaps, how large and what lies where is decided anew, by one policy for all; which resources live and when is the
//! recording's. Nothing is played: a policy is judged by the memory that its heaps hold.

mod free_space;
mod outcome;
mod policy;
mod pool;
mod request;
mod slabs;
#[cfg(test)]
mod tests;

pub use outcome::{Placed, PlacingOutcome};
pub use policy::{ParsePolicyError, Policy};
pub use pool::Limits;
pub use request::{Request, RequestKind, Requests};
