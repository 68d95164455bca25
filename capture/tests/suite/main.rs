//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod locks;
mod memory;
mod own_program;
mod threads;
