//! Handles per context, and the cost of several deferred contexts compared to one.

use super::ReportInputs;
use crate::handles::ProjectedHandles;
use crate::reports::figures::figures;

figures! {
    /// Objects of one type that a context has opened.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ObjectFigures {
        handle_type: String, Text, same;
        objects: u64, Count, "Distinct objects that the context has opened; of a line, the objects whose handle memory was accessed in transfers, by type and immediate-context handle.", after thread_changes;
        object_bytes: u64, Bytes, "Size of one handle of each object.", after objects;
    }
}

figures! {
    /// Figures of one context.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ContextFigures {
        peak_bytes: u64, Bytes, same;
        peak_allocated_bytes: u64, Bytes, same;
        peak_handles: u64, Count, same;
        by_type: Vec<ObjectFigures>, List, same;
        context: u64, Id, same;
        kind: &'static str, Text, "`immediate` or `deferred`.";
        opened: u64, Count, "Handles created in the immediate context, or opened in a deferred one.";
        opened_bytes: u64, Bytes, "Size of the opened handles; reused memory counts each time.";
        recordings: u64, Count, "Recordings that ended with FinishCommandList.";
        opened_per_recording: Option<f64>, Count, "Mean number of handles opened per recording; null without recordings.";
        recreated: u64, Count, "Opened handles whose object was also open in the previous recording: the cost of closing all handles at FinishCommandList.";
        threads: u64, Count, "Threads that recorded on the context, without calls that create objects or query sizes, which any thread may make.";
        thread_changes: u64, Count, "Lower bound of the thread changes within recordings: of consecutive commands without an object, such as draws, only the first is examined. The application must order these calls in Direct3D 11; the trace has their actual order.";
    }
}

figures! {
    /// Projected handle memory for a number of deferred contexts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ScalingFigures {
        handles: u64, Count, same;
        bytes: u64, Bytes, same;
        contexts: u32, Count, same;
        max_handles: u64, Count, "Upper bound of `handles`, if each recording of an object's commands goes to another context, until all have it.";
        max_bytes: u64, Bytes, "Size of `max_handles`.";
    }
}

figures! {
    /// Cost of several deferred contexts compared to one.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CostFigures {
        handles: u64, Count, same;
        bytes: u64, Bytes, same;
        allocated_bytes: u64, Bytes, same;
        contexts: u64, Count, same;
        one_context_handles: u64, Count, "Handles that one deferred context would open for the same objects.";
        one_context_bytes: u64, Bytes, "Size of `one_context_handles`.";
        one_context_allocated_bytes: u64, Bytes, "Memory allocated for `one_context_handles`.";
        extra_handles: u64, Count, "Handles beyond those of one context.";
        extra_bytes: u64, Bytes, "Bytes beyond those of one context.";
        extra_allocated_bytes: u64, Bytes, "Allocated memory beyond that of one context.";
        estimate: Vec<ScalingFigures>, List, "Projection for other numbers of contexts per device. Assumption: recordings remain together as recorded. Fewer contexts are merged by their index; more contexts divide the recordings of each round-robin. For the recorded number it is `cost`.";
    }
}

pub(super) fn contexts(inputs: &ReportInputs<'_>) -> Vec<ContextFigures> {
    let figures = inputs.tracker.contexts.iter().map(|context| {
        let by_type = context.objects.iter().map(|(handle_type, (objects, object_bytes))| ObjectFigures {
            handle_type: inputs.type_name(*handle_type),
            objects: *objects,
            object_bytes: *object_bytes,
        });
        let per_recording = context.opened.0 as f64 / context.recordings.max(1) as f64;
        ContextFigures {
            context: context.id,
            kind: if context.is_immediate { "immediate" } else { "deferred" },
            opened: context.opened.0,
            opened_bytes: context.opened.1,
            peak_handles: context.peak.0,
            peak_bytes: context.peak.1,
            peak_allocated_bytes: context.peak_allocated_bytes,
            recordings: context.recordings,
            opened_per_recording: (context.recordings > 0).then_some(per_recording),
            recreated: context.recreated,
            threads: context.threads.len() as u64,
            thread_changes: context.thread_changes,
            by_type: by_type.collect(),
        }
    });
    figures.collect()
}

pub(super) fn cost(inputs: &ReportInputs<'_>) -> CostFigures {
    let deferred = || inputs.tracker.contexts.iter().filter(|context| !context.is_immediate);
    let sums = || deferred().flat_map(|context| context.objects.values());
    let handles: u64 = sums().map(|(objects, _)| objects).sum();
    let bytes: u64 = sums().fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes));
    let (one_context_handles, one_context_bytes) = inputs.tracker.totals.shared_objects;
    let allocated_bytes = deferred().fold(0, |sum: u64, context| sum.saturating_add(context.objects_allocated_bytes));
    let one_context_allocated_bytes = inputs.tracker.totals.shared_allocated_bytes;
    CostFigures {
        contexts: deferred().filter(|context| context.opened.0 > 0).count() as u64,
        handles,
        bytes,
        one_context_handles,
        one_context_bytes,
        allocated_bytes,
        one_context_allocated_bytes,
        extra_allocated_bytes: allocated_bytes.saturating_sub(one_context_allocated_bytes),
        extra_handles: handles.saturating_sub(one_context_handles),
        extra_bytes: bytes.saturating_sub(one_context_bytes),
        estimate: estimate(inputs),
    }
}

fn estimate(inputs: &ReportInputs<'_>) -> Vec<ScalingFigures> {
    let figures = |(contexts, projected)| {
        let ProjectedHandles { handles, bytes, max_handles, max_bytes } = projected;
        ScalingFigures { contexts, handles, bytes, max_handles, max_bytes }
    };
    inputs.tracker.totals.projected().map(figures).collect()
}
