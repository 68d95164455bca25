//! What handles take: at the peak, by size, in copies, leaked, and what ran out.

use super::Sheet;
use crate::handles::TypeSums;
use serde::Serialize;

/// Handles of one type that live at the peak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TypeFigures {
    /// Type of the handles.
    pub handle_type: String,
    /// Those of immediate contexts.
    pub immediate_handles: u64,
    /// Their bytes.
    pub immediate_bytes: u64,
    /// Those of deferred contexts.
    pub deferred_handles: u64,
    /// Their bytes.
    pub deferred_bytes: u64,
}

/// Handles of one context that live at the peak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LiveFigures {
    /// The context.
    pub context: u64,
    /// Handles.
    pub handles: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// The moment at which handles have most bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PeakFigures {
    /// Its stamp.
    pub at_stamp: u64,
    /// Handles that live then.
    pub handles: u64,
    /// Bytes of those of immediate contexts.
    pub immediate_bytes: u64,
    /// Bytes of those of deferred contexts.
    pub deferred_bytes: u64,
    /// Bytes of those of deferred contexts beyond the first of each object.
    pub duplicated_bytes: u64,
    /// By type.
    pub by_type: Vec<TypeFigures>,
    /// By context.
    pub by_context: Vec<LiveFigures>,
}

/// What deferred contexts hold of the same objects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CopyFigures {
    /// Handles opened in deferred contexts.
    pub opened: u64,
    /// Their bytes.
    pub opened_bytes: u64,
    /// Of those, bytes that were not written since the handle was opened.
    pub unwritten_bytes: Option<u64>,
    /// Their part.
    pub unwritten_ratio: Option<f64>,
}

/// Handles of deferred contexts that are larger than two lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LargeFigures {
    /// Type of the handles.
    pub handle_type: String,
    /// Bytes of each.
    pub size_bytes: u64,
    /// Handles opened.
    pub opened: u64,
    /// Their bytes.
    pub opened_bytes: u64,
    /// Of those, bytes beyond the first line that are accessed rarely.
    pub cold_bytes: Option<u64>,
}

/// A size class of the memory of deferred contexts' handles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFigures {
    /// Bytes of a region: whole lines.
    pub class_bytes: u64,
    /// Types of the handles.
    pub handle_types: Vec<String>,
    /// Handles opened.
    pub opened: u64,
    /// Of those, in memory that was another's of the context before.
    pub recycled: u64,
    /// Their part.
    pub hit_ratio: Option<f64>,
    /// Bytes asked for.
    pub opened_bytes: u64,
    /// Of the bytes given out, those beyond.
    pub waste_ratio: Option<f64>,
}

/// Handles of one type that lived when their context was destroyed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeakFigures {
    /// Type of the handles.
    pub handle_type: String,
    /// Handles.
    pub handles: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Where memory ran out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RanOutFigures {
    /// On which context.
    pub context: u64,
    /// In which call of the driver's interface.
    pub call: String,
    /// How often.
    pub times: u64,
    /// When first.
    pub at_stamp: u64,
}

fn ratio(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

pub(super) fn peak(sheet: &Sheet<'_>) -> PeakFigures {
    let peak = &sheet.book.peak;
    let by_type = peak.by_type.iter().filter(|(_, sums)| sums.handles() > 0);
    let by_type = by_type.map(|(handle_type, sums)| {
        let TypeSums { immediate_handles, immediate_bytes, deferred_handles, deferred_bytes } = *sums;
        let handle_type = sheet.type_name(*handle_type);
        TypeFigures { handle_type, immediate_handles, immediate_bytes, deferred_handles, deferred_bytes }
    });
    let by_context = peak.by_context.iter().map(|(place, handles, bytes)| LiveFigures {
        context: sheet.context(*place),
        handles: *handles,
        bytes: *bytes,
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

pub(super) fn copies(sheet: &Sheet<'_>) -> CopyFigures {
    let deferred = sheet.book.contexts.iter().filter(|context| !context.is_immediate);
    let (opened, opened_bytes) = deferred.fold((0, 0_u64), |(handles, bytes), context| {
        (handles + context.opened.0, bytes.saturating_add(context.opened.1))
    });
    let unwritten_bytes = sheet.has_accesses.then_some(sheet.book.unwritten_bytes);
    let unwritten_ratio = unwritten_bytes.and_then(|bytes| ratio(bytes, opened_bytes));
    CopyFigures { opened, opened_bytes, unwritten_bytes, unwritten_ratio }
}

pub(super) fn large(sheet: &Sheet<'_>) -> Vec<LargeFigures> {
    let figures = sheet.book.large.iter().map(|((handle_type, size_bytes), sums)| LargeFigures {
        handle_type: sheet.type_name(*handle_type),
        size_bytes: *size_bytes,
        opened: sums.opened,
        opened_bytes: size_bytes.saturating_mul(sums.opened),
        cold_bytes: sheet.has_accesses.then_some(sums.cold_bytes),
    });
    figures.collect()
}

pub(super) fn size_classes(sheet: &Sheet<'_>) -> Vec<ClassFigures> {
    let figures = sheet.book.classes.iter().map(|(class_bytes, class)| {
        let given = class_bytes.saturating_mul(class.opened);
        ClassFigures {
            class_bytes: *class_bytes,
            handle_types: class.types.iter().map(|handle_type| sheet.type_name(*handle_type)).collect(),
            opened: class.opened,
            recycled: class.recycled,
            hit_ratio: ratio(class.recycled, class.opened),
            opened_bytes: class.asked_bytes,
            waste_ratio: ratio(given.saturating_sub(class.asked_bytes), given),
        }
    });
    figures.collect()
}

pub(super) fn leaked(sheet: &Sheet<'_>) -> Vec<LeakFigures> {
    let figures = sheet.book.leaked.iter().map(|(handle_type, (handles, bytes))| LeakFigures {
        handle_type: sheet.type_name(*handle_type),
        handles: *handles,
        bytes: *bytes,
    });
    figures.collect()
}

pub(super) fn ran_out(sheet: &Sheet<'_>) -> Vec<RanOutFigures> {
    let figures = sheet.book.ran_out.iter().map(|((place, line), ran_out)| RanOutFigures {
        context: sheet.context(*place),
        call: sheet.call(*line),
        times: ran_out.times,
        at_stamp: ran_out.first_stamp,
    });
    figures.collect()
}
