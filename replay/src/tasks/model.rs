//! Model of how long background tasks take.

use crate::error::ReplayError;
use crate::recording::Recording;
use foldhash::{HashMap, HashMapExt};
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
    /// Average over this many tasks of the recording.
    Recorded(u64),
    /// Default duration, for a recording without finished tasks if the caller sets no duration.
    Assumed,
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
    /// average of the recording.
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
                Some((ns, tasks)) => (ns.min(TaskModel::MAX_NS_PER_INSTRUCTION), TaskTimes::Recorded(tasks)),
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

/// Totals over the tasks of a recording, collected during one pass.
#[derive(Default)]
struct Measured {
    /// Start of each running task, in ticks.
    starts: HashMap<u64, u64>,
    /// Duration of each finished task, in ticks.
    durations: HashMap<u64, u64>,
    tasks: u64,
    /// Total duration of all counted tasks, in ticks.
    ticks: u128,
    instructions: u128,
}

impl Measured {
    /// Returns the average over all instructions of the finished tasks, in nanoseconds, and the number of these tasks.
    /// With this average the recorded tasks take the same total time as recorded. `None` without any.
    fn from_recording(recording: &Recording<'_>) -> Result<Option<(u64, u64)>, ReplayError> {
        let ticks_per_second = recording.trace.header().world.clock.ticks_per_second.max(1);
        let mut measured = Measured { starts: HashMap::new(), ..Measured::default() };
        let mut translated = Vec::new();
        recording.each_row(|row| {
            let known = recording.known(row)?;
            let payload = known.translate(row.payload, &mut translated)?;
            measured
                .on_event(row.stamp, known.code, payload)
                .map_err(|source| recording.row_error(row, known.code, source))
        })?;
        let Measured { tasks, ticks, instructions, .. } = measured;
        let ns = (ticks * 1_000_000_000 / u128::from(ticks_per_second)).checked_div(instructions);
        Ok(ns.map(|ns| (u64::try_from(ns).unwrap_or(u64::MAX), tasks)))
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
                    self.tasks += 1;
                    self.ticks += u128::from(ticks);
                    self.instructions += u128::from(instructions(&call.outcome));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_takes_so_much_for_each_instruction_it_reads_and_writes() {
        let model = TaskModel { workers: 1, ns_per_instruction: 500, times: TaskTimes::Explicit };
        let outcome = CompileOutcome { length_before: 30, length_after: 10, ..CompileOutcome::default() };
        assert_eq!(model.ticks(&outcome, 1_000_000_000), 20_000);
        assert_eq!(model.ticks(&outcome, 2_000_000), 40);
        let endless = TaskModel { ns_per_instruction: u64::MAX, ..model };
        assert_eq!(endless.ticks(&outcome, u64::MAX), u64::MAX);
    }
}
