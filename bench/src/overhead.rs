//! Cost of recording a workload: runs with the recorder on and off, alternately.

use crate::BenchError;
use crate::statistics::{median, quartile};
use crate::workload::Bundled;
use serde_json::{Value, json};
use taut_analyze::render::{grouped, span};
use taut_traces::WriteSummary;
use taut_workloads::WORKLOADS;

/// Default number of pairs of runs.
const PAIRS: u32 = 61;

/// Options of the benchmark.
#[derive(Debug, Clone)]
pub struct OverheadOptions {
    /// Name of the workload.
    pub workload: String,
    /// Parameters of the workload.
    pub parameters: Vec<(String, String)>,
    /// Pairs of runs; `None` for the default.
    pub repeat: Option<u32>,
}

/// Results of the benchmark.
pub struct OverheadFigures {
    workload: &'static str,
    /// The parameter `threads`.
    producers: u64,
    pairs: u32,
    on_ns: u64,
    off_ns: u64,
    /// Quartiles of the relative overhead of the pairs.
    overhead: [f64; 3],
    written: WriteSummary,
}

/// Measures the cost of recording a workload. The floor is the same run without the recorder.
///
/// # Errors
/// No such workload or parameter; the workload fails, or the trace cannot be written.
pub fn measure(options: &OverheadOptions) -> Result<OverheadFigures, BenchError> {
    let found = WORKLOADS.iter().find(|workload| workload.name == options.workload);
    let workload = found.ok_or_else(|| BenchError::UnknownWorkload(options.workload.clone()))?;
    let assignments: Vec<(&str, String)> =
        options.parameters.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    let bundled = Bundled::new(workload.name, &assignments)?;
    let (mut on, mut off, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = WriteSummary::default();
    let pairs = options.repeat.unwrap_or(PAIRS);
    for pair in 0..pairs {
        // The order alternates, because the second run may find warm caches or a hotter, slower processor.
        let off_first = (pair % 2 == 0).then(|| bundled.unrecorded()).transpose()?;
        let recorded = bundled.recorded()?;
        let unrecorded_ns = off_first.map_or_else(|| bundled.unrecorded(), Ok)?;
        on.push(recorded.ns);
        off.push(unrecorded_ns);
        ratios.push(recorded.ns as f64 / unrecorded_ns.max(1) as f64 - 1.0);
        written = recorded.written;
    }
    Ok(OverheadFigures {
        workload: workload.name,
        producers: bundled.parameters.get("threads"),
        pairs,
        on_ns: median(&mut on),
        off_ns: median(&mut off),
        overhead: [1, 2, 3].map(|quarter| quartile(&ratios, quarter)),
        written,
    })
}

impl OverheadFigures {
    fn record_ns_per_event(&self) -> f64 {
        self.overhead[1].max(0.0) * self.off_ns as f64 / self.written.events.max(1) as f64
    }

    fn bytes_per_event(&self) -> f64 {
        self.written.bytes as f64 / self.written.events.max(1) as f64
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let [low, overhead, high] = self.overhead;
        json!({
            "workload": self.workload,
            "producers": self.producers,
            "events": self.written.events,
            "recorder_on_ns": self.on_ns,
            "recorder_off_ns": self.off_ns,
            "overhead_ratio": overhead,
            "overhead_quartiles": [low, high],
            "record_ns_per_event": self.record_ns_per_event(),
            "bytes_per_event": self.bytes_per_event(),
            "lost_events": self.written.lost_events,
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let [low, overhead, high] = self.overhead;
        format!(
            "{}: {} events, {} pairs of runs, on and off in turn; medians\n\
             \x20 recorder off {:>10}\n\
             \x20 recorder on  {:>10}   {:+.1} % of its pair (half of the pairs {:+.1} to {:+.1} %), \
             {:.0} ns/event, {:.2} bytes/event\n",
            self.workload,
            grouped(self.written.events),
            self.pairs,
            span(self.off_ns),
            span(self.on_ns),
            overhead * 100.0,
            low * 100.0,
            high * 100.0,
            self.record_ns_per_event(),
            self.bytes_per_event(),
        )
    }
}
