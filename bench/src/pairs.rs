//! A subject and its floor, measured in pairs.

use crate::statistics::quartile;
use serde_json::{Value, json};
use taut_analyze::render::{grouped, span};

/// Pairs of measurements: a subject and its floor, in nanoseconds per call or access, and their ratios.
pub struct Pairs {
    pub name: &'static str,
    pub unit: &'static str,
    pub floor_name: &'static str,
    pub target: Option<&'static str>,
    pub ns: Vec<f64>,
    pub floor_ns: Vec<f64>,
    pub ratios: Vec<f64>,
    /// Bind calls that waited for a lock, all bind calls, and total wait in nanoseconds.
    pub waits: Option<[u64; 3]>,
}

impl Pairs {
    /// Creates a comparison without measurements.
    pub fn new(name: &'static str, floor_name: &'static str, target: Option<&'static str>) -> Pairs {
        let (ns, floor_ns, ratios) = (Vec::new(), Vec::new(), Vec::new());
        Pairs { name, unit: "call", floor_name, target, ns, floor_ns, ratios, waits: None }
    }

    /// Adds a pair. With `more_is_better`, the ratio is a ratio of calls per second, not of times.
    pub fn add(&mut self, ns: f64, floor_ns: f64, more_is_better: bool) {
        self.ns.push(ns);
        self.floor_ns.push(floor_ns);
        let ratio = if more_is_better { floor_ns / ns.max(1e-9) } else { ns / floor_ns.max(1e-9) };
        self.ratios.push(ratio);
    }

    /// Medians of subject and floor; `None` without measurements. Only the benchmark of the C ABI has a use for them.
    #[cfg(target_os = "linux")]
    pub fn medians(&self) -> Option<[f64; 2]> {
        (!self.ns.is_empty()).then(|| [middle(&self.ns), middle(&self.floor_ns)])
    }

    fn figures(&self) -> (f64, f64, [f64; 3]) {
        (middle(&self.ns), middle(&self.floor_ns), [1, 2, 3].map(|quarter| quartile(&self.ratios, quarter)))
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let (ns, floor_ns, [low, ratio, high]) = self.figures();
        json!({
            "name": self.name,
            "unit": self.unit,
            "floor": self.floor_name,
            "target": self.target,
            "ns_per_call": ns,
            "floor_ns_per_call": floor_ns,
            "ratio": ratio,
            "ratio_quartiles": [low, high],
            "waited_calls": self.waits.map(|waits| waits[0]),
            "calls": self.waits.map(|waits| waits[1]),
            "wait_ns": self.waits.map(|waits| waits[2]),
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let (ns, floor_ns, [low, ratio, high]) = self.figures();
        let target = self.target.map_or_else(String::new, |target| format!("; target {target}"));
        let waits = self.waits.map_or_else(String::new, |[waited, calls, ns]| {
            format!("  of {} calls {} waited, {} in all\n", grouped(calls), grouped(waited), span(ns))
        });
        format!(
            "{}\n  {:>10.1} ns/{}   {:.2} (half of the pairs {low:.2} to {high:.2}){target}\n  {:>10.1} ns/{}   {}\n{waits}",
            self.name, ns, self.unit, ratio, floor_ns, self.unit, self.floor_name
        )
    }
}

fn middle(samples: &[f64]) -> f64 {
    quartile(samples, 2)
}
