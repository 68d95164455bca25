//! Frame times of a swap chain: distribution, lows, stutter and animation error.

use super::spread::{Spread, Times};
use crate::presents::Frame;
use crate::reports::figures::figures;
use std::collections::{BTreeMap, VecDeque};

/// Frames whose Present may still be unknown when a later frame ends. A swap chain has at most 16 frames in its queue.
const MAX_PENDING: usize = 64;
/// Frame times before a frame whose mean it is compared with.
const COMPARED_FRAMES: usize = 20;
/// Ratio to that mean from which a frame is a stutter; CapFrameX uses the same.
const STUTTER_RATIO: f64 = 2.5;

figures! {
    /// Frame times of a swap chain.
    #[derive(Debug, Clone, PartialEq)]
    pub struct FrameTimeFigures {
        frame_time: Option<Spread>, Group, "Time from one Present to the next.";
        low_1_percent_frames_per_s: Option<f64>, PerSecond, "Frames per second at the mean of the longest 1 % of frame times; null with fewer than 100.";
        low_01_percent_frames_per_s: Option<f64>, PerSecond, "Frames per second at the mean of the longest 0.1 % of frame times; null with fewer than 1,000.";
        stutter_ratio: Option<f64>, Ratio, "Share of the time in frames longer than 2.5 times the mean of the previous 20.";
        animation_error: Option<Spread>, Group, "Absolute difference between the interval of two displayed frames and the interval of their Presents.";
    }
}

/// Accumulates frame times in the order of the Presents.
#[derive(Debug, Default)]
pub(super) struct FrameTimes {
    /// Presents by frame number, until all before them are known: frames end in another order.
    pending: BTreeMap<u64, u64>,
    next_number: Option<u64>,
    last_presented_at_ns: Option<u64>,
    times: Times,
    latest: VecDeque<u64>,
    sum_ns: u128,
    stutter_ns: u128,
    /// Present and display of the last displayed frame.
    last_shown: Option<(u64, u64)>,
    animation_errors: Times,
}

/// A frame time with the time of the Present that ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameTime {
    pub at_ns: u64,
    pub ns: u64,
}

impl FrameTimes {
    /// Adds a frame that ended; returns the frame times that are known by it.
    pub fn add(&mut self, frame: &Frame) -> Vec<FrameTime> {
        if frame.is_shown() {
            let (presented, shown) = (frame.presented_at_ns, frame.ended_at_ns);
            if let Some((last_presented, last_shown)) = self.last_shown
                && presented > last_presented
            {
                self.animation_errors.add((shown.abs_diff(last_shown)).abs_diff(presented - last_presented));
            }
            self.last_shown = Some((presented, shown));
        }
        self.pending.insert(frame.present_count, frame.presented_at_ns);
        let mut known = Vec::new();
        while let Some(first) = self.pending.first_entry() {
            // The first frame of the recording need not be the first of the swap chain.
            let may_follow_another = self.next_number.is_none_or(|next| *first.key() > next);
            if may_follow_another && self.pending.len() < MAX_PENDING {
                break;
            }
            known.extend(self.take_first());
        }
        known
    }

    /// Adds the frames whose predecessors are not in the trace; returns their frame times.
    pub fn finish(&mut self) -> Vec<FrameTime> {
        let mut known = Vec::new();
        while !self.pending.is_empty() {
            known.extend(self.take_first());
        }
        known
    }

    fn take_first(&mut self) -> Option<FrameTime> {
        let (number, at_ns) = self.pending.pop_first()?;
        self.next_number = Some(number.saturating_add(1));
        let ns = at_ns.checked_sub(self.last_presented_at_ns.replace(at_ns)?)?;
        let sum: u64 = self.latest.iter().fold(0, |sum, ns| sum.saturating_add(*ns));
        let mean = sum as f64 / self.latest.len().max(1) as f64;
        if self.latest.len() == COMPARED_FRAMES && ns as f64 > STUTTER_RATIO * mean {
            self.stutter_ns += u128::from(ns);
        }
        if self.latest.len() == COMPARED_FRAMES {
            self.latest.pop_front();
        }
        self.latest.push_back(ns);
        self.sum_ns += u128::from(ns);
        self.times.add(ns);
        Some(FrameTime { at_ns, ns })
    }

    pub fn figures(&self) -> FrameTimeFigures {
        let low = |permille: u64| self.times.mean_of_longest(permille).filter(|ns| *ns > 0.0).map(|ns| 1e9 / ns);
        FrameTimeFigures {
            frame_time: self.times.spread(),
            low_1_percent_frames_per_s: low(10),
            low_01_percent_frames_per_s: low(1),
            stutter_ratio: (self.sum_ns > 0).then(|| self.stutter_ns as f64 / self.sum_ns as f64),
            animation_error: self.animation_errors.spread(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::{FrameOutcome, SwapChainId};

    fn frame(present_count: u64, presented_at_ns: u64, ended_at_ns: u64, outcome: FrameOutcome) -> Frame {
        Frame {
            swap_chain: SwapChainId(1),
            present_count,
            outcome,
            presented_at_ns,
            rendered_at_ns: 0,
            copy_1_started_at_ns: 0,
            copy_1_ended_at_ns: 0,
            copy_2_started_at_ns: 0,
            copy_2_ended_at_ns: 0,
            ready_at_ns: 0,
            ended_at_ns,
            bytes_copied: 0,
            composition_started_at_ns: None,
            composition_ended_at_ns: None,
            probes: None,
            wrong_probes: None,
        }
    }

    #[test]
    fn frame_times_are_between_presents_in_whatever_order_frames_end() {
        let mut times = FrameTimes::default();
        // 2,000 frames of 10 ms; frame 500 comes after 100 ms; pairs end in reverse order.
        let at = |number: u64| number * 10_000_000 + if number >= 500 { 90_000_000 } else { 0 };
        let mut found = Vec::new();
        for number in (0..2_000_u64).map(|number| number ^ 1) {
            found.extend(times.add(&frame(number, at(number), at(number) + 5_000_000, FrameOutcome::NEVER_SHOWN)));
        }
        found.extend(times.finish());
        assert_eq!((found.len(), found[498]), (1_999, FrameTime { at_ns: at(499), ns: 10_000_000 }));
        let figures = times.figures();
        let spread = figures.frame_time.unwrap();
        assert_eq!((spread.p50_ns, spread.p99_ns, spread.max_ns), (10_000_000, 10_000_000, 100_000_000));
        // The longest 1 % are 19 frames, one of 100 ms; the longest 0.1 % that one alone.
        let low = figures.low_1_percent_frames_per_s.unwrap();
        assert!((low - 1e9 / (280_000_000.0 / 19.0)).abs() < 1e-6, "{low}");
        assert_eq!(figures.low_01_percent_frames_per_s, Some(10.0));
        let stutter = figures.stutter_ratio.unwrap();
        assert!((stutter - 0.1 / 20.08).abs() < 1e-9, "{stutter}");
        assert_eq!(figures.animation_error, None, "no frame is displayed");
    }

    #[test]
    fn the_animation_error_is_the_difference_between_display_and_present_intervals() {
        let mut times = FrameTimes::default();
        let shown = [(0, 5), (10, 15), (20, 31), (30, 35)];
        for (number, (presented, ended)) in (0..).zip(shown) {
            times.add(&frame(number, presented, ended, FrameOutcome::FLIPPED));
        }
        let spread = times.figures().animation_error.unwrap();
        // Intervals of 10, 16 and 4 on the display, of 10 between Presents.
        assert_eq!((spread.p50_ns, spread.max_ns, spread.mean_ns), (6, 6, 4.0));
    }

    #[test]
    fn lows_need_as_many_frames_as_their_share_has_parts() {
        let mut times = FrameTimes::default();
        for number in 0..100 {
            times.add(&frame(number, number * 1_000_000, number * 1_000_000, FrameOutcome::FLIPPED));
        }
        times.finish();
        assert_eq!(times.figures().low_1_percent_frames_per_s, None, "99 frame times");
    }
}
