//! Benchmarks of `taut bench`. Each takes options and returns a value with its figures; the caller prints it, as text
//! or as JSON. Each measures a floor in the same run, so that its ratios hold on every machine.
//!
//! Recorded results are in `bench/results`, from which `docs/performance.md` is generated.

#[cfg(target_os = "linux")]
pub mod abi;
pub mod capture;
pub mod contexts;
mod error;
pub mod etl;
pub mod overhead;
mod pairs;
pub mod present;
pub mod record;
pub mod replay;
mod scratch;
mod start_gate;
mod statistics;
mod thread_time;
pub mod tile;
mod workload;

pub use error::BenchError;
