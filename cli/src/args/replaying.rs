//! Arguments of `taut replay`.

use super::Common;
use crate::choices;
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
    /// The trace
    pub file: PathBuf,
    /// What if: another driver model's name, or a profile of your own; A+B for an adapter each
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers))]
    #[arg(long_help = choices::one_of("What if: another driver model's name, or a profile of your own; A+B for an adapter \
        each", &choices::drivers()))]
    pub driver: Option<String>,
    /// What if: another rule set of the runtime
    #[arg(long, value_name = "RULES", add = choices::named(choices::rules))]
    #[arg(long_help = choices::one_of("What if: another rule set of the runtime", &choices::rules()))]
    pub rules: Option<String>,
    /// What if: every resource that may have the tight flag has it (on), or none has (off)
    #[arg(long, value_name = "on|off|as-recorded", add = choices::named(choices::tight))]
    pub tight: Option<Tight>,
    /// What if: another setting of the runtime; handle_accesses=true tells more than was recorded and changes nothing
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::settings))]
    pub setting: Vec<String>,
    /// What if: write every resource that changed to this file, a JSON object per line
    #[arg(long, value_name = "PATH")]
    pub changes: Option<PathBuf>,
    #[command(flatten)]
    pub placement_policy: PlacementOptions,
    #[command(flatten)]
    pub changed: ChangeOptions,
    #[command(flatten)]
    pub tasks: TaskOptions,
    #[command(flatten)]
    pub sweep: SweepOptions,
    /// Replay so many times
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with_all = ["driver", "rules", "tight", "setting"])]
    pub repeat: u32,
    /// Stop after the last event with a stamp up to this
    #[arg(long, value_name = "STAMP")]
    pub until: Option<u64>,
    /// Write what happened to a new trace
    #[arg(short, long, value_name = "NEW")]
    pub output: Option<PathBuf>,
    /// Show so many divergences; all are counted
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub limit: usize,
    /// Print the result in this form
    #[arg(long, value_enum, value_name = "FORM")]
    pub report: Option<ReportForm>,
}

impl Replay {
    /// Changes of a what-if.
    pub fn what_if_options(&self) -> WhatIfOptions {
        WhatIfOptions {
            driver: self.driver.clone(),
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

/// The forms of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// Tables for people
    Table,
    /// One JSON document
    Json,
}
