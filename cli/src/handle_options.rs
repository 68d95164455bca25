//! Options of `taut analyze` for the report on handle memory.

use crate::headings::REPORT_SETTINGS;
use clap::Args;
use taut_analyze::handles::HandleSettings;

/// Settings of the report on handles.
#[derive(Debug, Clone, Copy, Args)]
pub struct HandleOptions {
    /// Cache line of the handles report, a power of two [default: the trace's]
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "BYTES", value_parser = cache_line)]
    pub cache_line_bytes: Option<HandleSettings>,
}

/// Parses the size of a cache line, in bytes.
fn cache_line(text: &str) -> Result<HandleSettings, String> {
    let settings = text.parse().ok().and_then(HandleSettings::of_line);
    settings.ok_or_else(|| "expected a power of two from 8 to 4096".to_owned())
}
