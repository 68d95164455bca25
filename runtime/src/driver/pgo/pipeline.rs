//! What the driver keeps of a pipeline state.

use super::code::Code;
use super::forecast::Recent;
use super::installed::Installed;
use super::split::Split;
use super::submission::Draw;
use super::tuning::Tuning;
use super::windows::{Key, Windows};
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{BackgroundProcessingMode, Bytes, DrawRun, HResult, HResultCode, VariantChange};
use taut_shaders::{Grid, Shader, Word};

/// Lanes' inputs follow from this alone.
const GRID_SEED: u64 = 1;

/// Most lanes of a draw: more are not simulated.
pub(super) const MOST_LANES: u32 = 64;

/// Thresholds are doubled at most so often.
const MOST_DOUBLED: u32 = 20;

/// A pipeline state: its shader, its variants, and what was measured of it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Pipeline {
    #[serde(with = "super::shared")]
    pub generic: Arc<Code>,
    /// By lane count; they follow from the shader.
    #[serde(skip)]
    grids: BTreeMap<u32, Arc<Grid>>,
    /// Draws submitted while profiling was allowed; one of so many is sampled.
    submitted: u64,
    /// Executions measured, and sampled, since the thresholds last changed.
    pub executions: u64,
    pub samples: u64,
    pub windows: Windows,
    pub recent: Recent,
    /// The latest submission that `windows` knows of.
    pub measured_by: u64,
    /// The thresholds are this often doubled.
    pub doubled: u32,
    /// In the order in which they were installed.
    pub installed: Vec<Installed>,
    /// What tasks are under way for, those begun before a discard left out.
    pub pending: BTreeSet<Key>,
    /// Keys of which no value folds away anything: known once and for all.
    pub hopeless: BTreeSet<Key>,
    /// Keys whose variants were measured and gained nothing.
    pub lossy: BTreeSet<Key>,
    /// Lanes of the last draw; 0 where nobody asks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lanes: u32,
    /// Draws that a slot tells apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// Fewer slots of keys that lost, each with its branch: to be tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<(Key, Option<Word>)>,
    /// How many of those there have been.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retried: u32,
    /// What is tuned beside shaders; none where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// Keys that a static estimate refused, of which tools have not been told yet.
    #[serde(skip)]
    pub refused: Vec<Key>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// So many lanes of a shader. None if there can be no such grid.
pub(super) fn grid_of(shader: &Shader, lanes: usize) -> Option<Grid> {
    Grid::sample(shader, lanes, GRID_SEED).ok()
}

impl Pipeline {
    /// Reads, checks and compiles a shader.
    ///
    /// # Errors
    /// E_INVALIDARG: it is no function of the form, or breaks one of its rules.
    pub fn new(shader: &Bytes) -> HResult<Self> {
        let shader: Shader = serde_json::from_slice(&shader.0).map_err(|_| HResultCode::E_INVALIDARG)?;
        let windows = Windows::new(shader.function().constants.len());
        Ok(Pipeline {
            generic: Arc::new(Code::new(Arc::new(shader))),
            grids: BTreeMap::new(),
            submitted: 0,
            executions: 0,
            samples: 0,
            windows,
            recent: Recent::default(),
            measured_by: 0,
            doubled: 0,
            installed: Vec::new(),
            pending: BTreeSet::new(),
            hopeless: BTreeSet::new(),
            lossy: BTreeSet::new(),
            lanes: 0,
            split: None,
            retries: Vec::new(),
            retried: 0,
            tuning: None,
            refused: Vec::new(),
        })
    }

    /// Its shader's text.
    pub fn shader(&self) -> &Arc<Shader> {
        self.generic.shader()
    }

    /// The lanes of a draw. None if there can be no such grid.
    pub fn grid(&mut self, lane_count: u32) -> Option<Arc<Grid>> {
        let lanes = lane_count.min(MOST_LANES);
        if let Some(known) = self.grids.get(&lanes) {
            return Some(Arc::clone(known));
        }
        let grid = Arc::new(grid_of(self.shader(), lanes as usize)?);
        Some(Arc::clone(self.grids.entry(lanes).or_insert(grid)))
    }

    /// Whether the next draw's constants are sampled: all while measurements may be intrusive, none while profiling is
    /// disabled, else the first and one of so many. While only background work is disabled, sampling goes on: the
    /// document stops instrumentation in its superset alone.
    pub fn samples_next(&mut self, mode: BackgroundProcessingMode, settings: &Background) -> bool {
        if mode == BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM {
            return false;
        }
        self.recent.drawn = true;
        let sampled = self.submitted.is_multiple_of(settings.sampling_interval.max(1).into());
        self.submitted += 1;
        sampled || mode == BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS
    }

    /// Counts an execution, and its constants if they were sampled.
    pub fn count(&mut self, draw: &Draw, settings: &Background, submission: u64) {
        self.executions += 1;
        self.recent.count(draw.sampled.as_deref());
        if let (Some(constants), Some(tuned), Some(tuning)) = (&draw.sampled, &draw.tuned, &mut self.tuning) {
            tuning.observe(constants.len(), tuned.lanes, tuned.repeats);
        }
        if let Some(constants) = &draw.sampled {
            self.samples += 1;
            self.windows.observe(constants, settings);
            self.measured_by = self.measured_by.max(submission);
            let weight = self.executions / self.samples.max(1);
            if let Some(split) = &mut self.split {
                split.observe(constants, weight, settings);
            }
        }
    }

    /// Tells draws apart where the values seen call for it and nothing does yet.
    pub fn look_for_split(&mut self, settings: &Background, committed: bool) {
        if settings.split_ways > 1 && self.split.is_none() {
            let weight = self.recent.executions_per_sample();
            self.split = Split::of(&self.windows, settings, committed).map(|mut split| {
                // What was drawn lately is known of its branches, too.
                for (constants, times) in self.recent.runs() {
                    (0..*times).for_each(|_| split.observe(constants, weight, settings));
                }
                split
            });
        }
    }

    /// Counts what a draw did for the variants whose guards it asked.
    pub fn measure(&mut self, draw: &Draw, run: &DrawRun, settings: &Background) {
        let weight = self.executions / self.samples.max(1);
        for variant in &mut self.installed {
            if draw.missed.contains(&variant.id) {
                variant.miss();
            } else if run.variant == variant.id {
                let own = draw.own_guard_cost.map_or(variant.guard.cost(), u64::from);
                let others = u64::from(draw.guard_cost).saturating_sub(own);
                let beside = others.saturating_add(run.counter_executed).saturating_add(run.tuned_executed);
                let executed = run.executed.saturating_sub(beside);
                variant.serve(executed, run.generic_executed.saturating_sub(run.untuned_executed));
                if let Some(constants) = &draw.sampled {
                    variant.observe(constants, weight, settings);
                }
            }
        }
    }

    /// Drops the variants that are not worth it, by what was measured; which, and why.
    pub fn judge(&mut self, settings: &Background, committed: bool) -> Vec<(Installed, VariantChange)> {
        let mut lost = Vec::new();
        let (judged, mut dropped) = (std::mem::take(&mut self.installed), Vec::new());
        for mut variant in judged {
            if variant.misses_too_often(settings, committed) {
                self.back_off();
                dropped.push((variant, VariantChange::MISSES));
            } else if variant.loses(settings, committed) {
                self.lossy.extend(variant.asked.iter().cloned());
                if variant.level == 1 {
                    lost.push((variant.guard.clone(), variant.branch));
                }
                self.back_off();
                dropped.push((variant, VariantChange::LOSES));
            } else {
                self.installed.push(variant);
            }
        }
        lost.into_iter().for_each(|(guard, branch)| self.retry(settings, &guard, branch));
        dropped
    }

    /// A task has come to nothing, or its variant has: the next has to be earned by more. So values that go on
    /// changing cost ever fewer tasks.
    pub fn back_off(&mut self) {
        self.doubled = (self.doubled + 1).min(MOST_DOUBLED);
        (self.executions, self.samples) = (0, 0);
    }

    /// Whether there is nothing new in specialising for these values.
    pub fn knows(&self, key: &Key) -> bool {
        let given = [&self.pending, &self.hopeless, &self.lossy].into_iter().any(|keys| keys.contains(key));
        given || self.installed.iter().any(|variant| variant.asked.contains(key))
    }

    /// SetBackgroundProcessingMode has been answered.
    pub fn settle(&mut self) {
        self.recent = Recent::default();
        self.installed.iter_mut().for_each(Installed::settle);
    }

    /// Forgets what was measured. Variants stay, which are right whatever was measured, and keys that fold nothing.
    pub fn discard(&mut self) {
        (self.submitted, self.executions, self.samples, self.doubled) = (0, 0, 0, 0);
        self.windows.clear();
        self.recent.forget();
        self.pending.clear();
        self.lossy.clear();
        self.split = None;
        self.retries.clear();
        self.retried = 0;
        self.tuning.iter_mut().for_each(Tuning::forget);
        self.installed.iter_mut().for_each(Installed::forget);
    }
}
