//! Serialisation of queues, fences, tasks and driver state as state records.

use super::fence::Fence;
use super::{CommandQueue, Operation, OperationKind, SubmissionState};
use crate::background::queue::TaskQueue;
use crate::executor::Executor;
use crate::records::{RestoreError, RundownError, StateRecords, check_count, check_number, invalid_value, parts};
use crate::settings::Settings;
use std::sync::Arc;
use taut_schemas::{Bytes, CommandQueueId, Driver, FenceId, GpuWork, QueueOperation, state};

/// Error text for a driver without serialisation.
const NO_SERIALISATION: &str = "the driver does not serialise its state";

impl SubmissionState {
    /// Writes records; `driver` is the driver of the adapter.
    pub(crate) fn save(&self, driver: &dyn Driver, records: &mut StateRecords) -> Result<(), RundownError> {
        // A driver holds no lock between two calls.
        let SubmissionState {
            adapter,
            tasks,
            driver_state,
            queues,
            fences,
            last_submission,
            pipelines,
            removed,
            driver_woken,
            driver_locks: _,
        } = self;
        let failed = |what: String| RundownError::Driver { adapter: *adapter, what };
        let memory = driver.memory().ok_or_else(|| failed(NO_SERIALISATION.to_owned()))?;
        let saved = memory.save(driver_state.as_deref()).map_err(failed)?;
        records.put(&state::Submissions {
            adapter: *adapter,
            last_submission: *last_submission,
            removed: *removed,
            pipelines: pipelines.iter().copied().collect(),
            driver_woken: *driver_woken,
        });
        parts(&saved).for_each(|state| records.put(&state::DriverState { adapter: *adapter, state }));
        for (id, fence) in fences {
            records.put(&fence.save(FenceId(*id)));
        }
        for (id, CommandQueue { list_type, operations }) in queues {
            let command_queue = CommandQueueId(*id);
            let count = operations.len() as u64;
            records.put(&state::QueueOperations { command_queue, list_type: *list_type, operations: count });
            for operation in operations {
                let record = operation.save(command_queue);
                records.put(&record.ok_or_else(|| failed("work of the GPU".to_owned()))?);
            }
        }
        match tasks {
            Some(tasks) => tasks.save(*adapter, records),
            None => Ok(()),
        }
    }

    /// Restores a record.
    pub(crate) fn restore(&mut self, record: &state::Submissions, adapters: usize) -> Result<(), RestoreError> {
        let state::Submissions { adapter: _, last_submission, removed, pipelines, driver_woken } = record;
        self.last_submission = check_number::<state::Submissions>(*last_submission, adapters)?;
        self.pipelines = pipelines.iter().copied().collect();
        (self.removed, self.driver_woken) = (*removed, *driver_woken);
        Ok(())
    }

    /// Restores the driver's own state.
    pub(crate) fn restore_driver(&mut self, driver: &dyn Driver, saved: &[u8]) -> Result<(), RestoreError> {
        let restored =
            driver.memory().ok_or_else(|| NO_SERIALISATION.to_owned()).and_then(|memory| memory.restore(saved));
        match restored {
            Ok(driver_state) => self.driver_state = driver_state,
            Err(why) => return invalid_value::<_, state::DriverState>("state written by a driver of the profile", why),
        }
        Ok(())
    }

    /// Restores a command queue.
    pub(crate) fn restore_queue(&mut self, record: &state::QueueOperations) {
        let state::QueueOperations { command_queue, list_type, operations: _ } = *record;
        self.add_queue(command_queue, list_type);
    }

    /// Restores an operation of a restored queue.
    pub(crate) fn restore_operation(
        &mut self,
        driver: &dyn Driver,
        record: &state::Operation,
    ) -> Result<(), RestoreError> {
        let state::Operation { command_queue, submission, operation, fence, value, work } = record;
        let kind = match *operation {
            QueueOperation::EXECUTE => OperationKind::Execute(restore_gpu_work(driver, work)?),
            QueueOperation::SIGNAL => OperationKind::Signal(*fence, *value),
            QueueOperation::WAIT => OperationKind::Wait(*fence, *value),
            QueueOperation::PRESENT => OperationKind::Present,
            other => return invalid_value::<_, state::Operation>("a kind of operation", other.0),
        };
        let Some(queue) = self.queue_mut(*command_queue) else {
            return invalid_value::<_, state::Operation>("the command queue before it", command_queue.0);
        };
        queue.operations.push_back(Operation { submission: *submission, kind, effects: Vec::new() });
        Ok(())
    }

    /// Restores a fence.
    pub(crate) fn restore_fence(&mut self, record: &state::FenceValues) {
        self.fences.insert(record.fence.0, Fence::restore(record));
    }

    /// Restores the task queue.
    pub(crate) fn restore_tasks(
        &mut self,
        settings: &Settings,
        record: &state::Tasks,
        adapters: usize,
    ) -> Result<(), RestoreError> {
        check_number::<state::Tasks>(record.last_task.0, adapters)?;
        check_number::<state::Tasks>(record.next_commit.0, adapters)?;
        self.tasks(settings).restore(record)
    }

    /// Restores a task.
    pub(crate) fn restore_task(
        &mut self,
        settings: &Settings,
        driver: &dyn Driver,
        record: &state::Task,
    ) -> Result<(), RestoreError> {
        let restored = driver.memory().ok_or_else(|| NO_SERIALISATION.to_owned());
        let work = match restored.and_then(|memory| memory.restore_work(&record.work.0)) {
            Ok(work) => work,
            Err(why) => {
                return invalid_value::<_, state::Task>("background work written by a driver of the profile", why);
            }
        };
        check_count::<state::Task>(record.sequence)?;
        self.tasks(settings).restore_task(record, work)
    }

    /// Passes all unfinished work to the executor.
    pub(crate) fn begin_work(&self, executor: &mut dyn Executor) {
        let tasks = self.tasks.iter().flat_map(TaskQueue::works);
        tasks.for_each(|(task, work)| executor.queued(task, work));
        for operation in self.queues.values().flat_map(|queue| &queue.operations) {
            if let OperationKind::Execute(work) = &operation.kind {
                executor.submitted(operation.submission, work);
            }
        }
    }
}

impl Operation {
    /// Returns the operation as a record; `None` if its work cannot be serialised.
    fn save(&self, command_queue: CommandQueueId) -> Option<state::Operation> {
        let Operation { submission, kind, effects: _ } = self;
        let (fence, value, work) = match kind {
            OperationKind::Execute(work) => (FenceId::NULL, 0, work.save()?),
            OperationKind::Signal(fence, value) | OperationKind::Wait(fence, value) => (*fence, *value, Vec::new()),
            OperationKind::Present => (FenceId::NULL, 0, Vec::new()),
        };
        let operation = self.code();
        Some(state::Operation { command_queue, submission: *submission, operation, fence, value, work: Bytes(work) })
    }
}

/// Restores GPU work. Empty data is the work of a driver that submits no work.
fn restore_gpu_work(driver: &dyn Driver, work: &Bytes) -> Result<Arc<dyn GpuWork>, RestoreError> {
    if work.0.is_empty() {
        return Ok(Arc::new(super::NoWork));
    }
    let restored = driver.memory().ok_or_else(|| NO_SERIALISATION.to_owned());
    match restored.and_then(|memory| memory.restore_gpu_work(&work.0)) {
        Ok(work) => Ok(work),
        Err(why) => invalid_value::<_, state::Operation>("work written by a driver of the profile", why),
    }
}
