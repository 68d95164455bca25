//! Options of `taut analyze` for facts about presents that a trace does not hold.

use clap::Args;
use taut_analyze::presents::PresentSettings;

/// What a trace does not know of presents.
#[derive(Debug, Clone, Copy, Args)]
pub struct PresentOptions {
    /// What is left of scan-out reads where the target of a second copy is compressed: above 0, at most 1
    #[arg(long, value_name = "RATIO", default_value = "1", value_parser = ratio)]
    pub scan_out_ratio: f64,
    /// Energy of a byte that the system's memory reads or writes, in picojoules; no power is told without it
    #[arg(long, value_name = "PJ", value_parser = energy)]
    pub memory_pj_per_byte: Option<f64>,
    /// Energy of a byte that a link carries, in picojoules; no power is told without it
    #[arg(long, value_name = "PJ", value_parser = energy)]
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
    let ratio = text.parse().ok().filter(|ratio| *ratio > 0.0 && *ratio <= 1.0);
    ratio.ok_or_else(|| "expected a number above 0 and at most 1".to_owned())
}

fn energy(text: &str) -> Result<f64, String> {
    let energy = text.parse().ok().filter(|energy: &f64| energy.is_finite() && *energy >= 0.0);
    energy.ok_or_else(|| "expected a number that is not below 0".to_owned())
}
