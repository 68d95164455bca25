//! Behaviour that differs between Windows and other systems. Tests of what exists on Windows alone are skipped by name
//! elsewhere. `tools/windows.sh` runs them under Wine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clocks;
mod console;
mod console_events;
mod files;
mod names;
mod portable;
mod program;
mod recording;
mod tables;
mod text_inputs;
