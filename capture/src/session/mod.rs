//! Session: the live shell and its recorder, usually a trace writer.

mod adapters;
mod current_thread;
mod error;
mod header;
mod recorder;
mod registered_thread;
mod rundowns;
mod shared;
mod sink;
mod thread;

pub use adapters::Adapters;
pub use error::SessionError;
pub use header::header;
pub use recorder::{Recorder, Unrecorded};
pub use thread::SessionThread;

use crate::app_thread::{AppThread, Rundown};
use crate::event_signals::EventSignals;
use crate::memory::Memory;
use crate::memory_call::MemoryCall;
use crate::stop::Stop;
use rundowns::RundownRequest;
use shared::Shared;
use sink::SessionSink;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use taut_runtime::{Execute, MachineProfile, RundownError, Settings};
use taut_schemas::{D3d11ContextId, DeviceId, EventHandle, HResult, LockSet, Mark, WaitStatus};
use taut_traces::Clock;
use taut_traces::{Header, TraceWriter, Workload, WriteError, WriteOptions, WriteSummary};

/// Session, recorded to a file by default: one simulated machine and the program that uses it. Clones refer to the same
/// session, for use in other threads or parts of a program.
///
/// Any thread may make calls. The first call registers the thread with the session under the next number. The thread's
/// events are flushed when the thread ends or when the session is finished. A thread that needs a specific number, or
/// that only makes calls of the session, uses a [`SessionThread`] instead.
///
/// After [`Session::finish`] calls still return results, but the machine's threads have ended and nothing is recorded;
/// [`Session::late_events`] counts the unrecorded events.
///
/// A session that is dropped without `finish` leaves a trace without a footer, as a crash does.
pub struct Session<R: Recorder = TraceWriter> {
    shared: Arc<Shared<R>>,
}

impl<R: Recorder> Clone for Session<R> {
    fn clone(&self) -> Session<R> {
        Session { shared: Arc::clone(&self.shared) }
    }
}

impl Session {
    /// Starts a recording to a file; recorded events survive the end of the process ([`TraceWriter::record`]).
    ///
    /// # Errors
    /// The file cannot be written, another recording uses the path, or the header cannot be serialised.
    pub fn create(
        path: impl AsRef<Path>,
        adapters: impl Into<Adapters>,
        settings: Settings,
        workload: Workload,
        clock: Clock,
        options: WriteOptions,
    ) -> Result<Session, SessionError> {
        let create = |header| TraceWriter::record(path, header, options);
        Session::record(create, adapters, settings, workload, clock)
    }

    /// Starts a recording with the writer that `open` creates for its header. When the output fails, or the recording
    /// reaches its size or time limit, the session requests its end. A program that never calls
    /// [`is_interrupted`](Self::is_interrupted) continues.
    ///
    /// # Errors
    /// As `open`, or the header cannot be serialised.
    pub fn record(
        open: impl FnOnce(Header) -> Result<TraceWriter, WriteError>,
        adapters: impl Into<Adapters>,
        settings: Settings,
        workload: Workload,
        clock: Clock,
    ) -> Result<Session, SessionError> {
        let adapters = adapters.into();
        let header = header(&adapters, &settings, workload, &clock)?;
        let (writer, stop) = (open(header)?, Stop::default());
        let (stop_on_failure, stop_on_end) = (stop.clone(), stop.clone());
        writer.keep_time(clock);
        writer.on_failure(move |_| stop_on_failure.request());
        writer.on_end(move |cause| stop_on_end.request_for(cause));
        let requests = writer.mode().discards_oldest().then(|| {
            let (requests, receiver) = channel();
            let request = requests.clone();
            writer.on_segment(move || {
                let _ = request.send(RundownRequest::Segment);
            });
            (requests, receiver)
        });
        let session = Session { shared: Arc::new(Shared::new(writer, &adapters, settings, clock, stop)) };
        requests
            .map_or(Ok(()), |(requests, receiver)| session.shared.begin_rundowns(requests, receiver))
            .map_err(SessionError::Rundowns)?;
        Ok(session)
    }

    /// Ends the recording: lets the machine finish its current work, then writes all buffered events and the index.
    /// Calls in progress on other threads are completed and recorded.
    ///
    /// # Errors
    /// The file could not be written completely; the part that was written is a valid trace. Or the session was
    /// finished before.
    pub fn finish(&self) -> Result<WriteSummary, SessionError> {
        let writer = self.end()?;
        // A request that no thread noticed has not shortened the recording.
        if self.shared.stop.was_noticed() {
            writer.mark_interrupted();
        }
        Ok(writer.finish()?)
    }
}

impl Session<Unrecorded> {
    /// Creates a session without a recorder.
    pub fn unrecorded(adapters: impl Into<Adapters>, settings: Settings, clock: Clock) -> Session<Unrecorded> {
        Session::recorded_by(Unrecorded, adapters, settings, clock)
    }
}

impl<R: Recorder> Session<R> {
    /// Creates a session that records to `recorder`.
    pub fn recorded_by(recorder: R, adapters: impl Into<Adapters>, settings: Settings, clock: Clock) -> Session<R> {
        Session { shared: Arc::new(Shared::new(recorder, &adapters.into(), settings, clock, Stop::default())) }
    }

    /// Sets the storage for mapped memory. Must be called before the first call: existing resources are not announced
    /// to it.
    pub fn with_memory(self, memory: Arc<impl Memory + 'static>) -> Self {
        self.shared.shell.set_memory(memory);
        self
    }

    /// Sets the receiver of the signals of the session's events. Must be called before the first call.
    pub fn with_events(self, events: Arc<impl EventSignals + 'static>) -> Self {
        self.shared.shell.set_events(events);
        self
    }

    /// Profile of the session's machine, if it has one.
    pub fn machine(&self) -> Option<&MachineProfile> {
        self.shared.machine.as_ref()
    }

    /// Returns the handle that can request an early end of the session.
    pub fn stop(&self) -> Stop {
        self.shared.stop.clone()
    }

    /// True if the session should end before its workload does; a caller that gets true is assumed to comply.
    pub fn is_interrupted(&self) -> bool {
        self.shared.stop.notice()
    }

    /// Counts a finished step of the workload, on any thread.
    pub fn step_done(&self) {
        self.shared.stop.step_done();
    }

    /// Ends the session: lets the machine finish its current work, and returns the recorder.
    ///
    /// # Errors
    /// The session was ended before.
    pub fn end(&self) -> Result<R, SessionError> {
        self.shared.end().ok_or(SessionError::Ended)
    }

    /// Returns why a rundown could not be recorded, if one failed: the retained part of the recording may then not be
    /// replayable.
    pub fn no_rundown(&self) -> Option<&str> {
        self.shared.no_rundown()
    }

    /// Number of events after the session's end.
    pub fn late_events(&self) -> u64 {
        self.shared.late_events()
    }

    /// Executes an API call.
    pub fn call<C: Execute>(&self, call: C) -> C::Output {
        self.start_machine_for(C::LOCKS);
        self.on_current_thread(|thread| thread.call(&call))
    }

    /// Waits for an event: WaitForSingleObject. `timeout_ms` of u32::MAX is INFINITE.
    ///
    /// # Errors
    /// E_HANDLE: the event does not exist. DXGI_ERROR_INVALID_CALL: the session ended during the wait.
    pub fn wait(&self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.shared.start_machine();
        self.on_current_thread(|thread| thread.wait(event, timeout_ms))
    }

    /// Releases the device and waits for its background tasks to end.
    ///
    /// # Errors
    /// As ReleaseDevice and FinishReleaseDevice.
    pub fn release_device(&self, device: DeviceId) -> HResult<()> {
        self.shared.start_machine();
        self.on_current_thread(|thread| thread.release_device(device))
    }

    /// Records a mark, ordered with the device's calls.
    pub fn mark<M: Mark>(&self, mark: M) {
        self.on_current_thread(|thread| thread.mark(&mark));
    }

    /// Records a mark about a Direct3D 11 context, ordered with the context's calls.
    pub fn mark_on<M: Mark>(&self, context: D3d11ContextId, mark: M) {
        self.on_current_thread(|thread| thread.mark_on(context, &mark));
    }

    /// Records the whole runtime state in the calling thread's stream, as a point from which a replay can start. Every
    /// call is either before or after it.
    ///
    /// # Errors
    /// The state has a part that a rundown cannot contain; the error names the part, and no rundown is recorded.
    pub fn rundown(&self) -> Result<Rundown, RundownError> {
        self.on_current_thread(AppThread::rundown)
    }

    /// Maps a resource: ID3D12Resource::Map, ID3D11DeviceContext::Map. Until the Unmap its addresses have storage, if
    /// the session has a [`Memory`]; a Map made by [`Session::call`] only returns addresses. For Direct3D 12 the result
    /// is the range of the whole resource, which is empty for a texture whose bytes are not stored in rows.
    ///
    /// # Errors
    /// As the call.
    pub fn map<C: MemoryCall>(&self, map: C) -> HResult<C::Answer> {
        self.start_machine_for(C::LOCKS);
        self.on_current_thread(|thread| thread.map(&map))
    }

    /// Unmaps a resource that [`Session::map`] mapped: ID3D12Resource::Unmap, ID3D11DeviceContext::Unmap.
    ///
    /// # Errors
    /// As the call.
    pub fn unmap<C: MemoryCall<Answer = ()>>(&self, unmap: C) -> HResult<()> {
        self.map(unmap)
    }

    /// Starts the machine's threads on the first call that takes the queue's lock, the first that can give them work.
    fn start_machine_for(&self, locks: LockSet) {
        if locks.queue {
            self.shared.start_machine();
        }
    }

    /// Runs `run` on the session's thread object of the calling thread.
    fn on_current_thread<T>(&self, run: impl FnOnce(&mut AppThread<SessionSink<R::Sink>>) -> T) -> T {
        self.shared.on_current_thread(run)
    }
}
