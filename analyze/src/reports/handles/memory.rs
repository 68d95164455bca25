//! Memory of handles: at the peak, by size class, in copies, leaked, and out-of-memory errors.

use super::ReportInputs;
use crate::handles::TypeSums;
use crate::reports::figures::figures;

figures! {
    /// Handles of one type that are live at the peak.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TypeFigures {
        immediate_handles: u64, Count, "Handles of the type in immediate contexts.", after bytes;
        immediate_bytes: u64, Bytes, same;
        deferred_handles: u64, Count, "Handles of the type in deferred contexts.", after immediate_bytes;
        deferred_bytes: u64, Bytes, same;
        handle_type: String, Text, "D3D11DDI_HANDLETYPE without its prefix.", after by_context;
    }
}

figures! {
    /// Handles of one context that are live at the peak.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LiveFigures {
        handles: u64, Count, same;
        bytes: u64, Bytes, "Size of the handles.", after handles;
        allocated_bytes: u64, Bytes, "Memory allocated for the handles: cache lines (`cache_line_bytes`) that hold them; in `cost`, size classes of the allocator.", after bytes;
        context: u64, Id, "Id of a context. In `cache_sets`, the context with `max_hot_lines`; null without accesses.";
    }
}

figures! {
    /// The peak of handle memory.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PeakFigures {
        at_stamp: u64, Stamp, "Stamp of the peak; of a violation, of the first record that shows it; of an out-of-memory error, of the first occurrence.";
        handles: u64, Count, "Number of handles.";
        immediate_bytes: u64, Bytes, "Bytes of handles in immediate contexts.";
        deferred_bytes: u64, Bytes, "Bytes of handles in deferred contexts.";
        duplicated_bytes: u64, Bytes, "Size of handles in deferred contexts at the peak beyond the first of each object.";
        by_type: Vec<TypeFigures>, List, "By handle type: at the peak, live handles; of a context, its distinct opened objects.";
        by_context: Vec<LiveFigures>, List, "By context with live handles.";
    }
}

figures! {
    /// Handles that deferred contexts opened of existing objects.
    #[derive(Debug, Clone, PartialEq)]
    pub struct CopyFigures {
        opened: u64, Count, same;
        opened_bytes: u64, Bytes, same;
        unwritten_bytes: Option<u64>, Bytes, "Part of `opened_bytes` in deferred contexts not written since the opening call, in 8-byte words: copies of shareable data. Null without recorded accesses.";
        unwritten_ratio: Option<f64>, Ratio, "`unwritten_bytes` / `opened_bytes`; null without.";
    }
}

figures! {
    /// Handles of deferred contexts that are larger than two cache lines.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LargeFigures {
        handle_type: String, Text, same;
        opened: u64, Count, same;
        opened_bytes: u64, Bytes, same;
        size_bytes: u64, Bytes, "Size of one handle.";
        cold_bytes: Option<u64>, Bytes, "Part of `opened_bytes` after the first cache line, in words with less than an eighth of the accesses of the handle's most accessed word. Null without recorded accesses.";
    }
}

figures! {
    /// A size class of the handle memory of deferred contexts.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ClassFigures {
        opened: u64, Count, same;
        opened_bytes: u64, Bytes, same;
        class_bytes: u64, Bytes, "Memory per handle of the class.";
        handle_types: Vec<String>, List, "Handle types in the class.";
        recycled: u64, Count, "Opened handles in memory of an earlier handle of the same context.";
        hit_ratio: Option<f64>, Ratio, "`recycled` / `opened`.";
        waste_ratio: Option<f64>, Ratio, "Share of the allocated bytes beyond the requested bytes.";
    }
}

figures! {
    /// Handles of one type that were live when their context was destroyed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LeakFigures {
        handles: u64, Count, same;
        bytes: u64, Bytes, same;
        handle_type: String, Text, same;
    }
}

figures! {
    /// Out-of-memory errors of one driver function on one context.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OutOfMemoryFigures {
        at_stamp: u64, Stamp, same;
        context: u64, Id, same;
        call: String, Text, "DDI function.";
        times: u64, Count, "Number of occurrences.";
    }
}

fn ratio(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

pub(super) fn peak(inputs: &ReportInputs<'_>) -> PeakFigures {
    let peak = &inputs.tracker.totals.peak;
    let by_type = peak.by_type.iter().filter(|(_, sums)| sums.handles() > 0);
    let by_type = by_type.map(|(handle_type, sums)| {
        let TypeSums { immediate_handles, immediate_bytes, deferred_handles, deferred_bytes } = *sums;
        let handle_type = inputs.type_name(*handle_type);
        TypeFigures { handle_type, immediate_handles, immediate_bytes, deferred_handles, deferred_bytes }
    });
    let by_context = peak.by_context.iter().map(|sums| LiveFigures {
        context: inputs.context(sums.place),
        handles: sums.handles,
        bytes: sums.bytes,
        allocated_bytes: sums.allocated_bytes,
    });
    PeakFigures {
        at_stamp: peak.stamp,
        handles: peak.all.handles(),
        immediate_bytes: peak.all.immediate_bytes,
        deferred_bytes: peak.all.deferred_bytes,
        duplicated_bytes: peak.duplicated_bytes,
        by_type: by_type.collect(),
        by_context: by_context.collect(),
    }
}

pub(super) fn copies(inputs: &ReportInputs<'_>) -> CopyFigures {
    let deferred = inputs.tracker.contexts.iter().filter(|context| !context.is_immediate);
    let (opened, opened_bytes) = deferred.fold((0, 0_u64), |(handles, bytes), context| {
        (handles + context.opened.0, bytes.saturating_add(context.opened.1))
    });
    let unwritten_bytes = inputs.has_accesses.then_some(inputs.tracker.totals.unwritten_bytes);
    let unwritten_ratio = unwritten_bytes.and_then(|bytes| ratio(bytes, opened_bytes));
    CopyFigures { opened, opened_bytes, unwritten_bytes, unwritten_ratio }
}

pub(super) fn large(inputs: &ReportInputs<'_>) -> Vec<LargeFigures> {
    let figures = inputs.tracker.totals.large.iter().map(|((handle_type, size_bytes), sums)| LargeFigures {
        handle_type: inputs.type_name(*handle_type),
        size_bytes: *size_bytes,
        opened: sums.opened,
        opened_bytes: size_bytes.saturating_mul(sums.opened),
        cold_bytes: inputs.has_accesses.then_some(sums.cold_bytes),
    });
    figures.collect()
}

pub(super) fn size_classes(inputs: &ReportInputs<'_>) -> Vec<ClassFigures> {
    let figures = inputs.tracker.totals.classes.iter().map(|(class_bytes, class)| {
        let allocated = class_bytes.saturating_mul(class.opened);
        ClassFigures {
            class_bytes: *class_bytes,
            handle_types: class.types.iter().map(|handle_type| inputs.type_name(*handle_type)).collect(),
            opened: class.opened,
            recycled: class.recycled,
            hit_ratio: ratio(class.recycled, class.opened),
            opened_bytes: class.requested_bytes,
            waste_ratio: ratio(allocated.saturating_sub(class.requested_bytes), allocated),
        }
    });
    figures.collect()
}

pub(super) fn leaked(inputs: &ReportInputs<'_>) -> Vec<LeakFigures> {
    let figures = inputs.tracker.totals.leaked.iter().map(|(handle_type, (handles, bytes))| LeakFigures {
        handle_type: inputs.type_name(*handle_type),
        handles: *handles,
        bytes: *bytes,
    });
    figures.collect()
}

pub(super) fn out_of_memory(inputs: &ReportInputs<'_>) -> Vec<OutOfMemoryFigures> {
    let figures = inputs.tracker.totals.out_of_memory.iter().map(|((place, line), out_of_memory)| OutOfMemoryFigures {
        context: inputs.context(*place),
        call: inputs.call(*line),
        times: out_of_memory.times,
        at_stamp: out_of_memory.first_stamp,
    });
    figures.collect()
}
