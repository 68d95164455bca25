//! Tests of this crate, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod adapters;
mod advice;
mod background;
mod call_log;
mod context_faults;
mod context_programs;
mod contexts;
mod faults;
mod interrupted;
mod older;
mod panics;
mod present_programs;
mod presents;
mod recording;
mod rundown;
mod what_if;
mod what_if_tasks;
mod workloads;
