//! Time series of fixed size; the step width grows with the covered time.

use serde::Serialize;

/// Maximum number of steps. If more are needed, adjacent pairs are merged and the step width doubles.
const STEPS: usize = 256;
/// Initial step width: 1/16 s.
const SHORTEST_NS: u64 = 62_500_000;

/// Sums over one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Frames that were shown or dropped.
    pub frames: u64,
    /// Frames that were shown.
    pub shown: u64,
    /// Sum of the latencies of shown frames.
    pub latency_sum_ns: u64,
    /// Maximum latency of shown frames.
    pub latency_worst_ns: u64,
    /// Bytes over the rendering adapter's link.
    pub link_bytes: u64,
    /// Bytes of system memory accessed by copies and composition.
    pub memory_bytes: u64,
    /// Copies that ended.
    pub copies: u64,
    /// Presents after the first.
    pub frame_times: u64,
    /// Sum of the times from one Present to the next.
    pub frame_time_sum_ns: u64,
    /// Maximum of these times.
    pub frame_time_max_ns: u64,
}

impl Step {
    fn add(&mut self, other: &Step) {
        self.frames += other.frames;
        self.shown += other.shown;
        self.latency_sum_ns = self.latency_sum_ns.saturating_add(other.latency_sum_ns);
        self.latency_worst_ns = self.latency_worst_ns.max(other.latency_worst_ns);
        self.link_bytes = self.link_bytes.saturating_add(other.link_bytes);
        self.memory_bytes = self.memory_bytes.saturating_add(other.memory_bytes);
        self.copies += other.copies;
        self.frame_times += other.frame_times;
        self.frame_time_sum_ns = self.frame_time_sum_ns.saturating_add(other.frame_time_sum_ns);
        self.frame_time_max_ns = self.frame_time_max_ns.max(other.frame_time_max_ns);
    }
}

/// Steps from the start of the simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Series {
    pub step_ns: u64,
    pub steps: Vec<Step>,
}

impl Default for Series {
    fn default() -> Series {
        Series { step_ns: SHORTEST_NS, steps: Vec::new() }
    }
}

impl Series {
    /// Adds values to the step that contains `at_ns`.
    pub fn add(&mut self, at_ns: u64, what: &Step) {
        while at_ns / self.step_ns >= STEPS as u64 {
            self.halve();
        }
        let place = (at_ns / self.step_ns) as usize;
        if self.steps.len() <= place {
            self.steps.resize(place + 1, Step::default());
        }
        self.steps[place].add(what);
    }

    fn halve(&mut self) {
        self.step_ns = self.step_ns.saturating_mul(2);
        let pairs = self.steps.chunks(2).map(|pair| {
            let mut sum = Step::default();
            pair.iter().for_each(|step| sum.add(step));
            sum
        });
        self.steps = pairs.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_lost_however_far_time_goes(times in prop::collection::vec(0_u64..20_000_000_000_000, 1..200)) {
            let mut series = Series::default();
            for at_ns in &times {
                series.add(*at_ns, &Step { frames: 1, link_bytes: 7, latency_worst_ns: *at_ns, ..Step::default() });
            }
            let steps = &series.steps;
            prop_assert!(steps.len() <= STEPS);
            prop_assert_eq!(steps.iter().map(|step| step.frames).sum::<u64>(), times.len() as u64);
            prop_assert_eq!(steps.iter().map(|step| step.link_bytes).sum::<u64>(), 7 * times.len() as u64);
            // Each step contains the values of its time range.
            for (step, begin_ns) in steps.iter().zip((0..).map(|place| place * series.step_ns)) {
                let of = times.iter().filter(|at_ns| (begin_ns..begin_ns + series.step_ns).contains(at_ns));
                prop_assert_eq!(step.latency_worst_ns, of.max().copied().unwrap_or(0));
            }
        }
    }
}
