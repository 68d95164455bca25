//! Facts of a recording: UTC time, streams, losses with their cause, and buffers that were not persistent.

use serde_json::{Map, Value, json};
use taut_traces::{Trace, UtcClock};

/// Adds the facts that the trace has to the JSON object.
pub(super) fn add_json(trace: &Trace, document: &mut Map<String, Value>) {
    if let (Some(clock), Some(Value::Object(known))) = (trace.utc_clock(), document.get_mut("clock")) {
        let first_ns = trace.summary().first_stamp.map(|stamp| clock.utc_ns(stamp));
        known.insert("first_stamp_unix_ns".to_owned(), json!(first_ns));
        known.insert("error_ns".to_owned(), json!(error_ns(&clock)));
        known.insert("drift_ppb".to_owned(), json!(clock.drift_ppb()));
        known.insert("utc_steps_ns".to_owned(), json!(clock.utc_steps_ns()));
        known.insert("readings".to_owned(), json!(clock.readings().len()));
    }
    let (streams, gaps, not_persistent) = (trace.streams(), trace.gaps(), trace.not_persistent());
    let lists = [("streams", json!(streams)), ("gaps", json!(gaps))];
    document
        .extend(lists.into_iter().filter(|(_, list)| *list != json!([])).map(|(name, list)| (name.to_owned(), list)));
    document.extend(not_persistent.map(|why| ("not_persistent".to_owned(), json!(why))));
}

/// Max error of the clock's readings, in nanoseconds.
pub fn error_ns(clock: &UtcClock) -> u64 {
    clock.readings().iter().map(|reading| reading.error_ns).max().unwrap_or_default()
}
