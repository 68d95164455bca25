//! Export of damaged traces and of traces with lost events.

use super::expected::{by_thread, nesting};
use super::exported;
use super::reading::{self, Event, Kind};
use crate::golden::trace;
use crate::trace_builder::TraceBuilder;
use proptest::prelude::*;
use std::fs::File;
use std::io::Write;
use std::sync::mpsc::{Receiver, channel};
use taut_analyze::Analysis;
use taut_schemas::{Call, DdiAllocationInfo, EventCode, Field, HResult, HeapId, Opcode, SchemaTable, d3d12, d3d12_ddi};
use taut_traces::{Header, OnFull, Trace, TraceWriter, WriteOptions};

/// Events of the only thread, without those that report losses.
fn thread_events(file: &reading::File) -> Vec<(Kind, String, String)> {
    let events = by_thread(file).remove(&0).unwrap_or_default();
    let result = |event: &Event| event.annotations["result"].as_str().unwrap_or_default().to_owned();
    events.into_iter().map(|event| (event.kind, event.name.clone(), result(event))).collect()
}

fn stop(trace_builder: &mut TraceBuilder) {
    let heap: HResult<HeapId> = Ok(HeapId(1));
    trace_builder.event(d3d12::CreateHeap::ID, Opcode::Stop, |row| heap.encode(row));
}

#[test]
fn a_call_that_never_returned_ends_at_the_next_event_of_its_thread() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.api_start(d3d12::CreateHeap::default());
    let check = d3d12_ddi::CheckResourceAllocationInfo::default();
    trace_builder.event(d3d12_ddi::CheckResourceAllocationInfo::ID, Opcode::Start, |row| check.encode(row));
    stop(&mut trace_builder);
    trace_builder.api_start(d3d12::ReleaseHeap::default());
    trace_builder.api_start(d3d12::CreateHeap::default());
    let (file, _) = exported(&Analysis::new(trace_builder.finish()).unwrap());
    let [begin, end] = [Kind::Begin, Kind::End];
    let expected = [
        (begin, "CreateHeap", ""),
        (begin, "CheckResourceAllocationInfo", ""),
        (end, "", "not recorded"),
        (end, "", ""),
        (begin, "ReleaseHeap", ""),
        (end, "", "not recorded"),
        // The last slice remains open.
        (begin, "CreateHeap", ""),
    ];
    assert_eq!(thread_events(&file), expected.map(|(kind, name, result)| (kind, name.to_owned(), result.to_owned())));
}

#[test]
fn a_return_without_its_start_is_an_instant() {
    let mut trace_builder = TraceBuilder::new();
    stop(&mut trace_builder);
    let (file, _) = exported(&Analysis::new(trace_builder.finish()).unwrap());
    let [event] = &file.events[..] else { panic!("one event") };
    assert_eq!((event.kind, event.name.as_str()), (Kind::Instant, "CreateHeap"));
    assert_eq!(
        (&event.annotations["start"], &event.annotations["result"]["heap"]),
        (&"not recorded".into(), &1.into())
    );
}

/// A file whose writes wait until the gate is open.
struct Gated {
    file: File,
    gate: Receiver<()>,
}

impl Write for Gated {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The sender was dropped: the gate is open permanently.
        let _ = self.gate.recv();
        self.file.write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn lost_events_are_reported_at_their_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lossy.taut");
    let (open, gate) = channel();
    open.send(()).unwrap();
    let gated = Gated { file: File::create(&path).unwrap(), gate };
    let options = WriteOptions { buffer_bytes: 256, spare_buffers: 1, on_full: OnFull::Drop, ..Default::default() };
    let header = Header { schema: SchemaTable::current(), ..Default::default() };
    let writer = TraceWriter::new(gated, header, options).unwrap();
    let mut thread = writer.thread(0);
    // More events than one block holds: if the thread is fast enough, the writer waits at the gate with the first
    // block.
    for stamp in 0..70_000 {
        let answer = DdiAllocationInfo { size_bytes: stamp, ..Default::default() };
        let code = EventCode::new(d3d12_ddi::CheckResourceAllocationInfo::ID, Opcode::Stop);
        thread.event(code, stamp, |row| answer.encode(row));
    }
    drop(open);
    drop(thread);
    let lost = writer.finish().unwrap().lost_events;
    let (read, _) = exported(&Analysis::new(Trace::open(&path).unwrap()).unwrap());
    let losses = read.events.iter().filter(|event| event.name == "events lost");
    let events: u64 = losses.map(|event| event.annotations["events"].as_u64().unwrap()).sum();
    assert!(lost > 0, "nothing was lost");
    assert_eq!(events, lost);
}

#[test]
fn stamps_of_a_clock_without_frequency_are_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logical.taut");
    let header = Header { schema: SchemaTable::current(), ..Default::default() };
    let writer = TraceWriter::create(&path, header, WriteOptions::default()).unwrap();
    let mut thread = writer.thread(3);
    for stamp in [1000, 1007] {
        let code = EventCode::new(d3d12_ddi::DestroyDevice::ID, Opcode::Start);
        thread.event(code, stamp, |row| d3d12_ddi::DestroyDevice {}.encode(row));
    }
    drop(thread);
    writer.finish().unwrap();
    let (file, _) = exported(&Analysis::new(Trace::open(&path).unwrap()).unwrap());
    assert_eq!(file.events.iter().map(|event| event.at_ns).collect::<Vec<_>>(), [1000, 1007]);
}

/// The bytes of an undamaged trace of two threads.
fn whole() -> Vec<u8> {
    let mut trace_builder = TraceBuilder::new();
    for thread in [0, 1, 0] {
        trace_builder.thread = thread;
        for number in 0..40 {
            trace_builder.create_heap(u64::from(thread) * 100 + number + 1, 4096);
        }
    }
    trace_builder.bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tracks_nest_and_damage_is_reported_for_any_missing_part(
        at in 0.0_f64..1.0,
        bit in 0_u32..8,
        cut in any::<bool>(),
    ) {
        let mut bytes = whole();
        let place = (bytes.len() as f64 * at) as usize;
        if cut { bytes.truncate(place) } else { bytes[place] ^= 1 << bit }
        // The damage may affect the header.
        if let Ok(trace) = Trace::from_bytes(bytes)
            && let Ok(analysis) = Analysis::new(trace)
            && analysis.world().is_ok()
        {
            let (file, _) = exported(&analysis);
            for track in file.tracks.keys() {
                nesting(&file.on(*track).collect::<Vec<_>>());
            }
            let damage = analysis.damage_met();
            let thread_events: Vec<String> = file.events.iter()
                .filter_map(|event| Some(event.annotations.get("damage")?.as_str()?.to_owned()))
                .collect();
            for sentence in damage {
                prop_assert!(thread_events.contains(&sentence), "{sentence} is not among {thread_events:?}");
            }
        }
    }

    #[test]
    fn records_in_any_order_nest(raw in prop::collection::vec((0_u32..3, 0_usize..5), 0..60)) {
        let mut trace_builder = TraceBuilder::new();
        for (thread, what) in raw {
            trace_builder.thread = thread;
            match what {
                0 => trace_builder.api_start(d3d12::CreateHeap::default()),
                1 => stop(&mut trace_builder),
                2 => trace_builder.event(d3d12_ddi::DestroyDevice::ID, Opcode::Start, |row| d3d12_ddi::DestroyDevice {}.encode(row)),
                3 => trace_builder.event(d3d12_ddi::DestroyDevice::ID, Opcode::Stop, |row| ().encode(row)),
                _ => trace_builder.phase(0, taut_schemas::PhaseEdge::END, "over"),
            }
        }
        let analysis = Analysis::new(trace_builder.finish()).unwrap();
        let (file, _) = exported(&analysis);
        for track in file.tracks.keys() {
            nesting(&file.on(*track).collect::<Vec<_>>());
        }
        let begun = file.events.iter().filter(|event| event.kind == Kind::Begin).count() as u64;
        let codes = &analysis.trace().summary().codes;
        let starts = codes.iter().filter(|(code, _)| code.opcode() == Some(Opcode::Start)).map(|(_, count)| count);
        prop_assert_eq!(begun, starts.sum::<u64>());
    }
}

#[test]
fn a_trace_without_a_record_is_a_file_without_an_event() {
    let (file, _) = exported(&Analysis::new(TraceBuilder::new().finish()).unwrap());
    assert_eq!((file.events.len(), file.named("phases").len()), (0, 1));
    assert!(!exported(&Analysis::new(trace()).unwrap()).0.events.is_empty());
}
