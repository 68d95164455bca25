//! Checks of a recording that ended in any way.

use crate::plan::Plan;
use crate::run::loses_nothing;
use crate::world::RecordedEvents;
use std::collections::BTreeMap;
use taut_replay::{Options, Outcome, ReplayError, Replayer};
use taut_schemas::{EventCode, Mark, Opcode, state};
use taut_traces::Trace;

/// Part of the events that the trace must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retained {
    /// All events that are not counted as lost.
    All,
    /// The last events.
    Last,
}

fn retained(plan: &Plan) -> Retained {
    if plan.options.mode.discards_oldest() { Retained::Last } else { Retained::All }
}

/// Checks a recording that was finished.
pub fn whole(plan: &Plan, trace: &Trace, recorded_events: &RecordedEvents) {
    assert!(trace.summary().complete && trace.damage().is_empty(), "{:?}", trace.damage());
    assert!(trace.verify().is_empty(), "{:?}", trace.verify());
    events(plan, trace, recorded_events, None, retained(plan));
    if loses_nothing(plan) && retained(plan) == Retained::All {
        assert_eq!(trace.summary().lost_events, 0);
    }
    replays(plan, trace);
}

/// Checks a recording whose process was killed, while thread `torn` was recording one more event.
pub fn killed(plan: &Plan, trace: &Trace, recorded_events: &RecordedEvents, torn: Option<u32>) {
    assert!(trace.damage().is_empty() && trace.verify().is_empty(), "{:?} {:?}", trace.damage(), trace.verify());
    let recovery = trace.recovery().expect("it did not end");
    assert!(!recovery.is_alive && recovery.partial() <= u64::from(torn.is_some()), "{recovery:?}");
    events(plan, trace, recorded_events, torn, retained(plan));
    replays(plan, trace);
    if trace.can_be_finished() {
        let mut bytes = Vec::new();
        let written = trace.write_finished(&mut bytes).expect("written");
        let finished = Trace::from_bytes(bytes).expect("a trace");
        assert!(finished.verify().is_empty() && finished.summary().complete);
        assert_eq!((written.events, written.lost_events), (trace.summary().events, trace.summary().lost_events));
    }
}

/// Checks a recording whose output failed: the accepted part is the beginning, and the missing part is reported.
pub fn failed(trace: &Trace, recorded_events: &RecordedEvents, lost: &[(u32, u64)]) {
    events_with(trace, recorded_events, &lost.iter().copied().collect());
}

/// Checks that each thread's records are those it made, in order.
pub fn events(plan: &Plan, trace: &Trace, recorded_events: &RecordedEvents, torn: Option<u32>, retained: Retained) {
    let found = records(trace);
    for (thread, found) in &found {
        let recorded_events = recorded_events.get(thread).map_or(&[][..], Vec::as_slice);
        match retained {
            Retained::Last => {
                // The last event may be the one that was being written.
                let ends = |found: &[(EventCode, u64)]| match loses_nothing(plan) {
                    true => recorded_events.ends_with(found),
                    false => is_among(found, recorded_events),
                };
                let is_torn = torn == Some(*thread);
                let is_present = ends(found) || is_torn && found.split_last().is_some_and(|(_, rest)| ends(rest));
                assert!(is_present, "thread {thread}: {} of {}", found.len(), recorded_events.len());
            }
            Retained::All => placed(trace, *thread, found, recorded_events, torn == Some(*thread)),
        }
    }
    if retained == Retained::All {
        let lost = trace.summary().threads.iter().map(|of| (of.thread, of.lost_events)).collect::<BTreeMap<_, _>>();
        for (thread, recorded_events) in recorded_events {
            let count = found.get(thread).map_or(0, Vec::len) as u64 + lost.get(thread).copied().unwrap_or_default();
            let max = recorded_events.len() as u64 + u64::from(torn == Some(*thread));
            let (all, recovery) = (recorded_events.len(), trace.recovery());
            assert!(
                (all as u64..=max).contains(&count),
                "thread {thread}: {count} of {all}, {lost:?} lost, {recovery:?}"
            );
        }
    }
}

fn events_with(trace: &Trace, recorded_events: &RecordedEvents, lost: &BTreeMap<u32, u64>) {
    let found = records(trace);
    let lost_by_thread: BTreeMap<u32, u64> =
        trace.summary().threads.iter().map(|of| (of.thread, of.lost_events)).collect();
    for (thread, recorded_events) in recorded_events {
        let records = found.get(thread).map_or(&[][..], Vec::as_slice);
        placed(trace, *thread, records, recorded_events, false);
        let of = |lost: &BTreeMap<u32, u64>| lost.get(thread).copied().unwrap_or_default();
        let sum = records.len() as u64 + of(&lost_by_thread) + of(lost);
        assert_eq!(
            sum,
            recorded_events.len() as u64,
            "thread {thread}: {} records, {} and {} lost",
            records.len(),
            of(&lost_by_thread),
            of(lost)
        );
    }
}

fn records(trace: &Trace) -> RecordedEvents {
    let (mut rows, mut found) = (trace.rows(), RecordedEvents::new());
    while let Some(row) = rows.next_row() {
        found.entry(row.thread).or_default().push((row.code, row.stamp));
    }
    found
}

/// Returns true if `found` is `recorded_events` with some events removed.
fn is_among(found: &[(EventCode, u64)], recorded_events: &[(EventCode, u64)]) -> bool {
    let mut rest = recorded_events.iter();
    found.iter().all(|record| rest.any(|recorded_events| recorded_events == record))
}

/// Checks that the counts of blocks agree with the positions of their records.
fn placed(trace: &Trace, thread: u32, found: &[(EventCode, u64)], recorded_events: &[(EventCode, u64)], is_torn: bool) {
    let mut at = 0;
    for block in trace.blocks().iter().filter(|block| block.thread == thread) {
        let first = (block.records_before + block.lost_since_begin) as usize;
        for place in first..first + block.records as usize {
            match recorded_events.get(place) {
                Some(recorded_events) => assert_eq!(found[at], *recorded_events, "thread {thread}, event {place}"),
                None => assert!(
                    is_torn && place == recorded_events.len(),
                    "thread {thread}, event {place} of {}",
                    recorded_events.len()
                ),
            }
            at += 1;
        }
    }
    assert_eq!(at, found.len());
}

/// Checks that the known part replays identically.
pub fn replays(plan: &Plan, trace: &Trace) {
    let replay = |until: u64| Replayer::new(trace, Options { until, ..Options::default() }).run();
    let outcome = match replay(u64::MAX) {
        Err(ReplayError::Unknown { stamp }) => {
            let lost = trace.summary().lost_events > 0;
            assert!(
                lost || plan.options.mode.discards_oldest() && !has_rundown(trace),
                "nothing is missing before {stamp}"
            );
            match replay(stamp - 1) {
                Err(ReplayError::Unknown { .. }) => return,
                outcome => outcome,
            }
        }
        outcome => outcome,
    };
    let Outcome { divergences, divergence_count, damage, unfinished_calls, .. } = outcome.expect("a replay");
    assert!(divergence_count == 0, "{divergences:#?}");
    // A recording that was not finished has no trailer.
    assert!(damage.iter().all(|damage| damage.what == "trailer"), "{damage:?}");
    let threads = trace.summary().threads.len() as u64;
    assert!(unfinished_calls <= threads, "{unfinished_calls} calls of {threads} threads did not return");
}

fn has_rundown(trace: &Trace) -> bool {
    let end = EventCode::new(state::RundownEnd::ID, Opcode::Info);
    trace.summary().codes.iter().any(|(code, _)| *code == end)
}
