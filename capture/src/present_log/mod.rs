//! Real presents, as PresentMon prints them: reading its CSV, and making the presents again on a simulated machine.
//!
//! [`PresentLog::parse`] knows both generations of its columns. [`plan`] says which displays there are and when they
//! refresh; [`run`] presents each row's frame at its time. What then becomes of the frames is in the trace, and
//! [`compare`] tells how many were shown when the log says.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod columns;
mod comparison;
mod error;
mod log;
mod plan;
mod player;
mod row;

pub use comparison::{Ended, PresentComparison, SwapChainComparison, compare};
pub use error::PresentLogFault;
pub use log::{PresentLog, PresentReading};
pub use plan::{LoggedDisplay, PresentPlan, plan};
pub use player::{PARAMETERS, run};
pub use row::{LoggedChain, LoggedPresent};

#[cfg(test)]
mod tests;
