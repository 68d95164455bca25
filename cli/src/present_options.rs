//! Options of `taut analyze` for facts about presents that a trace does not hold.

use crate::headings::REPORT_SETTINGS;
use clap::Args;
use taut_analyze::presents::PresentSettings;
use taut_app::analyze::scan_out_ratio;

/// Facts about presents that a trace does not contain.
#[derive(Debug, Clone, Copy, Args)]
pub struct PresentOptions {
    /// Compression of scan-out reads, above 0 and at most 1
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "RATIO", default_value = "1", value_parser = ratio)]
    pub scan_out_ratio: f64,
    /// Energy of a byte of system memory, in picojoules; the power needs it
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "PJ", value_parser = energy)]
    pub memory_pj_per_byte: Option<f64>,
    /// Energy of a byte of a link, in picojoules; the power needs it
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "PJ", value_parser = energy)]
    pub link_pj_per_byte: Option<f64>,
}

impl PresentOptions {
    /// Converts the options to settings.
    pub fn settings(&self) -> PresentSettings {
        let PresentOptions { scan_out_ratio, memory_pj_per_byte, link_pj_per_byte } = *self;
        PresentSettings { compression_ratio: scan_out_ratio, memory_pj_per_byte, link_pj_per_byte }
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    // Text that is no number fails the check, too.
    scan_out_ratio(text.parse().unwrap_or(f64::NAN))
}

fn energy(text: &str) -> Result<f64, String> {
    taut_app::analyze::energy(text.parse().unwrap_or(f64::NAN))
}
