//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod cache;
mod event_tables;
mod explain;
mod fleet;
mod generated;
mod lake;
mod lake_queries;
mod limits;
mod program;
mod pruned;
mod queries;
mod recording;
mod shell;
mod unsupported;
