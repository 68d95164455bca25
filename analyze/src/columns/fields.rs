//! Values of one thread's records, by event and field.

use std::borrow::Cow;
use std::collections::HashMap;
use taut_schemas::EventCode;
use taut_traces::{Column, EventColumns, ThreadExtract};

/// The selected fields of one thread's records.
#[derive(Debug)]
pub struct ThreadFields<'a> {
    events: HashMap<EventCode, &'a EventColumns>,
}

impl<'a> ThreadFields<'a> {
    /// Those of these records.
    pub fn new(thread: &'a ThreadExtract) -> Self {
        Self { events: thread.columns.iter().map(|columns| (columns.code, columns)).collect() }
    }

    fn column(&self, code: EventCode, field: &str) -> Option<&'a Column> {
        let columns = self.events.get(&code)?;
        columns.fields.iter().find(|(name, _)| name == field).map(|(_, column)| column)
    }

    /// A field's numbers, one per record of the code; none if the trace does not have the field.
    pub fn numbers(&self, code: EventCode, field: &str) -> Numbers<'a> {
        match self.column(code, field) {
            Some(Column::Numbers(numbers)) => Numbers(numbers),
            _ => Numbers(&[]),
        }
    }

    /// A text field of one record; empty if the trace does not have it.
    pub fn text(&self, code: EventCode, field: &str, row: u32) -> String {
        self.texts(code, field).at(row).into_owned()
    }

    /// A field's texts, one per record of the code; none if the trace does not have the field.
    pub fn texts(&self, code: EventCode, field: &str) -> Texts<'a> {
        match self.column(code, field) {
            Some(Column::Texts { ends, bytes }) => Texts { ends, bytes },
            _ => Texts::default(),
        }
    }

    /// A column of a list's elements in one record; empty if the trace does not have it.
    pub fn list(&self, code: EventCode, field: &str, element: &str, row: u32) -> &'a [u64] {
        let Some(Column::Lists { ends, columns }) = self.column(code, field) else { return &[] };
        let numbers = columns.iter().find(|(name, _)| name == element).map(|(_, numbers)| numbers);
        numbers.and_then(|numbers| span(ends, row).and_then(|span| numbers.get(span))).unwrap_or_default()
    }

    /// A column of an optional's element; none if the trace does not have the field.
    pub fn optionals(&self, code: EventCode, field: &str, element: &str) -> Optionals<'a> {
        let Some(Column::Lists { ends, columns }) = self.column(code, field) else { return Optionals::default() };
        let numbers = columns.iter().find(|(name, _)| name == element).map(|(_, numbers)| numbers.as_slice());
        Optionals { ends, numbers: numbers.unwrap_or_default() }
    }
}

/// Where the elements of record `row` lie.
fn span(ends: &[usize], row: u32) -> Option<std::ops::Range<usize>> {
    let row = row as usize;
    let start = if row == 0 { 0 } else { *ends.get(row - 1)? };
    Some(start..*ends.get(row)?)
}

/// One field of all of a thread's records of one code.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbers<'a>(&'a [u64]);

impl Numbers<'_> {
    /// The value of record `row`; `None` if the trace does not have the field.
    pub fn get(self, row: u32) -> Option<u64> {
        self.0.get(row as usize).copied()
    }

    /// The value of record `row`; 0, every field's default, if the trace does not have the field.
    pub fn at(self, row: u32) -> u64 {
        self.get(row).unwrap_or_default()
    }

    /// The same for a field of 32 bits.
    pub fn at_u32(self, row: u32) -> u32 {
        self.at(row) as u32
    }

    /// The same for a field of 16 bits.
    pub fn at_u16(self, row: u32) -> u16 {
        self.at(row) as u16
    }
}

/// A text field of all of a thread's records of one code.
#[derive(Debug, Clone, Copy, Default)]
pub struct Texts<'a> {
    ends: &'a [usize],
    bytes: &'a [u8],
}

impl<'a> Texts<'a> {
    /// The texts of a column: its bytes, and where each text ends in them.
    pub fn new(ends: &'a [usize], bytes: &'a [u8]) -> Texts<'a> {
        Texts { ends, bytes }
    }

    /// The text of record `row`; empty if the trace does not have the field.
    pub fn at(self, row: u32) -> Cow<'a, str> {
        String::from_utf8_lossy(span(self.ends, row).and_then(|span| self.bytes.get(span)).unwrap_or_default())
    }
}

/// An element of an optional in all of a thread's records of one code.
#[derive(Debug, Clone, Copy, Default)]
pub struct Optionals<'a> {
    ends: &'a [usize],
    numbers: &'a [u64],
}

impl Optionals<'_> {
    /// The element in record `row`; `None` if the optional is empty there.
    pub fn get(self, row: u32) -> Option<u64> {
        span(self.ends, row).and_then(|span| self.numbers.get(span)?.first().copied())
    }
}
