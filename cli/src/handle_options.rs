//! Options of `taut analyze` for the report on handle memory.

use crate::headings::REPORT_SETTINGS;
use clap::Args;
use taut_analyze::handles::HandleSettings;

/// Settings of the report on handles.
#[derive(Debug, Clone, Copy, Args)]
pub struct HandleOptions {
    /// Cache of the handles report, such as 48KiB:12:64 [default: 32KiB:8: and the trace's line]
    #[arg(long, help_heading = REPORT_SETTINGS, value_name = "SIZE:WAYS:LINE")]
    pub cache_geometry: Option<HandleSettings>,
}
