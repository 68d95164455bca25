//! Forecast of whether more work of the same kind would change a decision (rule B-40).

use super::constant_profile::SampleCounts;
use super::decision::{is_new, reached};
use super::pipeline::Pipeline;
use super::selection::select;
use super::threshold::Threshold;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_shaders::Word;

/// Number of times the recent draws are replayed without a finding before the driver desires no more measurements.
const REPLAY_COUNT: u32 = 4;

impl Pipeline {
    /// True if further draws like those since the last answer would be useful: there are too few samples, or a replay of
    /// the draws, [`REPLAY_COUNT`] times, would find a specialisation or drop a variant. False without such draws.
    pub fn is_open(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        if settings.searches_beyond_one_specialisation() {
            return self.recent.drawn && self.is_open_further(settings, faults, threshold);
        }
        self.recent.drawn
            && (self.has_too_few_samples(settings, faults, threshold)
                || self.would_change_decision(settings, faults, threshold))
    }

    /// Same as [`Pipeline::is_open`] for drivers that search beyond one specialisation per pipeline state.
    fn is_open_further(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        // Searching and replaying change the state, so both use a copy.
        let mut ahead = self.clone();
        ahead.windows.is_empty()
            || ahead.candidate(settings, faults, threshold, 0).is_some()
            || ahead.would_find_with_more_samples(settings, faults, threshold)
            || ahead.replay_would_change_decision(settings, faults, threshold)
    }

    /// True if there are no samples, or too few for a decision that would find a specialisation. False after a decision
    /// that found nothing, because the draws may never reach the raised thresholds.
    fn has_too_few_samples(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        if self.windows.is_empty() {
            return true;
        }
        let known = SampleCounts { samples: self.samples, executions: self.executions };
        let enough = reached(self, settings, threshold, known, 0);
        if self.doubled > 0 || (enough && self.windows.closed() >= settings.stable_windows) {
            return false;
        }
        let key = self.windows.predominant(settings.stable_share_permille.into());
        !key.is_empty() && is_new(self, settings, faults, &key)
    }

    /// Implements [`Pipeline::would_change_decision`] for such drivers, and changes this object by the replayed draws.
    fn replay_would_change_decision(&mut self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let (per_sample, runs) = (self.recent.executions_per_sample(), self.recent.runs.clone());
        let mut decided_at = None;
        for (constants, times) in (0..REPLAY_COUNT).flat_map(|_| &runs) {
            let mut left = *times;
            while left > 0 {
                let room = self.room(constants, settings);
                let step = if left >= room { (room - 1).max(1) } else { left };
                left -= step;
                if self.replay_draws(constants, step, per_sample, settings, faults) {
                    return true;
                }
                let progress = self.progress(settings, threshold);
                if decided_at.replace(progress) != Some(progress) {
                    self.try_split(settings, false);
                    if self.candidate(settings, faults, threshold, 0).is_some() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns how many draws with these constants remain until some window is full.
    fn room(&self, constants: &[Word], settings: &Background) -> u32 {
        let branch = self.split.as_ref().and_then(|split| split.branches.get(split.branch_of(constants)?));
        let windows = branch.map(|branch| &branch.constants.windows).into_iter();
        let windows =
            windows.chain(self.installed.iter().filter_map(|variant| Some(&variant.constants.as_ref()?.windows)));
        windows.chain([&self.windows]).map(|windows| windows.room(settings)).min().unwrap_or(1)
    }

    /// Replays draws with the same constants. Returns true if a variant would be dropped for its misses.
    fn replay_draws(
        &mut self,
        constants: &[Word],
        step: u32,
        per_sample: u64,
        settings: &Background,
        faults: &Faults,
    ) -> bool {
        self.windows.observe_some(constants, step, settings);
        (self.samples, self.executions) =
            (self.samples + u64::from(step), self.executions + u64::from(step) * per_sample);
        if let Some(profile) = self.split.as_mut().and_then(|split| split.profile_of(constants)) {
            profile.observe_some(constants, step, per_sample, settings);
        }
        let selected = select(self, faults, constants);
        let serves = selected.variant.map(|(id, _)| id);
        for variant in &mut self.installed {
            let (missed, served) = (selected.missed.contains(&variant.id), serves == Some(variant.id));
            let draws = u64::from(step) * per_sample;
            if (missed || served) && variant.would_miss_too_often(draws, missed, settings) {
                return true;
            }
            if let Some(profile) = variant.constants.as_mut().filter(|_| served) {
                profile.observe_some(constants, step, per_sample, settings);
            }
        }
        false
    }

    /// Replays the draws since the last answer, and returns true if a specialisation is found or a variant is dropped.
    fn would_change_decision(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let per_sample = self.recent.executions_per_sample();
        let (mut windows, mut samples, mut executions) = (self.windows.clone(), self.samples, self.executions);
        let mut misses: Vec<_> = self.installed.iter().map(|variant| variant.misses()).collect();
        let mut decided_at = None;
        for (constants, times) in (0..REPLAY_COUNT).flat_map(|_| &self.recent.runs) {
            let mut left = *times;
            while left > 0 {
                // A decision may be due before the window closes; it uses the closed windows then.
                let room = windows.room(settings);
                let step =
                    windows.observe_some(constants, if left >= room { (room - 1).max(1) } else { left }, settings);
                (samples, left) = (samples + u64::from(step), left - step);
                executions += u64::from(step) * per_sample;
                for (variant, misses) in self.installed.iter().zip(&mut misses).rev() {
                    let holds = variant.guard.holds(constants);
                    if misses.add(u64::from(step) * per_sample, !holds, settings) {
                        return true;
                    }
                    if holds {
                        break;
                    }
                }
                // Stable values change only when a window closes.
                let enough = reached(self, settings, threshold, SampleCounts { samples, executions }, 0);
                if enough && decided_at.replace(windows.closed()) != Some(windows.closed()) {
                    let key = windows.stable(settings.stable_windows);
                    if !key.is_empty() && is_new(self, settings, faults, &key) {
                        return true;
                    }
                }
            }
        }
        false
    }
}
