//! Tests of the whole crate, from events to reports.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod background;
mod budgets;
mod chunked_scan;
mod d3d12ma;
mod diff;
mod documentation;
mod figures;
mod files;
mod frozen;
mod golden;
mod handles;
mod imported;
mod pages;
mod perfetto;
mod plain_text;
mod queries;
mod recorded;
mod sweep;
mod tiling;
mod trace_builder;
mod verdicts;
mod views;
