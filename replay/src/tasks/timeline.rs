//! Conversion from recorded stamps to the time of another world.

/// Clock of a what-if's world. It advances by the differences between recorded stamps, except during waits, whose
/// duration is computed in the what-if's world.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SimulatedClock {
    /// Last stamp of the recording, in ticks.
    recorded: u64,
    /// Current time in the other world, in ticks.
    now: u64,
}

impl SimulatedClock {
    /// Returns the current time, in ticks.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Advances by the time that passed in the recording up to this stamp, and returns the new time.
    pub fn advance(&mut self, recorded: u64) -> u64 {
        self.now = self.now.saturating_add(recorded.saturating_sub(self.recorded));
        self.recorded = self.recorded.max(recorded);
        self.now
    }

    /// Skips the recorded time up to this stamp, during which the recording waited.
    pub fn skip_to(&mut self, recorded: u64) {
        self.recorded = self.recorded.max(recorded);
    }

    /// Advances to the time of an awaited event, unless that time has passed.
    pub fn advance_to(&mut self, at: u64) {
        self.now = self.now.max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_wait_lasts_as_long_as_in_the_other_world() {
        let mut time = SimulatedClock::default();
        assert_eq!(time.advance(100), 100);
        // 400 ticks when recorded, 50 now.
        time.skip_to(500);
        time.advance_to(150);
        assert_eq!(time.advance(510), 160);
        // An event in the past causes no wait.
        time.advance_to(20);
        assert_eq!(time.now(), 160);
    }

    proptest! {
        #[test]
        fn time_never_goes_back(steps: Vec<(u8, u64)>) {
            let (mut time, mut last) = (SimulatedClock::default(), 0);
            for (kind, stamp) in steps {
                match kind % 3 {
                    0 => drop(time.advance(stamp)),
                    1 => time.skip_to(stamp),
                    _ => time.advance_to(stamp),
                }
                prop_assert!(time.now() >= last);
                last = time.now();
            }
        }
    }
}
