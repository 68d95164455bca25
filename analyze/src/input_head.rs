//! The head of an input: what a trace says of itself before any of its records is read.

use taut_traces::{Clock, Summary, Ticks, Trace, Workload, World};

/// What was recorded, in which world, by which clock, and how much of it there is.
#[derive(Debug, Clone, Copy)]
pub struct InputHead<'t> {
    world: &'t World,
    summary: &'t Summary,
}

impl<'t> InputHead<'t> {
    /// That of an open trace.
    pub fn of(trace: &'t Trace) -> InputHead<'t> {
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

    /// What was recorded.
    pub fn workload(&self) -> &'t Workload {
        &self.world.workload
    }

    /// What the stamps count.
    pub fn clock(&self) -> &'t Ticks {
        &self.world.clock
    }

    /// What the file holds.
    pub fn summary(&self) -> &'t Summary {
        self.summary
    }

    /// A span of the clock in nanoseconds; `None` if its frequency is not known.
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        ticks_to_ns(ticks, self.clock().ticks_per_second)
    }

    /// Whether stamps are times. The logical clock counts events, of which each stands for a nanosecond where a time is needed.
    pub fn tells_time(&self) -> bool {
        self.clock().ticks_per_second > 0 && self.clock().source != Clock::Logical.source()
    }

    /// Time of a stamp since the trace's first; `None` if the clock's frequency is not known.
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.ticks_to_ns(stamp.saturating_sub(self.summary.first_stamp?))
    }

    /// From the first stamp to the last, in ticks; `None` without records.
    pub fn span_ticks(&self) -> Option<u64> {
        Some(self.summary.last_stamp?.saturating_sub(self.summary.first_stamp?))
    }

    /// The same in nanoseconds; `None` also if the clock's frequency is not known.
    pub fn span_ns(&self) -> Option<u64> {
        self.ticks_to_ns(self.span_ticks()?)
    }
}

/// So many ticks of a clock in nanoseconds; `None` without a frequency.
pub fn ticks_to_ns(ticks: u64, ticks_per_second: u64) -> Option<u64> {
    let ns = (u128::from(ticks) * 1_000_000_000).checked_div(ticks_per_second.into())?;
    Some(u64::try_from(ns).unwrap_or(u64::MAX))
}
