//! Re-executes a trace and compares everything the runtime and its driver say with what was recorded.
//!
//! The recorded world (driver profile, rules, settings) is rebuilt from the trace's header; every API call is made
//! again in stamp order; the live driver model answers every DDI call, and the recorded answer is compared with it,
//! never imposed. A difference is data: a [`Divergence`].

//!
//! [`Replayer::what_if`] asks what would have been: under another driver, other rules, or with tight alignment;
//! background tasks go by a [`TaskModel`] there.

mod calls;
mod cut;
mod divergence;
mod error;
mod handles;
mod known_event;
mod live;
mod mid_stream;
mod narrowed;
mod outcome;
mod output;
mod parallel_executor;
mod policy;
mod recorded_sizes;
mod recording;
mod replayer;
mod run;
mod tasks;
mod thread;
mod what_if;
mod world;

pub use cut::Cut;
pub use divergence::Divergence;
pub use error::ReplayError;
pub use outcome::Outcome;
pub use recorded_sizes::RecordedSizes;
pub use recording::Options;
pub use replayer::Replayer;
pub use tasks::{TaskModel, TaskTimes};
pub use what_if::{
    CauseChange, Changes, HeapChange, ParseChangeError, ParseTightError, Place, ResourceChange, Tight, WhatIfOutcome,
};
pub use world::{ReplayWorld, WorldError};
