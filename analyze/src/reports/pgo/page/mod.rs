//! What the page draws of background processing: convergence, and tasks over time.

mod background_series;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use background_series::background_series;
use serde_json::Value;

/// Scripts of the page that draw it.
pub(super) const SCRIPTS: &[&str] = &[
    include_str!("../../../../assets/convergence.js"),
    include_str!("../../../../assets/timeline.js"),
    include_str!("../../../../assets/pgo.js"),
];

/// What is drawn of a trace; null if it has no task and one pass at most.
pub(super) fn drawn(analysis: &Analysis) -> Result<Value, AnalyzeError> {
    Ok(serde_json::to_value(background_series(analysis, analysis.background()?))?)
}
