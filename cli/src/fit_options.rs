//! Options of `taut analyze` that define when a run is stable enough to measure.

use clap::Args;
use taut_analyze::background::FitSettings;

/// By what a run is judged fit to measure.
#[derive(Debug, Clone, Copy, Args)]
pub struct FitOptions {
    /// Frames of the same work that a run fit to measure has after the driver's last answer
    #[arg(long, value_name = "N", default_value_t = FitSettings::default().frames_needed)]
    pub fit_frames: u64,
    /// Percent by which the cost of frames that are the same may differ
    #[arg(long, value_name = "PERCENT", default_value_t = FitSettings::default().tolerance_ratio * 100.0)]
    pub fit_tolerance: f64,
}

impl FitOptions {
    /// Converts the options to settings.
    pub fn settings(self) -> FitSettings {
        FitSettings { frames_needed: self.fit_frames, tolerance_ratio: self.fit_tolerance / 100.0 }
    }
}
