//! Arguments of the commands that list or explain workloads, drivers and machines.

use crate::choices;
use clap::Args;

/// `taut workloads`.
#[derive(Debug, Args)]
pub struct Workloads {
    /// Explain this workload, its parameters and their defaults
    #[arg(add = choices::named(choices::workloads))]
    #[arg(long_help = choices::one_of("Explain this workload, its parameters and their defaults", &choices::workloads()))]
    pub name: Option<String>,
}

/// `taut drivers`.
#[derive(Debug, Args)]
pub struct Drivers {
    /// Explain this model and print its profile, to start your own from
    #[arg(add = choices::named(choices::drivers))]
    #[arg(long_help = choices::one_of("Explain this model and print its profile, to start your own from", &choices::drivers()))]
    pub name: Option<String>,
}

/// `taut machines`.
#[derive(Debug, Args)]
pub struct Machines {
    /// Explain this machine and print its profile, to start your own from
    #[arg(add = choices::named(choices::machines))]
    #[arg(long_help = choices::one_of("Explain this machine and print its profile, to start your own from", &choices::machines()))]
    pub name: Option<String>,
}
