//! What a person meets first: arguments that programs share, where results go, how they look on a terminal, how a
//! command ends.

pub mod args;
pub mod cache;
mod exit;
pub mod input;
pub mod interrupt;
mod kinds;
pub mod outcome;
pub mod output;
pub mod printing;
pub mod progress;
pub mod snapshot_signal;
pub mod traces;
mod unfinished;

pub use exit::{arguments, exit, tell_failure};
pub use unfinished::end;
