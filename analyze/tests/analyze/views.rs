//! Views of events, independent of missing fields and of renamed ones in the file.

use super::trace_builder::TraceBuilder;
use proptest::prelude::*;
use taut_analyze::events::{Column, Found, Selecting, View};
use taut_analyze::{AnalyzeError, view};
use taut_schemas::{
    CommandQueueId, CommitId, DrawRun, EventHandle, Field, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties,
    HeapType, Mark, Opcode, PipelineStateId, SchemaTable, TaskId, VariantId, d3d12, d3d12_ddi, mark, start,
};
use taut_traces::Trace;

view! {
    #[derive(Debug, Clone, PartialEq)]
    struct Commit of info mark::BackgroundCommit {
        commit: CommitId,
        tasks: Vec<TaskId>,
    } if any {
        event: EventHandle,
        high_priority: bool,
    }
}

view! {
    #[derive(Debug, Clone, PartialEq)]
    struct Heap of start d3d12::CreateHeap {
        desc: HeapDesc,
        heap_type: HeapType = desc.properties.heap_type,
    }
}

view! {
    #[derive(Debug, Clone, PartialEq)]
    struct HeapResult of stop d3d12::CreateHeap {
        hr: HResultCode,
        heap: HeapId = output,
    }
}

view! {
    #[derive(Debug, Clone, PartialEq)]
    struct Runs of start d3d12_ddi::CollectMeasurements {
        command_queue: CommandQueueId,
        runs: Vec<DrawRun>,
    }
}

/// All views of an event's records, in order; `None` if the trace does not contain the event.
fn read<V: View>(trace: &Trace) -> Result<Option<Vec<V>>, AnalyzeError> {
    let mut selecting = Selecting::new(&trace.header().schema);
    let Some(found) = Found::<V>::select(&mut selecting)? else { return Ok(None) };
    let extract = trace.extract(&selecting.finish()).unwrap();
    let mut views = Vec::new();
    for thread in &extract.threads {
        let count = thread.codes.iter().filter(|code| **code == found.code).count();
        let values = found.values(thread);
        views.extend((0..count as u32).map(|row| V::read(&values, row)));
    }
    Ok(Some(views))
}

/// A schema table whose events of this name lack the fields selected by `is_lacking`.
fn without(name: &str, is_lacking: fn(&str) -> bool) -> SchemaTable {
    let mut schema = SchemaTable::current();
    let events = schema.events.iter_mut().filter(|event| event.name == name);
    events.for_each(|event| event.fields.retain(|field| !is_lacking(&field.name)));
    schema
}

fn heap_desc(size_bytes: u64, alignment_bytes: u64, heap_type: u32) -> HeapDesc {
    let properties = HeapProperties { heap_type: HeapType(heap_type), visible_node_mask: 3, ..Default::default() };
    HeapDesc { size_bytes, alignment_bytes, properties, flags: HeapFlags(9) }
}

proptest! {
    #[test]
    fn what_was_recorded_is_seen(
        sizes in prop::collection::vec((any::<u64>(), any::<u64>(), 0_u32..6, any::<bool>()), 0..20),
        commits in prop::collection::vec((any::<u64>(), prop::collection::vec(any::<u64>(), 0..4), any::<bool>()), 0..20),
        runs in prop::collection::vec(prop::collection::vec((any::<u64>(), any::<u64>()), 0..4), 0..20),
    ) {
        let mut trace_builder = TraceBuilder::new();
        let (mut heaps, mut results, mut expected_commits, mut collected) = (vec![], vec![], vec![], vec![]);
        for (number, (size_bytes, alignment_bytes, heap_type, is_ok)) in (1..).zip(sizes) {
            let desc = heap_desc(size_bytes, alignment_bytes, heap_type);
            let result = if is_ok { Ok(HeapId(number)) } else { Err(HResultCode::E_OUTOFMEMORY) };
            trace_builder.api(d3d12::CreateHeap { desc, ..Default::default() }, result, |_| {});
            heaps.push(Heap { desc, heap_type: HeapType(heap_type) });
            let hr = result.err().unwrap_or(HResultCode::S_OK);
            results.push(HeapResult { hr, heap: result.unwrap_or(HeapId::NULL) });
        }
        for (commit, tasks, high_priority) in commits {
            let (commit, tasks): (_, Vec<TaskId>) = (CommitId(commit), tasks.into_iter().map(TaskId).collect());
            let event = EventHandle(tasks.len() as u64);
            trace_builder.mark(mark::BackgroundCommit { commit, event, high_priority, tasks: tasks.clone() });
            expected_commits.push(Commit { commit, tasks, event: Some(event), high_priority: Some(high_priority) });
        }
        for runs in runs {
            let run = |(executed, output_hash)| DrawRun {
                pipeline_state: PipelineStateId(5), variant: VariantId(executed), executed, output_hash, ..Default::default()
            };
            let (command_queue, runs): (_, Vec<DrawRun>) = (CommandQueueId(7), runs.into_iter().map(run).collect());
            trace_builder.ddi(d3d12_ddi::CollectMeasurements { command_queue, submission: 1, runs: runs.clone() }, ());
            collected.push(Runs { command_queue, runs });
        }
        let trace = trace_builder.finish();
        prop_assert_eq!(read::<Heap>(&trace).unwrap(), Some(heaps));
        prop_assert_eq!(read::<HeapResult>(&trace).unwrap(), Some(results));
        prop_assert_eq!(read::<Commit>(&trace).unwrap(), Some(expected_commits));
        prop_assert_eq!(read::<Runs>(&trace).unwrap(), Some(collected));
    }
}

#[test]
fn a_field_that_the_trace_lacks_is_none_and_not_zero() {
    let mut trace_builder = TraceBuilder::with_schema(without("BackgroundCommit", |field| field == "event"));
    trace_builder.event(mark::BackgroundCommit::ID, Opcode::Info, |row| {
        CommitId(3).encode(row);
        true.encode(row);
        vec![TaskId(8)].encode(row);
    });
    let seen = Commit { commit: CommitId(3), tasks: vec![TaskId(8)], event: None, high_priority: Some(true) };
    assert_eq!(read::<Commit>(&trace_builder.finish()).unwrap(), Some(vec![seen]));
}

#[test]
fn a_field_that_a_view_needs_and_the_trace_lacks_is_an_error_that_names_it() {
    let trace = TraceBuilder::with_schema(without("BackgroundCommit", |field| field == "tasks")).finish();
    assert!(matches!(read::<Commit>(&trace), Err(AnalyzeError::Field { field, .. }) if field == "tasks"));
    let trace = TraceBuilder::with_schema(without("CreateHeap", |field| field == "desc.flags")).finish();
    assert!(matches!(read::<Heap>(&trace), Err(AnalyzeError::Field { field, .. }) if field == "desc.flags"));
}

#[test]
fn a_trace_without_the_event_has_no_view_of_it() {
    let mut schema = SchemaTable::current();
    schema.events.retain(|event| event.name != "CreateHeap");
    assert_eq!(read::<Heap>(&TraceBuilder::with_schema(schema).finish()).unwrap(), None);
}

#[test]
fn a_descriptor_of_which_the_trace_has_some_members_has_those() {
    let schema = without("CreateHeap", |field| field.starts_with("desc.") && field != "desc.size_bytes");
    let column = Column::find(&schema, start::<d3d12::CreateHeap>().desc()).unwrap();
    assert_eq!(column.code(), schema.find(start::<d3d12::CreateHeap>().event_ref()).unwrap().code);
    let nothing = without("CreateHeap", |field| field.starts_with("desc."));
    assert!(Column::find(&nothing, start::<d3d12::CreateHeap>().desc()).is_none());
}
