//! The head of an input: the metadata of a trace before any of its records is read.

use taut_traces::{Clock, Summary, Ticks, Trace, Workload, World};

/// Metadata of a trace: recorded world, clock, and number of records.
#[derive(Debug, Clone, Copy)]
pub struct InputHead<'t> {
    world: &'t World,
    summary: &'t Summary,
}

impl<'t> InputHead<'t> {
    /// The head of an open trace.
    pub fn new(trace: &'t Trace) -> InputHead<'t> {
        InputHead { world: &trace.header().world, summary: trace.summary() }
    }

    /// Names of the driver models.
    pub fn driver(&self) -> String {
        self.world.drivers()
    }

    /// Name of the rule set.
    pub fn rules(&self) -> &'t str {
        &self.world.rules
    }

    /// The runtime's settings.
    pub fn settings(&self) -> &'t serde_json::Value {
        &self.world.settings
    }

    /// The recorded workload.
    pub fn workload(&self) -> &'t Workload {
        &self.world.workload
    }

    /// The clock of the stamps.
    pub fn clock(&self) -> &'t Ticks {
        &self.world.clock
    }

    /// The file's summary.
    pub fn summary(&self) -> &'t Summary {
        self.summary
    }

    /// Converts a span of the clock to nanoseconds; `None` if its frequency is unknown.
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        ticks_to_ns(ticks, self.clock().ticks_per_second)
    }

    /// True if stamps are times. The logical clock counts events, each of which stands for a nanosecond if a time is
    /// needed.
    pub fn has_time(&self) -> bool {
        self.clock().ticks_per_second > 0 && self.clock().source != Clock::Logical.source()
    }

    /// Time of a stamp since the trace's first, in nanoseconds; `None` if the clock's frequency is unknown.
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.ticks_to_ns(stamp.saturating_sub(self.summary.first_stamp?))
    }

    /// Span from the first stamp to the last, in ticks; `None` without records.
    pub fn span_ticks(&self) -> Option<u64> {
        Some(self.summary.last_stamp?.saturating_sub(self.summary.first_stamp?))
    }

    /// Span from the first stamp to the last, in nanoseconds; `None` also if the clock's frequency is unknown.
    pub fn span_ns(&self) -> Option<u64> {
        self.ticks_to_ns(self.span_ticks()?)
    }
}

/// Converts ticks of a clock to nanoseconds; `None` without a frequency.
pub fn ticks_to_ns(ticks: u64, ticks_per_second: u64) -> Option<u64> {
    let ns = (u128::from(ticks) * 1_000_000_000).checked_div(ticks_per_second.into())?;
    Some(u64::try_from(ns).unwrap_or(u64::MAX))
}
