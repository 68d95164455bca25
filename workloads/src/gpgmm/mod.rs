//! Traces of the allocator GPGMM (Chrome trace events). The form is that of its public sources, version 0.1.3:
//! EventTraceWriter.cpp and JSONSerializerD3D12.cpp write it, D3D12MemoryTraceReplay.cpp reads it.
//!
//! A trace has the resources that the program requested, their lifetimes, and the heaps; it does not have which resource
//! is in which heap. So each resource is created as a committed one, and heaps are only counted.

mod event;

use crate::bundled::WorkloadError;
use crate::call_log::{
    CallName, LogCall, LogError, LogLine, MAX_THREADS, Numbering, Place, Plan, Position, ResourceCreation, StoredLines,
    play,
};
use crate::gfxrecon::{CaptureCounts, CaptureSummary, RowFault};
use crate::gzip::decompressed;
use crate::json_elements::{JsonElements, Next};
use crate::utf8_reader::Utf8Reader;
use event::{Creation, Event, EventKind};
use std::collections::HashMap;
use std::io::Read;
use std::sync::atomic::AtomicU64;
use taut_capture::Callers;
use taut_schemas::{HResultCode, HeapProperties, MipRegion, ResourceId};

/// Trace that was read.
pub struct GpgmmTrace {
    lines: Vec<LogLine>,
    counts: CaptureCounts,
}

impl GpgmmTrace {
    /// Reads any source; errors name the file `origin`.
    ///
    /// # Errors
    /// The source cannot be read, or has no event.
    pub fn new(source: impl Read + Send + 'static, origin: String) -> Result<GpgmmTrace, LogError> {
        let at = |position: (u64, u64)| Position { origin: origin.clone(), line: position.0, column: position.1 };
        let elements = decompressed(source).and_then(|text| Utf8Reader::new(text.source));
        let elements = elements.and_then(JsonElements::of_first_array);
        let mut elements = elements.map_err(|source| LogError::Read { at: at((1, 1)), source })?;
        let (mut counts, mut events, mut cut_at) = (CaptureCounts::default(), Vec::new(), None);
        loop {
            let next = elements.next().map_err(|source| {
                let position = elements.position(usize::MAX);
                LogError::Read { at: at((position.line, position.column)), source }
            })?;
            let fault = match next {
                Next::End => break,
                Next::Cut => {
                    counts.is_cut = true;
                    let position = elements.position(elements.text().len());
                    cut_at = Some((position.line, position.column));
                    RowFault::unexpected(elements.text().len(), "the end of the events", "the file's end")
                }
                Next::Element => {
                    counts.rows += 1;
                    match Event::parse(elements.text(), counts.rows - 1) {
                        Ok(event) => {
                            events.push(event);
                            continue;
                        }
                        Err(fault) => fault,
                    }
                }
            };
            counts.add_unreadable(fault.at(&origin, &elements));
            if next == Next::Cut {
                break;
            }
        }
        if counts.rows == 0 {
            let (expected, found) = match cut_at {
                Some(_) => ("the end of the events", "the file's end"),
                None => ("an event in the array `traceEvents`", "none"),
            };
            let (expected, found) = (expected.to_owned(), found.to_owned());
            return Err(LogError::Unexpected { at: at(cut_at.unwrap_or((1, 1))), expected, found });
        }
        // Each thread has its own events in the file, one thread after another.
        events.sort_by(|one, other| one.time_us.total_cmp(&other.time_us));
        Ok(GpgmmTrace { lines: lines(events, &mut counts), counts })
    }

    /// Number of lines that are played.
    pub fn lines(&self) -> u64 {
        self.lines.len() as u64
    }
}

/// Live allocations by the names that the trace gives them.
#[derive(Default)]
struct Allocations {
    created: u64,
    /// Resource of each thread's last creation, until its allocation is named.
    unnamed: HashMap<u64, ResourceId>,
    named: HashMap<String, ResourceId>,
    threads: HashMap<u64, u32>,
}

/// Translates events to the lines that are played.
fn lines(events: Vec<Event>, counts: &mut CaptureCounts) -> Vec<LogLine> {
    let mut allocations = Allocations::default();
    let mut lines = Vec::new();
    for Event { thread, index, kind, .. } in events {
        let call = match kind {
            EventKind::CreateResource(creation) => {
                counts.calls += 1;
                allocations.created += 1;
                let resource = ResourceId(allocations.created);
                allocations.unnamed.insert(thread, resource);
                create(*creation, resource)
            }
            EventKind::NewAllocation { id } => {
                counts.noted += 1;
                if let Some(resource) = allocations.unnamed.remove(&thread) {
                    allocations.named.insert(id, resource);
                }
                continue;
            }
            EventKind::DeleteAllocation { id } => {
                counts.calls += 1;
                match allocations.named.remove(&id) {
                    Some(resource) => LogCall::ReleaseResource { resource },
                    None => {
                        counts.add_undefined("Release");
                        continue;
                    }
                }
            }
            EventKind::CreateHeap { size_bytes } => {
                counts.calls += 1;
                counts.add_heap(size_bytes);
                counts.add_not_played("Heap.CreateResidencyHeap");
                continue;
            }
            EventKind::Other { name } => {
                counts.add_meta(&name);
                continue;
            }
        };
        let next = (allocations.threads.len() as u32).min(MAX_THREADS - 1);
        let thread = *allocations.threads.entry(thread).or_insert(next);
        lines.push(LogLine { seq: index, thread, test: 0, call });
    }
    lines
}

fn create(creation: Creation, resource: ResourceId) -> LogCall {
    let Creation { desc, heap_type, heap_flags, initial_state, clear_value } = creation;
    let properties = HeapProperties { heap_type, ..HeapProperties::default() };
    LogCall::CreateResource(Box::new(ResourceCreation {
        name: CallName::CreateCommittedResource,
        place: Place::Committed { properties, flags: heap_flags, protected_session: false },
        desc,
        mip_region: MipRegion::default(),
        initial_state,
        clear_value,
        castable_formats: Vec::new(),
        hr: HResultCode::S_OK,
        resource: Some(resource),
        info: None,
    }))
}

/// Plays a trace: its resources on its threads, in the order of their times.
///
/// # Errors
/// The device or a thread cannot be created. Calls that fail otherwise are in the summary.
pub fn run<C: Callers>(trace: GpgmmTrace, callers: &C) -> Result<CaptureSummary, WorkloadError> {
    let numbering = Numbering { unit: "event", first: 1 };
    let source = StoredLines::new(&trace.lines, numbering);
    let (log, _) = play(source, MAX_THREADS, &Plan::default(), callers, &AtomicU64::new(0))?;
    Ok(CaptureSummary { log, counts: trace.counts })
}

#[cfg(test)]
mod tests;
