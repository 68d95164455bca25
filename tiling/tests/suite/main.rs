//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod addresses;
mod copies;
mod guarded;
mod readme;
mod rectangles;
mod refusals;
mod stores;
mod vectors;
mod write_combining;
