//! Example of a recorded program: it runs, and its recording replays.
#![allow(clippy::expect_used)]

#[path = "../../examples/own_program.rs"]
#[allow(dead_code)]
mod example;

use taut_replay::{Options, Replayer};
use taut_traces::Trace;

#[test]
fn the_example_is_recorded_by_two_threads_and_replays_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.taut");
    example::record(file.to_str().expect("a name")).expect("a run");
    let trace = Trace::open(&file).expect("a trace");
    let threads: Vec<u32> = trace.summary().threads.iter().map(|thread| thread.thread).collect();
    // The machine's threads were started for the device's release, but have no events.
    assert_eq!(threads.iter().filter(|thread| **thread < 2).count(), 2, "{threads:?}");
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical() && outcome.damage.is_empty(), "{:#?}", outcome.divergences);
    // A device, a heap, sixteen buffers, and the release of each; the device's release is two calls.
    assert_eq!((outcome.calls, outcome.unfinished_calls), (2 * (1 + 1 + 16) + 1, 0));
}
