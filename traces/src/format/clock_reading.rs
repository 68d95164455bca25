//! Simultaneous readings of three clocks, and the conversion of stamps to UTC. Encoder and parser are in this file so
//! that they stay in step.

use crate::format::clock::Clock;
use crate::format::control_block::ControlBlock;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// Simultaneous reading of the stamp clock, the system's monotonic clock and UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ClockReading {
    /// Stamp clock, in ticks.
    pub ticks: u64,
    /// Monotonic clock of the system, in nanoseconds.
    pub monotonic_ns: u64,
    /// UTC, in nanoseconds since the beginning of 1970.
    pub utc_ns: u64,
    /// Max difference between the moments of the three readings, in nanoseconds.
    pub error_ns: u64,
}

/// Number of attempts per reading; the attempt with the smallest error is used.
const READINGS: usize = 5;

impl ClockReading {
    /// Reads the clocks; `None` for the logical clock, which has no time.
    pub fn now(clock: &Clock) -> Option<ClockReading> {
        if matches!(clock, Clock::Logical) {
            return None;
        }
        let readings = (0..READINGS).map(|_| {
            let before = clock.now();
            let (monotonic_ns, utc_ns) = (monotonic_ns(), utc_ns());
            let span = clock.now().saturating_sub(before);
            // A reading may be up to a nanosecond old because of the clock's resolution.
            ClockReading {
                ticks: before + span / 2,
                monotonic_ns,
                utc_ns,
                error_ns: clock.nanoseconds(span).div_ceil(2) + 1,
            }
        });
        readings.min_by_key(|reading| reading.error_ns)
    }

    /// Numbers of the reading's clock block.
    pub(crate) fn control_block(&self) -> ControlBlock {
        ControlBlock { count: 0, words: [self.ticks, self.monotonic_ns, self.utc_ns, self.error_ns] }
    }

    /// Decodes the numbers of a clock block; `None` if they are malformed.
    pub(crate) fn from_control_block(control_block: ControlBlock) -> Option<ClockReading> {
        let [ticks, monotonic_ns, utc_ns, error_ns] = control_block.words;
        (control_block.count == 0).then_some(ClockReading { ticks, monotonic_ns, utc_ns, error_ns })
    }
}

fn utc_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(unix)]
fn monotonic_ns() -> u64 {
    use nix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(std::time::Duration::ZERO, Into::into);
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

/// Time since the first call.
#[cfg(not(unix))]
fn monotonic_ns() -> u64 {
    use std::sync::OnceLock;
    static FIRST: OnceLock<std::time::Instant> = OnceLock::new();
    u64::try_from(FIRST.get_or_init(std::time::Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Conversion of stamps to UTC by the clock readings of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UtcClock {
    /// At least one reading, with rising ticks.
    readings: Vec<ClockReading>,
    /// Rate stated in the header.
    ticks_per_second: u64,
}

impl UtcClock {
    /// Creates the conversion; `None` without readings. With a single reading, the header's rate is used.
    pub fn new(mut readings: Vec<ClockReading>, ticks_per_second: u64) -> Option<UtcClock> {
        readings.sort_by_key(|reading| reading.ticks);
        readings.dedup_by_key(|reading| reading.ticks);
        (!readings.is_empty() && ticks_per_second > 0).then_some(UtcClock { readings, ticks_per_second })
    }

    /// Readings with rising ticks.
    pub fn readings(&self) -> &[ClockReading] {
        &self.readings
    }

    /// UTC of a stamp, in nanoseconds since the beginning of 1970: interpolated between two readings, and extrapolated
    /// from the nearest line before the first and after the last.
    pub fn utc_ns(&self, stamp: u64) -> u64 {
        let next_index = self.readings.partition_point(|reading| reading.ticks <= stamp);
        let last = self.readings.len() - 1;
        let (from, to) = (next_index.saturating_sub(1).min(last.saturating_sub(1)), next_index.max(1).min(last));
        let (from, to) = (self.readings[from], self.readings[to]);
        let (ticks, ns) = match to.ticks.checked_sub(from.ticks) {
            None | Some(0) => (self.ticks_per_second.into(), 1_000_000_000),
            Some(ticks) => (i128::from(ticks), i128::from(to.utc_ns) - i128::from(from.utc_ns)),
        };
        let since = i128::from(stamp) - i128::from(from.ticks);
        // Both factors have at most 65 bits, so the product may overflow 128 bits.
        let ns = since.checked_mul(ns).map_or(0, |product| product.div_euclid(ticks));
        (i128::from(from.utc_ns) + ns).clamp(0, u64::MAX.into()) as u64
    }

    /// Deviation of the stamp clock's rate from the header's, in parts per billion, measured by the monotonic clock
    /// from the first reading to the last. Positive if the clock is faster; `None` without two readings at least a
    /// millisecond apart.
    pub fn drift_ppb(&self) -> Option<i64> {
        let (first, last) = (self.readings.first()?, self.readings.last()?);
        let ns = last.monotonic_ns.checked_sub(first.monotonic_ns).filter(|ns| *ns >= 1_000_000)?;
        let stated = i128::from(ns).checked_mul(self.ticks_per_second.into())?;
        let found = i128::from(last.ticks - first.ticks).checked_mul(1_000_000_000)?;
        i64::try_from(found.checked_sub(stated)?.checked_mul(1_000_000_000)? / stated).ok()
    }

    /// Sum of the steps by which UTC was set ahead of the monotonic clock between the first reading and the last, in
    /// nanoseconds.
    pub fn utc_steps_ns(&self) -> i64 {
        let between = |of: fn(&ClockReading) -> u64| {
            let ends = self.readings.first().zip(self.readings.last());
            ends.map_or(0, |(first, last)| i128::from(of(last)) - i128::from(of(first)))
        };
        let steps = between(|reading| reading.utc_ns) - between(|reading| reading.monotonic_ns);
        i64::try_from(steps).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reading(ticks: u64, utc_ns: u64) -> ClockReading {
        ClockReading { ticks, monotonic_ns: utc_ns, utc_ns, error_ns: 1 }
    }

    #[test]
    fn utc_is_interpolated_and_extrapolated_from_readings() {
        let clock = UtcClock::new(vec![reading(1000, 5000), reading(2000, 7000), reading(3000, 8000)], 1).unwrap();
        let times = [1000, 1500, 2000, 2500, 3000, 500, 3500].map(|stamp| clock.utc_ns(stamp));
        assert_eq!(times, [5000, 6000, 7000, 7500, 8000, 4000, 8500]);
        let alone = UtcClock::new(vec![reading(1000, 5000)], 500_000_000).unwrap();
        assert_eq!([900, 1000, 1100].map(|stamp| alone.utc_ns(stamp)), [4800, 5000, 5200]);
        assert_eq!(UtcClock::new(vec![], 1), None);
    }

    #[test]
    fn drift_is_the_deviation_from_the_header_rate() {
        // 1,000,001,000 ticks in a second of a clock whose header states 1,000,000,000.
        let readings = vec![reading(0, 0), reading(1_000_001_000, 1_000_000_000)];
        let clock = UtcClock::new(readings, 1_000_000_000).unwrap();
        assert_eq!((clock.drift_ppb(), clock.utc_steps_ns()), (Some(1000), 0));
    }

    #[test]
    fn a_reading_is_taken_now() {
        let clock = Clock::best();
        let (before, reading, after) = (clock.now(), ClockReading::now(&clock).unwrap(), clock.now());
        assert!((before..=after).contains(&reading.ticks) && reading.utc_ns > 1_600_000_000_000_000_000);
        assert_eq!(ClockReading::from_control_block(reading.control_block()), Some(reading));
        assert_eq!(ClockReading::now(&Clock::Logical), None);
    }

    proptest! {
        #[test]
        fn utc_conversion_never_panics_for_any_readings(
            readings in prop::collection::vec(any::<[u64; 4]>(), 1..6), rate in 1u64.., stamps in any::<[u64; 2]>(),
        ) {
            let of = |[ticks, monotonic_ns, utc_ns, error_ns]: [u64; 4]| ClockReading { ticks, monotonic_ns, utc_ns, error_ns };
            let clock = UtcClock::new(readings.into_iter().map(of).collect(), rate).unwrap();
            stamps.iter().for_each(|stamp| { clock.utc_ns(*stamp); });
            let _ = (clock.drift_ppb(), clock.utc_steps_ns());
        }

        #[test]
        fn real_times_rise_with_their_stamps(start in 0u64..1 << 60, steps in prop::collection::vec((1u64..1 << 32, 1u64..1 << 32), 1..6), stamps in any::<[u32; 2]>()) {
            let (mut at, mut readings) = (reading(start, start), vec![]);
            for (ticks, ns) in steps {
                readings.push(at);
                at = reading(at.ticks + ticks, at.utc_ns + ns);
            }
            let clock = UtcClock::new(readings, 1_000_000_000).unwrap();
            let [a, b] = stamps.map(|stamp| start + u64::from(stamp));
            prop_assert_eq!(clock.utc_ns(a.min(b)).cmp(&clock.utc_ns(a.max(b))).is_gt(), false);
        }
    }
}
