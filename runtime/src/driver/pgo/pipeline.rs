//! State of a pipeline state in the driver.

use super::code::Code;
use super::installed::Installed;
use super::recent::Recent;
use super::split::Split;
use super::tuning::Tuning;
use super::unread_draws::Draw;
use super::windows::{Key, Windows};
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{BackgroundProcessingMode, Bytes, DrawRun, HResult, HResultCode, VariantChange};
use taut_shaders::{Grid, Shader, Word};

/// Seed of the lanes' inputs; fixed, so that they depend on the shader and the lane count only.
const GRID_SEED: u64 = 1;

/// Maximum number of simulated lanes of a draw.
pub(super) const MAX_LANES: u32 = 64;

/// Maximum number of times the thresholds are doubled.
const MAX_DOUBLED: u32 = 20;

/// A pipeline state: its shader, its variants and its measurements.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Pipeline {
    #[serde(with = "super::shared")]
    pub generic: Arc<Code>,
    /// Grids by lane count, derived from the shader.
    #[serde(skip)]
    grids: BTreeMap<u32, Arc<Grid>>,
    /// Draws submitted while profiling was allowed, for the sampling interval.
    submitted: u64,
    /// Measured and sampled executions since the thresholds last changed.
    pub executions: u64,
    pub samples: u64,
    pub windows: Windows,
    pub recent: Recent,
    /// Latest submission counted in `windows`.
    pub measured_by: u64,
    /// Number of times the thresholds were doubled.
    pub doubled: u32,
    /// Installed variants in order of installation.
    pub installed: Vec<Installed>,
    /// Keys of running tasks, except tasks that were queued before a discard.
    pub pending: BTreeSet<Key>,
    /// Keys that fold no instruction; folding depends only on the key.
    pub hopeless: BTreeSet<Key>,
    /// Keys whose variants were measured and had no gain.
    pub lossy: BTreeSet<Key>,
    /// Lanes of the last draw; 0 in drivers that do not need it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lanes: u32,
    /// Split of the draws by the values of one slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// Subsets of rejected keys that are to be tried, each with its branch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<(Key, Option<Word>)>,
    /// Number of retries so far.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retried: u32,
    /// Tuned policies other than shader specialisation; `None` if the driver tunes no policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// Keys that the static estimate rejected and that have not been reported to tools yet.
    #[serde(skip)]
    pub refused: Vec<Key>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Creates a grid with sampled inputs. `None` if the shader allows no grid of this size.
pub(super) fn grid_of(shader: &Shader, lanes: usize) -> Option<Grid> {
    Grid::sample(shader, lanes, GRID_SEED).ok()
}

impl Pipeline {
    /// Parses, checks and compiles a shader.
    ///
    /// # Errors
    /// E_INVALIDARG: the data is no shader, or it breaks a rule of the shader form.
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

    /// Returns the generic shader.
    pub fn shader(&self) -> &Arc<Shader> {
        self.generic.shader()
    }

    /// Returns the grid of a draw. `None` if the shader allows no grid of this size.
    pub fn grid(&mut self, lane_count: u32) -> Option<Arc<Grid>> {
        let lanes = lane_count.min(MAX_LANES);
        if let Some(known) = self.grids.get(&lanes) {
            return Some(Arc::clone(known));
        }
        let grid = Arc::new(grid_of(self.shader(), lanes as usize)?);
        Some(Arc::clone(self.grids.entry(lanes).or_insert(grid)))
    }

    /// True if the next draw's constants are sampled: every draw while intrusive measurements are allowed, none while
    /// profiling is disabled, otherwise the first draw of each sampling interval. Sampling continues while only
    /// background work is disabled: the specification stops instrumentation in the stronger mode only.
    pub fn samples_next(&mut self, mode: BackgroundProcessingMode, settings: &Background) -> bool {
        if mode == BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM {
            return false;
        }
        self.recent.drawn = true;
        let sampled = self.submitted.is_multiple_of(settings.sampling_interval.max(1).into());
        self.submitted += 1;
        sampled || mode == BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS
    }

    /// Counts an execution, with its constants if they were sampled.
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

    /// Splits the draws by a slot if the observed values allow it and there is no split yet.
    pub fn try_split(&mut self, settings: &Background, committed: bool) {
        if settings.split_ways > 1 && self.split.is_none() {
            let weight = self.recent.executions_per_sample();
            self.split = Split::new(&self.windows, settings, committed).map(|mut split| {
                // Recent draws are counted for the new branches as well.
                for (constants, times) in self.recent.runs() {
                    (0..*times).for_each(|_| split.observe(constants, weight, settings));
                }
                split
            });
        }
    }

    /// Counts a draw for the variants whose guards it evaluated.
    pub fn measure(&mut self, draw: &Draw, run: &DrawRun, settings: &Background) {
        let weight = self.executions / self.samples.max(1);
        for variant in &mut self.installed {
            if draw.missed.contains(&variant.id) {
                variant.miss();
            } else if run.variant == variant.id {
                // Only its own guard is charged to a variant: other guards, counters and tuned costs do not depend on
                // it.
                let own = draw.own_guard_cost.map_or(variant.guard.cost(), u64::from);
                let others = u64::from(draw.guard_cost).saturating_sub(own);
                let excluded = others.saturating_add(run.counter_executed).saturating_add(run.tuned_executed);
                let executed = run.executed.saturating_sub(excluded);
                variant.count_use(executed, run.generic_executed.saturating_sub(run.untuned_executed));
                if let Some(constants) = &draw.sampled {
                    variant.observe(constants, weight, settings);
                }
            }
        }
    }

    /// Removes the variants that are not worth keeping, and returns them with the reason.
    pub fn judge(&mut self, settings: &Background, committed: bool) -> Vec<(Installed, VariantChange)> {
        let mut lost = Vec::new();
        let (judged, mut dropped) = (std::mem::take(&mut self.installed), Vec::new());
        for mut variant in judged {
            if variant.misses_too_often(settings, committed) {
                self.back_off();
                dropped.push((variant, VariantChange::GUARD_MISSES));
            } else if variant.has_no_gain(settings, committed) {
                self.lossy.extend(variant.requested_keys.iter().cloned());
                if variant.level == 1 {
                    lost.push((variant.guard.clone(), variant.branch));
                }
                self.back_off();
                dropped.push((variant, VariantChange::SLOWER));
            } else {
                self.installed.push(variant);
            }
        }
        lost.into_iter().for_each(|(guard, branch)| self.retry(settings, &guard, branch));
        dropped
    }

    /// Doubles the thresholds after a task or a variant without gain, so that changing values cost ever fewer tasks.
    pub fn back_off(&mut self) {
        self.doubled = (self.doubled + 1).min(MAX_DOUBLED);
        (self.executions, self.samples) = (0, 0);
    }

    /// True if a specialisation for this key is pending, installed, or known to be useless.
    pub fn is_specialised_or_pending(&self, key: &Key) -> bool {
        let is_known = [&self.pending, &self.hopeless, &self.lossy].into_iter().any(|keys| keys.contains(key));
        is_known || self.installed.iter().any(|variant| variant.requested_keys.contains(key))
    }

    /// Starts a new window after SetBackgroundProcessingMode.
    pub fn start_window(&mut self) {
        self.recent = Recent::default();
        self.installed.iter_mut().for_each(Installed::start_window);
    }

    /// Drops all measurements. Variants stay, which are correct regardless of measurements, and so do keys that fold
    /// nothing.
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
