//! What could be specialised, and whether it is worth a task: by all draws of a pipeline state, by those of a branch, by those
//! that a variant served.

use super::base::Base;
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

/// A specialisation that might be made.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub key: Key,
    /// The variant to specialise further; none: the generic shader.
    pub base: Option<Base>,
    /// The branch that it is for, by the value of the slot that tells branches apart.
    pub branch: Option<Word>,
    /// It comes of one that lost: nothing has to be seen for it.
    is_retry: bool,
}

/// Draws that are looked at together: all, those of a branch, or those that a variant served.
struct View<'a> {
    windows: &'a Windows,
    /// Of those, how many were sampled, and how many there were.
    known: (u64, u64),
    branch: Option<(&'a Split, &'a Branch)>,
    variant: Option<&'a Installed>,
}

impl View<'_> {
    /// What the values seen call for. Empty if they call for nothing.
    fn candidate(&self, settings: &Background, threshold: Threshold) -> Candidate {
        let mut key = match threshold {
            Threshold::Committed => self.windows.seen(settings.stable_share_permille.into()),
            Threshold::Usual | Threshold::Intrusive => self.windows.stable(settings.stable_windows),
        };
        if !key.is_empty() {
            // The slots that make these draws what they are.
            key.extend(self.branch.map(|(split, branch)| (split.slot, branch.word)));
            key.extend(self.variant.iter().flat_map(|variant| variant.guard.values()).copied());
        }
        let branch = self.variant.and_then(|variant| variant.branch).or(self.branch.map(|(_, branch)| branch.word));
        Candidate { key, base: self.variant.map(Base::of), branch, is_retry: false }
    }
}

impl Pipeline {
    /// The first specialisation that is new and worth a task. What a static estimate refuses is remembered.
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
            // Fewer slots of what was refused may be worth it, at once.
            None if self.retried > retried => self.candidate(settings, faults, threshold, pending),
            found => found,
        }
    }

    /// Whether too little was seen of some draws to decide by, and a decision would find something. A state that was decided on
    /// before and came to nothing is not waited for: its thresholds may be out of reach.
    pub fn would_find_by_more(&mut self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        if self.doubled > 0 {
            return false;
        }
        if settings.split_ways > 1
            && self.split.is_none()
            && self.windows.closed() < settings.stable_windows
            && !self.windows.ways_seen(settings).is_empty()
        {
            return true;
        }
        let little = |view: &View<'_>| {
            let enough = reached(self, settings, threshold, view.known, 0);
            view.known.0 > 0 && !(enough && view.windows.closed() >= settings.stable_windows)
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
        let (windows, known) = (&self.windows, (self.samples, self.executions));
        let all = View { windows, known, branch: None, variant: None };
        let branches = self.split.iter().flat_map(|split| {
            split.branches.iter().map(move |branch| View {
                windows: &branch.sight.windows,
                known: branch.sight.known(),
                branch: Some((split, branch)),
                variant: None,
            })
        });
        let bases = self.installed.iter().filter(|variant| variant.may_be_base(settings)).filter_map(|variant| {
            let sight = variant.sight.as_ref()?;
            Some(View { windows: &sight.windows, known: sight.known(), branch: None, variant: Some(variant) })
        });
        std::iter::once(all).chain(branches).chain(bases)
    }

    /// Windows that have been full, of all draws that are looked at, and how many of those have been seen enough of. Nothing
    /// else changes what is found.
    pub fn progress(&self, settings: &Background, threshold: Threshold) -> (u64, usize) {
        let closed = self.views(settings).map(|view| u64::from(view.windows.closed())).sum();
        let enough = self.views(settings).filter(|view| reached(self, settings, threshold, view.known, 0)).count();
        (closed, enough)
    }

    /// Whether it would be another than there are, and may be made.
    pub fn is_open_for(&self, settings: &Background, faults: &Faults, candidate: &Candidate) -> bool {
        match &candidate.base {
            None => is_new(self, settings, faults, &candidate.key),
            Some(base) => {
                let variants = self.installed.len() + self.pending.len();
                let is_tried = self
                    .installed
                    .iter()
                    .any(|variant| variant.id == base.variant && variant.tried.contains(&candidate.key));
                variants < settings.most_variants_per_pipeline as usize
                    && !is_tried
                    && !self.pending.contains(&candidate.key)
            }
        }
    }

    /// Whether the texts alone promise enough: all do that take no estimate. What does not is not looked at again; where
    /// its guard costs too much, fewer slots may be worth it.
    fn is_worth(&mut self, settings: &Background, faults: &Faults, candidate: &Candidate) -> bool {
        if settings.least_saving_permille == 0 || candidate.is_retry {
            return true;
        }
        let (generic, lanes) = (Arc::clone(self.shader()), u64::from(self.lanes.max(1)));
        let base = candidate.base.as_ref();
        let shader = base.map_or(&generic, |base| &base.shader);
        let Ok(variant) = specialise(shader, &candidate.key, Unrolling::default()) else { return false };
        let gain = match base {
            None => Gain::estimate(shader, &variant, lanes),
            // What the guard gains in slots is what it costs more.
            Some(base) => {
                let guard = base.guard.and(&variant.guard);
                let gain = Gain::estimate(shader, &Variant { guard: guard.clone(), ..variant.clone() }, lanes);
                Gain { before: gain.before.saturating_add(base.guard.cost()), ..gain }
            }
        };
        if gain.permille() >= i64::from(settings.least_saving_permille) {
            return true;
        }
        if faults.ignores_its_estimate {
            // What a driver must not do (rule B-74): it is told, and made all the same.
            self.refused.push(candidate.key.clone());
            return true;
        }
        self.refuse(candidate);
        if base.is_none() {
            self.retry(settings, &variant.guard, candidate.branch);
        }
        false
    }

    /// Not worth it, known once and for all.
    fn refuse(&mut self, candidate: &Candidate) {
        self.refused.push(candidate.key.clone());
        match &candidate.base {
            None => drop(self.hopeless.insert(candidate.key.clone())),
            Some(base) => self.was_tried(base.variant, &candidate.key),
        }
    }

    /// A variant was specialised further for this key, or is not worth that.
    pub fn was_tried(&mut self, variant: VariantId, key: &Key) {
        if let Some(base) = self.installed.iter_mut().find(|known| known.id == variant) {
            base.tried.insert(key.clone());
        }
    }

    /// A guard asks for too much: what of it is worth asking for is tried next, if that may be done once more.
    pub fn retry(&mut self, settings: &Background, guard: &Guard, branch: Option<Word>) {
        if self.retried >= settings.subset_retries {
            return;
        }
        let lanes = u64::from(self.lanes.max(1));
        if let Ok(Some(fewer)) = cheaper(self.shader(), guard, lanes)
            && !self.knows(&fewer)
        {
            self.retried += 1;
            self.retries.push((fewer, branch));
        }
    }

    /// A candidate becomes a task.
    pub fn take_candidate(&mut self, candidate: &Candidate) {
        if candidate.is_retry {
            self.retries.retain(|(key, _)| *key != candidate.key);
        }
    }
}
