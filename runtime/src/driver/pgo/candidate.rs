//! Candidates for specialisation, from all draws of a pipeline state, from the draws of a branch, or from the draws
//! that used a variant.

use super::base::Base;
use super::constant_profile::SampleCounts;
use super::decision::{is_new, reached};
use super::installed::Installed;
use super::pipeline::Pipeline;
use super::split::{Branch, Split};
use super::threshold::Threshold;
use super::windows::{Key, Windows};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::VariantId;
use taut_shaders::{Gain, Guard, Unrolling, Variant, Word, cheaper, specialise};

/// Possible specialisation of a pipeline state.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub key: Key,
    /// Variant to specialise further; `None`: the generic shader.
    pub base: Option<Base>,
    /// Branch of the candidate, as the value of the slot that selects the branch.
    pub branch: Option<Word>,
    /// Subset of a rejected candidate: no thresholds apply.
    is_retry: bool,
}

/// Draws that are examined together: all draws, the draws of a branch, or the draws that used a variant.
struct View<'a> {
    windows: &'a Windows,
    /// Executions in this view.
    known: SampleCounts,
    branch: Option<(&'a Split, &'a Branch)>,
    variant: Option<&'a Installed>,
}

impl View<'_> {
    /// Returns the candidate for the observed values. Its key is empty if no value is stable.
    fn candidate(&self, settings: &Background, threshold: Threshold) -> Candidate {
        let mut key = match threshold {
            Threshold::Committed => self.windows.predominant(settings.stable_share_permille.into()),
            Threshold::Usual | Threshold::Intrusive => self.windows.stable(settings.stable_windows),
        };
        if !key.is_empty() {
            // Constants that select the draws of this view.
            key.extend(self.branch.map(|(split, branch)| (split.slot, branch.word)));
            key.extend(self.variant.iter().flat_map(|variant| variant.guard.values()).copied());
        }
        let branch = self.variant.and_then(|variant| variant.branch).or(self.branch.map(|(_, branch)| branch.word));
        Candidate { key, base: self.variant.map(Base::new), branch, is_retry: false }
    }
}

impl Pipeline {
    /// Returns the first specialisation that is new and worth a task. Candidates rejected by the static estimate are
    /// remembered.
    pub fn candidate(
        &mut self,
        settings: &Background,
        faults: &Faults,
        threshold: Threshold,
        pending: u64,
    ) -> Option<Candidate> {
        let enough = |view: &View<'_>| reached(self, settings, threshold, view.known, pending);
        let mut candidates: Vec<Candidate> =
            self.views(settings).filter(enough).map(|view| view.candidate(settings, threshold)).collect();
        candidates.extend(self.retries.iter().map(|(key, branch)| Candidate {
            key: key.clone(),
            base: None,
            branch: *branch,
            is_retry: true,
        }));
        let retried = self.retried;
        match self.first_worth(settings, faults, candidates) {
            // A subset of the rejected candidate may be worth it, so retries are tried at once.
            None if self.retried > retried => self.candidate(settings, faults, threshold, pending),
            found => found,
        }
    }

    /// True if some draws have too few samples and a decision on them would find a candidate. A state whose earlier
    /// decision found nothing is not waited for: its thresholds may be out of reach.
    pub fn would_find_with_more_samples(
        &mut self,
        settings: &Background,
        faults: &Faults,
        threshold: Threshold,
    ) -> bool {
        if self.doubled > 0 {
            return false;
        }
        if settings.split_ways > 1
            && self.split.is_none()
            && self.windows.closed() < settings.stable_windows
            && !self.windows.recent_few_values(settings).is_empty()
        {
            return true;
        }
        let little = |view: &View<'_>| {
            let enough = reached(self, settings, threshold, view.known, 0);
            view.known.samples > 0 && !(enough && view.windows.closed() >= settings.stable_windows)
        };
        let seen = self.views(settings).filter(little).map(|view| view.candidate(settings, Threshold::Committed));
        let candidates = seen.collect();
        self.first_worth(settings, faults, candidates).is_some()
    }

    fn first_worth(&mut self, settings: &Background, faults: &Faults, candidates: Vec<Candidate>) -> Option<Candidate> {
        candidates.into_iter().find(|candidate| {
            !candidate.key.is_empty()
                && self.is_open_for(settings, faults, candidate)
                && self.is_worth(settings, faults, candidate)
        })
    }

    fn views(&self, settings: &Background) -> impl Iterator<Item = View<'_>> {
        let windows = &self.windows;
        let known = SampleCounts { samples: self.samples, executions: self.executions };
        let all = View { windows, known, branch: None, variant: None };
        let branches = self.split.iter().flat_map(|split| {
            split.branches.iter().map(move |branch| View {
                windows: &branch.constants.windows,
                known: branch.constants.known(),
                branch: Some((split, branch)),
                variant: None,
            })
        });
        let bases = self.installed.iter().filter(|variant| variant.may_be_base(settings)).filter_map(|variant| {
            let profile = variant.constants.as_ref()?;
            Some(View { windows: &profile.windows, known: profile.known(), branch: None, variant: Some(variant) })
        });
        std::iter::once(all).chain(branches).chain(bases)
    }

    /// Returns the number of closed windows of all views, and the number of views that have reached the thresholds. The
    /// result of a search depends only on these values.
    pub fn progress(&self, settings: &Background, threshold: Threshold) -> (u64, usize) {
        let closed = self.views(settings).map(|view| u64::from(view.windows.closed())).sum();
        let enough = self.views(settings).filter(|view| reached(self, settings, threshold, view.known, 0)).count();
        (closed, enough)
    }

    /// True if the candidate differs from all variants and may be built.
    pub fn is_open_for(&self, settings: &Background, faults: &Faults, candidate: &Candidate) -> bool {
        match &candidate.base {
            None => is_new(self, settings, faults, &candidate.key),
            Some(base) => {
                let variants = self.installed.len() + self.pending.len();
                let is_tried = self
                    .installed
                    .iter()
                    .any(|variant| variant.id == base.variant && variant.tried.contains(&candidate.key));
                variants < settings.max_variants_per_pipeline as usize
                    && !is_tried
                    && !self.pending.contains(&candidate.key)
            }
        }
    }

    /// True if the estimated saving reaches the configured minimum, or no minimum is configured. A rejected candidate
    /// is not tried again. If the guard of a rejected candidate costs too much, a subset of its slots may be tried.
    fn is_worth(&mut self, settings: &Background, faults: &Faults, candidate: &Candidate) -> bool {
        if settings.min_saving_permille == 0 || candidate.is_retry {
            return true;
        }
        let (generic, lanes) = (Arc::clone(self.shader()), u64::from(self.lanes.max(1)));
        let base = candidate.base.as_ref();
        let shader = base.map_or(&generic, |base| &base.shader);
        let Ok(variant) = specialise(shader, &candidate.key, Unrolling::default()) else { return false };
        let gain = match base {
            None => Gain::estimate(shader, &variant, lanes),
            // The guard must test the constants of both levels.
            Some(base) => {
                let guard = base.guard.and(&variant.guard);
                let gain = Gain::estimate(shader, &Variant { guard: guard.clone(), ..variant.clone() }, lanes);
                Gain { before: gain.before.saturating_add(base.guard.cost()), ..gain }
            }
        };
        if gain.permille() >= i64::from(settings.min_saving_permille) {
            return true;
        }
        if faults.ignores_its_estimate {
            // The fault for rule B-74: the rejection is reported, but the variant is built.
            self.refused.push(candidate.key.clone());
            return true;
        }
        self.refuse(candidate);
        if base.is_none() {
            self.retry(settings, &variant.guard, candidate.branch);
        }
        false
    }

    /// Rejects a candidate permanently.
    fn refuse(&mut self, candidate: &Candidate) {
        self.refused.push(candidate.key.clone());
        match &candidate.base {
            None => drop(self.hopeless.insert(candidate.key.clone())),
            Some(base) => self.mark_as_tried(base.variant, &candidate.key),
        }
    }

    /// Marks a key as tried for a variant, which was specialised further for this key or would not gain from it.
    pub fn mark_as_tried(&mut self, variant: VariantId, key: &Key) {
        if let Some(base) = self.installed.iter_mut().find(|known| known.id == variant) {
            base.tried.insert(key.clone());
        }
    }

    /// Queues a subset of a guard's slots as a retry, if the retry limit allows one.
    pub fn retry(&mut self, settings: &Background, guard: &Guard, branch: Option<Word>) {
        if self.retried >= settings.subset_retries {
            return;
        }
        let lanes = u64::from(self.lanes.max(1));
        if let Ok(Some(fewer)) = cheaper(self.shader(), guard, lanes)
            && !self.is_specialised_or_pending(&fewer)
        {
            self.retried += 1;
            self.retries.push((fewer, branch));
        }
    }

    /// Removes a retry that becomes a task.
    pub fn remove_retry(&mut self, candidate: &Candidate) {
        if candidate.is_retry {
            self.retries.retain(|(key, _)| *key != candidate.key);
        }
    }
}
