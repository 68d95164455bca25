//! Contents of the export of a complete trace.

use super::expected::{annotations, by_thread, lines, nesting};
use super::reading::{Event, Kind};
use super::{exported, traces};
use crate::background::background_events::draw;
use crate::trace_builder::TraceBuilder;
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::memory::Live;
use taut_schemas::{HeapDesc, Opcode, PhaseEdge, WorkPriority, d3d12};

#[test]
fn every_record_is_an_event_of_its_thread_with_the_fields_that_the_json_lines_give() {
    for analysis in traces() {
        let (file, _) = exported(&analysis);
        let schema = &analysis.trace().header().schema;
        let mut threads = by_thread(&file);
        let mut compared = 0;
        for (thread, lines) in by(lines(&analysis), |line| line.thread) {
            let events = threads.remove(&thread).unwrap_or_default();
            let lines: Vec<_> = lines.iter().filter(|line| line.event != "WorkloadPhase").collect();
            assert_eq!(events.len(), lines.len());
            for (line, event) in lines.into_iter().zip(events) {
                let kind = match line.opcode {
                    Opcode::Start => Kind::Begin,
                    Opcode::Stop => Kind::End,
                    Opcode::Info => Kind::Instant,
                };
                let name = if kind == Kind::End { "" } else { &line.event };
                assert_eq!((event.kind, event.name.as_str()), (kind, name));
                assert_eq!(event.annotations, annotations(schema, line), "{}", line.event);
                assert_eq!(Some(event.at_ns), analysis.since_start_ns(line.stamp));
                compared += 1;
            }
        }
        assert!(threads.is_empty() && compared > 50);
    }
}

fn by<T, K: Ord>(all: Vec<T>, key: impl Fn(&T) -> K) -> BTreeMap<K, Vec<T>> {
    let mut sorted: BTreeMap<K, Vec<T>> = BTreeMap::new();
    all.into_iter().for_each(|one| sorted.entry(key(&one)).or_default().push(one));
    sorted
}

#[test]
fn call_slices_are_as_many_as_start_events() {
    for analysis in traces() {
        let (file, _) = exported(&analysis);
        let starts = analysis.trace().summary().codes.iter().filter(|(code, _)| code.opcode() == Some(Opcode::Start));
        let calls = by_thread(&file).into_values().flatten().filter(|event| event.kind == Kind::Begin).count();
        assert_eq!(calls as u64, starts.map(|(_, count)| count).sum::<u64>());
    }
}

#[test]
fn slices_nest_on_every_track_and_only_what_never_ended_stays_open() {
    let [golden, real] = traces().map(|analysis| exported(&analysis).0);
    for (file, expected) in [(golden, vec!["ReleaseHeap"]), (real, vec![])] {
        let mut open = Vec::new();
        for track in file.tracks.keys() {
            let events: Vec<&Event> = file.on(*track).collect();
            assert!(events.is_sorted_by_key(|event| event.at_ns));
            open.extend(nesting(&events));
        }
        assert_eq!(open, expected);
    }
}

#[test]
fn threads_are_tracks_of_one_process_and_named_by_their_roles() {
    let [golden, _] = traces();
    let (file, _) = exported(&golden);
    let process = file.tracks.values().filter_map(|track| track.process.clone()).collect::<Vec<_>>();
    let labels = ["driver peer", "rules 1.618", "clock: recorded time"].map(str::to_owned).to_vec();
    let simulated = vec!["clock: simulated time, unrelated to recorded time".to_owned()];
    assert_eq!(process, [("test".to_owned(), labels), ("simulated time".to_owned(), simulated)]);
    let threads = file.tracks.values().filter(|track| track.is_thread);
    let names: Vec<(&str, u64)> = threads.map(|track| (track.name.as_str(), track.ids.unwrap().1)).collect();
    let expected = [("application thread 0", 1), ("worker 0", 0x1_0001), ("worker 1", 0x1_0002), ("GPU", 0x2_0001)];
    assert_eq!(names, expected);
}

#[test]
fn a_phase_is_a_slice_with_its_name() {
    let [golden, _] = traces();
    let (file, _) = exported(&golden);
    let [track] = file.named("phases")[..] else { panic!("one track") };
    let found: Vec<_> = file.on(track).map(|event| (event.kind, event.name.as_str())).collect();
    assert_eq!(found, [(Kind::Begin, "load"), (Kind::End, ""), (Kind::Begin, "play"), (Kind::End, "")]);
    assert_eq!(file.on(track).next().unwrap().annotations["phase_index"], 0);
}

#[test]
fn memory_is_counted_in_bytes_after_each_change() {
    let [golden, _] = traces();
    let (file, _) = exported(&golden);
    let world = golden.world().unwrap();
    let mut live = Live::default();
    let mut expected: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for change in &world.changes {
        live.turn(world, change.kind);
        let resources = live.resources();
        for (name, bytes) in [
            ("heap memory", live.heaps.bytes),
            ("allocated resource memory", resources.allocated().bytes),
            ("placed resource memory", resources.placed.bytes),
            ("committed resource memory", resources.committed.bytes),
            ("requested resource memory", resources.requested_bytes),
        ] {
            expected.entry(name).or_default().push(bytes as u64);
        }
    }
    for (name, mut values) in expected {
        let [track] = file.named(name)[..] else { panic!("one track") };
        assert_eq!(file.tracks[&track].unit, Some(3), "bytes");
        values.dedup();
        let found: Vec<u64> = file.on(track).filter_map(|event| event.counter).collect();
        assert_eq!(found, values, "{name}");
    }
}

#[test]
fn tasks_and_submissions_last_from_their_start_to_their_end_on_tracks_of_their_own() {
    let [golden, _] = traces();
    let (file, _) = exported(&golden);
    let background = golden.background().unwrap();
    let ns = |stamp| golden.since_start_ns(stamp).unwrap();
    let mut expected: Vec<_> = background
        .tasks
        .iter()
        .filter_map(|task| Some((ns(task.started?.stamp), task.stopped_stamp.map(ns), task.id.0)))
        .collect();
    expected.sort_unstable();
    let mut found = Vec::new();
    for track in (0..2).flat_map(|worker| file.named(&format!("background tasks of worker {worker}"))) {
        let events: Vec<&Event> = file.on(track).collect();
        assert!(events.iter().all(|event| event.kind == Kind::End || event.name == "lighting"));
        let ended = |place: usize| events.get(place + 1).map(|event| event.at_ns);
        let begins = events.iter().enumerate().filter(|(_, event)| event.kind == Kind::Begin);
        found.extend(begins.map(|(at, event)| (event.at_ns, ended(at), event.annotations["task"].as_u64().unwrap())));
    }
    found.sort_unstable();
    assert!(!found.is_empty());
    assert_eq!(found, expected);
    let submissions = file.named("submissions to command queue 20");
    let begun = submissions.iter().flat_map(|track| file.on(*track)).filter(|event| event.kind == Kind::Begin);
    let mut numbers: Vec<u64> = begun.map(|event| event.annotations["submission"].as_u64().unwrap()).collect();
    numbers.dedup();
    let mut measured: Vec<u64> = background.draws.iter().map(|draw| draw.submission).collect();
    measured.dedup();
    assert_eq!(numbers, measured);
}

#[test]
fn an_arrow_leads_from_queueing_to_start_to_installation_to_first_use() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.begin_background();
    trace_builder.submit(1, &[(0, false)]);
    trace_builder.complete(1, vec![draw(0, 40, 40)], |_| {});
    trace_builder.queue(7, 1);
    // This task never starts.
    trace_builder.queue(8, 1);
    trace_builder.start(0, 7, WorkPriority::IDLE);
    trace_builder.finish_task(0, 7, 5);
    for submission in [2, 3] {
        trace_builder.submit(submission, &[(5, false)]);
        trace_builder.complete(submission, vec![draw(5, 25, 40)], |_| {});
    }
    let (file, _) = exported(&Analysis::new(trace_builder.finish()).unwrap());
    let mut through = Vec::new();
    for event in &file.events {
        let flows = event.flows.iter().chain(&event.last_of_flows);
        let track = file.tracks[&event.track].name.as_str();
        through.extend(flows.map(|flow| (*flow, track, event.kind, event.name.as_str())));
    }
    assert_eq!(
        through,
        [
            (7, "application thread 0", Kind::End, ""),
            (7, "background tasks of worker 0", Kind::Begin, "lighting"),
            (7, "worker 0", Kind::Begin, "ProcessBackgroundWork"),
            (7, "submissions to command queue 20", Kind::Begin, "submission 2"),
        ]
    );
    assert_eq!(file.events.iter().filter(|event| !event.last_of_flows.is_empty()).count(), 1);
}

#[test]
fn every_arrow_has_two_ends() {
    for analysis in traces() {
        let (file, _) = exported(&analysis);
        let mut ends: BTreeMap<u64, usize> = BTreeMap::new();
        let flows = file.events.iter().flat_map(|event| event.flows.iter().chain(&event.last_of_flows));
        flows.for_each(|flow| *ends.entry(*flow).or_default() += 1);
        assert!(ends.values().all(|ends| *ends >= 2), "{ends:?}");
    }
}

#[test]
fn a_long_trace_takes_few_bytes_an_event() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.phase(0, PhaseEdge::BEGIN, "all");
    trace_builder.create_heap(1, 1 << 40);
    for resource in 2..6000 {
        trace_builder.create_placed((resource, 1, resource * 4096), 1000 + resource);
    }
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let (file, bytes) = exported(&analysis);
    let events = analysis.trace().summary().events;
    assert!(file.events.len() as u64 > events && bytes as u64 <= 20 * events, "{bytes} bytes for {events} events");
}

#[test]
fn long_values_are_truncated_with_their_length() {
    let mut trace_builder = TraceBuilder::new();
    let name = "x".repeat(5000);
    trace_builder.api(d3d12::SetName { name, ..Default::default() }, Ok(()), |_| {});
    let desc = HeapDesc { size_bytes: 1, ..Default::default() };
    trace_builder.api(d3d12::CreateHeap { desc, ..Default::default() }, Ok(Default::default()), |_| {});
    let (file, _) = exported(&Analysis::new(trace_builder.finish()).unwrap());
    let arguments = &file.events.iter().find(|event| event.name == "SetName").unwrap().annotations;
    assert_eq!((arguments["name"].as_str().unwrap().len(), &arguments["name_length"]), (4096, &5000.into()));
}
