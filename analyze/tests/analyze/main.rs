//! Tests of the whole crate, from what happens to what is told.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod d3d12ma;
mod drawing;
mod golden;
mod recorded;
mod sweep;
mod writing;
