//! Header, threads, counts and losses of a trace.

mod recording;

pub use recording::error_ns;

use serde_json::{Value, json};
use taut_analyze::InputHead;
use taut_schemas::{Layer, Provider};
use taut_traces::{Damage, Trace};

/// Maximum size of a trace, in bytes, whose checksums are verified without a request. Verifying larger ones would
/// exceed the time that `info` may take.
const CHECK_BYTES: u64 = 64 << 20;

/// Check of a trace.
pub struct Inspection {
    pub damage: Vec<Damage>,
    /// True if every block was checked.
    pub is_checked: bool,
}

impl Inspection {
    /// Checks a trace. With `verify`, every block is checked, without a limit of size.
    pub fn new(trace: &Trace, verify: bool) -> Inspection {
        let is_checked = verify || trace.summary().file_bytes <= CHECK_BYTES;
        let damage = match (verify, is_checked) {
            (true, _) => trace.verify(),
            (false, true) => trace.check(),
            (false, false) => trace.damage().to_vec(),
        };
        Inspection { damage, is_checked }
    }

    /// True if the trace has no damage, and its recording was ended or is in progress.
    pub fn is_whole(&self, trace: &Trace) -> bool {
        let is_alive = trace.recovery().is_some_and(|recovery| recovery.is_alive);
        self.damage.is_empty() && (trace.summary().complete || is_alive)
    }
}

/// Nanoseconds from the first stamp to the last. A tick of a clock of unknown frequency counts as one second.
pub fn duration_ns(head: InputHead<'_>) -> u64 {
    let seconds = || head.span_ticks().unwrap_or(0).saturating_mul(1_000_000_000);
    head.span_ns().unwrap_or_else(seconds)
}

/// Events per layer, in order of layer.
pub fn events_by_layer(trace: &Trace) -> [(Layer, u64); 4] {
    let mut layers = Layer::ALL.map(|layer| (layer, 0));
    for (code, events) in &trace.summary().codes {
        let layer = trace.header().schema.event(*code).map(|event| event.layer);
        for (known, sum) in &mut layers {
            *sum += if layer == Some(*known) { *events } else { 0 };
        }
    }
    layers
}

/// Header, threads, counts and losses of a trace as JSON.
pub fn json(trace: &Trace, inspection: &Inspection) -> Value {
    let head = InputHead::new(trace);
    let (summary, workload, clock) = (head.summary(), head.workload(), head.clock());
    let providers: serde_json::Map<_, _> =
        events_by_layer(trace).into_iter().map(|(layer, events)| (layer.name().to_owned(), json!(events))).collect();
    let mut document = json!({
        "version": summary.version,
        "complete": inspection.is_whole(trace) && trace.summary().complete && !trace.has_unknown_losses(),
        "interrupted": summary.interrupted,
        "verified": inspection.is_checked,
        "events": summary.events,
        "lost_events": summary.lost_events,
        "threads": summary.threads.len(),
        "duration_ns": duration_ns(head),
        "first_stamp": summary.first_stamp,
        "last_stamp": summary.last_stamp,
        "driver": head.driver(),
        "rules": head.rules(),
        "settings": head.settings(),
        "workload": workload.name,
        "parameters": workload.parameters,
        "identity": trace.header().identity,
        "clock": {"source": clock.source, "ticks_per_second": clock.ticks_per_second},
        "providers": providers,
        "recorded_providers": trace.header().world.recorded_providers().iter().map(Provider::name).collect::<Vec<_>>(),
    });
    if let (Some(recovery), Value::Object(document)) = (trace.recovery(), &mut document) {
        document.insert(
            "recovery".to_owned(),
            json!({
                "process": recovery.process,
                "recording": recovery.is_alive,
                "recovered_events": recovery.events(),
                "torn_events": recovery.partial(),
                "sync_interval_ns": recovery.sync_interval.map_or(0, |interval| interval.as_nanos() as u64),
                "threads": recovery.threads,
            }),
        );
    }
    if let (true, Value::Object(known)) = (trace.has_unknown_losses(), &mut document) {
        known.insert("has_unknown_losses".to_owned(), json!(true));
    }
    if let Value::Object(known) = &mut document {
        recording::add_json(trace, known);
    }
    document
}
