//! Session thread with an explicit owner.

use super::Session;
use super::recorder::Recorder;
use super::sink::SessionSink;
use crate::app_thread::{AppThread, Rundown};
use crate::memory_call::{BoxCall, MemoryCall};
use taut_runtime::memory_effect::{Extent, Rows};
use taut_runtime::{Execute, RundownError};
use taut_schemas::{D3d11ContextId, DeviceId, EventHandle, HResult, Mark, WaitStatus, mark};
use taut_traces::TraceWriter;

/// One application thread of a session, with a number of its own. Its events are flushed when it is dropped.
pub struct SessionThread<R: Recorder = TraceWriter> {
    session: Session<R>,
    thread: AppThread<SessionSink<R::Sink>>,
}

impl<R: Recorder> Session<R> {
    /// Creates a thread of the session with a number chosen by the caller, which no other thread may have at the same
    /// time. Threads that register themselves get other numbers from then on. Must be dropped before the session is
    /// finished: a trace writer counts the events left in its buffer as lost.
    pub fn thread(&self, number: u32) -> SessionThread<R> {
        SessionThread::new(self.clone(), number)
    }
}

impl<R: Recorder> SessionThread<R> {
    fn new(session: Session<R>, number: u32) -> SessionThread<R> {
        let thread = session.shared.numbered(number);
        SessionThread { session, thread }
    }

    /// Executes an API call.
    pub fn call<C: Execute>(&mut self, call: C) -> C::Output {
        self.session.start_machine_for(C::LOCKS);
        self.thread.call(&call)
    }

    /// Waits for an event, as [`Session::wait`].
    ///
    /// # Errors
    /// E_HANDLE: the event does not exist. DXGI_ERROR_INVALID_CALL: the session ended during the wait.
    pub fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.session.shared.start_machine();
        self.thread.wait(event, timeout_ms)
    }

    /// Releases the device and waits for its background tasks to end.
    ///
    /// # Errors
    /// As ReleaseDevice and FinishReleaseDevice.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.session.shared.start_machine();
        self.thread.release_device(device)
    }

    /// True if marks of this type are currently recorded; a caller can skip the creation of expensive marks.
    pub fn takes<M: Mark>(&self) -> bool {
        self.thread.takes::<M>()
    }

    /// Records a mark, ordered with the device's calls.
    pub fn mark<M: Mark>(&mut self, mark: M) {
        self.thread.mark(&mark);
    }

    /// Records a mark about a Direct3D 11 context, ordered with the context's calls.
    pub fn mark_on<M: Mark>(&mut self, context: D3d11ContextId, mark: M) {
        self.thread.mark_on(context, &mark);
    }

    /// Records a rundown in this thread's stream, as [`Session::rundown`].
    ///
    /// # Errors
    /// As [`Session::rundown`].
    pub fn rundown(&mut self) -> Result<Rundown, RundownError> {
        self.thread.rundown()
    }

    /// Maps a resource, as [`Session::map`].
    ///
    /// # Errors
    /// As the call.
    pub fn map<C: MemoryCall>(&mut self, map: C) -> HResult<C::Answer> {
        self.session.start_machine_for(C::LOCKS);
        self.thread.map(&map)
    }

    /// Executes a call that reads or writes a box of a subresource, and returns its place; `None` without memory.
    ///
    /// # Errors
    /// As the call.
    pub fn access<C: BoxCall>(&mut self, call: C) -> HResult<Option<(Rows, Extent)>> {
        self.session.start_machine_for(C::LOCKS);
        self.thread.access(&call)
    }

    /// Unmaps a resource, as [`Session::unmap`].
    ///
    /// # Errors
    /// As the call.
    pub fn unmap<C: MemoryCall<Answer = ()>>(&mut self, unmap: C) -> HResult<()> {
        self.map(unmap)
    }

    /// True if the session should end before its workload does; a caller that gets true is assumed to comply.
    pub fn is_interrupted(&self) -> bool {
        self.session.is_interrupted()
    }

    /// Counts a finished step of the workload for observers of [the session](Session::stop).
    pub fn step_done(&self) {
        self.session.step_done();
    }

    /// Returns the first error of the debug layer in this thread's last call.
    pub fn first_error(&self) -> Option<&mark::DebugMessage> {
        self.thread.first_error()
    }

    /// Stamp of this thread's last event, in ticks.
    pub fn last_stamp(&self) -> u64 {
        self.thread.last_stamp()
    }

    /// Orders this thread's later events after `stamp`, the stamp of an event on another thread that this one waited
    /// for.
    pub fn observe(&mut self, stamp: u64) {
        self.thread.observe(stamp);
    }
}
