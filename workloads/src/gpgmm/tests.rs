//! Traces of GPGMM: resources and lifetimes, events of several threads, wrong events.

use super::{GpgmmTrace, run};
use crate::bundled::memory_session::MemorySession;
use crate::gfxrecon::CaptureSummary;
use proptest::prelude::*;
use std::io::Cursor;

/// Trace as its sources write it: a buffer and a depth target on one thread, a buffer on another, a heap.
const TRACE: &str = r#"{ "traceEvents": [ { "name": "IResourceAllocator", "cat": "default", "ph": "N", "id": "0x10", "tid": 1, "ts": 1, "pid": 7 }, { "name": "ResourceAllocator.CreateResource", "cat": "default", "ph": "i", "tid": 1, "ts": 10, "pid": 7, "args": { "allocationDescriptor": { "Flags": 0, "HeapType": 2, "ExtraRequiredHeapFlags": 0, "ExtraRequiredResourcePadding": 0 }, "resourceDescriptor": { "Dimension": 1, "Alignment": 0, "Width": 65536, "Height": 1, "DepthOrArraySize": 1, "MipLevels": 1, "Format": 0, "Layout": 1, "SampleDesc": { "Count": 1, "Quality": 0 }, "Flags": 0 }, "initialResourceState": 2755, "clearValue": { } } }, { "name": "Heap.CreateResidencyHeap", "cat": "default", "ph": "i", "tid": 1, "ts": 11, "pid": 7, "args": { "Heap": { "SizeInBytes": 4194304, "Properties": { "Type": 2, "CPUPageProperty": 0, "MemoryPoolPreference": 0, "CreationNodeMask": 1, "VisibleNodeMask": 1 }, "Alignment": 65536, "Flags": 68 } } }, { "name": "IResourceAllocation", "cat": "default", "ph": "N", "id": "0xa0", "tid": 1, "ts": 12, "pid": 7 }, { "name": "ResourceAllocator.CreateResource", "cat": "default", "ph": "i", "tid": 1, "ts": 20, "pid": 7, "args": { "allocationDescriptor": { "Flags": 0, "HeapType": 1, "ExtraRequiredHeapFlags": 0, "ExtraRequiredResourcePadding": 0 }, "resourceDescriptor": { "Dimension": 3, "Alignment": 0, "Width": 256, "Height": 256, "DepthOrArraySize": 1, "MipLevels": 1, "Format": 40, "Layout": 0, "SampleDesc": { "Count": 1, "Quality": 0 }, "Flags": 2 }, "initialResourceState": 16, "clearValue": { "Format": 40, "DepthStencil": { "Depth": 1.000000, "Stencil": 0 } } } }, { "name": "IResourceAllocation", "cat": "default", "ph": "D", "id": "0xa0", "tid": 1, "ts": 40, "pid": 7 }, { "name": "ResourceAllocator.CreateResource", "cat": "default", "ph": "i", "tid": 2, "ts": 30, "pid": 7, "args": { "allocationDescriptor": { "Flags": 0, "HeapType": 0, "ExtraRequiredHeapFlags": 0, "ExtraRequiredResourcePadding": 0 }, "resourceDescriptor": { "Dimension": 1, "Alignment": 0, "Width": 1024, "Height": 1, "DepthOrArraySize": 1, "MipLevels": 1, "Format": 0, "Layout": 1, "SampleDesc": { "Count": 1, "Quality": 0 }, "Flags": 0 }, "initialResourceState": 0, "clearValue": { } } }, { "name": "ResourceAllocator.CreateResource", "cat": "default", "ph": "i", "tid": 2, "ts": 31, "pid": 7, "args": { "Description": "low on memory", "ID": 3 } } ] }"#;

fn read(text: &str) -> GpgmmTrace {
    GpgmmTrace::new(Cursor::new(text.as_bytes().to_vec()), "FILE".to_owned()).unwrap()
}

fn played(text: &str) -> (CaptureSummary, Vec<(u32, &'static str)>) {
    let session = MemorySession::with_driver("reference");
    let summary = run(read(text), &session).unwrap();
    let events = session.events();
    let calls = events.iter().filter(|event| !["CreateDevice", "LogPosition"].contains(&event.name));
    (summary, calls.map(|event| (event.thread, event.name)).collect())
}

#[test]
fn resources_are_committed_and_released_in_the_order_of_their_times() {
    let (summary, calls) = played(TRACE);
    let create = "CreateCommittedResource";
    assert_eq!(calls, [(0, create), (0, create), (1, create), (0, "ReleaseResource")]);
    assert_eq!((summary.log.failures, summary.counts.rows, summary.counts.calls), (0, 8, 5));
    assert_eq!((summary.counts.heaps, summary.counts.heap_bytes), (1, 4_194_304));
    insta::assert_snapshot!(summary.to_string());
}

#[test]
fn a_wrong_event_and_a_cut_file_are_counted_with_their_position() {
    let wrong = TRACE.replacen("\"Width\": 65536", "\"Width\": -1", 1);
    let faults = [wrong.as_str(), &TRACE[..TRACE.len() - 100]].map(|text| {
        let (summary, _) = played(text);
        assert_eq!(summary.counts.unreadable, 1);
        summary.counts.fault().unwrap()
    });
    insta::assert_snapshot!(faults.join("\n"));
}

proptest! {
    #[test]
    fn no_changed_byte_panics(at in 0..TRACE.len(), byte: u8, end in 0..TRACE.len()) {
        let mut text = TRACE.as_bytes()[..end.max(1)].to_vec();
        let at = at % text.len();
        text[at] = byte;
        let _ = GpgmmTrace::new(Cursor::new(text), "FILE".to_owned());
    }
}
