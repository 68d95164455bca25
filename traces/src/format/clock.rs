//! Clocks of the stamps.
//!
//! A stamp is both time and order (a hybrid logical clock): the current time, or one more than the latest stamp that it
//! has to follow, whichever is later.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Source of stamps, in ticks.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// Time-stamp counter of the processor, if it runs at a constant rate on all cores.
    TimeStampCounter {
        /// Measured rate.
        ticks_per_second: u64,
    },
    /// Monotonic clock of the operating system, in nanoseconds since `origin`.
    Monotonic {
        /// Start of the count.
        origin: Instant,
    },
    /// No time: stamps only count. Two recordings of the same single-threaded workload are then identical.
    Logical,
}

impl Clock {
    /// Most precise clock of this machine.
    pub fn best() -> Clock {
        match tsc::ticks_per_second() {
            Some(ticks_per_second) => Clock::TimeStampCounter { ticks_per_second },
            None => Clock::monotonic(),
        }
    }

    /// Fallback clock.
    pub fn monotonic() -> Clock {
        Clock::Monotonic { origin: Instant::now() }
    }

    /// Name of the clock in the trace header.
    pub fn source(&self) -> &'static str {
        match self {
            Clock::TimeStampCounter { .. } => "tsc",
            Clock::Monotonic { .. } => "monotonic",
            Clock::Logical => "logical",
        }
    }

    /// Ticks per second. A logical tick counts as a nanosecond.
    pub fn ticks_per_second(&self) -> u64 {
        match self {
            Clock::TimeStampCounter { ticks_per_second } => *ticks_per_second,
            Clock::Monotonic { .. } | Clock::Logical => 1_000_000_000,
        }
    }

    /// Current time, in ticks.
    #[inline]
    pub fn now(&self) -> u64 {
        match self {
            Clock::TimeStampCounter { .. } => tsc::read(),
            Clock::Monotonic { origin } => u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX),
            Clock::Logical => 0,
        }
    }

    /// Stamp that is later than `after`. The counter may run ahead of time by a tick if events arrive faster than it
    /// ticks; the coarser fallback waits for its next tick instead.
    #[inline]
    pub fn stamp(&self, after: u64) -> u64 {
        match self {
            Clock::TimeStampCounter { .. } => tsc::read().max(after + 1),
            Clock::Logical => after + 1,
            Clock::Monotonic { .. } => loop {
                let now = self.now();
                if now > after {
                    return now;
                }
                std::hint::spin_loop();
            },
        }
    }

    /// Nanoseconds in a span of ticks.
    pub fn nanoseconds(&self, ticks: u64) -> u64 {
        let nanoseconds = u128::from(ticks) * 1_000_000_000 / u128::from(self.ticks_per_second().max(1));
        u64::try_from(nanoseconds).unwrap_or(u64::MAX)
    }
}

/// Duration of the rate measurement: an error of a microsecond in either reading is 0.01 %.
const CALIBRATION: Duration = Duration::from_millis(10);

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod tsc {
    use super::{CALIBRATION, Instant, OnceLock};
    use core::arch::x86_64::{__cpuid, _rdtsc};

    #[inline]
    pub(crate) fn read() -> u64 {
        // SAFETY: RDTSC exists on every x86-64 processor; where the system forbids it to user code, the process ends
        // by a signal at calibration, before anything is recorded.
        unsafe { _rdtsc() }
    }

    /// Rate of the counter in ticks per second, if it is invariant (CPUID 0x80000007, EDX bit 8).
    pub(crate) fn ticks_per_second() -> Option<u64> {
        static RATE: OnceLock<Option<u64>> = OnceLock::new();
        *RATE.get_or_init(|| {
            let invariant = __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0;
            invariant.then(measure).filter(|rate| *rate > 0)
        })
    }

    fn measure() -> u64 {
        let (start, first) = (Instant::now(), read());
        std::thread::sleep(CALIBRATION);
        let (elapsed, last) = (start.elapsed(), read());
        let ticks = u128::from(last.saturating_sub(first));
        u64::try_from(ticks * 1_000_000_000 / elapsed.as_nanos().max(1)).unwrap_or(0)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod tsc {
    pub(crate) fn read() -> u64 {
        0
    }
    pub(crate) fn ticks_per_second() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_returns_stamps_later_than_requested() {
        for clock in [Clock::best(), Clock::monotonic(), Clock::Logical] {
            let mut last = clock.now();
            for _ in 0..10_000 {
                let stamp = clock.stamp(last);
                assert!(stamp > last, "{clock:?}");
                last = stamp;
            }
        }
    }

    #[test]
    fn the_fallback_clock_does_not_run_ahead_of_time() {
        let clock = Clock::monotonic();
        let mut last = 0;
        for _ in 0..10_000 {
            last = clock.stamp(last);
        }
        assert!(last <= clock.now());
    }

    #[test]
    fn the_best_clock_measures_a_second_as_a_second() {
        let clock = Clock::best();
        let (start, first) = (Instant::now(), clock.now());
        std::thread::sleep(Duration::from_millis(30));
        let span = clock.nanoseconds(clock.now() - first) as f64;
        let real = start.elapsed().as_nanos() as f64;
        assert!((span / real - 1.0).abs() < 0.1, "{span} against {real}");
    }
}
