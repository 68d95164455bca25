//! A recording: the live shell with a trace writer behind it.

use crate::clock::Clock;
use crate::shell::{AppThread, EventSink, Shell};
use crate::workloads::{Caller, Callers};
use std::path::Path;
use taut_runtime::{Execute, Profile, Settings};
use taut_schemas::{Encoder, EventCode, Mark, SchemaTable};
use taut_traces::{Header, ThreadWriter, TraceWriter, Workload, World, WriteError, WriteOptions, WriteSummary};

/// A session that is being recorded.
pub struct Session {
    shell: Shell,
    writer: TraceWriter,
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
        let header = header(profile, &settings, workload, &clock);
        let writer = TraceWriter::create(path, header, options)?;
        let shell = Shell::new(settings, taut_runtime::driver(profile), clock);
        Ok(Session { shell, writer })
    }

    /// Ends the recording: writes what is still in the buffers, and the index.
    ///
    /// # Errors
    /// The file could not be written to its end; what was written is a valid trace.
    pub fn finish(self) -> Result<WriteSummary, WriteError> {
        self.writer.finish()
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
pub struct SessionThread<'s>(AppThread<'s, ThreadWriter>);

impl EventSink for ThreadWriter {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        ThreadWriter::event(self, code, stamp, payload);
    }
}

impl Caller for SessionThread<'_> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        self.0.call(&call)
    }

    fn mark<M: Mark>(&mut self, mark: M) {
        self.0.mark(&mark);
    }

    fn last_stamp(&self) -> u64 {
        self.0.last_stamp()
    }

    fn observe(&mut self, stamp: u64) {
        self.0.observe(stamp);
    }
}

impl Callers for Session {
    type Caller<'a> = SessionThread<'a>;

    fn caller(&self, thread: u32) -> SessionThread<'_> {
        SessionThread(self.shell.thread(self.writer.thread(thread)))
    }
}
