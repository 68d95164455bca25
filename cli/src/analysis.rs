//! A trace under analysis, with its header's driver model to ask.

use std::sync::Arc;
use taut_analyze::{Analysis, AnalyzeError};
use taut_replay::RecordedSizes;
use taut_traces::Trace;

/// An analysis whose advice is computed: by the driver model and the rules of the trace's header, where this build knows them.
pub fn advised(trace: impl Into<Arc<Trace>>) -> Result<Analysis, AnalyzeError> {
    let trace = trace.into();
    let sizes = RecordedSizes::of(&trace.header().world);
    let analysis = Analysis::new(trace)?;
    Ok(match sizes {
        Ok(sizes) => analysis.with_sizes(Arc::new(sizes)),
        Err(_) => analysis,
    })
}
