//! Import of a Windows trace (.etl) into a trace of this project's format.
//!
//! The first pass counts the events of each kind, so that the header defines the kinds and states the counts; the second
//! pass writes the events. Names of providers as a choice, and layouts that the file carries, need one more pass each. A plain number has its width in the payload, a signed one in two's complement; GUIDs, SIDs,
//! SYSTEMTIMEs and binaries are bytes; an array of texts is one text with a line per element.

mod definitions;
mod kind;
mod redact;
mod row;
mod survey;
#[cfg(test)]
mod tests;

use crate::Error;
use crate::etl_info::{field_tables, open, start_unix_ns};
use definitions::Definitions;
use kind::{ValueMemory, decoded};
use row::RowEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use survey::{Filter, Survey, provider_names};
use taut_etl::{Decoder, Etl, Record};
use taut_traces::{
    ClockReading, Header, Identity, StreamInfo, ThreadWriter, Ticks, TraceWriter, Workload, World, WriteError,
};

/// Writers of streams at the same time: each has buffers of its own.
const MAX_OPEN_STREAMS: usize = 4_096;
/// Bytes of rows in open blocks. The block of a stream has up to 8 MiB: those of hundreds of threads would have
/// gigabytes.
const MAX_OPEN_BYTES: usize = 48 << 20;
/// Bytes of a row without its fields.
const ROW_HEAD_BYTES: usize = 16;
/// Entries of the parameter `counts`, which the header has to hold. Further kinds share one entry.
const MAX_COUNTS: usize = 8_192;

/// Choice of the events to import.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    pub file: PathBuf,
    /// Names or GUIDs of providers; empty for all.
    pub providers: Vec<String>,
    /// Ids of processes; empty for all.
    pub processes: Vec<u32>,
    /// First and last stamp.
    pub from: Option<u64>,
    pub to: Option<u64>,
    /// Imports events without a description too, with their payload as bytes.
    pub all: bool,
    /// Manifests (.man or .json) with field tables.
    pub manifests: Vec<PathBuf>,
    /// Replaces names of users and machines in texts, and removes bytes that may contain such names.
    pub redact: bool,
}

/// An opened file, before its output is created.
pub struct Import {
    options: ImportOptions,
    file: Etl,
    decoder: Decoder,
    /// Events of manifests whose fields cannot be decoded.
    pub unsupported: Vec<String>,
}

/// Result of an import.
#[derive(Debug, Default)]
pub struct Imported {
    /// Events in the file, imported ones, and bytes of the trace.
    pub file_events: u64,
    pub events: u64,
    pub bytes: u64,
    pub lost_events: u64,
    /// Events lost and buffers lost as Windows counted them.
    pub windows_lost: (u32, u32),
    /// Damage of the file; the first ones and the number of all.
    pub damage: Vec<String>,
    pub damage_count: u64,
    pub streams: u64,
    /// Threads that share the last stream.
    pub threads_beyond: u64,
    /// Events whose kind has no line of its own.
    pub other_events: u64,
    /// Events without a description that were counted only.
    pub undescribed_events: u64,
    pub before_zero: u64,
    pub invalid_units: u64,
    pub redacted_names: u64,
    pub removed_bytes: u64,
}

impl Import {
    /// Opens a file.
    ///
    /// # Errors
    /// The file is no ETL file, or cannot be read; or options exclude each other.
    pub fn new(options: ImportOptions) -> Result<Self, Error> {
        let file = open(&options.file)?;
        Self::of_file(file, options)
    }

    /// As [`new`](Self::new), of an open file. The path in `options` is its name only.
    ///
    /// # Errors
    /// A manifest cannot be read, or options exclude each other.
    pub fn of_file(file: Etl, options: ImportOptions) -> Result<Self, Error> {
        if options.all && options.redact {
            let why = "--redact: payloads that --all imports as bytes may contain names; use one of the two options";
            return Err(Error::usage(why));
        }
        if let (Some(from), Some(to)) = (options.from, options.to)
            && from > to
        {
            return Err(Error::Usage(format!("--from {from}: expected a stamp of at most {to} (--to)")));
        }
        let (tables, unsupported) = field_tables(&options.manifests)?;
        let decoder = Decoder::of_tables(&file, tables);
        Ok(Self { options, file, decoder, unsupported })
    }

    /// Imports the events into the trace that `writer` creates.
    ///
    /// # Errors
    /// The file has no events of a named provider, or the trace cannot be written.
    pub fn write(&mut self, writer: impl FnOnce(Header) -> Result<TraceWriter, WriteError>) -> Result<Imported, Error> {
        let names = match self.options.providers.is_empty() {
            true => BTreeMap::new(),
            false => provider_names(&self.file, &self.decoder),
        };
        let filter = Filter::new(&self.options, &names)?;
        let (file, decoder) = (&self.file, &mut self.decoder);
        // The hash needs as long as the pass.
        let (survey, sha256) = std::thread::scope(|scope| {
            let hash = scope.spawn(|| hexadecimal(&Sha256::digest(file.bytes())));
            let survey = Survey::new(file, decoder, &filter);
            (survey, hash.join().unwrap_or_default())
        });
        let definitions = Definitions::new(&survey, &self.decoder);
        let writer = writer(self.header(&survey, &definitions, sha256))?;
        self.clock_reading().into_iter().for_each(|reading| writer.add_clock_reading(reading));
        let mut output = Output {
            writer: &writer,
            survey: &survey,
            definitions: &definitions,
            threads: Vec::new(),
            open_threads: 0,
            open_bytes: 0,
            values: ValueMemory::new(),
            rows: RowEncoder::new(self.options.redact),
            other_events: 0,
        };
        let mut events = self.file.events();
        while let Some(record) = events.next_record() {
            output.record(&self.decoder, &record, &filter);
        }
        let damages = self.file.damage().stored().iter().chain(events.damage().stored());
        let damage = damages.map(ToString::to_string).collect();
        let damage_count = self.file.damage().total() + events.damage().total();
        let Output { rows, other_events, threads, .. } = output;
        drop(threads);
        let written = writer.finish()?;
        let header = self.file.header();
        let undescribed = survey.kinds.iter().filter(|kind| kind.description.is_none());
        Ok(Imported {
            file_events: survey.events,
            events: written.events,
            bytes: written.bytes,
            lost_events: written.lost_events,
            windows_lost: (header.events_lost, header.buffers_lost),
            damage,
            damage_count,
            streams: survey.threads.len() as u64,
            threads_beyond: survey.threads_beyond,
            other_events,
            undescribed_events: undescribed.map(|kind| kind.events - kind.imported).sum(),
            before_zero: survey.before_zero,
            invalid_units: rows.invalid_units,
            redacted_names: rows.redacted_names,
            removed_bytes: rows.removed_bytes,
        })
    }

    /// Time of the session's start. Without a frequency or a start, stamps have no time.
    fn clock_reading(&self) -> Option<ClockReading> {
        let header = self.file.header();
        header.ticks_per_second()?;
        let ticks = u64::try_from(header.tick).ok()?;
        let utc_ns = start_unix_ns(header)?;
        // FILETIME has units of 100 ns.
        Some(ClockReading { ticks, monotonic_ns: 0, utc_ns, error_ns: 100 })
    }

    fn header(&self, survey: &Survey, definitions: &Definitions, sha256: String) -> Header {
        let header = self.file.header();
        let checked = |text: &str| {
            let mut text = text.to_owned();
            if self.options.redact {
                redact::redact(&mut text);
            }
            text
        };
        let start = start_unix_ns(header).map(|ns| UNIX_EPOCH + Duration::from_nanos(ns));
        let parameters = [
            ("origin", json!(Workload::IMPORTED)),
            ("sha256", json!(sha256)),
            ("windows_build", json!(header.windows_build)),
            ("session", json!(checked(&header.session))),
            ("processors", json!(header.processors)),
            ("start_utc", json!(start.map(|start| humantime::format_rfc3339_micros(start).to_string()))),
            ("events_lost", json!(header.events_lost)),
            ("buffers_lost", json!(header.buffers_lost)),
            ("threads_beyond", json!(survey.threads_beyond)),
            ("counts", counts(survey)),
        ];
        let name = self.options.file.file_name().unwrap_or_default().to_string_lossy();
        let parameters = parameters.map(|(name, value)| (name.to_owned(), value)).into();
        let ticks_per_second = header.ticks_per_second().and_then(|ticks| u64::try_from(ticks).ok());
        let world = World {
            workload: Workload { name: checked(&name), parameters },
            clock: Ticks { source: "windows".to_owned(), ticks_per_second: ticks_per_second.unwrap_or_default() },
            ..World::default()
        };
        let identity = Identity::derived("taut import", env!("CARGO_PKG_VERSION"), &world);
        Header { identity, schema: definitions.table.clone(), world }
    }
}

/// Numbers of events in the file and imported, by provider, header, id, version and TraceLogging name. The numbers add up
/// to the file's.
fn counts(survey: &Survey) -> Value {
    let mut kinds: Vec<_> = survey.kinds.iter().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.events));
    let (listed, rest) = kinds.split_at(kinds.len().min(MAX_COUNTS));
    let entry = |kind: &&survey::SurveyedKind| {
        json!({
            "provider": kind.key.provider.map(|guid| guid.to_string()),
            "header": kind.key.header.name(),
            "id": kind.key.id,
            "version": kind.key.version,
            "number": kind.events,
            "imported": kind.imported,
            "described": kind.description.is_some(),
        })
    };
    let mut entries: Vec<Value> = listed.iter().map(entry).collect();
    if !rest.is_empty() {
        let (number, imported) = rest.iter().fold((0, 0), |sum, kind| (sum.0 + kind.events, sum.1 + kind.imported));
        entries.push(json!({"provider": null, "header": "further kinds", "number": number, "imported": imported}));
    }
    Value::Array(entries)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// State of the second pass.
struct Output<'w> {
    writer: &'w TraceWriter,
    survey: &'w Survey,
    definitions: &'w Definitions,
    /// Writers by stream, of which `open_threads` exist.
    threads: Vec<Option<ThreadWriter>>,
    open_threads: usize,
    /// Bytes of rows since the writers were closed.
    open_bytes: usize,
    values: ValueMemory,
    rows: RowEncoder,
    other_events: u64,
}

impl Output<'_> {
    fn record<'a>(&mut self, decoder: &'a Decoder, record: &Record<'a>, filter: &Filter<'_>) {
        let Some((index, description, stream)) = self.survey.find(decoder, record, filter) else { return };
        let code = match (&self.definitions.lines[index], self.definitions.other) {
            (Some(line), _) => {
                let payload = decoded(&description, record, std::mem::take(&mut self.values));
                self.rows.encode(line, &payload);
                self.values = payload.into_memory();
                line.code
            }
            (None, Some(other)) => {
                self.rows.encode_other(&self.survey.kinds[index], record.payload);
                self.other_events += 1;
                other
            }
            (None, None) => return,
        };
        // SQL has signed stamps; a negative tick is before every clock of Windows.
        let stamp = u64::try_from(record.tick).unwrap_or_default();
        let (row, index) = (std::mem::take(&mut self.rows.row), stream as usize - 1);
        if self.threads.get(index).is_none_or(Option::is_none) {
            self.open(stream, index);
        }
        if let Some(Some(writer)) = self.threads.get_mut(index) {
            writer.event(code, stamp, |encoder| encoder.raw(&row));
        }
        self.open_bytes += row.len() + ROW_HEAD_BYTES;
        self.rows.row = row;
        if self.open_bytes >= MAX_OPEN_BYTES {
            self.close();
        }
    }

    /// Closes the writers and the blocks of their streams.
    #[cold]
    fn close(&mut self) {
        self.threads.clear();
        (self.open_threads, self.open_bytes) = (0, 0);
    }

    /// Opens the writer of a stream, after the others are closed if they are too many.
    #[cold]
    fn open(&mut self, stream: u32, index: usize) {
        if self.open_threads >= MAX_OPEN_STREAMS {
            self.close();
        }
        let (process, thread) = self.survey.threads[index];
        let info = StreamInfo { stream, process, system_thread: thread.into(), name: String::new() };
        self.threads.resize_with(self.threads.len().max(index + 1), || None);
        self.threads[index] = Some(self.writer.stream(info));
        self.open_threads += 1;
    }
}

impl Imported {
    /// True if a part of the file could not be read.
    pub fn is_incomplete(&self) -> bool {
        self.damage_count > 0 || self.lost_events > 0
    }

    /// The result as JSON. `file` names the trace.
    pub fn json(&self, file: &Path) -> Value {
        json!({
            "file": file.to_string_lossy(),
            "file_events": self.file_events,
            "events": self.events,
            "bytes": self.bytes,
            "lost_events": self.lost_events,
            "windows_events_lost": self.windows_lost.0,
            "windows_buffers_lost": self.windows_lost.1,
            "undescribed_events": self.undescribed_events,
            "other_events": self.other_events,
            "streams": self.streams,
            "threads_beyond": self.threads_beyond,
            "stamps_before_zero": self.before_zero,
            "invalid_units": self.invalid_units,
            "redacted_names": self.redacted_names,
            "removed_bytes": self.removed_bytes,
            "damage": self.damage,
            "damage_count": self.damage_count,
        })
    }
}
