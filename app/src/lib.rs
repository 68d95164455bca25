//! The operations of the command line as functions from options to values.
//!
//! A function takes a struct of options and returns a value or an [`Error`]. It reads no input from the user, prints
//! nothing, installs no signal handler and never ends the process. It reports progress to a [`Progress`] and writes a
//! trace to a writer that the caller opens; warnings are part of the value. `taut` parses arguments, opens files and
//! prints; a module for another language calls the same functions.

pub mod alloc_info;
mod analysis;
pub mod analyze;
pub mod cases;
mod charts;
pub mod control;
pub mod diff;
pub mod dump;
mod error;
pub mod etl_info;
pub mod etl_profile;
pub mod export;
pub mod hlk;
pub mod hlk_grid;
pub mod import;
pub mod info;
pub mod listing;
mod progress;
pub mod record;
pub mod recover;
pub mod replay;
#[cfg(target_os = "linux")]
pub mod run;
mod scratch;
pub mod tile_info;
pub mod world;

pub use analysis::advised;
pub use error::Error;
pub use progress::{NoProgress, Progress, Step};
