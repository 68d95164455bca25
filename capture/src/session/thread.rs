//! A thread of a session that somebody holds.

use super::Session;
use super::recorder::Recorder;
use super::sink::SessionSink;
use crate::app_thread::{AppThread, Rundown};
use crate::memory_call::MemoryCall;
use taut_runtime::{Execute, RundownError};
use taut_schemas::{D3d11ContextId, DeviceId, EventHandle, HResult, Mark, WaitStatus};
use taut_traces::TraceWriter;

/// One application thread of a session, with a number of its own. Its events are handed over when it is dropped.
pub struct SessionThread<R: Recorder = TraceWriter> {
    session: Session<R>,
    thread: AppThread<SessionSink<R::Sink>>,
}

impl<R: Recorder> SessionThread<R> {
    pub(super) fn new(session: Session<R>, number: u32) -> SessionThread<R> {
        let thread = session.shared.numbered(number);
        SessionThread { session, thread }
    }

    /// Makes an API call.
    pub fn call<C: Execute>(&mut self, call: C) -> C::Output {
        self.session.start_machine_for(C::LOCKS);
        self.thread.call(&call)
    }

    /// As [`Session::wait`].
    ///
    /// # Errors
    /// E_HANDLE: there is no such event. DXGI_ERROR_INVALID_CALL: the session ended first.
    pub fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.session.shared.start_machine();
        self.thread.wait(event, timeout_ms)
    }

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.session.shared.start_machine();
        self.thread.release_device(device)
    }

    /// Whether marks of this kind are recorded now: who makes them at some cost may ask.
    pub fn takes<M: Mark>(&self) -> bool {
        self.thread.takes::<M>()
    }

    /// Records a mark, in order with the device's calls.
    pub fn mark<M: Mark>(&mut self, mark: M) {
        self.thread.mark(&mark);
    }

    /// Records a mark about a Direct3D 11 context, in order with its calls.
    pub fn mark_on<M: Mark>(&mut self, context: D3d11ContextId, mark: M) {
        self.thread.mark_on(context, &mark);
    }

    /// As [`Session::rundown`], in this thread's stream.
    ///
    /// # Errors
    /// As that.
    pub fn rundown(&mut self) -> Result<Rundown, RundownError> {
        self.thread.rundown()
    }

    /// As [`Session::map`].
    ///
    /// # Errors
    /// The call's.
    pub fn map<C: MemoryCall>(&mut self, map: C) -> HResult<C::Answer> {
        self.session.start_machine_for(C::LOCKS);
        self.thread.map(&map)
    }

    /// As [`Session::unmap`].
    ///
    /// # Errors
    /// The call's.
    pub fn unmap<C: MemoryCall<Answer = ()>>(&mut self, unmap: C) -> HResult<()> {
        self.map(unmap)
    }

    /// Whether the session is to end before its workload does; who asks is taken to obey.
    pub fn is_interrupted(&self) -> bool {
        self.session.is_interrupted()
    }

    /// A step of the workload is done: whoever watches [the session](Session::stop) may count on it.
    pub fn step_done(&self) {
        self.session.step_done();
    }

    /// The stamp of this thread's last event.
    pub fn last_stamp(&self) -> u64 {
        self.thread.last_stamp()
    }

    /// What this thread does from now on comes after `stamp`: the thread that had it has told this one to go on.
    pub fn observe(&mut self, stamp: u64) {
        self.thread.observe(stamp);
    }
}
