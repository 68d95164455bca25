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

/// What a task takes for an instruction where no recording says: that of a processor of 2026 with this project's compiler.
const ASSUMED_NS: u64 = 5_000;

/// Who says how long tasks take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskTimes {
    /// Whoever asked.
    Given,
    /// The median of so many tasks of the recording.
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
    /// The model for a world with these settings: what is not given is that of a live session, and of the recording.
    pub(crate) fn of(
        recording: &Recording<'_>,
        settings: &Settings,
        (workers, task_ns): (Option<u32>, Option<u64>),
    ) -> Result<TaskModel, ReplayError> {
        let live = settings.max_background_tasks.max(settings.max_boosted_tasks).max(1);
        let workers = workers.unwrap_or(live).clamp(1, ThreadRole::MOST_WORKERS);
        let (ns_per_instruction, times) = match task_ns {
            Some(ns) => (ns, TaskTimes::Given),
            None => match Measured::of(recording)? {
                Some((ns, tasks)) => (ns, TaskTimes::Recorded(tasks)),
                None => (ASSUMED_NS, TaskTimes::Assumed),
            },
        };
        Ok(TaskModel { workers, ns_per_instruction, times })
    }

    /// What a task with this outcome takes, in ticks.
    pub(crate) fn ticks(&self, outcome: &CompileOutcome, ticks_per_second: u64) -> u64 {
        let ns = u128::from(instructions(outcome)) * u128::from(self.ns_per_instruction);
        u64::try_from(ns * u128::from(ticks_per_second) / 1_000_000_000).unwrap_or(u64::MAX)
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
    ns_per_instruction: Vec<u64>,
}

impl Measured {
    /// The median over the tasks that ended, and how many these are. None without any.
    fn of(recording: &Recording<'_>) -> Result<Option<(u64, u64)>, ReplayError> {
        let ticks_per_second = recording.trace.header().world.clock.ticks_per_second.max(1);
        let mut measured = Measured { began: HashMap::new(), ..Measured::default() };
        let mut translated = Vec::new();
        recording.each_row(|row| {
            let known = recording.known(row)?;
            let payload = known.translate(row.payload, &mut translated)?;
            let looked = measured.look(row.stamp, known.code, payload, ticks_per_second);
            looked.map_err(|source| recording.row_error(row, known.code, source))
        })?;
        let mut all = measured.ns_per_instruction;
        let middle = all.len() / 2;
        let median = (!all.is_empty()).then(|| *all.select_nth_unstable(middle).1);
        Ok(median.map(|ns| (ns, all.len() as u64)))
    }

    fn look(&mut self, stamp: u64, code: EventCode, row: &[u8], ticks_per_second: u64) -> Result<(), CodecError> {
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
                    let ns = u128::from(ticks) * 1_000_000_000 / u128::from(ticks_per_second);
                    let each = ns / u128::from(instructions(&call.outcome).max(1));
                    self.ns_per_instruction.push(u64::try_from(each).unwrap_or(u64::MAX));
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
