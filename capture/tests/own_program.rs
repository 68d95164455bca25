//! The example of a program of one's own runs, and what it recorded replays.
#![allow(clippy::expect_used)]

#[allow(dead_code)]
#[path = "../examples/own_program.rs"]
mod own_program;

use taut_replay::{Options, Replayer};
use taut_traces::Trace;

#[test]
fn the_example_is_recorded_by_two_threads_and_replays_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.taut");
    own_program::record(file.to_str().expect("a name")).expect("a run");
    let trace = Trace::open(&file).expect("a trace");
    let threads: Vec<u32> = trace.summary().threads.iter().map(|thread| thread.thread).collect();
    // The machine's threads stand ready for the device's end, and have nothing to say.
    assert_eq!(threads.iter().filter(|thread| **thread < 2).count(), 2, "{threads:?}");
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical() && outcome.damage.is_empty(), "{:#?}", outcome.divergences);
    // A device, a heap, sixteen buffers, and the end of each; the device's is two calls.
    assert_eq!((outcome.calls, outcome.unfinished_calls), (2 * (1 + 1 + 16) + 1, 0));
}
