//! Command line conventions shared by the programs: arguments, outputs, terminal printing, exit codes.

pub mod address_space;
pub mod args;
pub mod cache;
pub mod child_end;
#[cfg(windows)]
mod console_events;
#[cfg(windows)]
mod console_mode;
mod exit;
pub mod input;
pub mod interrupt;
mod kinds;
pub mod outcome;
pub mod output;
mod own_file;
pub mod parquet_footer;
pub mod printing;
pub mod progress;
pub mod snapshot_signal;
pub mod threads;
pub mod traces;
mod unfinished;

pub use exit::{arguments, arguments_of, exit, report_failure};
pub use own_file::open_own;
pub use unfinished::{end, remove_unfinished};
