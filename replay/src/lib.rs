//! Re-executes a trace and compares every event of the runtime and its drivers with the recorded one.
//!
//! The recorded world (driver profile, rules, settings) is rebuilt from the trace's header; every API call is executed
//! in stamp order; the live driver model answers every DDI call, and the recorded answer is compared with it, never
//! imposed. A difference is data: a [`Divergence`].

//!
//! [`Replayer::what_if`] replays under another driver, other rules, or with tight alignment; background tasks then
//! follow a [`TaskModel`].

mod calls;
mod divergence;
mod error;
mod handles;
mod known_event;
mod live_events;
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
mod split_at;
mod tasks;
mod thread;
mod what_if;
mod world;

pub use divergence::Divergence;
pub use error::ReplayError;
pub use outcome::Outcome;
pub use recorded_sizes::RecordedSizes;
pub use recording::Options;
pub use replayer::Replayer;
pub use split_at::SplitPoint;
pub use tasks::{TaskModel, TaskSpread, TaskTimes};
pub use what_if::{
    CauseChange, Changes, HeapChange, MachineChange, ParseChangeError, ParseTightError, Place, ResourceChange, Tight,
    WhatIfOutcome,
};
pub use world::{ReplayWorld, WorldError};
