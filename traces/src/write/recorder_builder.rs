//! Builder for recordings of application-defined events.

use crate::format::clock::Clock;
use crate::format::error::WriteError;
use crate::format::header::{Header, HeaderError, Ticks, Workload, World};
use crate::format::identity::Identity;
use crate::write::event_recorder::Recorder;
use crate::write::options::WriteOptions;
use crate::write::writer::TraceWriter;
use std::any::TypeId;
use std::fmt;
use std::path::Path;
use taut_schemas::{EventList, Level, SchemaTable};

/// Callback for a failure of the output.
type OnError = Box<dyn FnOnce(&WriteError) + Send>;

/// Builder for a [`Recorder`].
pub struct RecorderBuilder {
    schema: SchemaTable,
    bases: Vec<(TypeId, u32)>,
    /// Error of the header, reported by [`create`](Self::create).
    fault: Option<HeaderError>,
    workload: Workload,
    recorder: (String, String),
    clock: Clock,
    level: Level,
    keywords: u64,
    options: WriteOptions,
    on_error: Option<OnError>,
}

impl fmt::Debug for RecorderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecorderBuilder").field("workload", &self.workload).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Creates a builder; `name` is the program's name in the trace.
    pub fn builder(name: impl Into<String>) -> RecorderBuilder {
        RecorderBuilder::new(name.into())
    }
}

impl RecorderBuilder {
    fn new(name: String) -> RecorderBuilder {
        RecorderBuilder {
            schema: SchemaTable::default(),
            bases: Vec::new(),
            fault: None,
            recorder: (name.clone(), String::new()),
            workload: Workload { name, ..Workload::default() },
            clock: Clock::best(),
            level: Level::Verbose,
            keywords: u64::MAX,
            options: WriteOptions::default(),
            on_error: None,
        }
    }

    /// Adds a list of events to be recorded.
    pub fn list<L: EventList>(mut self) -> Self {
        let provider = L::provider().name;
        let is_known = self.schema.providers.iter().any(|known| known.name == provider);
        let fault = |expected, found: String| HeaderError::Schema { event: provider.clone(), expected, found };
        if is_known {
            self.fault = Some(fault("a provider once", "another list of that name".to_owned()));
        } else {
            match self.schema.add_list::<L>() {
                Some(base) => self.bases.push((TypeId::of::<L>(), base)),
                None => self.fault = Some(fault("numbers up to 16,383 in all lists", "more".to_owned())),
            }
        }
        let of_list = || self.schema.events.iter().filter(|event| event.provider == provider);
        if let Some(twice) = of_list().find(|event| of_list().filter(|other| other.name == event.name).count() > 1) {
            self.fault = Some(fault("events with different names", format!("two of `{}`", twice.name)));
        }
        self
    }

    /// Adds a list of rarely used events: the trace defines them when the first one is recorded.
    pub fn list_when_used<L: EventList>(self) -> Self {
        let (mut builder, provider) = (self.list::<L>(), L::provider().name);
        for known in builder.schema.providers.iter_mut().filter(|known| known.name == provider) {
            known.defined_when_used = true;
        }
        builder
    }

    /// Sets the program's version in the trace.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.recorder.1 = version.into();
        self
    }

    /// Adds a parameter of the recorded workload to the trace.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.workload.parameters.insert(name.into(), value.into());
        self
    }

    /// Sets the clock of the stamps; the default is the most precise one of the machine.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Records only events of this level or a more severe one; the default is all.
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Among events with keywords, records only those that share a keyword with `keywords`; the default is all.
    pub fn keywords(mut self, keywords: u64) -> Self {
        self.keywords = keywords;
        self
    }

    /// Sets the options for writing the trace.
    pub fn options(mut self, options: WriteOptions) -> Self {
        self.options = options;
        self
    }

    /// Registers a callback for a failure of the output, which is called once, immediately, on a thread of the
    /// recorder.
    pub fn on_error(mut self, call: impl FnOnce(&WriteError) + Send + 'static) -> Self {
        self.on_error = Some(Box::new(call));
        self
    }

    /// Begins the recording. Recorded events survive the process ([`TraceWriter::record`]).
    ///
    /// # Errors
    /// As [`TraceWriter::record`]; or two lists have the same name, or two events of a list.
    pub fn create(self, path: impl AsRef<Path>) -> Result<Recorder, WriteError> {
        if let Some(fault) = self.fault {
            return Err(WriteError::Header(fault));
        }
        let ticks_per_second = self.clock.ticks_per_second();
        let clock = Ticks { source: self.clock.source().to_owned(), ticks_per_second };
        let world = World { workload: self.workload, clock, ..World::default() };
        let (name, version) = &self.recorder;
        let identity = match self.clock {
            Clock::Logical => Identity::derived(name, version, &world),
            _ => Identity::random(name, version),
        };
        let writer = TraceWriter::record(path, Header { identity, schema: self.schema, world }, self.options)?;
        writer.keep_time(self.clock);
        if let Some(call) = self.on_error {
            writer.on_failure(call);
        }
        Ok(Recorder::new(writer, self.clock, self.bases, self.level, self.keywords))
    }
}
