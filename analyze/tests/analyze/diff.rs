//! How the calls of two traces are compared: handles by what they stand for, in each id space apart.

use crate::writing::Writing;
use proptest::prelude::*;
use taut_analyze::diff::{CallDiff, diff_calls};
use taut_schemas::{
    CommandListId, CommandQueueId, D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, EventHandle, TaskId, d3d11,
    d3d12, machine, win32,
};
use taut_traces::Trace;

/// The first numbers, in some order.
fn numbers() -> impl Strategy<Value = Vec<u64>> {
    Just((1..=6).collect::<Vec<u64>>()).prop_shuffle()
}

/// Tasks run, events and heaps come and go, each under numbers of their own.
fn busy(tasks: &[u64], events: &[u64], heaps: &[u64]) -> Trace {
    let mut writing = Writing::new();
    for ((task, event), heap) in tasks.iter().zip(events).zip(heaps) {
        writing.api(machine::StartBackgroundWork { worker: 0, ..Default::default() }, Ok(TaskId(*task)), |_| {});
        writing.api(win32::CreateEvent::default(), Ok(EventHandle(*event)), |_| {});
        writing.create_heap(*heap, 65536);
        writing.api(machine::FinishBackgroundWork { task: TaskId(*task), ..Default::default() }, Ok(()), |_| {});
        writing.api(win32::CloseHandle { event: EventHandle(*event) }, Ok(()), |_| {});
    }
    heaps.iter().for_each(|heap| writing.release_heap(*heap));
    writing.finish()
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
        let mut writing = Writing::new();
        writing.create_heap(first, 65536);
        writing.create_heap(second, 65536);
        writing.release_heap(released);
        writing.finish()
    };
    assert!(diff_calls(&trace(1, 2, 1), &trace(3, 1, 3)).unwrap().is_identical());
    // Byte for byte the same call, but of the other heap.
    let diff = diff_calls(&trace(1, 2, 1), &trace(3, 1, 1)).unwrap();
    assert_eq!(fields(&diff), ["ReleaseHeap heap"]);
}

#[test]
fn a_direct3d_11_device_is_an_object_like_any_other() {
    let trace = |device: u64| {
        let mut writing = Writing::new();
        let immediate_context = D3d11ContextId(device + 1);
        let created = D3d11DeviceAndContext { device: D3d11DeviceId(device), immediate_context };
        writing.api(d3d11::D3D11CreateDevice::default(), Ok(created), |_| {});
        writing.api(d3d11::InitExtensions { device: D3d11DeviceId(device) }, Ok(Default::default()), |_| {});
        writing.finish()
    };
    let diff = diff_calls(&trace(1), &trace(4)).unwrap();
    assert!(diff.is_identical(), "{:?}", fields(&diff));
}

#[test]
fn handles_in_lists_are_matched_too() {
    let trace = |lists: [u64; 2], executed: [u64; 2]| {
        let mut writing = Writing::new();
        for list in lists {
            writing.api(d3d12::CreateCommandList::default(), Ok(CommandListId(list)), |_| {});
        }
        let command_queue = CommandQueueId(9);
        let command_lists = executed.map(CommandListId).to_vec();
        writing.api(d3d12::ExecuteCommandLists { command_queue, command_lists }, Ok(()), |_| {});
        writing.finish()
    };
    let identical = diff_calls(&trace([1, 2], [1, 2]), &trace([5, 1], [5, 1])).unwrap();
    assert!(identical.is_identical(), "{:?}", fields(&identical));
    let other = diff_calls(&trace([1, 2], [1, 2]), &trace([5, 1], [1, 5])).unwrap();
    assert_eq!(fields(&other), ["ExecuteCommandLists command_lists"]);
    let same_bytes = diff_calls(&trace([1, 2], [1, 2]), &trace([2, 1], [1, 2])).unwrap();
    assert_eq!(fields(&same_bytes), ["ExecuteCommandLists command_lists"]);
}

/// What may become of a buffer between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// It is not created, named and released.
    Dropped,
    /// Another one comes before it.
    Joined,
    /// It is wider.
    Widened,
}

/// Buffers created, asked for their address, and released at the end; as they are, or edited.
fn buffers(count: usize, edits: &std::collections::BTreeMap<usize, Edit>, named: bool) -> Trace {
    let mut writing = Writing::new();
    writing.create_heap(1, 1 << 30);
    let (mut id, mut live) = (1, Vec::new());
    let mut create = |writing: &mut Writing, name: String, width: u64| {
        id += 1;
        writing.create_placed((id, 1, 0), width);
        if named {
            let object = taut_schemas::ObjectId(id);
            writing.api(d3d12::SetName { object, name }, Ok(()), |_| {});
        }
        let resource = taut_schemas::ResourceId(id);
        writing.api(d3d12::GetGPUVirtualAddress { resource }, Ok(Default::default()), |_| {});
        live.push(resource);
    };
    for buffer in 0..count {
        let width = 256 * (1 + buffer as u64 % 5);
        match edits.get(&buffer) {
            Some(Edit::Dropped) => continue,
            Some(Edit::Joined) => create(&mut writing, format!("joined {buffer}"), 100),
            _ => {}
        }
        let wider = if edits.get(&buffer) == Some(&Edit::Widened) { 7 } else { 0 };
        create(&mut writing, format!("buffer {buffer}"), width + wider);
    }
    for resource in live {
        writing.api(d3d12::ReleaseResource { resource }, Ok(()), |_| {});
    }
    writing.finish()
}

fn edits(most: usize) -> impl Strategy<Value = std::collections::BTreeMap<usize, Edit>> {
    let edit = prop::sample::select(vec![Edit::Dropped, Edit::Joined, Edit::Widened]);
    // Apart from each other: what is dropped beside what joins is told as changed.
    prop::collection::btree_map((0..most / 2).prop_map(|buffer| 2 * buffer), edit, 0..40)
}

/// Each edit of 600 buffers with names is found, and nothing else.
fn assert_found(edits: &std::collections::BTreeMap<usize, Edit>) {
    let (a, b) = (buffers(600, &Default::default(), true), buffers(600, edits, true));
    let diff = diff_calls(&a, &b).unwrap();
    let count = |edit: Edit| edits.values().filter(|found| **found == edit).count() as u64;
    // Created, named, asked for its address and released.
    assert_eq!((diff.removed(), diff.inserted()), (4 * count(Edit::Dropped), 4 * count(Edit::Joined)));
    assert_eq!(diff.differ(), count(Edit::Widened), "{:?}", fields(&diff));
    assert_eq!(diff.matched + diff.removed(), diff.calls_a);
    assert_eq!(diff.matched + diff.inserted(), diff.calls_b);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    #[ignore = "a long check: .ci/long"]
    fn ten_thousand_random_edits_of_a_trace_are_found_as_they_are(edits in edits(600)) {
        assert_found(&edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn edits_of_things_with_names_are_found_as_they_are(edits in edits(600)) {
        assert_found(&edits);
    }

    /// Without names, things of one description cannot be told apart: what is found are edits that lead from one trace to the
    /// other, no more of them than were made.
    #[test]
    fn edits_of_things_without_names_are_no_more_than_were_made(edits in edits(300)) {
        let (a, b) = (buffers(300, &Default::default(), false), buffers(300, &edits, false));
        let diff = diff_calls(&a, &b).unwrap();
        prop_assert_eq!(diff.matched + diff.removed(), diff.calls_a);
        prop_assert_eq!(diff.matched + diff.inserted(), diff.calls_b);
        // A change is found as one, or as something removed and inserted.
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
