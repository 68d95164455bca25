//! Choice of an event's layout: field tables, TraceLogging, layouts in the file, none.

use std::collections::HashMap;

use crate::decode::{Fit, Layout, Value, decode};
use crate::embedded::{EmbeddedEvent, EventKey};
use crate::extended::item_types;
use crate::file::Etl;
use crate::guid::Guid;
use crate::record::{Kind, Record};
use crate::tables::{EventTable, Provider, known_provider};
use crate::tracelogging::TraceLoggingSchema;

/// Result of decoding one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decoded {
    Fits(Fit),
    /// The provider has a table, without this id and version.
    UnknownVersion,
    /// No description: the payload is bytes.
    Raw,
}

/// Description of an event, by its source.
#[derive(Debug)]
pub enum Description<'a> {
    /// A field table of the provider.
    Table {
        provider: &'a Provider,
        event: &'a EventTable,
        layout: &'a Layout,
    },
    TraceLogging(TraceLoggingSchema<'a>),
    /// A layout that the file carries.
    Embedded(&'a EmbeddedEvent),
    /// The provider has a table, without this id and version.
    UnknownVersion,
    None,
}

/// Decoder of a file's events.
pub struct Decoder {
    windows_build: u32,
    embedded: HashMap<EventKey, EmbeddedEvent>,
    /// The user's tables, which take precedence over the known ones event by event.
    tables: HashMap<Guid, Provider>,
}

impl Decoder {
    /// Collects the layouts that the file carries. Reads the whole file.
    pub fn new(file: &Etl) -> Self {
        Self::with_tables(file, HashMap::new())
    }

    /// As [`new`](Self::new), with the tables of a [`Manifest`](crate::Manifest).
    pub fn with_tables(file: &Etl, tables: HashMap<Guid, Provider>) -> Self {
        Self { embedded: EmbeddedEvent::all(file), ..Self::of_tables(file, tables) }
    }

    /// As [`with_tables`](Self::with_tables), without the layouts that the file carries, for a caller that collects
    /// them in a pass of its own. Does not read the file.
    pub fn of_tables(file: &Etl, tables: HashMap<Guid, Provider>) -> Self {
        Self { windows_build: file.header().windows_build, embedded: HashMap::new(), tables }
    }

    /// Adds layouts that the file carries.
    pub fn add_embedded(&mut self, events: impl IntoIterator<Item = EmbeddedEvent>) {
        self.embedded.extend(events.into_iter().map(|event| (event.key, event)));
    }

    /// Table of a provider: the user's, or the known one.
    pub fn provider(&self, guid: Guid) -> Option<&Provider> {
        self.user_table(guid).or_else(|| known_provider(guid))
    }

    fn user_table(&self, guid: Guid) -> Option<&Provider> {
        if self.tables.is_empty() { None } else { self.tables.get(&guid) }
    }

    /// Finds the description of an event.
    pub fn describe<'a>(&'a self, record: &Record<'a>) -> Description<'a> {
        let (Some(provider), Kind::Event32 | Kind::Event64) = (record.provider, record.kind) else {
            return Description::None;
        };
        let (id, version) = (record.descriptor.id, record.descriptor.version);
        let tables = [self.user_table(provider), known_provider(provider)];
        let found = tables.into_iter().flatten().find_map(|table| Some((table, table.event(id, version)?)));
        if let Some((table, event)) = found {
            let Some(layout) = self.table_layout(event, record) else { return Description::UnknownVersion };
            return Description::Table { provider: table, event, layout };
        }
        let item = record.extended().find(|item| item.item_type == item_types::EVENT_SCHEMA);
        if let Some(schema) = item.and_then(|item| TraceLoggingSchema::parse(item.data)) {
            return Description::TraceLogging(schema);
        }
        if !self.embedded.is_empty()
            && let Some(event) = self.embedded.get(&(provider, id, version))
        {
            return Description::Embedded(event);
        }
        if tables.iter().any(Option::is_some) { Description::UnknownVersion } else { Description::None }
    }

    fn table_layout<'a>(&self, event: &'a EventTable, record: &Record<'_>) -> Option<&'a Layout> {
        let picked = event.layout(self.windows_build)?;
        let pointer_bytes = record.kind.pointer_bytes();
        let exact = |layout: &&Layout| decode(layout, record.payload, pointer_bytes, &mut |_, _| {}) == Fit::Exact;
        // Builds between the known ones may have either layout: the size decides.
        if event.layouts.len() > 1 && !exact(&picked) {
            return Some(event.layouts.iter().find(exact).unwrap_or(picked));
        }
        Some(picked)
    }

    /// Decodes an event. `visit` receives the name of each field and its value, for an array once per element.
    pub fn decode<'a>(&'a self, record: &Record<'a>, visit: &mut dyn FnMut(&str, Value<'a>)) -> Decoded {
        let pointer_bytes = record.kind.pointer_bytes();
        let layout = match self.describe(record) {
            Description::Table { layout, .. } => layout,
            Description::TraceLogging(schema) => {
                let mut named = |index: usize, value| visit(schema.fields[index].name, value);
                return Decoded::Fits(schema.decode(record.payload, pointer_bytes, &mut named));
            }
            Description::Embedded(event) => &event.layout,
            Description::UnknownVersion => return Decoded::UnknownVersion,
            Description::None => return Decoded::Raw,
        };
        let mut named = |index: usize, value| visit(&layout.fields[index].name, value);
        Decoded::Fits(decode(layout, record.payload, pointer_bytes, &mut named))
    }
}
