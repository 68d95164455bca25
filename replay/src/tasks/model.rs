//! How long background tasks take.

use crate::error::ReplayError;
use crate::recording::Recording;
use foldhash::{HashMap, HashMapExt};
use serde::Serialize;
use taut_runtime::Settings;
use taut_schemas::{
    Call, CodecError, CompileOutcome, Decoder, EventCode, Field, HResult, Opcode, TaskId, ThreadRole, d3d12_ddi,
    machine,
};

/// What a task takes for an instruction where no recording says: about that of the bundled workloads, on a processor that has
/// little else to do.
const ASSUMED_NS: u64 = 20_000;

/// Who says how long tasks take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskTimes {
    /// Whoever asked.
    Given,
    /// The average of so many tasks of the recording.
    Recorded(u64),
    /// The recording has no task that ended, and nobody said anything.
    Assumed,
}

/// A stated model of background tasks: how many run at once, and how long each takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskModel {
    /// Workers of each adapter.
    pub workers: u32,
    /// Nanoseconds of a task for each instruction of the shader it is given and of the one it makes.
    pub ns_per_instruction: u64,
    /// Who says so.
    pub times: TaskTimes,
}

impl TaskModel {
    /// The longest that a task may take for an instruction: a second. So stamps stay far from their greatest.
    pub const MOST_NS: u64 = 1_000_000_000;

    /// The model for a world with these settings: what is not given is that of a live session, and of the recording.
    pub(crate) fn of(
        recording: &Recording<'_>,
        settings: &Settings,
        (workers, task_ns): (Option<u32>, Option<u64>),
    ) -> Result<TaskModel, ReplayError> {
        let live = settings.max_background_tasks.max(settings.max_boosted_tasks).max(1);
        let workers = workers.unwrap_or(live).clamp(1, ThreadRole::MOST_WORKERS);
        let (ns_per_instruction, times) = match task_ns {
            Some(ns) => (ns.min(TaskModel::MOST_NS), TaskTimes::Given),
            None => match Measured::of(recording)? {
                Some((ns, tasks)) => (ns.min(TaskModel::MOST_NS), TaskTimes::Recorded(tasks)),
                None => (ASSUMED_NS, TaskTimes::Assumed),
            },
        };
        Ok(TaskModel { workers, ns_per_instruction, times })
    }

    /// What a task with this outcome takes, in ticks.
    pub(crate) fn ticks(&self, outcome: &CompileOutcome, ticks_per_second: u64) -> u64 {
        let ns = u128::from(instructions(outcome)) * u128::from(self.ns_per_instruction);
        u64::try_from(ns.saturating_mul(ticks_per_second.into()) / 1_000_000_000).unwrap_or(u64::MAX)
    }
}

/// Instructions that a task reads and writes.
fn instructions(outcome: &CompileOutcome) -> u64 {
    u64::from(outcome.length_before) + u64::from(outcome.length_after)
}

/// The tasks of a recording, while it goes by.
#[derive(Default)]
struct Measured {
    /// When each began, in ticks.
    began: HashMap<u64, u64>,
    /// What each took, in ticks.
    took: HashMap<u64, u64>,
    tasks: u64,
    /// What all of them took together, in ticks.
    ticks: u128,
    instructions: u128,
}

impl Measured {
    /// The average over all instructions of the tasks that ended, in nanoseconds, and how many tasks these are: with it, the
    /// recorded tasks take together what they took. None without any.
    fn of(recording: &Recording<'_>) -> Result<Option<(u64, u64)>, ReplayError> {
        let ticks_per_second = recording.trace.header().world.clock.ticks_per_second.max(1);
        let mut measured = Measured { began: HashMap::new(), ..Measured::default() };
        let mut translated = Vec::new();
        recording.each_row(|row| {
            let known = recording.known(row)?;
            let payload = known.translate(row.payload, &mut translated)?;
            measured.look(row.stamp, known.code, payload).map_err(|source| recording.row_error(row, known.code, source))
        })?;
        let Measured { tasks, ticks, instructions, .. } = measured;
        let ns = (ticks * 1_000_000_000 / u128::from(ticks_per_second)).checked_div(instructions);
        Ok(ns.map(|ns| (u64::try_from(ns).unwrap_or(u64::MAX), tasks)))
    }

    fn look(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        match (code.id(), code.opcode()) {
            (machine::StartBackgroundWork::ID, Some(Opcode::Stop)) => {
                if let Ok(task) = HResult::<TaskId>::decode(&mut Decoder::new(row))? {
                    self.began.insert(task.0, stamp);
                }
            }
            (machine::FinishBackgroundWork::ID, Some(Opcode::Start)) => {
                let arguments = row.get(size_of::<u64>()..).unwrap_or_default();
                let task = machine::FinishBackgroundWork::decode(&mut Decoder::new(arguments))?.task;
                if let Some(began) = self.began.remove(&task.0) {
                    self.took.insert(task.0, stamp.saturating_sub(began));
                }
            }
            (d3d12_ddi::ProcessBackgroundWork::ID, Some(Opcode::Start)) => {
                let call = d3d12_ddi::ProcessBackgroundWork::decode(&mut Decoder::new(row))?;
                if let Some(ticks) = self.took.remove(&call.task.0) {
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
        let model = TaskModel { workers: 1, ns_per_instruction: 500, times: TaskTimes::Given };
        let outcome = CompileOutcome { length_before: 30, length_after: 10, ..CompileOutcome::default() };
        assert_eq!(model.ticks(&outcome, 1_000_000_000), 20_000);
        assert_eq!(model.ticks(&outcome, 2_000_000), 40);
        let endless = TaskModel { ns_per_instruction: u64::MAX, ..model };
        assert_eq!(endless.ticks(&outcome, u64::MAX), u64::MAX);
    }
}
