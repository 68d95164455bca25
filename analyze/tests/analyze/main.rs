//! Tests of the whole crate, from what happens to what is told.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod asking;
mod background;
mod budgets;
mod d3d12ma;
mod diff;
mod documentation;
mod drawing;
mod figures;
mod files;
mod golden;
mod handles;
mod in_parts;
mod pages;
mod perfetto;
mod recorded;
mod sweep;
mod tiling;
mod verdicts;
mod views;
mod writing;
