//! Calls replayed per second on one thread, and the cost of decoding alone.

use crate::BenchError;
use crate::scratch::decode;
use crate::statistics::median;
use crate::workload::Bundled;
use serde_json::{Value, json};
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_replay::{Options, Replayer};
use taut_traces::Trace;

/// Workloads (name, parameters) that are recorded if no trace is passed: one of calls alone, one with background tasks.
const BUNDLED: [(&str, &[(&str, &str)]); 2] =
    [("small-level", &[]), ("game-session", &[("threads", "4"), ("frames", "400")])];

/// A trace and its name in the results.
pub struct NamedTrace {
    pub name: String,
    pub trace: Trace,
}

/// Results of the benchmark.
pub struct ReplayFigures {
    repeat: u32,
    cases: Vec<ReplayCase>,
}

/// Measures the replay of a trace, or of bundled workloads, `repeat` times each.
///
/// # Errors
/// The trace cannot be replayed; a workload fails, or its trace cannot be written.
pub fn measure(trace: Option<&NamedTrace>, repeat: u32) -> Result<ReplayFigures, BenchError> {
    let cases = match trace {
        Some(NamedTrace { name, trace }) => vec![measure_trace(trace, name.clone(), None, repeat)?],
        None => {
            let bundled = BUNDLED.iter().map(|(name, parameters)| measure_bundled(name, parameters, repeat));
            bundled.collect::<Result<Vec<_>, _>>()?
        }
    };
    Ok(ReplayFigures { repeat, cases })
}

impl ReplayFigures {
    /// True if every replay was identical.
    pub fn is_identical(&self) -> bool {
        self.cases.iter().all(|case| case.outcome.is_identical())
    }

    /// Figures as JSON. Those of the first case are repeated at the top level, because scripts rely on them there.
    pub fn json(&self) -> Value {
        let mut document = self.cases.first().map_or(Value::Null, ReplayCase::json);
        document["cases"] = self.cases.iter().map(ReplayCase::json).collect();
        document
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        self.cases.iter().map(|case| case.text(self.repeat)).collect::<Vec<_>>().join("\n")
    }
}

/// Measurements of one trace; times are medians.
struct ReplayCase {
    name: String,
    outcome: taut_replay::Outcome,
    events: u64,
    replay_ns: u64,
    decode_ns: u64,
    /// Duration of the recording, if the benchmark recorded the trace itself.
    record_ns: Option<u64>,
}

impl ReplayCase {
    fn mcalls_per_s(&self) -> f64 {
        self.outcome.calls as f64 * 1e3 / self.replay_ns.max(1) as f64
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "calls": self.outcome.calls,
            "ddi_calls": self.outcome.ddi_calls,
            "tasks": self.outcome.tasks,
            "events": self.events,
            "mcalls_per_s": self.mcalls_per_s(),
            "replay_ns": self.replay_ns,
            "decode_ns": self.decode_ns,
            "record_ns": self.record_ns,
            "replay_over_decode": self.replay_ns as f64 / self.decode_ns.max(1) as f64,
        })
    }

    fn text(&self, repeat: u32) -> String {
        let ReplayCase { name, outcome, events, replay_ns, decode_ns, record_ns } = self;
        let tasks = if outcome.tasks > 0 { format!(", {} tasks", grouped(outcome.tasks)) } else { String::new() };
        let mut text = format!(
            "{name}: {} calls, {} events{tasks}, median of {repeat}\n\
             \x20 replay       {:>10}   {:.2} million calls/s\n\
             \x20 decode alone {:>10}   {:.1} ns/event\n\
             \x20 replay takes {:.1} times the decoding\n",
            grouped(outcome.calls),
            grouped(*events),
            span(*replay_ns),
            self.mcalls_per_s(),
            span(*decode_ns),
            *decode_ns as f64 / (*events).max(1) as f64,
            *replay_ns as f64 / (*decode_ns).max(1) as f64,
        );
        if let Some(record_ns) = record_ns {
            let share = *replay_ns as f64 / (*record_ns).max(1) as f64;
            text += &format!("  recording    {:>10}   replay takes {share:.2} times as long\n", span(*record_ns));
        }
        text
    }
}

/// Records a bundled workload, and measures its replay.
fn measure_bundled(name: &'static str, assignments: &[(&str, &str)], repeat: u32) -> Result<ReplayCase, BenchError> {
    let assignments: Vec<(&str, String)> = assignments.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    let recorded = Bundled::new(name, &assignments)?.recorded()?;
    let trace = Trace::from_file(&recorded.file, name)?;
    measure_trace(&trace, name.to_owned(), Some(recorded.ns), repeat)
}

/// Measures replay and decoding alternately, so that both run under the same conditions. A first replay is not
/// measured.
fn measure_trace(trace: &Trace, name: String, record_ns: Option<u64>, repeat: u32) -> Result<ReplayCase, BenchError> {
    let replayer = Replayer::new(trace, Options::default());
    let replay = || replayer.run().map_err(|source| BenchError::Replay { trace: name.clone(), source });
    let (mut replays, mut decodes, mut events) = (Vec::new(), Vec::new(), 0);
    let mut outcome = replay()?;
    for _ in 0..repeat {
        let start = Instant::now();
        events = decode(trace);
        decodes.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        outcome = replay()?;
        replays.push(start.elapsed().as_nanos() as u64);
    }
    let (replay_ns, decode_ns) = (median(&mut replays), median(&mut decodes));
    Ok(ReplayCase { name, outcome, events, replay_ns, decode_ns, record_ns })
}
