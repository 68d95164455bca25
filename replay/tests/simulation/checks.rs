//! What has to hold of what a recording left.

use crate::plan::Plan;
use crate::run::loses_nothing;
use crate::world::Given;
use std::collections::BTreeMap;
use taut_replay::{Options, Outcome, ReplayError, Replayer};
use taut_schemas::{EventCode, Mark, Opcode, state};
use taut_traces::Trace;

/// What of all that was given may be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// All that is not counted as lost.
    All,
    /// The last of it.
    Last,
}

fn kept(plan: &Plan) -> Kept {
    if plan.options.mode.keeps_the_last() { Kept::Last } else { Kept::All }
}

/// Of a recording that was brought to its end.
pub fn whole(plan: &Plan, trace: &Trace, given: &Given) {
    assert!(trace.summary().complete && trace.damage().is_empty(), "{:?}", trace.damage());
    assert!(trace.verify().is_empty(), "{:?}", trace.verify());
    events(plan, trace, given, None, kept(plan));
    if loses_nothing(plan) && kept(plan) == Kept::All {
        assert_eq!(trace.summary().lost_events, 0);
    }
    replays(plan, trace);
}

/// Of one whose process was killed, with one more event of `torn` under way.
pub fn killed(plan: &Plan, trace: &Trace, given: &Given, torn: Option<u32>) {
    assert!(trace.damage().is_empty() && trace.verify().is_empty(), "{:?} {:?}", trace.damage(), trace.verify());
    let recovery = trace.recovery().expect("it did not end");
    assert!(!recovery.is_alive && recovery.torn() <= u64::from(torn.is_some()), "{recovery:?}");
    events(plan, trace, given, torn, kept(plan));
    replays(plan, trace);
    if trace.can_be_finished() {
        let mut bytes = Vec::new();
        let written = trace.write_finished(&mut bytes).expect("written");
        let finished = Trace::from_bytes(bytes).expect("a trace");
        assert!(finished.verify().is_empty() && finished.summary().complete);
        assert_eq!((written.events, written.lost_events), (trace.summary().events, trace.summary().lost_events));
    }
}

/// Of one whose output failed: what it took is the beginning, and what it lacks is told.
pub fn failed(trace: &Trace, given: &Given, lost: &[(u32, u64)]) {
    events_with(trace, given, &lost.iter().copied().collect());
}

/// Each thread's records are those that it was given, in their places.
pub fn events(plan: &Plan, trace: &Trace, given: &Given, torn: Option<u32>, kept: Kept) {
    let found = records(trace);
    for (thread, found) in &found {
        let given = given.get(thread).map_or(&[][..], Vec::as_slice);
        match kept {
            Kept::Last => {
                // The last one may be the one that was being written.
                let ends = |found: &[(EventCode, u64)]| match loses_nothing(plan) {
                    true => given.ends_with(found),
                    false => is_among(found, given),
                };
                let is_torn = torn == Some(*thread);
                let is_there = ends(found) || is_torn && found.split_last().is_some_and(|(_, rest)| ends(rest));
                assert!(is_there, "thread {thread}: {} of {}", found.len(), given.len());
            }
            Kept::All => placed(trace, *thread, found, given, torn == Some(*thread)),
        }
    }
    if kept == Kept::All {
        let lost = trace.summary().threads.iter().map(|of| (of.thread, of.lost_events)).collect::<BTreeMap<_, _>>();
        for (thread, given) in given {
            let count = found.get(thread).map_or(0, Vec::len) as u64 + lost.get(thread).copied().unwrap_or_default();
            let most = given.len() as u64 + u64::from(torn == Some(*thread));
            let (all, recovery) = (given.len(), trace.recovery());
            assert!(
                (all as u64..=most).contains(&count),
                "thread {thread}: {count} of {all}, {lost:?} lost, {recovery:?}"
            );
        }
    }
}

fn events_with(trace: &Trace, given: &Given, lost: &BTreeMap<u32, u64>) {
    let found = records(trace);
    let told: BTreeMap<u32, u64> = trace.summary().threads.iter().map(|of| (of.thread, of.lost_events)).collect();
    for (thread, given) in given {
        let records = found.get(thread).map_or(&[][..], Vec::as_slice);
        placed(trace, *thread, records, given, false);
        let of = |lost: &BTreeMap<u32, u64>| lost.get(thread).copied().unwrap_or_default();
        let sum = records.len() as u64 + of(&told) + of(lost);
        assert_eq!(
            sum,
            given.len() as u64,
            "thread {thread}: {} records, {} and {} lost",
            records.len(),
            of(&told),
            of(lost)
        );
    }
}

fn records(trace: &Trace) -> Given {
    let (mut rows, mut found) = (trace.rows(), Given::new());
    while let Some(row) = rows.next_row() {
        found.entry(row.thread).or_default().push((row.code, row.stamp));
    }
    found
}

/// `found` is `given` without some of it.
fn is_among(found: &[(EventCode, u64)], given: &[(EventCode, u64)]) -> bool {
    let mut rest = given.iter();
    found.iter().all(|record| rest.any(|given| given == record))
}

/// Each block's records stand where its counts say.
fn placed(trace: &Trace, thread: u32, found: &[(EventCode, u64)], given: &[(EventCode, u64)], is_torn: bool) {
    let mut at = 0;
    for block in trace.blocks().iter().filter(|block| block.thread == thread) {
        let first = (block.records_before + block.lost_since_begin) as usize;
        for place in first..first + block.records as usize {
            match given.get(place) {
                Some(given) => assert_eq!(found[at], *given, "thread {thread}, event {place}"),
                None => assert!(is_torn && place == given.len(), "thread {thread}, event {place} of {}", given.len()),
            }
            at += 1;
        }
    }
    assert_eq!(at, found.len());
}

/// It replays identically, as far as what is known goes.
pub fn replays(plan: &Plan, trace: &Trace) {
    let replay = |until: u64| Replayer::new(trace, Options { until, ..Options::default() }).run();
    let outcome = match replay(u64::MAX) {
        Err(ReplayError::Unknown { stamp }) => {
            let lost = trace.summary().lost_events > 0;
            assert!(
                lost || plan.options.mode.keeps_the_last() && !has_rundown(trace),
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
    // Of a recording that nobody ended, the end is missing.
    assert!(damage.iter().all(|damage| damage.what == "trailer"), "{damage:?}");
    let threads = trace.summary().threads.len() as u64;
    assert!(unfinished_calls <= threads, "{unfinished_calls} calls of {threads} threads did not return");
}

fn has_rundown(trace: &Trace) -> bool {
    let end = EventCode::new(state::RundownEnd::ID, Opcode::Info);
    trace.summary().codes.iter().any(|(code, _)| *code == end)
}
