//! Refreshes of a display.

use serde::{Deserialize, Serialize};

/// Millihertz times nanoseconds per second.
const SCALE: u128 = 1_000_000_000_000;

/// A display with its refreshes; refresh 0 is at time 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Screen {
    /// Refresh rate in millihertz, at least 1.
    pub refresh_millihertz: u64,
    /// Refreshes wait for frames (variable refresh rate).
    pub is_variable: bool,
    /// Time of the last refresh that showed a frame.
    pub last_at_ns: Option<u64>,
    /// Recorded refresh times in order, from refresh 1 on; later refreshes follow at the refresh rate.
    recorded_at_ns: Vec<u64>,
}

impl Screen {
    /// Creates a display with this refresh rate.
    pub fn new(refresh_millihertz: u64, is_variable: bool) -> Screen {
        Screen {
            refresh_millihertz: refresh_millihertz.max(1),
            is_variable,
            last_at_ns: None,
            recorded_at_ns: Vec::new(),
        }
    }

    /// Sets recorded refresh times.
    pub fn recorded(self, recorded_at_ns: Vec<u64>) -> Screen {
        Screen { is_variable: self.is_variable && recorded_at_ns.is_empty(), recorded_at_ns, ..self }
    }

    /// Returns the time of a refresh: as recorded, or at the fixed rate.
    pub fn at_ns(&self, refresh: u64) -> u64 {
        let Some(last) = self.recorded_at_ns.last() else { return self.since_ns(refresh) };
        match usize::try_from(refresh).ok().and_then(|refresh| self.recorded_at_ns.get(refresh.checked_sub(1)?)) {
            Some(at_ns) => *at_ns,
            None if refresh == 0 => 0,
            None => last.saturating_add(self.since_ns(refresh - self.recorded_at_ns.len() as u64)),
        }
    }

    /// Returns the duration of this number of refreshes at the fixed rate.
    fn since_ns(&self, refresh: u64) -> u64 {
        u64::try_from(u128::from(refresh) * SCALE / u128::from(self.refresh_millihertz)).unwrap_or(u64::MAX)
    }

    /// Returns the refresh period, rounded down.
    pub fn period_ns(&self) -> u64 {
        self.since_ns(1)
    }

    /// Returns the last refresh at or before a time.
    pub fn refresh_at(&self, at_ns: u64) -> u64 {
        match self.recorded_at_ns.last() {
            None => self.refreshes_in(at_ns),
            Some(last) if at_ns >= *last => self.recorded_at_ns.len() as u64 + self.refreshes_in(at_ns - last),
            Some(_) => self.recorded_at_ns.partition_point(|recorded| *recorded <= at_ns) as u64,
        }
    }

    /// Returns the number of refreshes at the fixed rate up to a time, without the refresh at time 0.
    fn refreshes_in(&self, at_ns: u64) -> u64 {
        let near = u64::try_from(u128::from(at_ns) * u128::from(self.refresh_millihertz) / SCALE).unwrap_or(u64::MAX);
        if self.since_ns(near.saturating_add(1)) <= at_ns { near + 1 } else { near }
    }

    /// Returns the time since the current refresh began, and its duration. With a variable rate, a refresh begins with
    /// its frame.
    pub fn phase_ns(&self, at_ns: u64) -> (u64, u64) {
        if self.is_variable {
            let since = self.last_at_ns.map_or(0, |last| at_ns.saturating_sub(last));
            return (if since < self.period_ns() { since } else { 0 }, self.period_ns().max(1));
        }
        let refresh = self.refresh_at(at_ns);
        let (began, ends) = (self.at_ns(refresh), self.at_ns(refresh.saturating_add(1)));
        (at_ns.saturating_sub(began), ends.saturating_sub(began).max(1))
    }

    /// Returns the time at which a frame that is ready at `ready_at_ns` can be shown, after the last refresh.
    pub fn next_at_ns(&self, ready_at_ns: u64) -> u64 {
        let Some(last) = self.last_at_ns else { return self.first_at_ns(ready_at_ns) };
        if self.is_variable {
            return ready_at_ns.max(last.saturating_add(self.period_ns()));
        }
        self.first_at_ns(ready_at_ns.max(last.saturating_add(1)))
    }

    /// Returns the first refresh at or after a time.
    fn first_at_ns(&self, at_ns: u64) -> u64 {
        if self.is_variable {
            return at_ns;
        }
        let refresh = self.refresh_at(at_ns);
        if self.at_ns(refresh) == at_ns { at_ns } else { self.at_ns(refresh + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_refresh_is_found_by_its_time(
            millihertz in 1000_u64..1_000_000,
            refresh in 0_u64..10_000_000,
            offset_ns in 0_u64..1_000_000,
        ) {
            let screen = Screen::new(millihertz, false);
            let at_ns = screen.at_ns(refresh);
            prop_assert_eq!(screen.refresh_at(at_ns), refresh);
            prop_assert_eq!(screen.next_at_ns(at_ns), at_ns);
            let next = screen.next_at_ns(at_ns + offset_ns);
            prop_assert!(next >= at_ns + offset_ns && next - (at_ns + offset_ns) <= screen.period_ns() + 1);
            prop_assert_eq!(screen.at_ns(screen.refresh_at(next)), next);
        }
    }

    #[test]
    fn recorded_refreshes_are_the_display_s_and_its_rate_goes_on_after_them() {
        let screen = Screen::new(1_000_000, true).recorded(vec![500, 900, 5000]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|refresh| screen.at_ns(refresh)), [0, 500, 900, 5000, 1_005_000, 2_005_000]);
        let at = [0, 499, 500, 899, 4999, 5000, 1_004_999, 1_005_000].map(|at_ns| screen.refresh_at(at_ns));
        assert_eq!(at, [0, 0, 1, 1, 2, 3, 3, 4]);
        assert_eq!([1, 500, 501, 5001].map(|ready| screen.next_at_ns(ready)), [500, 500, 900, 1_005_000]);
    }

    #[test]
    fn an_hour_at_165_hz_has_594_000_refreshes() {
        assert_eq!(Screen::new(165_000, false).at_ns(594_000), 3_600_000_000_000);
    }
}
