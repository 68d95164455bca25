//! Records of events that Windows reported, whose fields have the names and layouts of their build of Windows.

use super::read_record::{ReadRecord, RecordReader};
use std::marker::PhantomData;
use taut_schemas::windows::{WindowsEvent, WindowsFields};
use taut_schemas::{EventCode, EventSchema, SchemaTable};
use taut_traces::{Column, ThreadExtract};

/// The lines of a trace for an event of Windows: one for each version, layout and id.
pub(crate) fn lines<E: WindowsEvent>(schema: &SchemaTable) -> impl Iterator<Item = &EventSchema> {
    lines_of(schema, E::PROVIDER, E::IDS)
}

/// The lines of a trace for ids of a provider.
pub(crate) fn lines_of<'s>(
    schema: &'s SchemaTable,
    provider: &'s str,
    ids: &'s [u16],
) -> impl Iterator<Item = &'s EventSchema> {
    // Another provider may have the same name.
    let named = schema.providers.iter().find(|known| known.uuid.eq_ignore_ascii_case(provider));
    let events = named.map(|named| schema.events.iter().filter(move |event| event.provider == named.name));
    let is_wanted = move |event: &&EventSchema| event.etw.is_some_and(|etw| ids.contains(&etw.id));
    events.into_iter().flatten().filter(is_wanted)
}

/// Converts the records of one line.
pub(super) struct WindowsRecords<E, F> {
    pub code: EventCode,
    pub read: F,
    pub event: PhantomData<fn() -> E>,
}

/// Fields of one record.
struct Fields<'c, 'a> {
    columns: &'c [Option<&'a Column>],
    row: usize,
}

impl Fields<'_, '_> {
    /// Range of the record's elements.
    fn span(&self, ends: &[usize]) -> std::ops::Range<usize> {
        let start = self.row.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or_default();
        start..ends.get(self.row).copied().unwrap_or(start)
    }

    fn column(&self, index: usize) -> Option<&Column> {
        self.columns.get(index).copied().flatten()
    }
}

impl WindowsFields for Fields<'_, '_> {
    fn number(&self, index: usize) -> Option<u64> {
        match self.column(index)? {
            Column::Numbers(numbers) => numbers.get(self.row).copied(),
            // A field that short records lack is optional.
            Column::Lists { ends, columns } => {
                let (_, numbers) = columns.first()?;
                numbers.get(self.span(ends))?.first().copied()
            }
            Column::Texts { .. } => None,
        }
    }

    fn numbers(&self, index: usize) -> Vec<u64> {
        match self.column(index) {
            Some(Column::Numbers(numbers)) => numbers.get(self.row).copied().into_iter().collect(),
            Some(Column::Lists { ends, columns }) => {
                let numbers = columns.first().and_then(|(_, numbers)| numbers.get(self.span(ends)));
                numbers.unwrap_or_default().to_vec()
            }
            Some(Column::Texts { .. }) | None => Vec::new(),
        }
    }

    fn text(&self, index: usize) -> Option<String> {
        match self.column(index)? {
            Column::Texts { ends, bytes } => Some(String::from_utf8_lossy(bytes.get(self.span(ends))?).into_owned()),
            Column::Numbers(_) | Column::Lists { .. } => None,
        }
    }
}

impl<T, E: WindowsEvent, F: Fn(E) -> Option<T> + Send + Sync> ReadRecord<T> for WindowsRecords<E, F> {
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> RecordReader<'a, T> {
        let event = thread.columns.iter().find(|columns| columns.code == self.code);
        let column = |name: &&str| {
            let mut fields = event?.fields.iter();
            fields.find(|(known, _)| known == name).map(|(_, column)| column)
        };
        let columns: Vec<Option<&Column>> = E::FIELDS.iter().map(column).collect();
        Box::new(move |_, row| (self.read)(E::read(&Fields { columns: &columns, row: row as usize })))
    }
}
