//! Replays of recordings.

use taut_replay::{Options, Outcome, Replayer};
use taut_traces::Trace;

/// Replays a trace on the world that its header describes.
pub fn replayed(trace: &Trace) -> Outcome {
    Replayer::new(trace, Options::default()).run().expect("a replay")
}

/// Checks that a trace replays identically and completely; `what` is part of the message.
pub fn assert_replays(trace: &Trace, what: &str) -> Outcome {
    let outcome = replayed(trace);
    assert!(outcome.is_identical() && outcome.damage.is_empty(), "{what}: {:#?}", outcome.divergences);
    assert_eq!(outcome.unfinished_calls, 0, "{what}");
    outcome
}
