//! What-if replays of recorded calls.
#![allow(clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::Path;
use taut_capture::Clock;
use taut_replay::{Options, ReplayWorld, Replayer, Tight, WhatIfOutcome};
use taut_runtime::{Profile, RuleSet, Settings};
use taut_schemas::{
    Call, ConstantBufferViewDesc, Decoder, EventCode, HeapDesc, HeapProperties, HeapType, Mark, Opcode, ResourceDesc,
    d3d12, mark,
};
use taut_testkit::{Recording, assert_replays, recorded, replayed};
use taut_traces::{Header, Trace, TraceWriter, World, WriteOptions};

/// Returns the world of `trace` with another driver and rule set.
fn world(trace: &Trace, driver: &str, rules: RuleSet) -> World {
    let mut world = trace.header().world.clone();
    let profile = Profile::named(driver).expect("a bundled profile");
    world.adapters[0].driver = driver.to_owned();
    world.adapters[0].profile = serde_json::to_value(profile).expect("a profile");
    world.rules = rules.to_string();
    world.settings["rules"] = serde_json::to_value(rules).expect("rules");
    world
}

/// Replays `trace` in `world` and opens the resulting trace.
fn what_if(trace: &Trace, world: World, tight: Tight, file: &Path) -> (WhatIfOutcome, Trace) {
    let header = Header { world: world.clone(), ..trace.header().clone() };
    let writer = TraceWriter::create(file, header, WriteOptions::default()).expect("a file");
    let outcome = Replayer::new(trace, Options::default()).what_if(&world, tight, Some(&writer)).expect("a replay");
    writer.finish().expect("a trace");
    (outcome, Trace::open(file).expect("a trace"))
}

fn assert_whole(trace: &Trace, what: &str) {
    assert_replays(trace, what);
    assert!(trace.verify().is_empty(), "{what}");
}

#[test]
fn a_what_if_that_changes_nothing_is_the_replay_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = recorded("small-level", "peer", &[("threads", "3")], Clock::best(), &folder.path().join("first.taut"));
    let plain = folder.path().join("plain.taut");
    let writer = TraceWriter::create(&plain, trace.header(), WriteOptions::default()).expect("a file");
    let same = ReplayWorld::recorded(&trace.header().world).expect("the recorded world");
    Replayer::new(&trace, Options::default()).run_on(same, Some(&writer)).expect("a replay");
    writer.finish().expect("a trace");

    let file = folder.path().join("what-if.taut");
    let (outcome, _) = what_if(&trace, trace.header().world.clone(), Tight::AsRecorded, &file);
    assert!(std::fs::read(plain).expect("a trace") == std::fs::read(file).expect("a trace"));
    assert_eq!((outcome.failed_creations, outcome.recorded_in_both_bytes), (0, outcome.recorded_bytes));
    assert_eq!(outcome.live_in_both_bytes, outcome.live_bytes);
    let changes =
        (outcome.resources_repacked, outcome.heaps_grown, outcome.skipped_calls, outcome.newly_failing_creations);
    assert_eq!(changes, (0, 0, 0, 0));
    assert!(outcome.changed_results.is_empty() && outcome.resources.is_empty() && outcome.heaps.is_empty());
    assert_eq!(outcome.recorded_bytes, outcome.live_bytes);
}

#[test]
fn the_what_if_trace_of_every_other_world_replays_identically() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("first.taut");
    let trace = recorded("small-level", "reference", &[("threads", "4")], Clock::best(), &file);
    for (driver, _) in Profile::bundled() {
        for rules in RuleSet::ALL {
            for tight in [Tight::On, Tight::Off, Tight::AsRecorded] {
                let what = format!("{driver}, {rules}, {tight:?}");
                let file = folder.path().join("what-if.taut");
                let (outcome, trace) = what_if(&trace, world(&trace, driver, rules), tight, &file);
                assert_whole(&trace, &what);
                assert!(outcome.replayed.divergences.is_empty(), "{what}");
                // Only a flag that the application itself set can cause a failure.
                let refused = outcome.newly_failing_creations > 0;
                assert!(!refused || tight == Tight::AsRecorded, "{what}: {outcome:#?}");
            }
        }
    }
}

#[test]
fn removing_tight_alignment_restores_the_original_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let first = recorded("small-level", "peer", &[("threads", "2")], Clock::best(), &path("first.taut"));
    let same = || first.header().world.clone();
    let (off, classic) = what_if(&first, same(), Tight::Off, &path("classic.taut"));
    let (on, tight) = what_if(&classic, same(), Tight::On, &path("tight.taut"));
    let (reverted, _) = what_if(&tight, same(), Tight::Off, &path("again.taut"));
    assert!(off.flags_dropped > 0 && on.flags_added > 0 && reverted.flags_dropped == on.flags_added);
    assert!(on.live_bytes < on.recorded_bytes, "{} < {}", on.live_bytes, on.recorded_bytes);
    assert_eq!((reverted.live_bytes, reverted.recorded_bytes), (off.live_bytes, on.live_bytes));
    assert_eq!((reverted.skipped_calls, reverted.newly_failing_creations), (0, 0));
    // Resources shrink; heaps keep their size, except those that grew.
    assert!(on.recorded_heap_bytes > 0 && on.recorded_heap_bytes == off.live_heap_bytes);
    assert_eq!(on.live_heap_bytes, on.recorded_heap_bytes + on.heap_growth_bytes);
    for change in &on.resources {
        assert!(change.live.size_bytes <= change.recorded.size_bytes, "A-18: {change:?}");
        assert!(change.live.alignment_bytes <= change.recorded.alignment_bytes, "A-18: {change:?}");
    }
}

#[test]
fn a_classic_world_converted_to_tight_and_back_is_the_first_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let overrides = [("threads", "8"), ("seed", "7")];
    let first = recorded("streaming-world", "reference", &overrides, Clock::best(), &path("first.taut"));
    let same = || first.header().world.clone();
    let (on, tight) = what_if(&first, same(), Tight::On, &path("tight.taut"));
    let (off, reverted) = what_if(&tight, same(), Tight::Off, &path("again.taut"));
    assert!(on.flags_added > 1000 && on.live_bytes < on.recorded_bytes / 2, "{on:#?}");
    assert_eq!(
        (off.flags_dropped, off.live_bytes, off.recorded_bytes),
        (on.flags_added, on.recorded_bytes, on.live_bytes)
    );
    assert_eq!((off.heaps_grown, off.skipped_calls, off.newly_failing_creations), (0, 0, 0));
    // Not only the sizes: the application places first-fit, too, so every thread's calls equal those of the first
    // world. The order between threads is that of the tight world, whose driver answered additional queries for some
    // resources.
    let (first, mut reverted) = (by_thread(&first), by_thread(&reverted));
    for (thread, rows) in first {
        let same = reverted.remove(&thread).unwrap_or_default();
        assert_eq!(rows.len(), same.len(), "events of thread {thread}");
        for (nth, (row, same)) in rows.iter().zip(&same).enumerate() {
            assert_eq!(row, same, "event {nth} of thread {thread}");
        }
    }
    assert!(reverted.is_empty(), "{:?}", reverted.keys());
}

/// Returns code and payload of each event, by thread.
fn by_thread(trace: &Trace) -> BTreeMap<u32, Vec<(EventCode, Vec<u8>)>> {
    let (mut rows, mut threads) = (trace.rows(), BTreeMap::<_, Vec<_>>::new());
    while let Some(row) = rows.next_row() {
        threads.entry(row.thread).or_default().push((row.code, row.payload.to_vec()));
    }
    threads
}

/// Returns a constant buffer of `width` bytes without the tight flag, as of an older application.
fn constant_buffer(width: u64) -> ResourceDesc {
    ResourceDesc::buffer(width)
}

#[test]
fn a_bound_address_moves_with_its_buffer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("first.taut");
    let settings = Settings { rules: RuleSet::R1_619_4, ..Settings::default() };
    let session = Recording::under("reference").with_settings(settings).with_clock(Clock::Logical).session(&file);
    let mut caller = session.thread(0);
    let device =
        caller.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).expect("a device");
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..HeapProperties::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..HeapDesc::default() };
    let heap = caller.call(d3d12::CreateHeap { device, desc }).expect("a heap");
    for index in 0..3 {
        let (desc, heap_offset_bytes) = (constant_buffer(256), index * 65536);
        let create = d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() };
        let resource = caller.call(create).expect("a buffer");
        let address = caller.call(d3d12::GetGPUVirtualAddress { resource }).expect("an address");
        let desc = Some(ConstantBufferViewDesc { buffer_location: address, size_bytes: 256 });
        caller.call(d3d12::CreateConstantBufferView { device, desc }).expect("a view");
    }
    drop(caller);
    session.finish().expect("a trace");
    let first = Trace::open(&file).expect("a trace");
    let world = first.header().world.clone();
    let (outcome, tight) = what_if(&first, world, Tight::On, &folder.path().join("tight.taut"));
    assert_eq!((outcome.flags_added, outcome.skipped_calls, outcome.newly_failing_creations), (3, 0, 0));
    let view = EventCode::new(d3d12::CreateConstantBufferView::ID, Opcode::Start);
    let locations = |trace: &Trace| {
        let (mut rows, mut locations) = (trace.rows(), Vec::new());
        while let Some(row) = rows.next_row() {
            if row.code == view {
                let call =
                    d3d12::CreateConstantBufferView::decode(&mut Decoder::new(&row.payload[8..])).expect("a call");
                locations.extend(call.desc.map(|desc| desc.buffer_location.0));
            }
        }
        locations.iter().map(|location| location - locations[0]).collect::<Vec<_>>()
    };
    assert_eq!((locations(&first), locations(&tight)), (vec![0, 65536, 131072], vec![0, 256, 512]));
    assert_whole(&tight, "tight");
}

/// Tests an application that places better than first-fit: the cost of first-fit is not attributed to the flag.
#[test]
fn growth_is_compared_with_first_fit_of_the_recorded_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("first.taut");
    let session = Recording::under("reference").with_clock(Clock::Logical).session(&file);
    let mut caller = session.thread(0);
    let device =
        caller.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).expect("a device");
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..HeapProperties::default() };
    let desc = HeapDesc { size_bytes: 256 << 10, properties, ..HeapDesc::default() };
    let heap = caller.call(d3d12::CreateHeap { device, desc }).expect("a heap");
    let place = |width, heap_offset_bytes| {
        let desc = ResourceDesc::buffer(width);
        d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() }
    };
    // The second buffer is at the end of the heap, so that the third has space when the first is released.
    let first = caller.call(place(60_000, 0)).expect("a buffer");
    caller.call(place(60_000, 192 << 10)).expect("a buffer");
    caller.call(d3d12::ReleaseResource { resource: first }).expect("a release");
    caller.call(place(190_000, 0)).expect("a buffer");
    drop(caller);
    session.finish().expect("a trace");
    let trace = Trace::open(&file).expect("a trace");
    let world = trace.header().world.clone();
    let (outcome, tight) = what_if(&trace, world, Tight::On, &folder.path().join("tight.taut"));
    let shrunk = outcome.resources.iter().all(|change| change.live.size_bytes < change.recorded.size_bytes);
    assert!(shrunk && outcome.resources.len() == 3, "{:#?}", outcome.resources);
    assert_eq!((outcome.heaps_grown, outcome.heap_growth_bytes), (1, 64 << 10));
    assert_eq!((outcome.heaps_grown_by_first_fit, outcome.first_fit_growth_bytes), (1, 64 << 10));
    let marks = &outcome.heaps[0];
    assert_eq!((marks.recorded_high_water_bytes, marks.first_fit_high_water_bytes), (256 << 10, 320 << 10));
    assert_eq!(marks.high_water_bytes, 2 * 60_160 + 190_208);
    assert_whole(&tight, "tight");
}

#[test]
fn a_heap_that_no_longer_suffices_grows_to_its_high_water_mark() {
    let folder = tempfile::tempdir().expect("a folder");
    let first =
        recorded("small-level", "reference", &[("threads", "1")], Clock::Logical, &folder.path().join("first.taut"));
    let world = world(&first, "legacy", RuleSet::R1_618);
    let (outcome, trace) = what_if(&first, world, Tight::Off, &folder.path().join("legacy.taut"));
    assert!(outcome.heaps_grown > 0);
    let growth: u64 = outcome.heaps.iter().map(|heap| heap.live_bytes - heap.recorded_bytes).sum();
    assert_eq!(outcome.heap_growth_bytes, growth);
    for heap in &outcome.heaps {
        assert!(heap.high_water_bytes <= heap.live_bytes, "{heap:?}");
        let grown = heap.live_bytes > heap.recorded_bytes;
        assert!(!grown || heap.live_bytes == heap.high_water_bytes.next_multiple_of(65536), "{heap:?}");
    }
    assert_whole(&trace, "legacy");
}

#[test]
fn calls_on_what_was_never_created_are_skipped_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let first =
        recorded("small-level", "reference", &[("threads", "4")], Clock::best(), &folder.path().join("first.taut"));
    let world = world(&first, "legacy", RuleSet::R1_618);
    let (outcome, trace) = what_if(&first, world, Tight::AsRecorded, &folder.path().join("legacy.taut"));
    assert!(outcome.newly_failing_creations > 0 && outcome.skipped_calls > outcome.newly_failing_creations);
    assert!(
        outcome.failed_creations >= outcome.newly_failing_creations && outcome.failed_creations < outcome.creations
    );
    // For the remaining resources the classic driver takes what was recorded: nothing is saved.
    assert!(outcome.live_in_both_bytes >= outcome.recorded_in_both_bytes && outcome.recorded_in_both_bytes > 0);
    assert!(outcome.recorded_in_both_bytes < outcome.recorded_bytes);
    let code = EventCode::new(mark::SkippedCall::ID, Opcode::Info);
    let written = trace.summary().codes.iter().find(|(found, _)| *found == code).map(|(_, events)| *events);
    assert_eq!(written, Some(outcome.skipped_calls));
    assert_eq!(outcome.replayed.calls, replayed(&first).calls);
    assert_whole(&trace, "legacy");
}
