//! Pipeline states for which the driver still requests measurements, and the pass at which it may stop.
//!
//! A trace has one answer for all pipeline states. Those that changed since the answer before are the reason for it as far
//! as the trace shows: a task for them was queued or ended, or a variant came into use or was dropped.

use crate::background::{Background, TaskState};
use crate::render::counted;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::PipelineStateId;

/// Number of successive answers after which a pipeline state that changed before each of them counts as one that will
/// not come to rest.
const RESTLESS: usize = 3;

/// State of the driver's requests at its last answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requests {
    /// Pass of the last answer.
    pub pass: u64,
    /// Pipeline states that changed since the answer before; without one, those that are drawn and have no task yet.
    pub pipelines: BTreeSet<PipelineStateId>,
    /// True if `pipelines` have changed; false if they have no task yet.
    pub have_changed: bool,
    /// Number of pipeline states with draws or tasks.
    pub known: u64,
    /// The first pass at which the driver may desire no further measurements; `None` if no end is in sight.
    pub expected_pass: Option<u64>,
}

/// Passes from one answer to the next, as a range of stamps.
struct Windows {
    /// Index of the pass of each answer.
    answers: Vec<usize>,
    /// End of each window, in ticks.
    ends: Vec<u64>,
}

impl Requests {
    /// Computes the requests. `n_min` is the number of draws that the driver needs for a decision, if it is known. `None`
    /// if the driver's last answer is not that it desires further measurements.
    pub fn of(background: &Background, n_min: Option<u64>) -> Option<Requests> {
        let windows = Windows::of(background);
        let (last, before) = (*windows.answers.last()?, windows.answers.iter().rev().nth(1).copied());
        if background.passes[last].further_desired != Some(true) {
            return None;
        }
        let changed = windows.changed(background);
        let mut pipelines = changed.last().cloned().unwrap_or_default();
        let is_unfinished = |state: TaskState| matches!(state, TaskState::Queued | TaskState::Running);
        let unfinished = background.tasks.iter().filter(|task| is_unfinished(task.state()));
        pipelines.extend(unfinished.map(|task| task.pipeline_state).filter(|id| *id != PipelineStateId::NULL));
        let have_changed = !pipelines.is_empty();
        let step = last - before.unwrap_or_default();
        let left = if have_changed {
            let is_restless =
                |id: &PipelineStateId| changed.iter().rev().take_while(|one| one.contains(id)).count() >= RESTLESS;
            (!pipelines.iter().any(is_restless)).then_some(1)
        } else {
            let undecided = Undecided::of(background, before.map_or(0, |before| before + 1));
            pipelines = undecided.draws.keys().copied().collect();
            Some(undecided.windows_left(n_min))
        };
        let expected_pass = left.map(|left: u64| {
            let latest = background.passes.len().saturating_sub(1) as u64;
            latest.saturating_add(left.saturating_mul(step.max(1) as u64))
        });
        Some(Requests { pass: last as u64, pipelines, have_changed, known: known(background), expected_pass })
    }

    /// Formats what the driver still requests.
    pub fn description(&self, background: &Background) -> String {
        let text = format!("the driver still requests measurements after pass {}", self.pass);
        let Some(first) = self.pipelines.first() else { return text };
        let what = match (self.have_changed, self.pipelines.len()) {
            (true, 1) => "still changes variants",
            (true, _) => "still change variants",
            (false, 1) => "has no decision yet",
            (false, _) => "have no decision yet",
        };
        let all = counted(self.known, "pipeline state");
        let example = background.pipeline_name(*first);
        format!("{text}, and {} of {all} {what} (for example {example})", self.pipelines.len())
    }

    /// The advice. Measurements become decisions only at a commit, so a run without one is advised to commit.
    pub fn advice(&self, background: &Background) -> String {
        if self.expected_pass.is_none() {
            return format!(
                "The end cannot be predicted: pipeline states changed before each of the last {RESTLESS} answers. Measure under a \
                 driver whose requests end, or remove these pipeline states from the work."
            );
        }
        if background.commits.is_empty() {
            return "The run never commits. After each pass of the same work, call SetBackgroundProcessingMode with \
                    DISABLE_PROFILING_BY_SYSTEM, COMMIT_RESULTS_HIGH_PRIORITY, an event and &bFurtherMeasurementsDesired, and \
                    wait for the event. If the answer is TRUE, set ALLOW_INTRUSIVE_MEASUREMENTS and run the next pass; if it is \
                    FALSE, measure."
                .to_owned();
        }
        "Repeat the same work, the commit and the wait for its event until bFurtherMeasurementsDesired is FALSE; then measure."
            .to_owned()
    }
}

impl Windows {
    fn of(background: &Background) -> Windows {
        let passes = &background.passes;
        let answers: Vec<usize> = (0..passes.len()).filter(|pass| passes[*pass].further_desired.is_some()).collect();
        let ends = answers.iter().map(|pass| passes.get(pass + 1).map_or(u64::MAX, |next| next.began_stamp)).collect();
        Windows { answers, ends }
    }

    /// Pipeline states that changed in each window. Changes after the last answer count for the last window.
    fn changed(&self, background: &Background) -> Vec<BTreeSet<PipelineStateId>> {
        let mut changed = vec![BTreeSet::new(); self.answers.len()];
        let of_tasks = background.tasks.iter().filter(|task| !task.refused).flat_map(|task| {
            [task.queued_stamp, task.stopped_stamp].map(|stamp| stamp.map(|stamp| (stamp, task.pipeline_state)))
        });
        let of_variants = background.variants.iter().flat_map(|variant| {
            let dropped = variant.dropped.map(|(stamp, _)| stamp);
            [variant.installed_stamp, dropped].map(|stamp| stamp.map(|stamp| (stamp, variant.pipeline_state)))
        });
        let changes = of_tasks.chain(of_variants).flatten().filter(|(_, id)| *id != PipelineStateId::NULL);
        for (stamp, id) in changes {
            let window = self.ends.partition_point(|end| *end <= stamp);
            if let Some(window) = changed.get_mut(window.min(self.answers.len().saturating_sub(1))) {
                window.insert(id);
            }
        }
        changed
    }
}

/// Pipeline states that are drawn and have no task.
struct Undecided {
    /// Draws of each: in all, and since the answer before.
    draws: BTreeMap<PipelineStateId, [u64; 2]>,
}

impl Undecided {
    /// The pipeline states with draws in pass `since` or later.
    fn of(background: &Background, since: usize) -> Undecided {
        let decided: BTreeSet<PipelineStateId> = background.tasks.iter().map(|task| task.pipeline_state).collect();
        let mut draws: BTreeMap<PipelineStateId, [u64; 2]> = BTreeMap::new();
        for draw in background.draws.iter().filter(|draw| !decided.contains(&draw.run.pipeline_state)) {
            let [all, recent] = draws.entry(draw.run.pipeline_state).or_default();
            *all += 1;
            *recent += u64::from(draw.pass as usize >= since);
        }
        draws.retain(|_, [_, recent]| *recent > 0);
        Undecided { draws }
    }

    /// Number of windows like the last one until each pipeline state has enough draws for a decision, and one in which
    /// nothing changes.
    fn windows_left(&self, n_min: Option<u64>) -> u64 {
        let missing =
            |[all, recent]: &[u64; 2]| n_min.map_or(0, |n_min| n_min.saturating_sub(*all).div_ceil((*recent).max(1)));
        self.draws.values().map(missing).max().unwrap_or_default().saturating_add(1)
    }
}

/// Number of pipeline states with draws or tasks.
fn known(background: &Background) -> u64 {
    let drawn = background.draws.iter().map(|draw| draw.run.pipeline_state);
    let with_tasks = background.tasks.iter().map(|task| task.pipeline_state).filter(|id| *id != PipelineStateId::NULL);
    drawn.chain(with_tasks).collect::<BTreeSet<_>>().len() as u64
}
