//! Engines of adapters, and the jobs that they execute.

use super::fair_shares::{Demand, Use, fair_shares};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// One step of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// An engine is busy for a time.
    Work { engine: usize, ns: u64 },
    /// An engine copies bytes, at most at `limit` bytes per second, through shared bandwidths.
    Copy { engine: usize, bytes: u64, limit: u64, uses: Vec<Use> },
    /// Time passes without an engine.
    Wait { ns: u64 },
}

/// Max weight of a bandwidth use in a restored state; larger than the weight of any stage.
const MAX_WEIGHT: u64 = 1 << 16;

impl Stage {
    /// True if the bandwidths of a restored stage exist.
    pub fn is_sound(&self, capacities: usize) -> bool {
        match self {
            Stage::Copy { uses, .. } => uses.iter().all(|used| used.resource < capacities && used.weight <= MAX_WEIGHT),
            Stage::Work { .. } | Stage::Wait { .. } => true,
        }
    }

    fn engine(&self) -> Option<usize> {
        match self {
            Stage::Work { engine, .. } | Stage::Copy { engine, .. } => Some(*engine),
            Stage::Wait { .. } => None,
        }
    }
}

/// Times at which a stage started on its engine and ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StageTimes {
    pub started_at_ns: u64,
    pub ended_at_ns: u64,
}

/// A finished job with the times of its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub job: u64,
    pub times: Vec<StageTimes>,
}

/// Progress of a job in its current stage.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Progress {
    /// The engine is busy with another job.
    Waiting,
    Until {
        at_ns: u64,
    },
    /// Rest of a copy in bytes times nanoseconds per second: an integral amount passes in every nanosecond, so nothing
    /// is rounded.
    Moving {
        left: u128,
        rate: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
struct Job {
    stages: VecDeque<Stage>,
    progress: Progress,
    started_at_ns: u64,
    times: Vec<StageTimes>,
}

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Engine {
    running: Option<u64>,
    waiting: VecDeque<u64>,
}

/// Engines, each executing jobs in order of arrival, and bandwidths that all share.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pipeline {
    now_ns: u64,
    capacities: Vec<u64>,
    engines: Vec<Engine>,
    /// By number, which decides ties.
    jobs: BTreeMap<u64, Job>,
}

const NS_PER_SECOND: u128 = 1_000_000_000;

impl Pipeline {
    /// True if a restored pipeline matches a machine with this number of bandwidths.
    pub fn is_sound(&self, capacities: usize) -> bool {
        let Pipeline { now_ns: _, capacities: own, engines: _, jobs } = self;
        let mut stages = jobs.values().flat_map(|job| &job.stages);
        own.len() == capacities && stages.all(|stage| stage.is_sound(capacities))
    }

    /// Creates a pipeline with these bandwidths, in bytes per second, and this number of engines.
    pub fn new(capacities: Vec<u64>, engines: usize) -> Pipeline {
        Pipeline { now_ns: 0, capacities, engines: vec![Engine::default(); engines], jobs: BTreeMap::new() }
    }

    /// Sets the bandwidth that is available for copies.
    pub fn set_capacity(&mut self, resource: usize, bytes_per_second: u64) {
        self.capacities[resource] = bytes_per_second;
        self.share();
    }

    /// Starts a job now. A job without duration ends in the next event.
    pub fn submit(&mut self, job: u64, stages: Vec<Stage>) {
        let progress = Progress::Until { at_ns: self.now_ns };
        let started_at_ns = self.now_ns;
        self.jobs.insert(job, Job { stages: stages.into(), progress, started_at_ns, times: Vec::new() });
        self.begin(job);
        self.share();
    }

    /// Returns the time of the next end of a stage; now, if one is due.
    pub fn next_at_ns(&self) -> Option<u64> {
        self.jobs.values().filter_map(|job| self.ends_at_ns(job)).min()
    }

    fn ends_at_ns(&self, job: &Job) -> Option<u64> {
        match job.progress {
            Progress::Waiting => None,
            Progress::Until { at_ns } => Some(at_ns),
            Progress::Moving { left: 0, .. } => Some(self.now_ns),
            // Stalled until its rate changes.
            Progress::Moving { rate: 0, .. } => None,
            Progress::Moving { left, rate } => {
                // Rounded up: one nanosecond earlier, the copy is not complete.
                Some(self.now_ns.saturating_add(u64::try_from(left.div_ceil(u128::from(rate))).unwrap_or(u64::MAX)))
            }
        }
    }

    /// Advances the time to at most [`Pipeline::next_at_ns`]. Returns the jobs that end, by number.
    pub fn advance_to(&mut self, at_ns: u64) -> Vec<Done> {
        let passed = u128::from(at_ns.saturating_sub(self.now_ns));
        for job in self.jobs.values_mut() {
            if let Progress::Moving { left, rate } = &mut job.progress {
                *left = left.saturating_sub(u128::from(*rate) * passed);
            }
        }
        self.now_ns = self.now_ns.max(at_ns);
        let due = |pipeline: &Pipeline| {
            let ends = |job: &Job| pipeline.ends_at_ns(job).is_some_and(|end| end <= pipeline.now_ns);
            pipeline.jobs.iter().find(|(_, job)| ends(job)).map(|(number, _)| *number)
        };
        let mut done = Vec::new();
        let mut changed = false;
        while let Some(number) = due(self) {
            changed = true;
            done.extend(self.end_stage(number));
        }
        if changed {
            self.share();
        }
        done
    }

    /// Ends a job's stage: its engine starts the longest-waiting job, and the job starts its next stage.
    fn end_stage(&mut self, number: u64) -> Option<Done> {
        let now_ns = self.now_ns;
        let job = self.jobs.get_mut(&number)?;
        if let Some(stage) = job.stages.pop_front() {
            job.times.push(StageTimes { started_at_ns: job.started_at_ns, ended_at_ns: now_ns });
            if let Some(engine) = stage.engine().and_then(|engine| self.engines.get_mut(engine)) {
                engine.running = None;
                if let Some(next) = engine.waiting.pop_front() {
                    self.begin(next);
                }
            }
        }
        if self.jobs.get(&number)?.stages.is_empty() {
            return self.jobs.remove(&number).map(|job| Done { job: number, times: job.times });
        }
        self.begin(number);
        None
    }

    /// Starts a job's current stage, or lets it wait for its engine.
    fn begin(&mut self, number: u64) {
        let now_ns = self.now_ns;
        let Some(job) = self.jobs.get_mut(&number) else { return };
        let Some(stage) = job.stages.front() else { return };
        if let Some(engine) = stage.engine().and_then(|engine| self.engines.get_mut(engine)) {
            if engine.running.is_some() {
                engine.waiting.push_back(number);
                job.progress = Progress::Waiting;
                return;
            }
            engine.running = Some(number);
        }
        job.started_at_ns = now_ns;
        job.progress = match stage {
            Stage::Work { ns, .. } | Stage::Wait { ns } => Progress::Until { at_ns: now_ns.saturating_add(*ns) },
            Stage::Copy { bytes, .. } => Progress::Moving { left: u128::from(*bytes) * NS_PER_SECOND, rate: 0 },
        };
    }

    /// Recomputes the rate of every copy.
    fn share(&mut self) {
        let mut moving: Vec<&mut Job> =
            self.jobs.values_mut().filter(|job| matches!(job.progress, Progress::Moving { .. })).collect();
        let demands: Vec<Demand<'_>> = moving
            .iter()
            .map(|job| match job.stages.front() {
                Some(Stage::Copy { limit, uses, .. }) => Demand { limit: *limit, uses },
                _ => Demand { limit: 0, uses: &[] },
            })
            .collect();
        let rates = fair_shares(&self.capacities, &demands);
        for (job, new) in moving.iter_mut().zip(rates) {
            if let Progress::Moving { rate, .. } = &mut job.progress {
                *rate = new;
            }
        }
    }
}
