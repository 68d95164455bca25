//! The figures that a comparison shows.

use Unit::{Bytes, Count, Factor, Nanoseconds, Ratio, Transferred, Truth};
use serde_json::Value;

/// Unit of a compared figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Memory, in binary units.
    Bytes,
    /// Traffic, in decimal units as links and memory are specified.
    Transferred,
    /// A part of 1, as percentage.
    Ratio,
    /// A multiple of an ideal.
    Factor,
    /// Simulated time, in milliseconds.
    Nanoseconds,
    Count,
    Truth,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Bytes | Transferred => "bytes",
            Ratio | Factor => "ratio",
            Nanoseconds => "nanoseconds",
            Count => "count",
            Truth => "truth",
        }
    }
}

/// The moment at which a memory figure is sampled. Each moment has its own rows, because the sums at one moment can
/// hide a change at another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparedMoment {
    /// At the peak of allocated memory.
    Peak,
    /// At the peak number of placed resources.
    MaxPlaced,
    /// Average over time.
    Average,
}

/// A compared figure.
#[derive(Debug)]
pub(super) struct Row {
    pub report: &'static str,
    pub name: &'static str,
    /// JSON pointer within the report's figures.
    place: &'static str,
    pub unit: Unit,
    /// The moment of a memory figure.
    pub moment: Option<ComparedMoment>,
    /// True if the summary sentence may use the row.
    pub in_summary: bool,
}

impl Row {
    const fn new(report: &'static str, name: &'static str, place: &'static str, unit: Unit) -> Row {
        Row { report, name, place, unit, moment: None, in_summary: false }
    }

    const fn at(self, moment: ComparedMoment) -> Row {
        Row { moment: Some(moment), ..self }
    }

    const fn in_summary(self) -> Row {
        Row { in_summary: true, ..self }
    }

    /// The figure's value in the reports of a trace; null if missing.
    pub fn of<'v>(&self, reports: &'v Value) -> &'v Value {
        reports[self.report].pointer(self.place).unwrap_or(&Value::Null)
    }
}

/// All rows, most important first.
pub(super) const ROWS: &[Row] = &[
    Row::new("alignment", "peak allocated", "/peak_real/real_bytes", Bytes).at(ComparedMoment::Peak).in_summary(),
    Row::new("alignment", "peak resource memory", "/peak/in_use_bytes", Bytes).at(ComparedMoment::Peak).in_summary(),
    Row::new("alignment", "  waste in resources", "/peak/waste_ratio", Ratio),
    Row::new("alignment", "  requested", "/peak/requested_bytes", Bytes).at(ComparedMoment::Peak),
    Row::new("alignment", "  rounding", "/peak/rounding_bytes", Bytes),
    Row::new("alignment", "  padding", "/peak/padding_bytes", Bytes),
    Row::new("alignment", "  granularity", "/peak/granularity_bytes", Bytes),
    Row::new("alignment", "allocated at peak placed count", "/peak_count/real_bytes", Bytes)
        .at(ComparedMoment::MaxPlaced)
        .in_summary(),
    Row::new("alignment", "resource memory at peak placed count", "/peak_count/in_use_bytes", Bytes)
        .at(ComparedMoment::MaxPlaced)
        .in_summary(),
    Row::new("alignment", "mean allocated", "/time_weighted/real_bytes", Bytes).at(ComparedMoment::Average),
    Row::new("alignment", "mean resource memory", "/time_weighted/in_use_bytes", Bytes).at(ComparedMoment::Average),
    Row::new("alignment", "mean waste in resources", "/time_weighted/waste_ratio", Ratio),
    Row::new("alignment", "heaps created", "/totals/heaps", Count),
    Row::new("alignment", "resources created", "/totals/resources", Count),
    Row::new("alignment", "total requested", "/totals/requested_bytes", Bytes),
    Row::new("alignment", "total allocated to resources", "/totals/allocated_bytes", Bytes),
    Row::new("alignment", "guaranteed saving by tight alignment", "/peak/guaranteed_saving_bytes", Bytes),
    Row::new("alignment", "saving by the best order in heaps", "/heaps_at_own_peak/best_order_saving_bytes", Bytes),
    Row::new("alignment", "free ranges at peak placed bytes", "/peak_placed/fragments", Count),
    Row::new("alignment", "  largest free range", "/peak_placed/largest_free_range_bytes", Bytes),
    Row::new("pgo", "stable", "/fit_to_measure", Truth),
    Row::new("pgo", "frames", "/presents", Count),
    Row::new("pgo", "passes", "/mode_calls", Count),
    Row::new("pgo", "background tasks finished", "/tasks_finished", Count),
    Row::new("pgo", "variants installed", "/variants", Count),
    Row::new("pgo", "draws", "/draws", Count),
    Row::new("pgo", "shader instructions executed", "/executed", Count).in_summary(),
    Row::new("pgo", "shader instructions saved", "/saving_ratio", Ratio),
    Row::new("pgo", "background rules violated", "/audits_failed", Count),
    Row::new("tiling", "bytes written to tiled surfaces", "/verdict/figures/0/value", Bytes),
    Row::new("tiling", "bus transactions", "/verdict/figures/1/value", Count).in_summary(),
    Row::new("tiling", "bus transactions / ideal", "/verdict/figures/2/value", Factor),
    Row::new("handles", "peak handle memory", "/peak_bytes", Bytes).in_summary(),
    Row::new("handles", "peak handles", "/peak_handles", Count),
    Row::new("handles", "handle memory of deferred contexts (cumulative)", "/copies/opened_bytes", Bytes),
    Row::new("handles", "  more than with one deferred context", "/cost/extra_bytes", Bytes),
    Row::new("handles", "falsely shared cache lines", "/shared_lines", Count),
    Row::new("handles", "cache-line transfers", "/line_transfers", Count),
    Row::new("handles", "handle rules violated", "/violations", Count),
    Row::new("handles", "handles leaked", "/leaks", Count),
    Row::new("present", "copies per frame", "/swap_chains/0/copies", Count),
    Row::new("present", "bytes copied", "/verdict/figures/1/value", Transferred),
    Row::new("present", "memory traffic per second", "/swap_chains/0/dram_bytes_per_s", Transferred).in_summary(),
    Row::new("present", "p50 latency to the display", "/swap_chains/0/latency/p50_ns", Nanoseconds),
    Row::new("present", "frames composed", "/swap_chains/0/composed", Count),
    Row::new("present", "frames dropped", "/verdict/figures/2/value", Ratio),
    Row::new("health", "events lost", "/verdict/figures/0/value", Count),
    Row::new("health", "calls failed", "/calls_failed", Count),
    Row::new("health", "debug layer errors", "/debug_errors", Count),
    Row::new("health", "driver violations reported by the runtime", "/driver_violations", Count),
    Row::new("health", "leaked heaps and resources", "/verdict/figures/2/value", Count),
];
