//! Distributions of times.

use crate::analysis::Analysis;
use serde::Serialize;

/// How long something took. Null where the clock tells no time, and without anything to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
pub struct Distribution {
    /// How many were measured.
    pub count: u64,
    /// Half of them took at most so long.
    pub p50_ns: Option<u64>,
    /// 95 of 100 took at most so long.
    pub p95_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
}

impl Distribution {
    /// The distribution of spans of ticks, by nearest rank.
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
