//! Comparison of the calls of two traces: handles are matched by object, separately in each id space.

use crate::trace_builder::TraceBuilder;
use proptest::prelude::*;
use taut_analyze::diff::{CallDiff, diff_calls};
use taut_schemas::{
    CommandListId, CommandQueueId, D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, EventHandle, TaskId, d3d11,
    d3d12, machine, win32,
};
use taut_traces::Trace;

/// A permutation of the first ids.
fn numbers() -> impl Strategy<Value = Vec<u64>> {
    Just((1..=6).collect::<Vec<u64>>()).prop_shuffle()
}

/// Tasks, events and heaps are created and destroyed with the given ids.
fn busy(tasks: &[u64], events: &[u64], heaps: &[u64]) -> Trace {
    let mut trace_builder = TraceBuilder::new();
    for ((task, event), heap) in tasks.iter().zip(events).zip(heaps) {
        trace_builder.api(machine::StartBackgroundWork { worker: 0, ..Default::default() }, Ok(TaskId(*task)), |_| {});
        trace_builder.api(win32::CreateEvent::default(), Ok(EventHandle(*event)), |_| {});
        trace_builder.create_heap(*heap, 65536);
        trace_builder.api(machine::FinishBackgroundWork { task: TaskId(*task), ..Default::default() }, Ok(()), |_| {});
        trace_builder.api(win32::CloseHandle { event: EventHandle(*event) }, Ok(()), |_| {});
    }
    heaps.iter().for_each(|heap| trace_builder.release_heap(*heap));
    trace_builder.finish()
}

fn fields(diff: &CallDiff) -> Vec<String> {
    diff.fields.iter().map(|field| format!("{} {}", field.call, field.field)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn other_numbers_alone_are_no_difference(
        (tasks_a, events_a, heaps_a) in (numbers(), numbers(), numbers()),
        (tasks_b, events_b, heaps_b) in (numbers(), numbers(), numbers()),
    ) {
        let (a, b) = (busy(&tasks_a, &events_a, &heaps_a), busy(&tasks_b, &events_b, &heaps_b));
        let diff = diff_calls(&a, &b).unwrap();
        prop_assert!(diff.is_identical(), "{:?}", fields(&diff));
    }
}

#[test]
fn another_task_does_not_disturb_the_object_of_its_number() {
    let trace = |task: u64| busy(&[task], &[1], &[1]);
    let diff = diff_calls(&trace(1), &trace(2)).unwrap();
    assert!(diff.is_identical(), "{:?}", fields(&diff));
}

#[test]
fn another_heap_released_is_a_difference() {
    let trace = |first: u64, second: u64, released: u64| {
        let mut trace_builder = TraceBuilder::new();
        trace_builder.create_heap(first, 65536);
        trace_builder.create_heap(second, 65536);
        trace_builder.release_heap(released);
        trace_builder.finish()
    };
    assert!(diff_calls(&trace(1, 2, 1), &trace(3, 1, 3)).unwrap().is_identical());
    // The call has the same bytes but refers to the other heap.
    let diff = diff_calls(&trace(1, 2, 1), &trace(3, 1, 1)).unwrap();
    assert_eq!(fields(&diff), ["ReleaseHeap heap"]);
}

#[test]
fn a_direct3d_11_device_is_an_object_like_any_other() {
    let trace = |device: u64| {
        let mut trace_builder = TraceBuilder::new();
        let immediate_context = D3d11ContextId(device + 1);
        let created = D3d11DeviceAndContext { device: D3d11DeviceId(device), immediate_context };
        trace_builder.api(d3d11::D3D11CreateDevice::default(), Ok(created), |_| {});
        trace_builder.api(d3d11::InitExtensions { device: D3d11DeviceId(device) }, Ok(Default::default()), |_| {});
        trace_builder.finish()
    };
    let diff = diff_calls(&trace(1), &trace(4)).unwrap();
    assert!(diff.is_identical(), "{:?}", fields(&diff));
}

#[test]
fn handles_in_lists_are_matched_too() {
    let trace = |lists: [u64; 2], executed: [u64; 2]| {
        let mut trace_builder = TraceBuilder::new();
        for list in lists {
            trace_builder.api(d3d12::CreateCommandList::default(), Ok(CommandListId(list)), |_| {});
        }
        let command_queue = CommandQueueId(9);
        let command_lists = executed.map(CommandListId).to_vec();
        trace_builder.api(d3d12::ExecuteCommandLists { command_queue, command_lists }, Ok(()), |_| {});
        trace_builder.finish()
    };
    let identical = diff_calls(&trace([1, 2], [1, 2]), &trace([5, 1], [5, 1])).unwrap();
    assert!(identical.is_identical(), "{:?}", fields(&identical));
    let other = diff_calls(&trace([1, 2], [1, 2]), &trace([5, 1], [1, 5])).unwrap();
    assert_eq!(fields(&other), ["ExecuteCommandLists command_lists"]);
    let same_bytes = diff_calls(&trace([1, 2], [1, 2]), &trace([2, 1], [1, 2])).unwrap();
    assert_eq!(fields(&same_bytes), ["ExecuteCommandLists command_lists"]);
}

/// Difference of a buffer between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// Not created, named and released.
    Dropped,
    /// Preceded by an additional buffer.
    Joined,
    Widened,
}

/// Creates buffers, queries their addresses and releases them at the end, with the given edits.
fn buffers(count: usize, edits: &std::collections::BTreeMap<usize, Edit>, named: bool) -> Trace {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 1 << 30);
    let (mut id, mut live) = (1, Vec::new());
    let mut create = |trace_builder: &mut TraceBuilder, name: String, width: u64| {
        id += 1;
        trace_builder.create_placed((id, 1, 0), width);
        if named {
            let object = taut_schemas::ObjectId(id);
            trace_builder.api(d3d12::SetName { object, name }, Ok(()), |_| {});
        }
        let resource = taut_schemas::ResourceId(id);
        trace_builder.api(d3d12::GetGPUVirtualAddress { resource }, Ok(Default::default()), |_| {});
        live.push(resource);
    };
    for buffer in 0..count {
        let width = 256 * (1 + buffer as u64 % 5);
        match edits.get(&buffer) {
            Some(Edit::Dropped) => continue,
            Some(Edit::Joined) => create(&mut trace_builder, format!("joined {buffer}"), 100),
            _ => {}
        }
        let wider = if edits.get(&buffer) == Some(&Edit::Widened) { 7 } else { 0 };
        create(&mut trace_builder, format!("buffer {buffer}"), width + wider);
    }
    for resource in live {
        trace_builder.api(d3d12::ReleaseResource { resource }, Ok(()), |_| {});
    }
    trace_builder.finish()
}

fn edits(max_count: usize) -> impl Strategy<Value = std::collections::BTreeMap<usize, Edit>> {
    let edit = prop::sample::select(vec![Edit::Dropped, Edit::Joined, Edit::Widened]);
    // Only every other buffer is edited: a removal next to an insertion would be matched as a change.
    prop::collection::btree_map((0..max_count / 2).prop_map(|buffer| 2 * buffer), edit, 0..40)
}

/// Checks that each edit of 600 named buffers is found, and nothing else.
fn assert_found(edits: &std::collections::BTreeMap<usize, Edit>) {
    let (a, b) = (buffers(600, &Default::default(), true), buffers(600, edits, true));
    let diff = diff_calls(&a, &b).unwrap();
    let count = |edit: Edit| edits.values().filter(|found| **found == edit).count() as u64;
    // Four calls per buffer: create, name, query address, release.
    assert_eq!((diff.removed(), diff.inserted()), (4 * count(Edit::Dropped), 4 * count(Edit::Joined)));
    assert_eq!(diff.differ(), count(Edit::Widened), "{:?}", fields(&diff));
    assert_eq!(diff.matched + diff.removed(), diff.calls_a);
    assert_eq!(diff.matched + diff.inserted(), diff.calls_b);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    #[ignore = "a long check: .ci/long"]
    fn ten_thousand_random_edits_of_a_trace_are_found_exactly(edits in edits(600)) {
        assert_found(&edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn edits_of_named_objects_are_found_exactly(edits in edits(600)) {
        assert_found(&edits);
    }

    /// Without names, objects with the same description cannot be distinguished. The edits found transform one trace
    /// into the other and are at most as many as were applied.
    #[test]
    fn edits_of_unnamed_objects_are_at_most_as_many_as_applied(edits in edits(300)) {
        let (a, b) = (buffers(300, &Default::default(), false), buffers(300, &edits, false));
        let diff = diff_calls(&a, &b).unwrap();
        prop_assert_eq!(diff.matched + diff.removed(), diff.calls_a);
        prop_assert_eq!(diff.matched + diff.inserted(), diff.calls_b);
        // A change is found as a change, or as a removal and an insertion.
        let found = diff.removed() + diff.inserted() + diff.differ();
        prop_assert!(found <= 6 * edits.len() as u64, "{found} of {}: {:?}", edits.len(), fields(&diff));
    }
}

#[test]
fn a_call_that_one_trace_lacks_shifts_nothing() {
    let dropped = [(250, Edit::Dropped)].into_iter().collect();
    let diff = diff_calls(&buffers(500, &Default::default(), true), &buffers(500, &dropped, true)).unwrap();
    assert_eq!((diff.differ(), diff.inserted()), (0, 0), "{:?}", fields(&diff));
    let alone: Vec<_> = diff.alone.iter().map(|one| (one.edit, one.call.as_str(), one.position)).collect();
    let first = 1 + 3 * 250;
    assert_eq!(
        alone,
        [
            ("removed", "CreatePlacedResource", first),
            ("removed", "SetName", first + 1),
            ("removed", "GetGPUVirtualAddress", first + 2),
            ("removed", "ReleaseResource", 1 + 3 * 500 + 250),
        ]
    );
}
