//! Model of how long background tasks take.

use crate::error::ReplayError;
use crate::recording::Recording;
use foldhash::HashMap;
use serde::Serialize;
use taut_runtime::Settings;
use taut_schemas::{
    Call, CodecError, CompileOutcome, Decoder, EventCode, Field, HResult, Opcode, TaskId, ThreadRole, d3d12_ddi,
    machine,
};

/// Assumed cost of a task, in nanoseconds per instruction, where the recording has no finished task. It is roughly that
/// of the bundled workloads on an otherwise idle processor.
const ASSUMED_NS: u64 = 20_000;

/// Source of the duration of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskTimes {
    /// Set by the caller.
    Explicit,
    /// Median of the recording's tasks, with their spread.
    Recorded(TaskSpread),
    /// Default duration, for a recording without finished tasks if the caller sets no duration.
    Assumed,
}

/// Times per instruction of a recording's finished tasks, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskSpread {
    /// Number of tasks.
    pub tasks: u64,
    pub p5_ns: u64,
    pub p50_ns: u64,
    pub p95_ns: u64,
}

/// Stated model of background tasks: how many run concurrently and how long each takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskModel {
    /// Maximum number of concurrent tasks, over all adapters.
    pub workers: u32,
    /// Duration in nanoseconds per instruction, counting a task's input shader and its output shader.
    pub ns_per_instruction: u64,
    /// Source of `ns_per_instruction`.
    pub times: TaskTimes,
}

impl TaskModel {
    /// Maximum duration per instruction: one second, in nanoseconds. With it, computed stamps stay far from `u64::MAX`.
    pub const MAX_NS_PER_INSTRUCTION: u64 = 1_000_000_000;

    /// Creates the model for a world with these settings. Unset values default to those of a live session and to the
    /// median of the recording.
    pub(crate) fn from_recording(
        recording: &Recording<'_>,
        settings: &Settings,
        workers: Option<u32>,
        task_ns: Option<u64>,
    ) -> Result<TaskModel, ReplayError> {
        let live = settings.max_background_tasks.max(settings.max_boosted_tasks).max(1);
        let workers = workers.unwrap_or(live).clamp(1, ThreadRole::MAX_WORKERS);
        let (ns_per_instruction, times) = match task_ns {
            Some(ns) => (ns.min(TaskModel::MAX_NS_PER_INSTRUCTION), TaskTimes::Explicit),
            None => match Measured::from_recording(recording)? {
                Some(spread) => (spread.p50_ns.min(TaskModel::MAX_NS_PER_INSTRUCTION), TaskTimes::Recorded(spread)),
                None => (ASSUMED_NS, TaskTimes::Assumed),
            },
        };
        Ok(TaskModel { workers, ns_per_instruction, times })
    }

    /// Returns the duration of a task with this outcome, in ticks.
    pub(crate) fn ticks(&self, outcome: &CompileOutcome, ticks_per_second: u64) -> u64 {
        let ns = u128::from(instructions(outcome)) * u128::from(self.ns_per_instruction);
        u64::try_from(ns.saturating_mul(ticks_per_second.into()) / 1_000_000_000).unwrap_or(u64::MAX)
    }
}

/// Returns the instructions that a task reads and writes.
fn instructions(outcome: &CompileOutcome) -> u64 {
    u64::from(outcome.length_before) + u64::from(outcome.length_after)
}

/// Times of the tasks of a recording, collected during one pass.
#[derive(Default)]
struct Measured {
    /// Start of each running task, in ticks.
    starts: HashMap<u64, u64>,
    /// Duration of each finished task, in ticks.
    durations: HashMap<u64, u64>,
    /// Ticks and instructions of each finished task.
    finished: Vec<(u64, u64)>,
}

impl Measured {
    /// Returns the times per instruction of the finished tasks. The median is not changed by the few tasks during which
    /// the processor had other work: their times are many times those of the others. `None` without finished tasks.
    fn from_recording(recording: &Recording<'_>) -> Result<Option<TaskSpread>, ReplayError> {
        let ticks_per_second = recording.trace.header().world.clock.ticks_per_second.max(1);
        let mut measured = Measured::default();
        let mut translated = Vec::new();
        recording.each_row(|row| {
            let known = recording.known(row)?;
            let payload = known.translate(row.payload, &mut translated)?;
            measured
                .on_event(row.stamp, known.code, payload)
                .map_err(|source| recording.row_error(row, known.code, source))
        })?;
        Ok(spread(&measured.finished, ticks_per_second))
    }

    fn on_event(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        match (code.id(), code.opcode()) {
            (machine::StartBackgroundWork::ID, Some(Opcode::Stop)) => {
                if let Ok(task) = HResult::<TaskId>::decode(&mut Decoder::new(row))? {
                    self.starts.insert(task.0, stamp);
                }
            }
            (machine::FinishBackgroundWork::ID, Some(Opcode::Start)) => {
                let arguments = row.get(size_of::<u64>()..).unwrap_or_default();
                let task = machine::FinishBackgroundWork::decode(&mut Decoder::new(arguments))?.task;
                if let Some(starts) = self.starts.remove(&task.0) {
                    self.durations.insert(task.0, stamp.saturating_sub(starts));
                }
            }
            (d3d12_ddi::ProcessBackgroundWork::ID, Some(Opcode::Start)) => {
                let call = d3d12_ddi::ProcessBackgroundWork::decode(&mut Decoder::new(row))?;
                if let Some(ticks) = self.durations.remove(&call.task.0) {
                    self.finished.push((ticks, instructions(&call.outcome)));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the percentiles of tasks with these ticks and instructions, by nearest rank. A task without instructions has no
/// time per instruction.
fn spread(finished: &[(u64, u64)], ticks_per_second: u64) -> Option<TaskSpread> {
    let ns_per_instruction = |(ticks, instructions): &(u64, u64)| {
        let ns = u128::from(*ticks) * 1_000_000_000 / u128::from(ticks_per_second.max(1));
        ns.checked_div(u128::from(*instructions)).map(|ns| u64::try_from(ns).unwrap_or(u64::MAX))
    };
    let mut times: Vec<u64> = finished.iter().filter_map(ns_per_instruction).collect();
    times.sort_unstable();
    let percentile = |percent: usize| times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(TaskSpread {
        tasks: times.len() as u64,
        p5_ns: percentile(5)?,
        p50_ns: percentile(50)?,
        p95_ns: percentile(95)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_task_takes_so_much_for_each_instruction_it_reads_and_writes() {
        let model = TaskModel { workers: 1, ns_per_instruction: 500, times: TaskTimes::Explicit };
        let outcome = CompileOutcome { length_before: 30, length_after: 10, ..CompileOutcome::default() };
        assert_eq!(model.ticks(&outcome, 1_000_000_000), 20_000);
        assert_eq!(model.ticks(&outcome, 2_000_000), 40);
        let endless = TaskModel { ns_per_instruction: u64::MAX, ..model };
        assert_eq!(endless.ticks(&outcome, u64::MAX), u64::MAX);
    }

    #[test]
    fn a_few_tasks_that_lost_the_processor_do_not_change_the_time_of_the_others() {
        // 100 tasks of 1,000 ns per instruction, 4 of which took 30 times as long.
        let mut tasks: Vec<(u64, u64)> = (1..=96).map(|instructions| (instructions * 1000, instructions)).collect();
        tasks.extend([(30_000, 1); 4]);
        let even = TaskSpread { tasks: 100, p5_ns: 1000, p50_ns: 1000, p95_ns: 1000 };
        assert_eq!(spread(&tasks, 1_000_000_000), Some(even));
        tasks.extend([(30_000, 1); 4]);
        assert_eq!(spread(&tasks, 1_000_000_000), Some(TaskSpread { tasks: 104, p95_ns: 30_000, ..even }));
        assert_eq!(spread(&[], 1_000_000_000), None);
        assert_eq!(spread(&[(7, 0)], 1_000_000_000), None);
    }

    proptest! {
        #[test]
        fn half_of_the_tasks_are_at_most_as_long_as_the_median(
            tasks in proptest::collection::vec((0_u64..1 << 40, 1_u64..1 << 20), 1..60),
            ticks_per_second in 1_u64..1 << 32,
        ) {
            let Some(found) = spread(&tasks, ticks_per_second) else { panic!("no spread of {tasks:?}") };
            let ns = |(ticks, instructions): (u64, u64)| {
                u128::from(ticks) * 1_000_000_000 / u128::from(ticks_per_second) / u128::from(instructions)
            };
            let at_most = |limit: u64| tasks.iter().filter(|task| ns(**task) <= u128::from(limit)).count();
            prop_assert!(2 * at_most(found.p50_ns) >= tasks.len());
            prop_assert!(found.p50_ns == 0 || 2 * at_most(found.p50_ns - 1) < tasks.len() + 1);
            prop_assert!(found.p5_ns <= found.p50_ns && found.p50_ns <= found.p95_ns);
        }
    }
}
