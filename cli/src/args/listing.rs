//! Arguments of the commands that list or explain workloads, drivers and machines.

use crate::choices;
use clap::Args;

/// `taut workloads`.
#[derive(Debug, Args)]
pub struct Workloads {
    /// Workload to explain: its parameters and their defaults [default: list all]
    #[arg(add = choices::named(choices::workloads))]
    pub name: Option<String>,
}

/// `taut drivers`.
#[derive(Debug, Args)]
pub struct Drivers {
    /// Driver model to print, with its profile as a start for your own [default: list the sound models]
    #[arg(add = choices::named(choices::drivers))]
    pub name: Option<String>,
    /// List the faulty models instead, each with the conformance checks that it fails
    #[arg(long, conflicts_with = "name")]
    pub faulty: bool,
}

/// `taut machines`.
#[derive(Debug, Args)]
pub struct Machines {
    /// Machine to print, with its profile as a start for your own [default: list all]
    #[arg(add = choices::named(choices::machines))]
    pub name: Option<String>,
}
