//! Distributions of durations.

use crate::analysis::Analysis;
use crate::reports::figures::figures;

figures! {
    /// Distribution of durations. The times are null if the clock does not measure time or if there are no durations.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Distribution {
        count: u64, Count, "Number of tasks or frames with a known duration.";
        p50_ns: Option<u64>, Nanoseconds, "50th percentile. Times are null for the logical clock, which counts events.";
        p95_ns: Option<u64>, Nanoseconds, "95th percentile.";
        max_ns: Option<u64>, Nanoseconds, "Maximum.";
    }
}

impl Distribution {
    /// Computes the distribution of durations in ticks, with nearest-rank percentiles.
    pub(super) fn of(analysis: &Analysis, ticks: impl Iterator<Item = u64>) -> Distribution {
        let mut ticks: Vec<u64> = ticks.collect();
        ticks.sort_unstable();
        let rank = |percent: usize| {
            let rank = (ticks.len() * percent).div_ceil(100);
            analysis.time_ns(*ticks.get(rank.checked_sub(1)?)?)
        };
        Distribution { count: ticks.len() as u64, p50_ns: rank(50), p95_ns: rank(95), max_ns: rank(100) }
    }
}
