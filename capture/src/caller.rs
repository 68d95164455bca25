//! Interface by which a workload makes its calls, in a recording or elsewhere.

use crate::session::{Recorder, Session, SessionThread};
use taut_runtime::{Execute, MachineProfile};
use taut_schemas::{DeviceId, EventHandle, HResult, Mark, WaitStatus, mark};

/// Interface of one application thread: implemented by live sessions and by tests.
pub trait Caller {
    /// Executes an API call.
    fn call<C: Execute>(&mut self, call: C) -> C::Output;

    /// Waits for an event: WaitForSingleObject. `timeout_ms` of u32::MAX is INFINITE.
    ///
    /// # Errors
    /// E_HANDLE: the event does not exist.
    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus>;

    /// Releases the device and waits for its background tasks to end.
    ///
    /// # Errors
    /// As ReleaseDevice and FinishReleaseDevice.
    fn release_device(&mut self, device: DeviceId) -> HResult<()>;

    /// Records a mark.
    fn mark<M: Mark>(&mut self, mark: M);

    /// True if marks of this type are recorded; callers may skip creating others.
    fn takes<M: Mark>(&self) -> bool {
        true
    }

    /// Returns the first error of the debug layer in the last call, which is the reason if the call failed.
    fn first_error(&self) -> Option<&mark::DebugMessage> {
        None
    }

    /// True if the session should end before its workload does. A thread that gets true starts no new frame.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Counts a finished step of the workload: a frame, an upload, a resource of a scene.
    fn step_done(&self) {}

    /// Stamp of this thread's last event, in ticks; 0 where events are not stamped.
    fn last_stamp(&self) -> u64 {
        0
    }

    /// Orders this thread's later events after `stamp`, the stamp of an event on another thread that this one waited
    /// for.
    fn observe(&mut self, _stamp: u64) {}
}

/// Source of callers, one per application thread.
pub trait Callers: Sync {
    /// Caller type of one thread.
    type Caller<'a>: Caller + Send
    where
        Self: 'a;

    /// Returns the caller of application thread number `thread`; called once per thread.
    fn caller(&self, thread: u32) -> Self::Caller<'_>;

    /// Returns the profile of the session's machine, if it has one.
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

    fn first_error(&self) -> Option<&mark::DebugMessage> {
        self.first_error()
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
