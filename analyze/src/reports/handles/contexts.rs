//! Contexts, and what several cost over one.

use super::Sheet;
use serde::Serialize;

/// Objects of one type that a context has opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObjectFigures {
    /// Type of the handles.
    pub handle_type: String,
    /// Different objects.
    pub objects: u64,
    /// Bytes of one handle of each.
    pub object_bytes: u64,
}

/// One context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextFigures {
    /// Its id.
    pub context: u64,
    /// `immediate` or `deferred`.
    pub kind: &'static str,
    /// Handles created or opened.
    pub opened: u64,
    /// Their bytes.
    pub opened_bytes: u64,
    /// Most handles at once.
    pub peak_handles: u64,
    /// Most bytes at once.
    pub peak_bytes: u64,
    /// Recordings that were finished.
    pub recordings: u64,
    /// Handles opened in each.
    pub opened_per_recording: Option<f64>,
    /// Of objects that the recording before had open.
    pub reopened: u64,
    /// Threads that recorded on it.
    pub threads: u64,
    /// How often, at least, another thread went on with a recording.
    pub thread_changes: u64,
    /// Different objects that it has opened, by type.
    pub by_type: Vec<ObjectFigures>,
}

/// What a number of contexts would hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DealtFigures {
    /// Contexts.
    pub contexts: u32,
    /// Handles of different objects in each, all together.
    pub handles: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What several contexts cost over one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostFigures {
    /// Deferred contexts that opened anything.
    pub contexts: u64,
    /// Different objects that each opened, all together.
    pub handles: u64,
    /// Bytes of a handle of each.
    pub bytes: u64,
    /// The same if one context had opened them.
    pub one_context_handles: u64,
    /// Their bytes.
    pub one_context_bytes: u64,
    /// The difference.
    pub extra_handles: u64,
    /// The difference in bytes.
    pub extra_bytes: u64,
    /// An estimate: were the lists dealt to other numbers of contexts.
    pub estimate: Vec<DealtFigures>,
}

pub(super) fn contexts(sheet: &Sheet<'_>) -> Vec<ContextFigures> {
    let figures = sheet.book.contexts.iter().map(|context| {
        let by_type = context.objects.iter().map(|(handle_type, (objects, object_bytes))| ObjectFigures {
            handle_type: sheet.type_name(*handle_type),
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
            recordings: context.recordings,
            opened_per_recording: (context.recordings > 0).then_some(per_recording),
            reopened: context.reopened,
            threads: context.threads.len() as u64,
            thread_changes: context.thread_changes,
            by_type: by_type.collect(),
        }
    });
    figures.collect()
}

pub(super) fn cost(sheet: &Sheet<'_>) -> CostFigures {
    let deferred = || sheet.book.contexts.iter().filter(|context| !context.is_immediate);
    let sums = || deferred().flat_map(|context| context.objects.values());
    let handles: u64 = sums().map(|(objects, _)| objects).sum();
    let bytes: u64 = sums().fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes));
    let (one_context_handles, one_context_bytes) = sheet.book.union;
    let dealt = |(contexts, (handles, bytes))| DealtFigures { contexts, handles, bytes };
    CostFigures {
        contexts: deferred().filter(|context| context.opened.0 > 0).count() as u64,
        handles,
        bytes,
        one_context_handles,
        one_context_bytes,
        extra_handles: handles.saturating_sub(one_context_handles),
        extra_bytes: bytes.saturating_sub(one_context_bytes),
        estimate: sheet.book.dealt().map(dealt).collect(),
    }
}
