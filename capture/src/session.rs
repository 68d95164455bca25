//! A session: the live shell, and behind it a trace writer, or nothing.

use crate::clock::Clock;
use crate::machine::{Machine, WorkerPriorities};
use crate::shell::{AppThread, EventSink, Shell};
use crate::stop::Stop;
use crate::workloads::{Caller, Callers};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use taut_runtime::{Execute, Profile, Settings};
use taut_schemas::{DeviceId, Encoder, EventCode, EventHandle, HResult, Mark, SchemaTable, WaitStatus};
use taut_traces::{Header, ThreadWriter, TraceWriter, Workload, World, WriteError, WriteOptions, WriteSummary};

/// Where the events of a session's threads go.
pub trait Recorder: Sync {
    /// Takes one thread's events.
    type Sink: EventSink + Send + 'static;

    /// The sink of the thread with this number.
    fn sink(&self, thread: u32) -> Self::Sink;
}

impl Recorder for TraceWriter {
    type Sink = ThreadWriter;

    fn sink(&self, thread: u32) -> ThreadWriter {
        self.thread(thread)
    }
}

/// Keeps nothing: to see what a workload costs without a recorder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    type Sink = Unrecorded;

    fn sink(&self, _: u32) -> Unrecorded {
        Unrecorded
    }
}

impl EventSink for Unrecorded {
    fn event(&mut self, _: EventCode, _: u64, _: &dyn Fn(&mut Encoder<'_>)) {}
}

/// A session, recorded to a file unless said otherwise.
pub struct Session<R: Recorder = TraceWriter> {
    shell: Arc<Shell>,
    recorder: R,
    settings: Settings,
    priorities: Arc<WorkerPriorities>,
    /// Started by the first call that may give it something to do.
    machine: OnceLock<Option<Machine>>,
    stop: Stop,
}

impl Session {
    /// Starts a recording to a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(
        path: &Path,
        profile: &Profile,
        settings: Settings,
        workload: Workload,
        clock: Clock,
        options: WriteOptions,
    ) -> Result<Session, WriteError> {
        let create = |header| TraceWriter::create(path, header, options);
        Session::record(create, profile, settings, workload, clock)
    }

    /// Starts a recording by the writer that `open` makes for its header.
    ///
    /// # Errors
    /// As `open`.
    pub fn record(
        open: impl FnOnce(Header) -> Result<TraceWriter, WriteError>,
        profile: &Profile,
        settings: Settings,
        workload: Workload,
        clock: Clock,
    ) -> Result<Session, WriteError> {
        let header = header(profile, &settings, workload, &clock);
        Ok(Session::of(open(header)?, profile, settings, clock))
    }

    /// Ends the recording: lets the machine finish what it is at, and writes what is still in the buffers, and the index.
    ///
    /// # Errors
    /// The file could not be written to its end; what was written is a valid trace.
    pub fn finish(self) -> Result<WriteSummary, WriteError> {
        let stop = self.stop.clone();
        let writer = self.end();
        if stop.was_noticed() {
            writer.mark_interrupted();
        }
        writer.finish()
    }
}

impl Session<Unrecorded> {
    /// A session that nobody records.
    pub fn unrecorded(profile: &Profile, settings: Settings, clock: Clock) -> Session<Unrecorded> {
        Session::of(Unrecorded, profile, settings, clock)
    }
}

impl<R: Recorder> Session<R> {
    fn of(recorder: R, profile: &Profile, settings: Settings, clock: Clock) -> Session<R> {
        let priorities = Arc::new(WorkerPriorities::default());
        let told = Arc::clone(&priorities);
        let shell = Shell::new(settings.clone(), taut_runtime::driver(profile), clock)
            .with_priorities(Box::new(move |worker, priority| told.want(worker, priority)));
        Session {
            shell: Arc::new(shell),
            recorder,
            settings,
            priorities,
            machine: OnceLock::new(),
            stop: Stop::default(),
        }
    }

    /// The same session, which ends early when `stop` is asked to.
    pub fn with_stop(self, stop: Stop) -> Self {
        Session { stop, ..self }
    }

    /// The machine's threads, started once. A system that gives no threads leaves tasks and queues where they are.
    fn start_machine(&self) {
        self.machine.get_or_init(|| {
            let sink = |thread| self.recorder.sink(thread);
            let started = Machine::start(&self.shell, &self.settings, &self.priorities, sink);
            started.inspect_err(|_| self.shell.close()).ok()
        });
    }

    /// Ends the session: lets the machine finish what it is at.
    pub fn end(self) -> R {
        self.shell.close();
        if let Some(machine) = self.machine.into_inner().flatten() {
            machine.join();
        }
        self.recorder
    }
}

/// What a trace of this session begins with: everything that decides how it behaves.
pub fn header(profile: &Profile, settings: &Settings, workload: Workload, clock: &Clock) -> Header {
    let world = World {
        driver: profile.name.clone(),
        profile: serde_json::to_value(profile).unwrap_or_default(),
        rules: settings.rules.to_string(),
        settings: serde_json::to_value(settings).unwrap_or_default(),
        workload,
        clock: taut_traces::Clock { source: clock.source().to_owned(), ticks_per_second: clock.ticks_per_second() },
    };
    Header { schema: SchemaTable::current(), world }
}

/// One application thread of a session.
pub struct SessionThread<'s, R: Recorder = TraceWriter> {
    session: &'s Session<R>,
    thread: AppThread<'s, R::Sink>,
}

impl EventSink for ThreadWriter {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        ThreadWriter::event(self, code, stamp, payload);
    }
}

impl<R: Recorder> Caller for SessionThread<'_, R> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        if C::LOCKS.queue {
            self.session.start_machine();
        }
        self.thread.call(&call)
    }

    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.session.start_machine();
        self.thread.wait(event, timeout_ms)
    }

    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.session.start_machine();
        self.thread.release_device(device)
    }

    fn mark<M: Mark>(&mut self, mark: M) {
        self.thread.mark(&mark);
    }

    fn is_interrupted(&self) -> bool {
        self.session.stop.notice()
    }

    fn last_stamp(&self) -> u64 {
        self.thread.last_stamp()
    }

    fn observe(&mut self, stamp: u64) {
        self.thread.observe(stamp);
    }
}

impl<R: Recorder> Callers for Session<R> {
    type Caller<'a>
        = SessionThread<'a, R>
    where
        R: 'a;

    fn caller(&self, thread: u32) -> SessionThread<'_, R> {
        SessionThread { session: self, thread: self.shell.thread(self.recorder.sink(thread)) }
    }
}
