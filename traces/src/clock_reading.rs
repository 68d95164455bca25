//! What time it was by three clocks at one moment, and what follows for stamps. Writer and reader side by side.

use crate::clock::Clock;
use crate::told::Told;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// What the clock of the stamps, the system's monotonic one and UTC said at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ClockReading {
    /// The stamps' clock, in ticks.
    pub ticks: u64,
    /// The system's monotonic clock, in nanoseconds.
    pub monotonic_ns: u64,
    /// Nanoseconds since the beginning of 1970, UTC.
    pub utc_ns: u64,
    /// By how much the three moments may differ, in nanoseconds.
    pub error_ns: u64,
}

/// Times that the clocks are read for one reading: the quickest counts.
const TRIES: usize = 5;

impl ClockReading {
    /// Reads the clocks; none by the logical one, which has no time.
    pub fn now(clock: &Clock) -> Option<ClockReading> {
        if matches!(clock, Clock::Logical) {
            return None;
        }
        let readings = (0..TRIES).map(|_| {
            let before = clock.now();
            let (monotonic_ns, utc_ns) = (monotonic_ns(), utc_ns());
            let span = clock.now().saturating_sub(before);
            // A clock reads what it was up to a nanosecond ago.
            ClockReading {
                ticks: before + span / 2,
                monotonic_ns,
                utc_ns,
                error_ns: clock.nanoseconds(span).div_ceil(2) + 1,
            }
        });
        readings.min_by_key(|reading| reading.error_ns)
    }

    /// What its block says.
    pub(crate) fn told(&self) -> Told {
        Told { count: 0, words: [self.ticks, self.monotonic_ns, self.utc_ns, self.error_ns] }
    }

    /// The reading that a block says; none if it is not what it is to be.
    pub(crate) fn of(told: Told) -> Option<ClockReading> {
        let [ticks, monotonic_ns, utc_ns, error_ns] = told.words;
        (told.count == 0).then_some(ClockReading { ticks, monotonic_ns, utc_ns, error_ns })
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

/// Since it was first asked for.
#[cfg(not(unix))]
fn monotonic_ns() -> u64 {
    use std::sync::OnceLock;
    static FIRST: OnceLock<std::time::Instant> = OnceLock::new();
    u64::try_from(FIRST.get_or_init(std::time::Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Which time in UTC a stamp is, by the readings that a trace has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UtcClock {
    /// Rising, at least one.
    readings: Vec<ClockReading>,
    /// As the header has it.
    ticks_per_second: u64,
}

impl UtcClock {
    /// By these readings; none without any. With one alone, time goes by as the header says.
    pub fn new(mut readings: Vec<ClockReading>, ticks_per_second: u64) -> Option<UtcClock> {
        readings.sort_by_key(|reading| reading.ticks);
        readings.dedup_by_key(|reading| reading.ticks);
        (!readings.is_empty() && ticks_per_second > 0).then_some(UtcClock { readings, ticks_per_second })
    }

    /// The readings, rising.
    pub fn readings(&self) -> &[ClockReading] {
        &self.readings
    }

    /// Nanoseconds since the beginning of 1970 at a stamp: between two readings on the line through them, before the first and
    /// behind the last on the nearest one.
    pub fn utc_ns(&self, stamp: u64) -> u64 {
        let behind = self.readings.partition_point(|reading| reading.ticks <= stamp);
        let last = self.readings.len() - 1;
        let (from, to) = (behind.saturating_sub(1).min(last.saturating_sub(1)), behind.max(1).min(last));
        let (from, to) = (self.readings[from], self.readings[to]);
        let (ticks, ns) = match to.ticks.checked_sub(from.ticks) {
            None | Some(0) => (self.ticks_per_second.into(), 1_000_000_000),
            Some(ticks) => (i128::from(ticks), i128::from(to.utc_ns) - i128::from(from.utc_ns)),
        };
        let since = i128::from(stamp) - i128::from(from.ticks);
        // Both factors have at most 65 bits, and their product may have more than there are.
        let ns = since.checked_mul(ns).map_or(0, |product| product.div_euclid(ticks));
        (i128::from(from.utc_ns) + ns).clamp(0, u64::MAX.into()) as u64
    }

    /// By how much the stamps' clock was faster than the header says, from the first reading to the last and by the monotonic clock,
    /// in parts of a thousand million; none without two readings a millisecond apart.
    pub fn drift_ppb(&self) -> Option<i64> {
        let (first, last) = (self.readings.first()?, self.readings.last()?);
        let ns = last.monotonic_ns.checked_sub(first.monotonic_ns).filter(|ns| *ns >= 1_000_000)?;
        let stated = i128::from(ns).checked_mul(self.ticks_per_second.into())?;
        let found = i128::from(last.ticks - first.ticks).checked_mul(1_000_000_000)?;
        i64::try_from(found.checked_sub(stated)?.checked_mul(1_000_000_000)? / stated).ok()
    }

    /// By how much UTC was set ahead between the first reading and the last, beside the monotonic clock, in nanoseconds.
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
    fn stamps_are_times_between_before_and_behind_readings() {
        let clock = UtcClock::new(vec![reading(1000, 5000), reading(2000, 7000), reading(3000, 8000)], 1).unwrap();
        let times = [1000, 1500, 2000, 2500, 3000, 500, 3500].map(|stamp| clock.utc_ns(stamp));
        assert_eq!(times, [5000, 6000, 7000, 7500, 8000, 4000, 8500]);
        let alone = UtcClock::new(vec![reading(1000, 5000)], 500_000_000).unwrap();
        assert_eq!([900, 1000, 1100].map(|stamp| alone.utc_ns(stamp)), [4800, 5000, 5200]);
        assert_eq!(UtcClock::new(vec![], 1), None);
    }

    #[test]
    fn drift_is_what_the_header_does_not_say() {
        // 1,000,001,000 ticks in a second of a clock that is said to have a thousand fewer.
        let readings = vec![reading(0, 0), reading(1_000_001_000, 1_000_000_000)];
        let clock = UtcClock::new(readings, 1_000_000_000).unwrap();
        assert_eq!((clock.drift_ppb(), clock.utc_steps_ns()), (Some(1000), 0));
    }

    #[test]
    fn a_reading_is_of_now() {
        let clock = Clock::best();
        let (before, reading, after) = (clock.now(), ClockReading::now(&clock).unwrap(), clock.now());
        assert!((before..=after).contains(&reading.ticks) && reading.utc_ns > 1_600_000_000_000_000_000);
        assert_eq!(ClockReading::of(reading.told()), Some(reading));
        assert_eq!(ClockReading::now(&Clock::Logical), None);
    }

    proptest! {
        #[test]
        fn whatever_the_readings_are_times_do_not_go_back_where_they_rise(
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
