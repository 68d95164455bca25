//! Chart data of background processing: convergence, and tasks over time.

mod background_series;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::pgo::audits::Evidence;
use crate::reports::pgo::fit::fit;
use background_series::background_series;
use serde_json::Value;

/// Scripts of the page for this report.
pub(super) const SCRIPTS: &[&str] = &[
    include_str!("../../../page/assets/convergence.js"),
    include_str!("../../../page/assets/timeline.js"),
    include_str!("../../../page/assets/pgo.js"),
];

/// Returns the chart data; null if the trace has no task and no mode call.
pub(super) fn page_data(analysis: &Analysis) -> Result<Value, AnalyzeError> {
    let fit = fit(&Evidence::of(analysis)?, &analysis.fit_settings(), None);
    Ok(serde_json::to_value(background_series(analysis, analysis.background()?, fit.answer_stamp))?)
}
