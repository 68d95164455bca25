//! Logs of a program's Direct3D calls (format d3d12-calls, versions 1 and 2): reading and playing them.
//!
//! A log is JSON lines, plain or compressed with gzip: a header, then one line per call. [`read`] returns the whole
//! log, [`LogReader`] single lines. Every fault is a [`LogError`] with file, line and column; lines before it remain
//! usable.
//!
//! [`run`] makes the log's calls on the log's threads and in the log's order, under any driver; a [`plan`] made
//! beforehand has the changes that this needs.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answers;
mod bind;
mod convert;
mod create;
mod difference;
mod error;
mod header;
mod line;
mod line_source;
mod log;
mod name;
mod object_check;
mod parse;
mod plan;
mod player;
mod query;
mod raw;
mod reader;
mod run;
mod submission;
mod submission_line;
mod summary;
mod text;
mod turn_lock;
mod use_line;

pub use answers::{Comparison, Difference};
pub use difference::{DifferenceGroup, Differences};
pub(crate) use error::json_fault;
pub use error::{LogError, Position};
pub use header::LogHeader;
pub use line::{
    AllocationQuery, FeatureQuery, FootprintQuery, HeapCreation, LogCall, LogLine, Place, ResourceCreation, Verdict,
};
pub(crate) use line_source::{LineSource, Numbering, StoredLines};
pub use log::{CallLog, Reading, read};
pub use name::CallName;
pub use plan::{Changes, Plan, plan};
pub use player::{CAPTURE_PHASE, STATE_PHASE};
pub use reader::LogReader;
pub(crate) use reader::MAX_THREADS;
pub(crate) use run::play;
pub use run::{run, run_counting};
pub use submission_line::{SubmissionCall, SubmissionLine};
pub use summary::{Failure, RunSummary};
pub use use_line::{
    BufferPlace, BufferRange, BufferUseLine, Geometry, RayDispatch, ShaderTable, StructureBuild, ViewDesc,
};

#[cfg(test)]
mod tests;
