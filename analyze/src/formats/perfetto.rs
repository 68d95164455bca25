//! For ui.perfetto.dev and other viewers of the Trace Event Format: calls as slices, memory as counters.
//!
//! The format: "Trace Event Format", JSON object form (`ph` X: a slice; i: an instant; C: a counter; M: a name). Times
//! are microseconds since the trace's first stamp; where the clock has no frequency a tick stands for one.

use crate::analysis::Analysis;
use crate::columns::{CallRow, CallRows, CallStream, Events, Selecting};
use crate::error::AnalyzeError;
use crate::world::Live;
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use taut_schemas::{EventCode, Opcode};

/// The recorded program, and what is counted over all of it.
const PROCESS: u32 = 1;

/// Writes the trace, a few of its blocks at a time.
///
/// # Errors
/// The trace cannot be read, or writing failed.
pub fn write_perfetto(analysis: &Analysis, mut out: impl Write + Send) -> Result<(), AnalyzeError> {
    let trace = analysis.trace();
    let events = Events::new(&trace.header().schema);
    let mut selecting = Selecting::default();
    if let Some(message) = events.mark("DebugMessage") {
        selecting.present(message, &["description"]);
    }
    let world = &trace.header().world;
    let about = json!({"driver": world.driver, "rules": world.rules, "workload": world.workload.name});
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{about},\"traceEvents\":[")?;
    let process = json!({"ph": "M", "pid": PROCESS, "name": "process_name", "args": {"name": world.workload.name}});
    write!(out, "\n{process}")?;
    for thread in &trace.summary().threads {
        let tid = thread.thread;
        let name = json!({"ph": "M", "pid": PROCESS, "tid": tid, "name": "thread_name",
            "args": {"name": format!("thread {tid}")}});
        write!(out, ",\n{name}")?;
    }
    let lines = Lines::new(analysis, events);
    let mut text = String::new();
    let all = trace.header().schema.events.iter().filter(|event| event.opcode != Opcode::Stop);
    CallStream::new(analysis, selecting, all.map(|event| event.code)).each(|rows| {
        text.clear();
        rows.rows.iter().for_each(|row| lines.row(&rows, row, &mut text));
        out.write_all(text.as_bytes())?;
        Ok::<_, AnalyzeError>(ControlFlow::Continue(()))
    })?;
    memory(analysis, &mut out)?;
    out.write_all(b"\n]}\n")?;
    Ok(out.flush()?)
}

/// How calls and marks are written.
struct Lines<'a> {
    analysis: &'a Analysis,
    /// By code: name and category, as JSON.
    named: HashMap<EventCode, String>,
}

impl<'a> Lines<'a> {
    fn new(analysis: &'a Analysis, events: Events<'_>) -> Lines<'a> {
        let known = analysis.trace().header().schema.events.iter().filter(|event| event.opcode != Opcode::Stop);
        let named = known.map(|event| {
            let (name, layer) = named(events, event.code);
            (event.code, format!("\"name\":{},\"cat\":\"{layer}\"", json!(name)))
        });
        Lines { analysis, named: named.collect() }
    }

    fn row(&self, rows: &CallRows<'_>, row: &CallRow, text: &mut String) {
        let joined = &row.joined;
        let unknown = || "\"name\":\"unknown\",\"cat\":\"unknown\"".to_owned();
        let named = self.named.get(&joined.code).cloned().unwrap_or_else(unknown);
        let (tid, start) = (rows.threads[row.thread_index], micros(self.analysis, joined.stamp));
        let place = format_args!("\"pid\":{PROCESS},\"tid\":{tid},\"ts\":{start},{named}").to_string();
        // Writing to a string does not fail.
        let _ = match (joined.code.opcode(), joined.stop) {
            (Some(Opcode::Start), Some((stop, _))) => {
                let duration = micros(self.analysis, stop) - start;
                write!(text, ",\n{{\"ph\":\"X\",{place},\"dur\":{duration}}}")
            }
            (Some(Opcode::Start), None) => write!(text, ",\n{{\"ph\":\"B\",{place}}}"),
            _ => {
                let said = json!(rows.fields(joined.place).text(joined.code, "description", joined.place.row));
                write!(text, ",\n{{\"ph\":\"i\",\"s\":\"t\",{place},\"args\":{{\"description\":{said}}}}}")
            }
        };
    }
}

/// What lives, after each change.
fn memory(analysis: &Analysis, out: &mut impl Write) -> Result<(), AnalyzeError> {
    let world = analysis.world()?;
    let mut live = Live::default();
    for change in &world.changes {
        live.turn(world, change.kind);
        let resources = live.resources();
        let (at, heaps) = (micros(analysis, change.moment.stamp), narrow(live.heaps.bytes));
        let (placed, committed) = (narrow(resources.placed.bytes), narrow(resources.committed.bytes));
        let requested = narrow(resources.requested_bytes);
        write!(
            out,
            ",\n{{\"ph\":\"C\",\"pid\":{PROCESS},\"ts\":{at},\"name\":\"memory\",\"args\":{{\"heap_bytes\":{heaps},\
             \"placed_bytes\":{placed},\"committed_bytes\":{committed},\"requested_bytes\":{requested}}}}}"
        )?;
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
