//! What happens after recording, under one lock: command queues and the fences they set, background work, and what the
//! driver keeps.

mod callbacks;
mod driver_locks;
mod fence;
mod operation;
mod saved;

pub(crate) use callbacks::cancel;
pub(crate) use driver_locks::DriverLocks;
pub(crate) use operation::{NoWork, NothingToDo, Operation, OperationKind};

use crate::background::queue::TaskQueue;
use crate::settings::Settings;
use fence::Fence;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use taut_schemas::{
    AdapterId, BackgroundWork, CommandListType, CommandQueueId, GpuWork, PipelineStateId, TaskId, WorkPriority,
};

/// What happens after recording.
pub struct SubmissionState {
    adapter: AdapterId,
    /// Made with the session's settings when it is first needed.
    tasks: Option<TaskQueue>,
    /// What the driver keeps from call to call.
    kept: Option<Box<dyn Any + Send>>,
    queues: BTreeMap<u64, CommandQueue>,
    fences: BTreeMap<u64, Fence>,
    /// The operation submitted last.
    last_submission: u64,
    /// Pipeline states that are alive.
    pub(crate) pipelines: BTreeSet<PipelineStateId>,
    /// The device was removed, as far as anyone with this lock has seen.
    pub(crate) removed: bool,
    /// The driver has woken its own thread, which has not gone on yet.
    pub(crate) driver_woken: bool,
    /// Only within a call.
    pub(crate) driver_locks: DriverLocks,
}

/// An operation that a graphics processor can do.
pub struct Runnable {
    /// Its command queue.
    pub command_queue: CommandQueueId,
    /// Its number among all operations.
    pub submission: u64,
    /// What is to be done for it, if it takes any work.
    pub work: Option<Arc<dyn GpuWork>>,
}

/// A command queue.
pub(crate) struct CommandQueue {
    pub list_type: CommandListType,
    /// Oldest first.
    pub operations: VecDeque<Operation>,
}

impl SubmissionState {
    /// That of an adapter, before anything was submitted.
    pub fn new(adapter: AdapterId) -> SubmissionState {
        SubmissionState {
            adapter,
            tasks: None,
            kept: None,
            queues: BTreeMap::new(),
            fences: BTreeMap::new(),
            last_submission: adapter.numbers_from(),
            pipelines: BTreeSet::new(),
            removed: false,
            driver_woken: false,
            driver_locks: DriverLocks::default(),
        }
    }

    /// The tasks of the device.
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

    /// The oldest operation of a command queue.
    pub(crate) fn head(&self, id: CommandQueueId) -> Option<&Operation> {
        self.queues.get(&id.0)?.operations.front()
    }

    /// Puts an operation at a command queue's end; its number. `None` if there is no such queue.
    pub(crate) fn push(&mut self, id: CommandQueueId, kind: OperationKind) -> Option<u64> {
        let submission = self.last_submission + 1;
        let queue = self.queues.get_mut(&id.0)?;
        queue.operations.push_back(Operation { submission, kind });
        self.last_submission = submission;
        Some(submission)
    }

    /// The number that the next operation takes.
    pub(crate) fn next_submission(&self) -> u64 {
        self.last_submission + 1
    }

    /// A background task can begin.
    pub fn can_start_work(&self) -> bool {
        self.tasks.as_ref().is_some_and(TaskQueue::can_start)
    }

    /// The work of a running task; nothing, where its driver found nothing to do.
    pub fn work_of(&self, task: TaskId) -> Option<Arc<dyn BackgroundWork>> {
        let tasks = self.tasks.as_ref()?;
        let (_, _, work) = tasks.context_of(task)?;
        Some(if tasks.is_void(task) { Arc::new(NothingToDo) } else { Arc::clone(work) })
    }

    /// A running task's driver found nothing to do for it.
    pub fn is_void(&self, task: TaskId) -> bool {
        self.tasks.as_ref().is_some_and(|tasks| tasks.is_void(task))
    }

    /// The driver's own thread has something to do.
    pub fn is_driver_woken(&self) -> bool {
        self.driver_woken
    }

    /// Each worker that runs a task, and at which priority.
    pub fn busy_workers(&self) -> impl Iterator<Item = (u32, WorkPriority)> {
        self.tasks.iter().flat_map(TaskQueue::running).map(|running| (running.worker, running.priority))
    }

    /// The operation that a graphics processor can do next: of the oldest of all command queues that wait for nothing, the
    /// one submitted first.
    pub fn runnable(&self) -> Option<Runnable> {
        let heads = self.queues.iter().filter_map(|(id, queue)| Some((*id, queue.operations.front()?)));
        let ready = heads.filter(|(_, head)| self.is_ready(head)).min_by_key(|(_, head)| head.submission);
        ready.map(|(id, head)| Runnable {
            command_queue: CommandQueueId(id),
            submission: head.submission,
            work: head.work(),
        })
    }

    /// Operations of all command queues that are not done.
    pub fn operations_left(&self) -> usize {
        self.queues.values().map(|queue| queue.operations.len()).sum()
    }

    /// The device is being destroyed, and no background task is left of it.
    pub fn can_finish_release(&self) -> bool {
        self.tasks.as_ref().is_none_or(TaskQueue::is_drained)
    }

    /// Forgets everything of a device that is destroyed.
    pub(crate) fn forget_device(&mut self) {
        self.kept = None;
        self.queues.clear();
        self.fences.clear();
        self.pipelines.clear();
        self.removed = false;
        self.driver_woken = false;
    }
}
