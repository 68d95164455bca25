//! Choice of an event's layout: field tables, TraceLogging, layouts in the file, none.

use std::collections::HashMap;

use crate::decode::{Fit, Value, decode};
use crate::embedded::{EmbeddedEvent, EventKey};
use crate::extended::item_types;
use crate::file::Etl;
use crate::record::{Kind, Record};
use crate::tables::providers;
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

/// Decoder of a file's events.
pub struct Decoder {
    windows_build: u32,
    embedded: HashMap<EventKey, EmbeddedEvent>,
}

impl Decoder {
    /// Collects the layouts that the file carries. Reads the whole file.
    pub fn new(file: &Etl) -> Self {
        Self { windows_build: file.header().windows_build, embedded: EmbeddedEvent::all(file) }
    }

    /// Decodes an event. `visit` receives the name of each field and its value, for an array once per element.
    pub fn decode<'a>(&self, record: &Record<'a>, visit: &mut dyn FnMut(&str, Value<'a>)) -> Decoded {
        let (Some(provider), Kind::Event32 | Kind::Event64) = (record.provider, record.kind) else {
            return Decoded::Raw;
        };
        let (id, version) = (record.descriptor.id, record.descriptor.version);
        let pointer_bytes = record.kind.pointer_bytes();
        let table = providers().get(&provider);
        if let Some(event) = table.and_then(|table| table.event(id, version)) {
            let Some(picked) = event.layout(self.windows_build) else { return Decoded::UnknownVersion };
            let mut layout = picked;
            // Builds between the known ones may have either layout: the size decides.
            if event.layouts.len() > 1 && decode(picked, record.payload, pointer_bytes, &mut |_, _| {}) != Fit::Exact {
                let exact = |other: &&_| decode(other, record.payload, pointer_bytes, &mut |_, _| {}) == Fit::Exact;
                layout = event.layouts.iter().find(exact).unwrap_or(picked);
            }
            let mut named = |index: usize, value| visit(&layout.fields[index].name, value);
            return Decoded::Fits(decode(layout, record.payload, pointer_bytes, &mut named));
        }
        let item = record.extended().find(|item| item.item_type == item_types::EVENT_SCHEMA);
        if let Some(schema) = item.and_then(|item| TraceLoggingSchema::parse(item.data)) {
            let mut named = |index: usize, value| visit(schema.fields[index].name, value);
            return Decoded::Fits(schema.decode(record.payload, pointer_bytes, &mut named));
        }
        if let Some(event) = self.embedded.get(&(provider, id, version)) {
            let mut named = |index: usize, value| visit(&event.layout.fields[index].name, value);
            return Decoded::Fits(decode(&event.layout, record.payload, pointer_bytes, &mut named));
        }
        if table.is_some() { Decoded::UnknownVersion } else { Decoded::Raw }
    }
}
