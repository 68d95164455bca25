//! Re-executes a trace and compares everything the runtime and its driver say with what was recorded.
//!
//! The recorded world (driver profile, rules, settings) is rebuilt from the trace's header; every API call is made
//! again in stamp order; the live driver model answers every DDI call, and the recorded answer is compared with it,
//! never imposed. A difference is data: a [`Divergence`].

mod divergence;
mod execute;
mod handles;
mod live;
mod replayer;
mod world;

pub use divergence::Divergence;
pub use replayer::{Options, Outcome, ReplayError, Replayer};
pub use world::{ReplayWorld, WorldError};
