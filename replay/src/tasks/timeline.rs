//! When recorded calls would have been made.

/// Time of another world, by the stamps of a recording. It goes on as it went there, but for waits: how long these last is the
/// other world's own.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TimeLine {
    /// The last stamp of the recording.
    recorded: u64,
    /// The time that it stands for, in ticks.
    now: u64,
}

impl TimeLine {
    /// The time, in ticks.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// As much time passes as passed in the recording up to this stamp; the time then.
    pub fn go_on(&mut self, recorded: u64) -> u64 {
        self.now = self.now.saturating_add(recorded.saturating_sub(self.recorded));
        self.recorded = self.recorded.max(recorded);
        self.now
    }

    /// Up to this stamp the recording waited: none of that time passes.
    pub fn stand_still(&mut self, recorded: u64) {
        self.recorded = self.recorded.max(recorded);
    }

    /// Something is waited for that happens at this time, unless it has happened.
    pub fn reach(&mut self, at: u64) {
        self.now = self.now.max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_wait_lasts_as_long_as_in_the_other_world() {
        let mut time = TimeLine::default();
        assert_eq!(time.go_on(100), 100);
        // 400 ticks when recorded, 50 now.
        time.stand_still(500);
        time.reach(150);
        assert_eq!(time.go_on(510), 160);
        // What has happened already is not waited for.
        time.reach(20);
        assert_eq!(time.now(), 160);
    }

    proptest! {
        #[test]
        fn time_never_goes_back(steps: Vec<(u8, u64)>) {
            let (mut time, mut last) = (TimeLine::default(), 0);
            for (kind, stamp) in steps {
                match kind % 3 {
                    0 => drop(time.go_on(stamp)),
                    1 => time.stand_still(stamp),
                    _ => time.reach(stamp),
                }
                prop_assert!(time.now() >= last);
                last = time.now();
            }
        }
    }
}
