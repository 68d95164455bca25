//! Memory of a recording under other placement policies.

use super::WhatIfOptions;
use crate::Error;
use crate::charts::policies::{Bars, PolicyBar, chart};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use taut_analyze::Analysis;
use taut_analyze::memory::World;
use taut_analyze::placement::{Limits, PlacementOutcome, Policy, Requests};
use taut_analyze::render::binary_bytes;
use taut_analyze::reports::alignment::{Measure, Sweep};
use taut_replay::{RecordedSizes, Tight};
use taut_traces::Trace;

/// Options of a placement.
#[derive(Debug, Clone)]
pub struct PlacementOptions {
    pub policies: Vec<Policy>,
    /// Sizes of the allocator's heaps, in bytes. Each policy is evaluated with each size.
    pub block_bytes: Vec<u64>,
    /// Size above which a resource has a heap of its own.
    pub dedicated_above_bytes: u64,
    /// Changes of the recorded world that determine the sizes of the resources.
    pub what_if: WhatIfOptions,
}

/// Outcome of a policy, and its time per allocation.
pub struct PolicyResult {
    pub outcome: PlacementOutcome,
    pub ns_per_allocation: u64,
}

/// Outcomes of the policies on one trace.
pub struct Placement {
    /// Peak memory of the recorded heaps.
    pub recorded_bytes: u64,
    /// Number of recorded heaps at that time.
    pub recorded_heaps: u64,
    pub requests: Requests,
    pub results: Vec<PolicyResult>,
    /// Damage of the trace, one sentence each.
    pub damage: Vec<String>,
}

impl Placement {
    /// Places the resources of a trace by each policy.
    ///
    /// # Errors
    /// An option is invalid, or the trace cannot be analyzed.
    pub fn new(trace: Arc<Trace>, options: &PlacementOptions) -> Result<Placement, Error> {
        let what_if = &options.what_if;
        let changed = what_if.world(&trace.header().world)?;
        let sizes = RecordedSizes::of(&changed).map_err(Error::input)?;
        let analysis = Analysis::new(trace)?;
        let world = analysis.world()?;
        let tight = match what_if.tight.unwrap_or_default() {
            Tight::On => Some(true),
            Tight::Off => Some(false),
            Tight::AsRecorded => None,
        };
        let is_recorded = what_if.driver.is_none() && what_if.rules.is_none();
        let requests = Requests::new(world, &sizes, tight, is_recorded);
        let results = options.results(&requests);
        let damage = analysis.head()?.damage.clone();
        let (recorded_bytes, recorded_heaps) = recorded(world);
        Ok(Placement { recorded_bytes, recorded_heaps, requests, results, damage })
    }

    /// Returns the outcomes as JSON; `file` is the trace's file name.
    pub fn json(&self, file: &str) -> Value {
        let policies = self.results.iter().map(|one| {
            let mut document = serde_json::to_value(&one.outcome).unwrap_or_default();
            document["ns_per_allocation"] = json!(one.ns_per_allocation);
            document
        });
        json!({
            "file": file,
            "recorded": { "memory_bytes": self.recorded_bytes, "heaps": self.recorded_heaps },
            "left_out": self.requests.left_out,
            "policies": policies.collect::<Vec<Value>>(),
        })
    }
}

/// Chart of the outcomes on several traces, each with its name, in SVG.
pub fn placement_chart(traces: &[(String, &Placement)]) -> String {
    let bar = |result: &PolicyResult| {
        let PlacementOutcome { policy, block_bytes, allocated_bytes, memory_bytes, .. } = &result.outcome;
        let name = format!("{policy}, heaps of {}", binary_bytes(*block_bytes));
        PolicyBar { name, allocated_bytes: *allocated_bytes, heap_bytes: *memory_bytes }
    };
    let bars = traces.iter().map(|(name, placement)| Bars {
        name: name.clone(),
        recorded_bytes: placement.recorded_bytes,
        policies: placement.results.iter().map(bar).collect(),
    });
    chart(&bars.collect::<Vec<Bars>>())
}

impl PlacementOptions {
    fn results(&self, requests: &Requests) -> Vec<PolicyResult> {
        let dedicated_above_bytes = self.dedicated_above_bytes;
        let all = self.policies.iter().flat_map(|policy| self.block_bytes.iter().map(move |block| (*policy, *block)));
        let results = all.map(|(policy, block_bytes)| {
            let began = Instant::now();
            let limits = Limits { block_bytes, dedicated_above_bytes };
            let outcome = PlacementOutcome::new(requests, policy, limits, |_, _| {});
            let ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
            PolicyResult { ns_per_allocation: ns / outcome.allocations.max(1), outcome }
        });
        results.collect()
    }
}

/// Peak memory of the recorded heaps in bytes, and the number of heaps at that time.
fn recorded(world: &World) -> (u64, u64) {
    let peak = Sweep::over(world).peak(Measure::RealBytes);
    let live = world.live_after(peak.turn);
    (u64::try_from(peak.value).unwrap_or(u64::MAX), live.heaps.count)
}
