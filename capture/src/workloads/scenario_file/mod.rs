//! Scenarios of one's own: what an application's threads do about background processing, written as TOML.
//!
//! A file has phases, one after another; in each the threads take their steps: they set modes, play frames of a set of
//! shaders with constants by expression, wait, release, and do so again. [`ScenarioFile::parse`] says what is wrong with a
//! text, and where; [`ScenarioFile::run`] makes the calls.

mod expression;
mod expression_text;
mod file;
mod play;
mod read;
mod shader_sets;
mod stage;
mod step;
mod step_text;
mod table_text;

#[cfg(test)]
mod tests;

pub use file::{ScenarioError, ScenarioFile};
