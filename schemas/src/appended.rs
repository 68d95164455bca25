//! Events that a program defines while it runs, such as those of an imported trace.

use crate::event::{EventCode, Opcode};
use crate::provider_schema::ProviderSchema;
use crate::schema::CodeSchema;
use crate::table::{EventSchema, SchemaTable};

/// Largest number of a line: a code has 14 bits for the number, and two for the opcode.
const MAX_LINE: u16 = u16::MAX >> 2;

/// Adds events after the last line of a table. [`events!`](crate::events) defines events when a program is compiled, this
/// type while it runs.
///
/// ```
/// use taut_schemas::{EventCode, EventSchema, Layer, Level, Opcode, ProviderSchema, SchemaTable};
///
/// let mut table = SchemaTable::default();
/// let mut appender = table.append_events();
/// appender.provider(ProviderSchema::from_name("Windows", 1));
/// let event = EventSchema {
///     code: EventCode(0),
///     name: "Present".to_owned(),
///     provider: "Windows".to_owned(),
///     layer: Layer::Mark,
///     opcode: Opcode::Info,
///     level: Level::Info,
///     keywords: 0,
///     etw: None,
///     doc: String::new(),
///     fields: Vec::new(),
/// };
/// let code = appender.event(event);
/// assert_eq!(code, Some(EventCode::new(0, Opcode::Info)));
/// ```
#[derive(Debug)]
pub struct EventAppender<'t> {
    table: &'t mut SchemaTable,
    next: u32,
}

impl SchemaTable {
    /// Begins to add events after the last line.
    pub fn append_events(&mut self) -> EventAppender<'_> {
        let next = self.events.iter().map(|event| u32::from(event.code.id()) + 1).max().unwrap_or_default();
        EventAppender { table: self, next }
    }
}

impl EventAppender<'_> {
    /// Adds a provider, unless the table has one of its name.
    pub fn provider(&mut self, provider: ProviderSchema) {
        if !self.table.providers.iter().any(|known| known.name == provider.name) {
            self.table.providers.push(provider);
        }
    }

    /// Adds names of values, unless the table has names of the same enumeration.
    pub fn names(&mut self, names: CodeSchema) {
        self.table.add_codes([names]);
    }

    /// Adds an event as the next line, whatever its code and opcode are: all such events are `info`, because starts and
    /// stops of another system do not nest. Returns its code, or `None` if no line is left.
    pub fn event(&mut self, event: EventSchema) -> Option<EventCode> {
        let line = u16::try_from(self.next).ok().filter(|line| *line <= MAX_LINE)?;
        let code = EventCode::new(line, Opcode::Info);
        self.table.events.push(EventSchema { code, opcode: Opcode::Info, ..event });
        self.next += 1;
        Some(code)
    }

    /// Number of events that can still be added.
    pub fn lines_left(&self) -> u32 {
        (u32::from(MAX_LINE) + 1).saturating_sub(self.next)
    }
}

/// Sorts the names of values, as readers expect.
impl Drop for EventAppender<'_> {
    fn drop(&mut self) {
        self.table.codes.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EtwAttributes, Layer, Level};
    use proptest::prelude::*;

    fn event(name: String, etw: Option<EtwAttributes>) -> EventSchema {
        let (provider, doc) = ("Windows".to_owned(), String::new());
        let (code, layer, opcode, level) = (EventCode(7), Layer::Mark, Opcode::Start, Level::Info);
        EventSchema { code, name, provider, layer, opcode, level, keywords: 0, etw, doc, fields: Vec::new() }
    }

    #[test]
    fn appended_lines_end_at_16383() {
        let mut table = SchemaTable::current();
        let before = table.clone();
        let mut appender = table.append_events();
        let left = appender.lines_left();
        let codes: Vec<_> = (0..left).map_while(|line| appender.event(event(line.to_string(), None))).collect();
        assert_eq!((codes.len(), appender.lines_left()), (left as usize, 0));
        assert_eq!(codes.last().map(|code| code.id()), Some(16_383));
        assert_eq!(appender.event(event("beyond".to_owned(), None)), None);
        drop(appender);
        assert!(table.events.iter().rev().take(codes.len()).all(|event| event.opcode == Opcode::Info));
        assert!(table.events.starts_with(&before.events));
        assert!(table.events.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn tables_without_windows_events_have_no_key_etw() {
        let text = serde_json::to_string(&SchemaTable::current()).unwrap_or_default();
        assert!(!text.is_empty() && !text.contains("\"etw\""));
    }

    proptest! {
        #[test]
        fn attributes_of_windows_come_back_from_json(
            id: u16, version: u8, task: u16, opcode: u8, channel: u8, level in proptest::option::of(any::<u8>()),
        ) {
            let mut table = SchemaTable::default();
            let etw = Some(EtwAttributes { id, version, task, opcode, channel, level });
            table.append_events().event(event("A".to_owned(), etw));
            let failed = |error: serde_json::Error| TestCaseError::fail(error.to_string());
            let text = serde_json::to_string(&table).map_err(failed)?;
            let back: SchemaTable = serde_json::from_str(&text).map_err(failed)?;
            prop_assert_eq!(&back, &table);
            // A reader that does not know the key passes over it.
            let mut stored: serde_json::Value = serde_json::from_str(&text).map_err(failed)?;
            stored["events"][0].as_object_mut().map(|event| event.remove("etw"));
            table.events[0].etw = None;
            prop_assert_eq!(serde_json::from_value::<SchemaTable>(stored).map_err(failed)?, table);
        }
    }
}
