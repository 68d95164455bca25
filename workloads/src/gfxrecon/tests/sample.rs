//! Playing the sample.

use super::{SAMPLE, names, played};
use taut_schemas::{Call, Decoder, HResultCode, d3d12, dxgi, mark};

#[test]
fn the_calls_that_have_a_counterpart_are_made_in_order() {
    let (summary, events) = played(SAMPLE);
    insta::assert_snapshot!(names(&events).join("\n"));
    insta::assert_snapshot!(summary.to_string());
    assert_eq!(summary.log.failures, 0);
    assert_eq!(summary.counts.fault(), None);
}

#[test]
fn every_row_is_counted_once() {
    let (summary, _) = played(SAMPLE);
    let counts = &summary.counts;
    assert_eq!((counts.rows, counts.calls, counts.unreadable), (54, 47, 0));
    assert_eq!((counts.frames, counts.presents, counts.test_presents, counts.state_frame), (1, 1, 1, Some(10)));
    let not_played: u64 = counts.not_played.values().sum();
    let undefined: u64 = counts.undefined.values().sum();
    // Beside calls, the state block has two rows and the frame one.
    let played = summary.log.lines - 3;
    assert_eq!(played + counts.noted + not_played + undefined + counts.test_presents, counts.calls);
    assert_eq!(undefined, 0);
    assert_eq!(counts.meta.keys().collect::<Vec<_>>(), ["DxgiAdapterInfo", "FillMemoryCommand"]);
}

#[test]
fn objects_have_the_captured_sizes_and_places() {
    let (_, events) = played(SAMPLE);
    let args = |name: &'static str| events.iter().filter(move |event| event.name == name);
    let heaps = args("CreateHeap1").map(|event| d3d12::CreateHeap1::decode(&mut Decoder::new(&event.row)).unwrap());
    let heaps: Vec<_> =
        heaps.map(|call| (call.desc.size_bytes, call.desc.alignment_bytes, call.desc.flags.0)).collect();
    assert_eq!(heaps, [(8_388_608, 4_194_304, 0)]);
    let placed = args("CreatePlacedResource");
    let placed = placed.map(|event| d3d12::CreatePlacedResource::decode(&mut Decoder::new(&event.row)).unwrap());
    let placed: Vec<_> = placed.map(|call| (call.heap_offset_bytes, call.desc.width, call.desc.flags.0)).collect();
    assert_eq!(placed, [(262_144, 1024, 1024), (263_168, 1024, 1024)]);
    let committed = args("CreateCommittedResource");
    let committed: Vec<_> = committed
        .map(|event| {
            let call = d3d12::CreateCommittedResource::decode(&mut Decoder::new(&event.row)).unwrap();
            (event.hr, call.desc.width, call.heap_properties.heap_type.0, call.initial_state)
        })
        .collect();
    // The second failed in the capture and succeeds here; its object is released at once.
    let s_ok = Some(HResultCode::S_OK);
    assert_eq!(committed, [(s_ok, 65_536, 2, 2755), (s_ok, 1920, 1, 16)]);
    // Released: the upload buffer by both of its handles, the reserved texture, and the surplus texture.
    assert_eq!(args("ReleaseResource").count(), 3);
    assert_eq!(args("ReleaseHeap").count(), 0);
}

#[test]
fn presents_go_to_the_queue_of_their_swap_chain() {
    let (_, events) = played(SAMPLE);
    let presents: Vec<_> = events.iter().filter(|event| event.name == "Present").collect();
    let present = dxgi::Present::decode(&mut Decoder::new(&presents[0].row)).unwrap();
    let queue = events.iter().find(|event| event.name == "ExecuteCommandLists").unwrap();
    let queue = d3d12::ExecuteCommandLists::decode(&mut Decoder::new(&queue.row)).unwrap();
    assert_eq!((presents.len(), present.command_queue, present.sync_interval), (1, queue.command_queue, 0));
    assert_eq!(queue.command_lists.len(), 1);
}

#[test]
fn the_state_before_the_frames_is_a_phase() {
    let (_, events) = played(SAMPLE);
    let phases: Vec<_> = events.iter().filter_map(|event| event.mark::<mark::WorkloadPhase>()).collect();
    let edges: Vec<_> = phases.iter().map(|phase| (phase.edge.0, phase.name.as_str())).collect();
    assert_eq!(edges, [(1, "state before frame 10"), (2, "state before frame 10")]);
}

#[test]
fn the_answer_of_an_event_is_the_position_of_its_row() {
    let (_, events) = played(SAMPLE);
    let first = events.iter().find_map(|event| event.mark::<mark::LogPosition>());
    assert_eq!(first, Some(mark::LogPosition { seq: 0 }));
    // The state's beginning is row 3, so its position is 1.
    let state = events.iter().position(|event| event.name == "WorkloadPhase").unwrap();
    assert_eq!(events[state - 1].mark(), Some(mark::LogPosition { seq: 1 }));
}
