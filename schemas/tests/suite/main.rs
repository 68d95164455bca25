//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod codec;
mod former_names;
mod rules;
mod schema;
mod statements;
mod store_runs;
mod view;
