//! For ui.perfetto.dev and other viewers of the Trace Event Format: calls as slices, memory as counters.
//!
//! The format: "Trace Event Format", JSON object form (`ph` X: a slice; i: an instant; C: a counter; M: a name). Times
//! are microseconds since the trace's first stamp; where the clock has no frequency a tick stands for one.

use crate::analysis::Analysis;
use crate::columns::{Events, Records, Selecting};
use crate::error::AnalyzeError;
use crate::world::Live;
use serde_json::json;
use std::io::Write;
use taut_schemas::{EventCode, Opcode};

/// The recorded program, and what is counted over all of it.
const PROCESS: u32 = 1;

/// Writes the trace.
///
/// # Errors
/// The trace cannot be read, or writing failed.
pub fn write_perfetto(analysis: &Analysis, mut out: impl Write) -> Result<(), AnalyzeError> {
    let events = Events::new(&analysis.trace().header().schema);
    let mut selecting = Selecting::default();
    if let Some(message) = events.mark("DebugMessage") {
        selecting.present(message, &["description"]);
    }
    let records = Records::read(analysis.trace(), selecting)?;
    analysis.met(records.damage());
    let world = &analysis.trace().header().world;
    let about = json!({"driver": world.driver, "rules": world.rules, "workload": world.workload.name});
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{about},\"traceEvents\":[")?;
    let process = json!({"ph": "M", "pid": PROCESS, "name": "process_name", "args": {"name": world.workload.name}});
    write!(out, "\n{process}")?;
    for (thread, fields) in records.threads.iter().zip(records.fields()) {
        let tid = thread.thread;
        let name = json!({"ph": "M", "pid": PROCESS, "tid": tid, "name": "thread_name",
            "args": {"name": format!("thread {tid}")}});
        write!(out, ",\n{name}")?;
        for call in &thread.calls {
            let (name, layer) = named(events, call.code);
            let start = micros(analysis, call.stamp);
            let slice = match call.stop {
                Some(stop) => json!({"ph": "X", "pid": PROCESS, "tid": tid, "ts": start, "name": name, "cat": layer,
                    "dur": micros(analysis, stop.stamp) - start}),
                None => json!({"ph": "B", "pid": PROCESS, "tid": tid, "ts": start, "name": name, "cat": layer}),
            };
            write!(out, ",\n{slice}")?;
        }
        for mark in &thread.marks {
            let (name, layer) = named(events, mark.code);
            let said = fields.text(mark.code, "description", mark.row);
            let instant = json!({"ph": "i", "s": "t", "pid": PROCESS, "tid": tid, "ts": micros(analysis, mark.stamp),
                "name": name, "cat": layer, "args": {"description": said}});
            write!(out, ",\n{instant}")?;
        }
    }
    memory(analysis, &mut out)?;
    out.write_all(b"\n]}\n")?;
    Ok(out.flush()?)
}

/// What lives, after each change.
fn memory(analysis: &Analysis, out: &mut impl Write) -> Result<(), AnalyzeError> {
    let world = analysis.world()?;
    let mut live = Live::default();
    for change in &world.changes {
        live.turn(world, change.kind);
        let resources = live.resources();
        let counter = json!({"ph": "C", "pid": PROCESS, "ts": micros(analysis, change.moment.stamp), "name": "memory",
            "args": {"heap_bytes": narrow(live.heaps.bytes), "placed_bytes": narrow(resources.placed.bytes),
                "committed_bytes": narrow(resources.committed.bytes),
                "requested_bytes": narrow(resources.requested_bytes)}});
        write!(out, ",\n{counter}")?;
    }
    Ok(())
}

fn narrow(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

fn micros(analysis: &Analysis, stamp: u64) -> f64 {
    let first = analysis.trace().summary().first_stamp.unwrap_or_default();
    analysis.since_start_ns(stamp).map_or(stamp.saturating_sub(first) as f64, |ns| ns as f64 / 1e3)
}

fn named<'a>(events: Events<'a>, code: EventCode) -> (&'a str, &'static str) {
    let Some(event) = events.event(code) else { return ("unknown", "unknown") };
    debug_assert!(event.opcode != Opcode::Stop);
    (&event.name, event.layer.name())
}
