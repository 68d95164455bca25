//! Events that Windows reported, imported from its traces, as the values of tables and reports.
//!
//! A value that depends on events that a trace lacks is `None`, never 0.

mod activity;
mod curve;
mod event;
mod gpu;
mod object_allocations;
mod present;
mod present_tracker;
mod processes;
mod queues;
mod residency;
mod swap_chains;
mod video_memory;
mod work;
mod world;
mod world_event;

pub use activity::Activity;
pub use curve::{Curve, CurvePoint};
pub use gpu::GpuGroup;
pub use object_allocations::ObjectAllocationSums;
pub use present::{ImportedPresent, ImportedPresents, PresentCounts, PresentPath, PresentSubmission};
pub use processes::Processes;
pub use queues::QueueGroup;
pub use residency::Residency;
pub use swap_chains::SwapChain;
pub use video_memory::{AlignmentClass, AllocationSums, ProcessMemory, SegmentMemory};
pub use work::{PipelineSums, ThreadWork, WorkRun};
pub use world::world;

use crate::error::AnalyzeError;
use crate::events::{Source, any_codes};
use event::PresentEvent;
use present_tracker::PresentTracker;
use taut_traces::Trace;

/// True if the trace was imported from a trace of Windows.
pub fn is_imported(trace: &Trace) -> bool {
    trace.header().world.workload.imported_from().is_some()
}

/// Presents of an imported trace. `None` if the trace has no event that begins or ends one.
///
/// # Errors
/// The trace could not be read.
pub fn presents(source: &Source) -> Result<Option<ImportedPresents>, AnalyzeError> {
    let trace = source.trace();
    let codes = event::codes_of_presents(&trace.header().schema);
    if !is_imported(trace) || !any_codes(trace, &codes) {
        return Ok(None);
    }
    PresentEvent::reader(source).track(PresentTracker::new(trace)).map(Some)
}
