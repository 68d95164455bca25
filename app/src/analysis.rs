//! Analyses whose advice is computed by the driver model in the trace's header.

use std::sync::Arc;
use taut_analyze::{Analysis, AnalyzeError};
use taut_replay::RecordedSizes;
use taut_traces::Trace;

/// Opens an analysis that computes its advice with the driver model and the rules of the trace's header. If this build
/// does not know them, the analysis gives no advice.
pub fn advised(trace: impl Into<Arc<Trace>>) -> Result<Analysis, AnalyzeError> {
    let trace = trace.into();
    let sizes = RecordedSizes::of(&trace.header().world);
    let analysis = Analysis::new(trace)?;
    Ok(match sizes {
        Ok(sizes) => analysis.with_sizes(Arc::new(sizes)),
        Err(_) => analysis,
    })
}
