//! Present logs of real programs, as written by PresentMon: reading the CSV and repeating the presents on a simulated
//! machine.
//!
//! [`PresentLog::parse`] accepts both generations of PresentMon's columns. [`plan`] finds the displays and their
//! refresh times; [`run`] presents each row's frame at its time. [`predict`] does so without a recording, and counts how many
//! frames are shown at the logged time.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod capframex;
mod cell;
mod columns;
mod comparison;
mod csv_rows;
mod devices;
mod dry_run;
mod error;
mod flip_queue;
mod gpu_cost;
mod input;
mod log;
mod model;
mod plan;
mod player;
mod record_batches;
mod refresh_rate;
mod row;
mod row_reader;
mod steps;
mod swap_chain;

pub use comparison::{Agreement, ComparedDisplay, PresentComparison, SwapChainComparison};
pub use dry_run::{DryRunSetup, predict};
pub use error::{PresentLogError, PresentLogFault};
pub use flip_queue::WaitingFlip;
pub(crate) use input::has_heading;
pub use log::{PresentLog, PresentReading};
pub use model::PresentModel;
pub use plan::{LoggedDisplay, PresentPlan, RefreshSource, plan};
pub use player::{PARAMETERS, run};
pub use row::{LoggedChain, LoggedPresent, Runtime};

#[cfg(test)]
mod tests;
