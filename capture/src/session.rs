//! A session: the live shell, and behind it a trace writer, or another recorder.

mod adapters;
mod current_thread;
mod error;
mod header;
mod recorder;
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
use crate::memory::Memory;
use crate::memory_call::MemoryCall;
use crate::stop::Stop;
use rundowns::Wish;
use shared::Shared;
use sink::SessionSink;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use taut_runtime::{Execute, MachineProfile, RundownError, Settings};
use taut_schemas::{D3d11ContextId, DeviceId, EventHandle, HResult, LockSet, Mark, WaitStatus};
use taut_traces::Clock;
use taut_traces::{Header, TraceWriter, Workload, WriteError, WriteOptions, WriteSummary};

/// A session, recorded to a file unless said otherwise: one simulated machine, and the program that uses it. Clones are the
/// same session, for other threads or other parts of a program.
///
/// Any thread may make calls. One that makes its first becomes a thread of the session, with the next number; its events
/// are handed over when it ends or when the session is finished, whichever comes first. A thread that is to have a number
/// of its own, or that does nothing else, holds a [`SessionThread`] instead.
///
/// After [`Session::finish`] the machine still answers calls, but nobody works for it any more and nothing is recorded;
/// [`Session::late_events`] counts what would have been.
///
/// Dropped without that, it leaves a trace without a footer, as a crash would.
pub struct Session<R: Recorder = TraceWriter> {
    shared: Arc<Shared<R>>,
}

impl<R: Recorder> Clone for Session<R> {
    fn clone(&self) -> Session<R> {
        Session { shared: Arc::clone(&self.shared) }
    }
}

impl Session {
    /// Starts a recording to a file; what was recorded outlives the process ([`TraceWriter::record`]).
    ///
    /// # Errors
    /// The file cannot be written, another recording is there, or the trace could not say what is recorded.
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

    /// Starts a recording by the writer that `open` makes for its header. When the output fails, or the recording has come to the
    /// size or time set for it, the session asks to be ended. Who does not ask [`is_interrupted`](Self::is_interrupted) goes on.
    ///
    /// # Errors
    /// As `open`, or the trace could not say what is recorded.
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
        let (asked, ended) = (stop.clone(), stop.clone());
        writer.keep_time(clock);
        writer.on_failure(move |_| asked.ask());
        writer.on_end(move |cause| ended.ask_for(cause));
        let wishes = writer.mode().keeps_the_last().then(|| {
            let (wishes, heard) = channel();
            let wish = wishes.clone();
            writer.on_segment(move || {
                let _ = wish.send(Wish::Segment);
            });
            (wishes, heard)
        });
        let session = Session { shared: Arc::new(Shared::new(writer, &adapters, settings, clock, stop)) };
        wishes.map_or(Ok(()), |wishes| session.shared.begin_rundowns(wishes)).map_err(SessionError::Rundowns)?;
        Ok(session)
    }

    /// Ends the recording: lets the machine finish what it is at, and writes what is still in the buffers, and the index.
    /// Calls that other threads are in are brought to their ends and recorded.
    ///
    /// # Errors
    /// The file could not be written to its end; what was written is a valid trace. Or it was finished before.
    pub fn finish(&self) -> Result<WriteSummary, SessionError> {
        let writer = self.end()?;
        if self.shared.stop.was_noticed() {
            writer.mark_interrupted();
        }
        Ok(writer.finish()?)
    }
}

impl Session<Unrecorded> {
    /// A session that nobody records.
    pub fn unrecorded(adapters: impl Into<Adapters>, settings: Settings, clock: Clock) -> Session<Unrecorded> {
        Session::recorded_by(Unrecorded, adapters, settings, clock)
    }
}

impl<R: Recorder> Session<R> {
    /// A session whose events go to `recorder`.
    pub fn recorded_by(recorder: R, adapters: impl Into<Adapters>, settings: Settings, clock: Clock) -> Session<R> {
        Session { shared: Arc::new(Shared::new(recorder, &adapters.into(), settings, clock, Stop::default())) }
    }

    /// The same session; what its program maps are bytes of `memory`. To be said before the first call: what lives by then
    /// is not known to it.
    pub fn with_memory(self, memory: Arc<impl Memory + 'static>) -> Self {
        self.shared.shell.set_memory(memory);
        self
    }

    /// The machine that it runs on, if one was described.
    pub fn machine(&self) -> Option<&MachineProfile> {
        self.shared.machine.as_ref()
    }

    /// What asks the session to end early.
    pub fn stop(&self) -> Stop {
        self.shared.stop.clone()
    }

    /// Whether the session is to end before its workload does; who asks is taken to obey.
    pub fn is_interrupted(&self) -> bool {
        self.shared.stop.notice()
    }

    /// A step of the workload is done, by whichever thread.
    pub fn step_done(&self) {
        self.shared.stop.step_done();
    }

    /// Ends the session: lets the machine finish what it is at, and gives the recorder back.
    ///
    /// # Errors
    /// It was ended before.
    pub fn end(&self) -> Result<R, SessionError> {
        self.shared.end().ok_or(SessionError::Ended)
    }

    /// Why a rundown could not be made, if one could not: what the recording keeps may not be replayed.
    pub fn no_rundown(&self) -> Option<&str> {
        self.shared.no_rundown()
    }

    /// Events that came after the session's end.
    pub fn late_events(&self) -> u64 {
        self.shared.late_events()
    }

    /// A thread of the session with a number that the caller chose, and that no other thread has at the same time. Threads
    /// that register by themselves get others from then on. To be dropped before the session is finished: a trace writer
    /// counts as lost what is still in its buffer then.
    pub fn thread(&self, number: u32) -> SessionThread<R> {
        SessionThread::new(self.clone(), number)
    }

    /// Makes an API call.
    pub fn call<C: Execute>(&self, call: C) -> C::Output {
        self.start_machine_for(C::LOCKS);
        self.on_current_thread(|thread| thread.call(&call))
    }

    /// Waits for an event: WaitForSingleObject. `timeout_ms` of u32::MAX waits for ever.
    ///
    /// # Errors
    /// E_HANDLE: there is no such event. DXGI_ERROR_INVALID_CALL: the session ended first.
    pub fn wait(&self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.shared.start_machine();
        self.on_current_thread(|thread| thread.wait(event, timeout_ms))
    }

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    pub fn release_device(&self, device: DeviceId) -> HResult<()> {
        self.shared.start_machine();
        self.on_current_thread(|thread| thread.release_device(device))
    }

    /// Records a mark, in order with the device's calls.
    pub fn mark<M: Mark>(&self, mark: M) {
        self.on_current_thread(|thread| thread.mark(&mark));
    }

    /// Records a mark about a Direct3D 11 context, in order with its calls.
    pub fn mark_on<M: Mark>(&self, context: D3d11ContextId, mark: M) {
        self.on_current_thread(|thread| thread.mark_on(context, &mark));
    }

    /// Records all that the runtime remembers, in the calling thread's stream: a replay can start from there. Every call is
    /// before it or behind it.
    ///
    /// # Errors
    /// There is something in it that a rundown cannot hold, which is named; nothing is recorded then.
    pub fn rundown(&self) -> Result<Rundown, RundownError> {
        self.on_current_thread(AppThread::rundown)
    }

    /// Maps a resource: ID3D12Resource::Map, ID3D11DeviceContext::Map. From here to the Unmap there are bytes behind its
    /// addresses, if the session was given a [`Memory`]; made by [`Session::call`], Map only says where. Direct3D 12 answers
    /// with the range of the whole resource, which is empty for a texture whose bytes do not lie in rows.
    ///
    /// # Errors
    /// The call's.
    pub fn map<C: MemoryCall>(&self, map: C) -> HResult<C::Answer> {
        self.start_machine_for(C::LOCKS);
        self.on_current_thread(|thread| thread.map(&map))
    }

    /// Ends what [`Session::map`] began: ID3D12Resource::Unmap, ID3D11DeviceContext::Unmap.
    ///
    /// # Errors
    /// The call's.
    pub fn unmap<C: MemoryCall<Answer = ()>>(&self, unmap: C) -> HResult<()> {
        self.map(unmap)
    }

    /// The machine's threads are started by the first call that may give them something to do.
    fn start_machine_for(&self, locks: LockSet) {
        if locks.queue {
            self.shared.start_machine();
        }
    }

    /// Runs on the calling thread's thread of the session.
    fn on_current_thread<T>(&self, run: impl FnOnce(&mut AppThread<SessionSink<R::Sink>>) -> T) -> T {
        self.shared.on_current_thread(run)
    }
}
