//! First pass of an import: kinds, their numbers, and the streams of the imported events.

use super::ImportOptions;
use super::kind::{HeaderClass, KindDescription, KindKey, described, identify, visited};
use foldhash::HashMap;
use std::collections::BTreeMap;
use taut_etl::{Decoder, Description, Descriptor, EmbeddedEvent, Etl, Guid, Record, item_types, provider_traits_name};

/// Largest number of a stream. Numbers from 65,536 on are threads of the machine in a session.
const MAX_STREAM: u32 = 0xFFFF;
/// Process and thread of events whose header has none; Windows itself uses the number for both.
const UNKNOWN: u32 = u32::MAX;

/// Events of one kind.
#[derive(Debug)]
pub struct SurveyedKind {
    pub key: KindKey,
    /// `None` for a payload that stays bytes.
    pub description: Option<KindDescription>,
    /// Descriptor of the first event.
    pub descriptor: Descriptor,
    /// Numbers of events in the file, and of imported ones.
    pub events: u64,
    pub imported: u64,
    /// Smallest and largest number of complete fields of an imported event.
    pub min_fields: usize,
    pub max_fields: usize,
    /// True if an imported event has bytes after its complete fields.
    pub has_rest: bool,
    /// True if the name of the provider is known.
    is_named: bool,
}

/// Result of the first pass.
#[derive(Debug, Default)]
pub struct Survey {
    pub kinds: Vec<SurveyedKind>,
    pub by_key: HashMap<KindKey, usize>,
    /// Process and thread of the streams from 1 on.
    pub threads: Vec<(u32, u32)>,
    pub streams: HashMap<(u32, u32), u32>,
    /// Threads that share the last stream.
    pub threads_beyond: u64,
    /// Layouts that the file carries.
    pub embedded: Vec<EmbeddedEvent>,
    /// Names of providers, from tables, descriptions and traits.
    pub provider_names: BTreeMap<Guid, String>,
    pub events: u64,
    /// Imported events with a negative tick, which get the stamp 0.
    pub before_zero: u64,
}

/// Choice of the events to import.
pub struct Filter<'o> {
    options: &'o ImportOptions,
    providers: Vec<Guid>,
}

impl<'o> Filter<'o> {
    /// Resolves the names of providers. An unknown name is an error that lists the file's providers.
    pub fn new(options: &'o ImportOptions, names: &BTreeMap<Guid, String>) -> Result<Self, crate::Error> {
        let mut found = Vec::new();
        for wanted in &options.providers {
            let by_name = |(_, name): &(&Guid, &String)| name.eq_ignore_ascii_case(wanted);
            let mut matches: Vec<Guid> = names.iter().filter(by_name).map(|(guid, _)| *guid).collect();
            matches.extend(Guid::parse(wanted).filter(|guid| names.contains_key(guid)));
            if matches.is_empty() {
                let known =
                    names.iter().map(|(guid, name)| if name.is_empty() { guid.to_string() } else { name.clone() });
                return Err(crate::Error::UnknownName {
                    what: "provider of the file",
                    name: wanted.clone(),
                    known: known.collect(),
                });
            }
            found.append(&mut matches);
        }
        Ok(Self { options, providers: found })
    }

    fn takes(&self, record: &Record<'_>, is_described: bool) -> bool {
        let options = self.options;
        let stamp = u64::try_from(record.tick).unwrap_or_default();
        (is_described || options.all)
            && (options.providers.is_empty() || record.provider.is_some_and(|guid| self.providers.contains(&guid)))
            && (options.processes.is_empty() || record.process.is_some_and(|id| options.processes.contains(&id)))
            && options.from.is_none_or(|from| stamp >= from)
            && options.to.is_none_or(|to| stamp <= to)
    }
}

/// Names of all providers that have events in the file. Reads the whole file.
pub fn provider_names(file: &Etl, decoder: &Decoder) -> BTreeMap<Guid, String> {
    let mut survey = Survey::default();
    let mut events = file.events();
    while let Some(record) = events.next_record() {
        survey.embedded.extend(EmbeddedEvent::parse(&record));
        survey.provider_name(decoder, &record);
    }
    survey.name_by_embedded();
    survey.provider_names
}

impl Survey {
    /// Counts all events. Reads the whole file; twice if it carries layouts, which `decoder` gets after the first time.
    pub fn new(file: &Etl, decoder: &mut Decoder, filter: &Filter<'_>) -> Self {
        let survey = Self::pass(file, decoder, filter);
        if survey.embedded.is_empty() {
            return survey;
        }
        decoder.add_embedded(survey.embedded);
        Self::pass(file, decoder, filter)
    }

    fn pass(file: &Etl, decoder: &Decoder, filter: &Filter<'_>) -> Self {
        let mut survey = Self::default();
        let mut events = file.events();
        while let Some(record) = events.next_record() {
            survey.embedded.extend(EmbeddedEvent::parse(&record));
            survey.record(decoder, &record, filter);
        }
        survey.name_by_embedded();
        survey
    }

    /// Names the provider of a record by its table or its traits. True if it has a name, or the record has no provider.
    fn provider_name(&mut self, decoder: &Decoder, record: &Record<'_>) -> bool {
        let Some(guid) = record.provider else { return true };
        let of_table = || decoder.provider(guid).map(|provider| provider.name.clone()).unwrap_or_default();
        let name = self.provider_names.entry(guid).or_insert_with(of_table);
        if name.is_empty() {
            let traits = record.extended().find(|item| item.item_type == item_types::PROVIDER_TRAITS);
            *name = traits.and_then(|item| provider_traits_name(item.data)).unwrap_or_default().to_owned();
        }
        !name.is_empty()
    }

    /// Names the other providers by the layouts that the file carries.
    fn name_by_embedded(&mut self) {
        for event in &self.embedded {
            if let Some(name) = self.provider_names.get_mut(&event.key.0).filter(|name| name.is_empty()) {
                name.clone_from(&event.provider);
            }
        }
    }

    fn record<'a>(&mut self, decoder: &'a Decoder, record: &Record<'a>, filter: &Filter<'_>) {
        self.events += 1;
        let (key, description) = identify(decoder, record);
        let index = match self.by_key.get(&key) {
            Some(index) => *index,
            None => {
                self.by_key.insert(key.clone(), self.kinds.len());
                self.kinds.push(SurveyedKind {
                    key,
                    description: described(&description),
                    descriptor: record.descriptor,
                    events: 0,
                    imported: 0,
                    min_fields: usize::MAX,
                    max_fields: 0,
                    has_rest: false,
                    is_named: false,
                });
                self.kinds.len() - 1
            }
        };
        if !self.kinds[index].is_named {
            self.kinds[index].is_named = self.provider_name(decoder, record);
        }
        let kind = &mut self.kinds[index];
        kind.events += 1;
        if !filter.takes(record, kind.description.is_some()) {
            return;
        }
        kind.imported += 1;
        let (fields, rest) = visited(&description, record, &mut |_, _| {});
        kind.min_fields = kind.min_fields.min(fields);
        kind.max_fields = kind.max_fields.max(fields);
        kind.has_rest |= !rest.is_empty();
        self.before_zero += u64::from(record.tick < 0);
        self.stream(record);
    }

    fn stream(&mut self, record: &Record<'_>) {
        let thread = stream_key(record);
        if self.streams.contains_key(&thread) {
            return;
        }
        if self.threads.len() < MAX_STREAM as usize {
            self.threads.push(thread);
        } else {
            self.threads_beyond += 1;
        }
        self.streams.insert(thread, self.threads.len() as u32);
    }

    /// Index of the record's kind, if its events are imported, its description, and its stream.
    pub fn find<'a>(
        &self,
        decoder: &'a Decoder,
        record: &Record<'a>,
        filter: &Filter<'_>,
    ) -> Option<(usize, Description<'a>, u32)> {
        let (key, description) = identify(decoder, record);
        let index = *self.by_key.get(&key)?;
        let is_described = self.kinds[index].description.is_some();
        let stream = *self.streams.get(&stream_key(record))?;
        filter.takes(record, is_described).then_some((index, description, stream))
    }
}

fn stream_key(record: &Record<'_>) -> (u32, u32) {
    (record.process.unwrap_or(UNKNOWN), record.thread.unwrap_or(UNKNOWN))
}

impl SurveyedKind {
    /// Name of the event before it is made unique.
    pub fn base_name(&self) -> String {
        let name = self.description.as_ref().map(|description| description.name.as_str()).unwrap_or_default();
        match (name, self.key.header) {
            ("", HeaderClass::Kernel) => format!("Hook_{:04x}", self.key.id),
            ("", HeaderClass::Classic) => format!("Classic_{}", self.key.id),
            ("", HeaderClass::Message) => format!("Message_{}", self.key.id),
            ("", HeaderClass::Error) => "Error".to_owned(),
            ("", HeaderClass::Event) => format!("Event_{}", self.key.id),
            (name, _) => name.to_owned(),
        }
    }
}
