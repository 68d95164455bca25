//! How a workload makes its calls, in a recording or elsewhere.

use crate::session::{Recorder, Session, SessionThread};
use taut_runtime::{Execute, MachineProfile};
use taut_schemas::{DeviceId, EventHandle, HResult, Mark, WaitStatus};

/// One application thread's way to make calls: the live session, or a test's.
pub trait Caller {
    /// Makes an API call.
    fn call<C: Execute>(&mut self, call: C) -> C::Output;

    /// Waits for an event: WaitForSingleObject. `timeout_ms` of u32::MAX waits for ever.
    ///
    /// # Errors
    /// E_HANDLE: there is no such event.
    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus>;

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    fn release_device(&mut self, device: DeviceId) -> HResult<()>;

    /// Records a mark.
    fn mark<M: Mark>(&mut self, mark: M);

    /// Whether marks of this kind are recorded: others need not be made.
    fn takes<M: Mark>(&self) -> bool {
        true
    }

    /// Whether the session is to end before its workload does. A thread that has heard so makes no new frame.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// A step of the workload is done: a frame, an upload, a resource of a scene.
    fn step_done(&self) {}

    /// The stamp of this thread's last event; 0 where nothing is stamped.
    fn last_stamp(&self) -> u64 {
        0
    }

    /// What this thread does from now on comes after `stamp`: the thread that had it has told this one to go on.
    fn observe(&mut self, _stamp: u64) {}
}

/// Gives out callers, one per application thread.
pub trait Callers: Sync {
    /// What a thread makes its calls with.
    type Caller<'a>: Caller + Send
    where
        Self: 'a;

    /// The caller of application thread number `thread`; asked for once per thread.
    fn caller(&self, thread: u32) -> Self::Caller<'_>;

    /// The machine that the session runs on, if one was described.
    fn machine(&self) -> Option<MachineProfile> {
        None
    }
}

impl<R: Recorder> Caller for SessionThread<R> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        self.call(call)
    }

    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.wait(event, timeout_ms)
    }

    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.release_device(device)
    }

    fn mark<M: Mark>(&mut self, mark: M) {
        self.mark(mark);
    }

    fn takes<M: Mark>(&self) -> bool {
        self.takes::<M>()
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted()
    }

    fn step_done(&self) {
        self.step_done();
    }

    fn last_stamp(&self) -> u64 {
        self.last_stamp()
    }

    fn observe(&mut self, stamp: u64) {
        self.observe(stamp);
    }
}

impl<R: Recorder> Callers for Session<R> {
    type Caller<'a>
        = SessionThread<R>
    where
        R: 'a;

    fn caller(&self, thread: u32) -> SessionThread<R> {
        self.thread(thread)
    }

    fn machine(&self) -> Option<MachineProfile> {
        self.machine().cloned()
    }
}
