//! A display's refreshes.

/// Thousandths of a hertz times nanoseconds of a second.
const SCALE: u128 = 1_000_000_000_000;

/// A display, by its refreshes; refresh 0 is at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Refreshes, in thousandths of a hertz, at least 1.
    pub refresh_millihertz: u64,
    /// Refreshes wait for frames, as long as the display can.
    pub is_variable: bool,
    /// When it was last refreshed for a frame's sake.
    pub last_at_ns: Option<u64>,
}

impl Screen {
    /// A display at so many thousandths of a hertz.
    pub fn new(refresh_millihertz: u64, is_variable: bool) -> Screen {
        Screen { refresh_millihertz: refresh_millihertz.max(1), is_variable, last_at_ns: None }
    }

    /// When a refresh is, at its fixed rate.
    pub fn at_ns(&self, refresh: u64) -> u64 {
        u64::try_from(u128::from(refresh) * SCALE / u128::from(self.refresh_millihertz)).unwrap_or(u64::MAX)
    }

    /// From one refresh to the next, rounded down.
    pub fn period_ns(&self) -> u64 {
        self.at_ns(1)
    }

    /// The last refresh at or before a time, at its fixed rate.
    pub fn refresh_at(&self, at_ns: u64) -> u64 {
        let near = u64::try_from(u128::from(at_ns) * u128::from(self.refresh_millihertz) / SCALE).unwrap_or(u64::MAX);
        if self.at_ns(near.saturating_add(1)) <= at_ns { near + 1 } else { near }
    }

    /// When it can next show what is ready since `ready_at_ns`, after its last refresh.
    pub fn next_at_ns(&self, ready_at_ns: u64) -> u64 {
        let Some(last) = self.last_at_ns else { return self.first_at_ns(ready_at_ns) };
        if self.is_variable {
            return ready_at_ns.max(last.saturating_add(self.period_ns()));
        }
        self.first_at_ns(ready_at_ns.max(last.saturating_add(1)))
    }

    /// The first time at or after another that is a refresh.
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
        fn a_refresh_is_found_again_by_its_time(
            millihertz in 1000_u64..1_000_000,
            refresh in 0_u64..10_000_000,
            beside in 0_u64..1_000_000,
        ) {
            let screen = Screen::new(millihertz, false);
            let at_ns = screen.at_ns(refresh);
            prop_assert_eq!(screen.refresh_at(at_ns), refresh);
            prop_assert_eq!(screen.next_at_ns(at_ns), at_ns);
            let next = screen.next_at_ns(at_ns + beside);
            prop_assert!(next >= at_ns + beside && next - (at_ns + beside) <= screen.period_ns() + 1);
            prop_assert_eq!(screen.at_ns(screen.refresh_at(next)), next);
        }
    }

    #[test]
    fn an_hour_at_165_hz_has_594_000_refreshes() {
        assert_eq!(Screen::new(165_000, false).at_ns(594_000), 3_600_000_000_000);
    }
}
