//! State after recording, under one lock: command queues, fences, background work, and the driver's own state.

mod callbacks;
mod driver_locks;
mod fence;
mod fences;
mod operation;
mod saved;

pub(crate) use callbacks::cancel;
pub(crate) use driver_locks::DriverLocks;
pub(crate) use operation::{NoWork, NothingToDo, Operation, OperationKind};

use crate::background::queue::TaskQueue;
use crate::memory::effect::MemoryEffect;
use crate::settings::Settings;
use fence::Fence;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use taut_schemas::{
    AdapterId, BackgroundWork, CommandListType, CommandQueueId, GpuWork, PipelineStateId, TaskId, WorkPriority,
};

/// State of an adapter's queues, fences, tasks and driver.
pub struct SubmissionState {
    adapter: AdapterId,
    /// Created with the session's settings on first use.
    tasks: Option<TaskQueue>,
    /// Driver state between calls.
    driver_state: Option<Box<dyn Any + Send>>,
    queues: BTreeMap<u64, CommandQueue>,
    fences: BTreeMap<u64, Fence>,
    /// Number of the last submitted operation.
    last_submission: u64,
    /// Live pipeline states.
    pub(crate) pipelines: BTreeSet<PipelineStateId>,
    /// The removal of the device has been observed under this lock.
    pub(crate) removed: bool,
    /// The driver has woken its thread, which has not run yet.
    pub(crate) driver_woken: bool,
    /// Empty between calls.
    pub(crate) driver_locks: DriverLocks,
}

/// Operation that the GPU can execute now.
pub struct Runnable {
    pub command_queue: CommandQueueId,
    /// Submission number, unique across all operations.
    pub submission: u64,
    /// GPU work of an execution.
    pub work: Option<Arc<dyn GpuWork>>,
    /// Effects on memory, by command list.
    pub effects: Vec<Arc<Vec<MemoryEffect>>>,
}

/// Command queue with its operations.
pub(crate) struct CommandQueue {
    pub list_type: CommandListType,
    /// Pending operations, oldest first.
    pub operations: VecDeque<Operation>,
}

impl SubmissionState {
    /// Creates the state of an adapter before the first submission.
    pub fn new(adapter: AdapterId) -> SubmissionState {
        SubmissionState {
            adapter,
            tasks: None,
            driver_state: None,
            queues: BTreeMap::new(),
            fences: BTreeMap::new(),
            last_submission: adapter.numbers_from(),
            pipelines: BTreeSet::new(),
            removed: false,
            driver_woken: false,
            driver_locks: DriverLocks::default(),
        }
    }

    /// Returns the device's task queue.
    pub(crate) fn tasks(&mut self, settings: &Settings) -> &mut TaskQueue {
        let number = self.adapter.numbers_from();
        self.tasks.get_or_insert_with(|| TaskQueue::new(settings.task_policy()).numbered_from(number))
    }

    pub(crate) fn add_queue(&mut self, id: CommandQueueId, list_type: CommandListType) {
        self.queues.insert(id.0, CommandQueue { list_type, operations: VecDeque::new() });
    }

    pub(crate) fn remove_queue(&mut self, id: CommandQueueId) -> Option<CommandQueue> {
        self.queues.remove(&id.0)
    }

    pub(crate) fn queue_mut(&mut self, id: CommandQueueId) -> Option<&mut CommandQueue> {
        self.queues.get_mut(&id.0)
    }

    /// Returns the oldest operation of a command queue.
    pub(crate) fn head(&self, id: CommandQueueId) -> Option<&Operation> {
        self.queues.get(&id.0)?.operations.front()
    }

    /// Appends an operation to a command queue and returns its number. `None` if the queue does not exist.
    pub(crate) fn push(&mut self, id: CommandQueueId, kind: OperationKind) -> Option<u64> {
        self.push_with_effects(id, kind, Vec::new())
    }

    /// Appends an operation with effects on memory.
    pub(crate) fn push_with_effects(
        &mut self,
        id: CommandQueueId,
        kind: OperationKind,
        effects: Vec<Arc<Vec<MemoryEffect>>>,
    ) -> Option<u64> {
        let submission = self.last_submission + 1;
        let queue = self.queues.get_mut(&id.0)?;
        queue.operations.push_back(Operation { submission, kind, effects });
        self.last_submission = submission;
        Some(submission)
    }

    /// Returns the number of the next operation.
    pub(crate) fn next_submission(&self) -> u64 {
        self.last_submission + 1
    }

    /// True if a background task can start.
    pub fn can_start_work(&self) -> bool {
        self.tasks.as_ref().is_some_and(TaskQueue::can_start)
    }

    /// Returns the work of a running task; empty work if its driver has nothing to do.
    pub fn work_of(&self, task: TaskId) -> Option<Arc<dyn BackgroundWork>> {
        let tasks = self.tasks.as_ref()?;
        let (_, _, work) = tasks.context_of(task)?;
        Some(if tasks.is_void(task) { Arc::new(NothingToDo) } else { Arc::clone(work) })
    }

    /// True if the driver of a running task has nothing to do for it.
    pub fn is_void(&self, task: TaskId) -> bool {
        self.tasks.as_ref().is_some_and(|tasks| tasks.is_void(task))
    }

    /// True if the driver's thread has work.
    pub fn is_driver_woken(&self) -> bool {
        self.driver_woken
    }

    /// Returns the busy workers with the priorities of their tasks.
    pub fn busy_workers(&self) -> impl Iterator<Item = (u32, WorkPriority)> {
        self.tasks.iter().flat_map(TaskQueue::running).map(|running| (running.worker, running.priority))
    }

    /// Returns the operation that the GPU can execute next: of the oldest operations of all command queues, the first
    /// submitted operation that does not wait.
    pub fn runnable(&self) -> Option<Runnable> {
        let heads = self.queues.iter().filter_map(|(id, queue)| Some((*id, queue.operations.front()?)));
        // Submission order across queues keeps the choice deterministic.
        let ready = heads.filter(|(_, head)| self.is_ready(head)).min_by_key(|(_, head)| head.submission);
        ready.map(|(id, head)| Runnable {
            command_queue: CommandQueueId(id),
            submission: head.submission,
            work: head.work(),
            effects: head.effects.clone(),
        })
    }

    /// Returns the number of pending operations of all command queues.
    pub fn operations_left(&self) -> usize {
        self.queues.values().map(|queue| queue.operations.len()).sum()
    }

    /// True if no background task is left, so that the destruction of the device can finish.
    pub fn can_finish_release(&self) -> bool {
        self.tasks.as_ref().is_none_or(TaskQueue::is_drained)
    }

    /// Drops the state of a destroyed device.
    pub(crate) fn forget_device(&mut self) {
        self.driver_state = None;
        self.queues.clear();
        self.fences.clear();
        self.pipelines.clear();
        self.removed = false;
        self.driver_woken = false;
    }

    /// True if the operation does not wait. An operation does not wait for a destroyed fence.
    pub(crate) fn is_ready(&self, operation: &Operation) -> bool {
        match operation.kind {
            OperationKind::Wait(fence, value) => self.fence(fence).is_none_or(|fence| fence.value >= value),
            _ => true,
        }
    }
}
