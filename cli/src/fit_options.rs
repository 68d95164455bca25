//! Options of `taut analyze` that define when a run is stable enough to measure.

use crate::headings::REPORT_SETTINGS;
use clap::Args;
use taut_analyze::background::FitSettings;
use taut_app::analyze::fit_settings;

/// Definition of a run that is stable enough to measure.
#[derive(Debug, Clone, Copy, Args)]
pub struct FitOptions {
    /// Repeated frames that a stable run has after the last answer of the driver
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "N", default_value_t = FitSettings::default().frames_needed)]
    pub fit_frames: u64,
    /// Max difference of the cost of repeated frames, in percent
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "PERCENT", default_value_t = FitSettings::default().tolerance_ratio * 100.0)]
    pub fit_tolerance: f64,
}

impl FitOptions {
    /// Converts the options to settings.
    pub fn settings(self) -> FitSettings {
        fit_settings(Some(self.fit_frames), Some(self.fit_tolerance))
    }
}
