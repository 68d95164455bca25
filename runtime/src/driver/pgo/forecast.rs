//! Whether more of the same work would teach the driver anything: what it answers by (rule B-40).

use super::decision::{is_new, reached};
use super::pipeline::Pipeline;
use super::selection::select;
use super::threshold::Threshold;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use taut_shaders::Word;

/// A run so many times as long must find nothing for the driver to desire no more.
const TIMES: u32 = 4;

/// Runs of equal constants that are remembered; what was before them is forgotten.
const MOST_RUNS: usize = 1024;

/// What was drawn with a pipeline state since SetBackgroundProcessingMode was last answered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Recent {
    /// It was submitted in a mode in which it is profiled.
    pub drawn: bool,
    /// Sampled constants that follow each other, and how often they came.
    runs: VecDeque<(Vec<Word>, u32)>,
    samples: u64,
    executions: u64,
}

impl Recent {
    /// An execution was measured; its constants, if they were sampled.
    pub fn count(&mut self, sampled: Option<&[Word]>) {
        self.executions += 1;
        let Some(constants) = sampled else { return };
        self.samples += 1;
        match self.runs.back_mut() {
            Some((last, times)) if last == constants && *times < u32::MAX => *times += 1,
            _ => {
                if self.runs.len() == MOST_RUNS {
                    self.runs.pop_front();
                }
                self.runs.push_back((constants.to_vec(), 1));
            }
        }
    }

    /// What was measured means nothing any more; that there is work goes on being known.
    pub fn forget(&mut self) {
        *self = Recent { drawn: self.drawn, ..Recent::default() };
    }

    /// Sampled constants that follow each other, and how often they came.
    pub fn runs(&self) -> impl Iterator<Item = &(Vec<Word>, u32)> {
        self.runs.iter()
    }

    /// Executions for each that was sampled.
    pub fn executions_per_sample(&self) -> u64 {
        (self.executions / self.samples.max(1)).max(1)
    }
}

impl Pipeline {
    /// Whether more work like that since the last answer would be of use: because too little was seen of it yet, or because
    /// the same once more, four times as long, would find a specialisation or drop a variant. Without work, more of it
    /// teaches nothing.
    pub fn is_open(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        if settings.looks_further() {
            return self.recent.drawn && self.is_open_further(settings, faults, threshold);
        }
        self.recent.drawn
            && (self.has_seen_too_little(settings, faults, threshold) || self.would_move(settings, faults, threshold))
    }

    /// The same where more than a pipeline state's draws as a whole is looked at.
    fn is_open_further(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let mut ahead = self.clone();
        ahead.windows.is_empty()
            || ahead.candidate(settings, faults, threshold, 0).is_some()
            || ahead.would_find_by_more(settings, faults, threshold)
            || ahead.would_move_further(settings, faults, threshold)
    }

    /// Nothing was sampled, or too little to decide by, and a decision would find something. A state that was decided on
    /// before and came to nothing is not waited for: its thresholds may be out of reach.
    fn has_seen_too_little(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        if self.windows.is_empty() {
            return true;
        }
        let enough = reached(self, settings, threshold, (self.samples, self.executions), 0);
        if self.doubled > 0 || (enough && self.windows.closed() >= settings.stable_windows) {
            return false;
        }
        let key = self.windows.seen(settings.stable_share_permille.into());
        !key.is_empty() && is_new(self, settings, faults, &key)
    }

    /// As [`Pipeline::would_move`]; what is played changes this.
    fn would_move_further(&mut self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let (per_sample, runs) = (self.recent.executions_per_sample(), self.recent.runs.clone());
        let mut decided_at = None;
        for (constants, times) in (0..TIMES).flat_map(|_| &runs) {
            let mut left = *times;
            while left > 0 {
                let room = self.room(constants, settings);
                let step = if left >= room { (room - 1).max(1) } else { left };
                left -= step;
                if self.play(constants, (step, per_sample), settings, faults) {
                    return true;
                }
                let progress = self.progress(settings, threshold);
                if decided_at.replace(progress) != Some(progress) {
                    self.look_for_split(settings, false);
                    if self.candidate(settings, faults, threshold, 0).is_some() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Draws with these constants that are left to the end of some window.
    fn room(&self, constants: &[Word], settings: &Background) -> u32 {
        let branch = self.split.as_ref().and_then(|split| split.branches.get(split.branch_of(constants)?));
        let windows = branch.map(|branch| &branch.sight.windows).into_iter();
        let windows = windows.chain(self.installed.iter().filter_map(|variant| Some(&variant.sight.as_ref()?.windows)));
        windows.chain([&self.windows]).map(|windows| windows.room(settings)).min().unwrap_or(1)
    }

    /// Counts so many draws with the same constants; whether a variant would be dropped for them.
    fn play(
        &mut self,
        constants: &[Word],
        (step, per_sample): (u32, u64),
        settings: &Background,
        faults: &Faults,
    ) -> bool {
        self.windows.observe_some(constants, step, settings);
        (self.samples, self.executions) =
            (self.samples + u64::from(step), self.executions + u64::from(step) * per_sample);
        if let Some(sight) = self.split.as_mut().and_then(|split| split.sight_of(constants)) {
            sight.observe_some(constants, step, per_sample, settings);
        }
        let selected = select(self, faults, constants);
        let serves = selected.variant.map(|(id, _)| id);
        for variant in &mut self.installed {
            let (missed, served) = (selected.missed.contains(&variant.id), serves == Some(variant.id));
            let draws = u64::from(step) * per_sample;
            if (missed || served) && variant.would_miss_too_often(draws, missed, settings) {
                return true;
            }
            if let Some(sight) = variant.sight.as_mut().filter(|_| served) {
                sight.observe_some(constants, step, per_sample, settings);
            }
        }
        false
    }

    /// Plays what was drawn since the last answer so often again, and looks whether anything comes of it.
    fn would_move(&self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let per_sample = self.recent.executions_per_sample();
        let (mut windows, mut samples, mut executions) = (self.windows.clone(), self.samples, self.executions);
        let mut misses: Vec<_> = self.installed.iter().map(|variant| variant.misses()).collect();
        let mut decided_at = None;
        for (constants, times) in (0..TIMES).flat_map(|_| &self.recent.runs) {
            let mut left = *times;
            while left > 0 {
                // A decision may fall due before the window closes, and goes by the windows before it then.
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
                // What is stable changes with a window's end alone.
                let enough = reached(self, settings, threshold, (samples, executions), 0);
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
