//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod scenes;
mod steps;
