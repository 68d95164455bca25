//! Contents of a Windows trace (.etl): session, clock, events by header, provider and id, decoding, losses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use taut_etl::{
    Decoded, Decoder, Etl, Fit, Guid, Kind, LogHeader, Manifest, ManifestError, Provider, Record, item_types,
    provider_traits_name,
};

use crate::Error;

pub use taut_etl::Guid as ProviderId;

/// FILETIME of 1970-01-01.
const UNIX_EPOCH_FILETIME: i64 = 116_444_736_000_000_000;

/// Counts of one provider's events.
#[derive(Debug, Default)]
pub struct ProviderCount {
    pub guid: Guid,
    /// From a field table or the provider's own description. Empty if neither has it.
    pub name: String,
    pub events: u64,
}

/// Counts of one event of a provider.
#[derive(Debug, Default)]
pub struct EventCount {
    /// Symbol in the field table. Empty without one.
    pub name: String,
    pub events: u64,
    pub exact: u64,
    /// Events with bytes after the last field, by the number of bytes.
    pub trailing: BTreeMap<usize, u64>,
    pub short: u64,
    pub unknown: u64,
    /// Events without any description.
    pub raw: u64,
}

/// Contents of a file.
#[derive(Default)]
pub struct EtlContents {
    pub events: u64,
    pub by_header: BTreeMap<&'static str, u64>,
    pub extended_items: BTreeMap<u16, u64>,
    /// By number of events, most first.
    pub providers: Vec<ProviderCount>,
    /// By provider, id and version.
    pub by_event: BTreeMap<(Guid, u16, u8), EventCount>,
    pub threads: usize,
    pub processes: usize,
    /// Time from the first to the last event, without the header's own record. `None` without a frequency.
    pub span_s: Option<f64>,
    /// Damage in the order in which the reader found it.
    pub damage: Vec<String>,
    /// Number of all damages; `damage` has the first of them.
    pub damage_count: u64,
}

/// An open file and its contents.
pub struct EtlInfo {
    /// Events of manifests whose fields cannot be decoded.
    pub unsupported: Vec<String>,
    pub file: Etl,
    pub contents: EtlContents,
}

/// Reads a whole file, with the field tables of manifests (.man or .json) in addition to the known ones.
///
/// # Errors
/// A file cannot be opened, or is not of its format. Damage is part of the value.
pub fn read(path: &Path, manifests: &[PathBuf]) -> Result<EtlInfo, Error> {
    let (tables, unsupported) = field_tables(manifests)?;
    let file = open(path)?;
    let contents = Counting::new(Decoder::with_tables(&file, tables)).run(&file);
    Ok(EtlInfo { unsupported, file, contents })
}

/// Field tables by provider.
type FieldTables = HashMap<Guid, Provider>;

/// Tables of manifests, and the events that these describe and that cannot be decoded.
pub(crate) fn field_tables(manifests: &[PathBuf]) -> Result<(FieldTables, Vec<String>), Error> {
    let (mut tables, mut unsupported) = (HashMap::new(), Vec::new());
    for path in manifests {
        let manifest = Manifest::read(path).map_err(|error| {
            let error = match error {
                ManifestError::Io(error) => Error::io(error),
                error => Error::input(error),
            };
            error.context(path.display().to_string())
        })?;
        tables.extend(manifest.providers);
        unsupported.extend(manifest.unsupported);
    }
    Ok((tables, unsupported))
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> Result<Etl, Error> {
    Etl::open(path).map_err(|error| match error {
        taut_etl::Error::Io(error) => Error::Io(error.into()),
        error => Error::Input(error.into()),
    })
}

/// Nanoseconds since 1970 of the session's start. `None` if the header has no valid time.
pub(crate) fn start_unix_ns(header: &LogHeader) -> Option<u64> {
    let since = header.start_date()?.checked_sub(UNIX_EPOCH_FILETIME)?;
    u64::try_from(since).ok()?.checked_mul(100)
}

/// State of the pass over all events.
struct Counting {
    decoder: Decoder,
    contents: EtlContents,
    providers: BTreeMap<Guid, ProviderCount>,
    threads: BTreeSet<u32>,
    processes: BTreeSet<u32>,
    first: Option<i64>,
    last: i64,
}

impl Counting {
    fn new(decoder: Decoder) -> Self {
        Self {
            decoder,
            contents: EtlContents::default(),
            providers: BTreeMap::new(),
            threads: BTreeSet::new(),
            processes: BTreeSet::new(),
            first: None,
            last: 0,
        }
    }

    fn run(mut self, file: &Etl) -> EtlContents {
        let mut events = file.events();
        while let Some(record) = events.next_record() {
            self.record(&record);
        }
        let mut contents = self.contents;
        let damages = file.damage().stored().iter().chain(events.damage().stored());
        contents.damage = damages.map(ToString::to_string).collect();
        contents.damage_count = file.damage().total() + events.damage().total();
        contents.providers = self.providers.into_values().collect();
        contents.providers.sort_by_key(|provider| std::cmp::Reverse(provider.events));
        contents.threads = self.threads.len();
        contents.processes = self.processes.len();
        let ticks = i128::from(self.last) - i128::from(self.first.unwrap_or(self.last));
        contents.span_s = file.header().ticks_per_second().map(|frequency| ticks as f64 / frequency as f64);
        contents
    }

    fn record(&mut self, record: &Record<'_>) {
        let contents = &mut self.contents;
        let is_header = record.hook == Some(0) && matches!(record.kind, Kind::System32 | Kind::System64);
        contents.events += 1;
        *contents.by_header.entry(record.kind.name()).or_default() += 1;
        for item in record.extended() {
            *contents.extended_items.entry(item.item_type).or_default() += 1;
        }
        if !is_header {
            self.first.get_or_insert(record.tick);
            self.last = record.tick;
        }
        let Some(guid) = record.provider else { return };
        let provider = self.providers.entry(guid).or_insert_with(|| {
            let name = self.decoder.provider(guid).map(|table| table.name.clone()).unwrap_or_default();
            ProviderCount { guid, name, events: 0 }
        });
        provider.events += 1;
        if provider.name.is_empty() {
            let traits = record.extended().find(|item| item.item_type == item_types::PROVIDER_TRAITS);
            provider.name = traits.and_then(|item| provider_traits_name(item.data)).unwrap_or_default().to_owned();
        }
        if matches!(record.kind, Kind::Event32 | Kind::Event64) {
            self.threads.extend(record.thread);
            self.processes.extend(record.process);
            self.event(guid, record);
        }
    }

    fn event(&mut self, guid: Guid, record: &Record<'_>) {
        let (id, version) = (record.descriptor.id, record.descriptor.version);
        let count = self.contents.by_event.entry((guid, id, version)).or_insert_with(|| {
            let event = self.decoder.provider(guid).and_then(|table| table.event(id, version));
            EventCount { name: event.map(|event| event.symbol.clone()).unwrap_or_default(), ..EventCount::default() }
        });
        count.events += 1;
        match self.decoder.decode(record, &mut |_, _| {}) {
            Decoded::Fits(Fit::Exact) => count.exact += 1,
            Decoded::Fits(Fit::Trailing(bytes)) => *count.trailing.entry(bytes).or_default() += 1,
            Decoded::Fits(Fit::ShortAfter(_)) => count.short += 1,
            Decoded::UnknownVersion => count.unknown += 1,
            Decoded::Raw => count.raw += 1,
        }
    }
}

impl EtlInfo {
    /// `no`, or the number of compressed buffers and their format.
    pub fn compression(&self) -> String {
        match self.file.compression() {
            Some(format) => format!("{} {}", self.file.counts().compressed, format.name()),
            None => "no".to_owned(),
        }
    }

    /// Nanoseconds since 1970 of the session's start. `None` if the header has no valid time.
    pub fn start_unix_ns(&self) -> Option<u64> {
        start_unix_ns(self.file.header())
    }

    /// Start of the session as `2019-04-26T21:03:04.578344`, UTC. `None` if the header has no valid time.
    pub fn start_utc(&self) -> Option<String> {
        let start = UNIX_EPOCH + Duration::from_nanos(self.start_unix_ns()?);
        let text = humantime::format_rfc3339_micros(start).to_string();
        Some(text.trim_end_matches('Z').to_owned())
    }

    /// The result as JSON. `file` names the file.
    pub fn json(&self, file: &str) -> Value {
        let (header, counts, contents) = (self.file.header(), self.file.counts(), &self.contents);
        let provider = |p: &ProviderCount| json!({"guid": p.guid.to_string(), "name": p.name, "events": p.events});
        let event = |((guid, id, version), count): (&(Guid, u16, u8), &EventCount)| {
            json!({
                "provider": guid.to_string(), "id": id, "version": version, "name": count.name, "events": count.events,
                "exact": count.exact, "trailing": count.trailing, "short": count.short, "unknown": count.unknown,
                "raw": count.raw,
            })
        };
        json!({
            "file": file,
            "bytes": self.file.size_bytes(),
            "windows_build": header.windows_build,
            "pointer_size_of_header": header.pointer_bytes,
            "buffers": counts.buffers,
            "compression": self.compression(),
            "events": contents.events,
            "by_header": contents.by_header,
            "clock": header.clock_type,
            "perf_freq": header.perf_frequency,
            "span_s": contents.span_s.map(|span| (span * 1e3).round() / 1e3),
            "events_lost": header.events_lost,
            "buffers_lost": header.buffers_lost,
            "buffers_with_lost_events": counts.with_events_lost,
            "buffers_after_a_lost_buffer": counts.with_buffer_lost,
            "session": header.session,
            "start_utc": self.start_utc(),
            "log_file_mode": format!("{:#x}", header.log_file_mode),
            "extended_items": contents.extended_items,
            "providers": contents.providers.iter().map(provider).collect::<Vec<_>>(),
            "by_event": contents.by_event.iter().map(event).collect::<Vec<_>>(),
            "threads": contents.threads,
            "processes": contents.processes,
            "damage": contents.damage,
            "damage_count": contents.damage_count,
        })
    }
}
