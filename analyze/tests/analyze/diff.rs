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
