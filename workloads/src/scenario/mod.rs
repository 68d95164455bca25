//! Custom scenarios in TOML: how an application's threads use background processing.
//!
//! A file has consecutive phases. In each phase threads execute steps: set modes, draw frames of a set of shaders with
//! constants by expression, wait, release, and repeat. [`ScenarioFile::parse`] reports errors with their position;
//! [`ScenarioFile::run`] makes the calls.

mod error;
mod expression;
mod expression_text;
mod file;
mod play;
mod read;
mod shader_sets;
mod shared_state;
mod step;
mod step_text;
mod table_text;

#[cfg(test)]
mod tests;

pub use error::ScenarioError;
pub use file::ScenarioFile;
