//! The conformance kit: checks that any driver model can be put to, and tables of calls with their expected results.
//!
//! Each check makes the runtime's own calls on the driver, over resources of every kind, and compares the answers of the API and the
//! calls at the driver interface with the documents' rules, as the documents' HLK tests do. A new check is a function in a file
//! of its own and one entry in [`CHECKS`].
//!
//! ```
//! use taut_conformance::{Status, check};
//! use taut_runtime::{Profile, Settings, driver};
//!
//! let profile = Profile::named("faulty-buffer-size").ok_or("no such driver")?;
//! let outcome = check("A-52").ok_or("no such check")?.run(&*driver(&profile), &Settings::default());
//! assert_eq!(outcome.status, Status::Fail);
//! # Ok::<(), &'static str>(())
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod cases;
mod checks;
mod grid;

pub use cases::{Case, CaseError, CaseFile, CaseVerdict, Difference, UnsupportedStep, run as run_case};
pub use checks::{CHECKS, Check, FailingCase, Outcome, Status, check, run, run_reporting};
pub use grid::{GridCase, GridResult, grid_cases, run_grid};
