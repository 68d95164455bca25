//! Arguments of `taut replay`.

use super::Common;
use crate::choices;
use crate::headings::WHAT_IF;
use crate::placement_options::{ChangeOptions, PlacementOptions};
use crate::sweep_options::SweepOptions;
use crate::task_options::TaskOptions;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use taut_app::replay::WhatIfOptions;
use taut_replay::Tight;

/// `taut replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// Trace
    pub file: PathBuf,
    /// Driver model (see `taut drivers`), or a profile; A+B: two adapters
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers), help_heading = WHAT_IF)]
    pub driver: Option<String>,
    /// Machine (see `taut machines`), or a profile, with as many adapters; displays keep their size and refresh rate
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::machines), help_heading = WHAT_IF)]
    #[arg(conflicts_with_all = ["place", "sweep", "repeat"])]
    pub machine: Option<String>,
    /// Rule set of the runtime
    #[arg(long, value_name = "RULES", add = choices::named(choices::rules), help_heading = WHAT_IF)]
    #[arg(long_help = choices::one_of("Rule set of the runtime", &choices::rules()))]
    pub rules: Option<String>,
    /// USE_TIGHT_ALIGNMENT on every resource that may have it: on, off or as-recorded
    #[arg(long, value_name = "WHEN", add = choices::named(choices::tight), help_heading = WHAT_IF)]
    pub tight: Option<Tight>,
    /// Setting of the runtime; handle_accesses=true only adds accesses to the trace
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::settings), help_heading = WHAT_IF)]
    pub setting: Vec<String>,
    /// Write every resource that changes to this file, one JSON object per line
    #[arg(long, value_name = "PATH", help_heading = WHAT_IF)]
    pub changes: Option<PathBuf>,
    #[command(flatten)]
    pub placement_policy: PlacementOptions,
    #[command(flatten)]
    pub changed: ChangeOptions,
    #[command(flatten)]
    pub tasks: TaskOptions,
    #[command(flatten)]
    pub sweep: SweepOptions,
    /// Number of replays [default: 1]
    #[arg(hide_default_value = true, long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with_all = ["driver", "rules", "tight", "setting"])]
    pub repeat: u32,
    /// Last stamp to replay
    #[arg(long, value_name = "STAMP")]
    pub until: Option<u64>,
    /// Write a trace of the replay
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Max divergences to print; all are counted [default: 10]
    #[arg(hide_default_value = true, long, default_value_t = 10, value_name = "N")]
    pub limit: usize,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", alias = "format")]
    pub report: Option<ReportForm>,
}

impl Replay {
    /// Changes of a what-if.
    pub fn what_if_options(&self) -> WhatIfOptions {
        WhatIfOptions {
            driver: self.driver.clone(),
            machine: self.machine.clone(),
            rules: self.rules.clone(),
            settings: self.setting.clone(),
            tight: self.tight,
            changes: self.changed.change.clone(),
            workers: self.tasks.workers,
            task_ns: self.tasks.task_ns,
        }
    }

    /// True if the result is to be printed as JSON.
    pub fn is_json(&self, common: Common) -> bool {
        common.json || self.report == Some(ReportForm::Json)
    }
}

/// Output formats of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// Text and tables
    Table,
    /// One JSON document
    Json,
}
