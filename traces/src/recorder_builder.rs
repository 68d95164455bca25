//! What a recording of one's own events is to be like.

use crate::clock::Clock;
use crate::error::WriteError;
use crate::event_recorder::Recorder;
use crate::header::{Header, HeaderError, Ticks, Workload, World};
use crate::identity::Identity;
use crate::options::WriteOptions;
use crate::writer::TraceWriter;
use std::any::TypeId;
use std::fmt;
use std::path::Path;
use taut_schemas::{EventList, Level, SchemaTable};

/// Hears what is wrong when the output fails.
type OnError = Box<dyn FnOnce(&WriteError) + Send>;

/// Makes a [`Recorder`].
pub struct RecorderBuilder {
    schema: SchemaTable,
    bases: Vec<(TypeId, u32)>,
    /// Why its header could not be written.
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
    /// A recording to be, of a program that its trace calls `name`.
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

    /// Records events of this list, too.
    pub fn list<L: EventList>(mut self) -> Self {
        let provider = L::provider().name;
        let is_there = self.schema.providers.iter().any(|known| known.name == provider);
        let fault = |expected, found: String| HeaderError::Schema { event: provider.clone(), expected, found };
        if is_there {
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

    /// The same of a list of which few recordings have an event: the trace defines its events when the first one comes.
    pub fn list_when_used<L: EventList>(self) -> Self {
        let (mut builder, provider) = (self.list::<L>(), L::provider().name);
        for known in builder.schema.providers.iter_mut().filter(|known| known.name == provider) {
            known.defined_when_used = true;
        }
        builder
    }

    /// Says in the trace which version of the program recorded it.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.recorder.1 = version.into();
        self
    }

    /// Says in the trace what was recorded with this setting.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.workload.parameters.insert(name.into(), value.into());
        self
    }

    /// Stamps events by this clock, not the best one of the machine.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Records events of this level and those that matter more; without, all.
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Of events that have keywords, records those with at least one of these; without, all.
    pub fn keywords(mut self, keywords: u64) -> Self {
        self.keywords = keywords;
        self
    }

    /// Says how the trace is written.
    pub fn options(mut self, options: WriteOptions) -> Self {
        self.options = options;
        self
    }

    /// Has `call` hear what is wrong when the output fails, once and at that moment, on a thread of the recorder's.
    pub fn on_error(mut self, call: impl FnOnce(&WriteError) + Send + 'static) -> Self {
        self.on_error = Some(Box::new(call));
        self
    }

    /// Begins the recording. What is recorded outlives the process ([`TraceWriter::record`]).
    ///
    /// # Errors
    /// As [`TraceWriter::record`]; or two lists have one name, or two events of a list.
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
        Ok(Recorder::new(writer, self.clock, self.bases, (self.level, self.keywords)))
    }
}
