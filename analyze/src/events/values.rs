//! Values of some records of one event, decoded from their columns to the types of the lists.

use std::borrow::Cow;
use std::marker::PhantomData;
use taut_schemas::{Decoder, Encoder, Field};

/// The columns of one part of a field.
#[derive(Debug, Clone)]
pub(super) enum FieldPart<'a> {
    /// Numbers of this width in bytes.
    Number(u8, &'a [u64]),
    /// Texts or bytes, with the end of each.
    Bytes { is_text: bool, ends: &'a [usize], bytes: &'a [u8] },
    /// Lists or optionals: the end of each, and for each column of an element its width in bytes and its numbers, if
    /// present.
    List { ends: &'a [usize], columns: Vec<(u8, Option<&'a [u64]>)> },
    /// Missing in the trace: the value is `width_bytes` zero bytes, which for a text or list is the count 0.
    Missing { width_bytes: usize, is_number: bool },
}

/// The values of one field in some records, in order.
#[derive(Debug, Clone)]
pub struct Values<'a, T> {
    parts: FieldParts<'a>,
    of: PhantomData<fn() -> T>,
}

#[derive(Debug, Clone)]
enum FieldParts<'a> {
    /// The whole field is missing in the trace.
    Missing,
    /// A single number.
    Number(&'a [u64]),
    /// Several numbers; missing ones are 0.
    Numbers(Vec<Option<&'a [u64]>>),
    Any(Vec<FieldPart<'a>>),
}

impl<T> Default for Values<'_, T> {
    fn default() -> Self {
        Values { parts: FieldParts::Missing, of: PhantomData }
    }
}

impl<'a, T: Field> Values<'a, T> {
    pub(super) fn new(parts: impl Iterator<Item = FieldPart<'a>>) -> Values<'a, T> {
        let mut parts: Vec<FieldPart<'a>> = parts.collect();
        let number = |part: &FieldPart<'a>| match part {
            FieldPart::Number(_, numbers) => Some(Some(*numbers)),
            FieldPart::Missing { is_number: true, .. } => Some(None),
            _ => None,
        };
        let numbers: Option<Vec<_>> = parts.iter().map(number).collect();
        let parts = match (parts.as_mut_slice(), numbers) {
            (parts, _) if parts.iter().all(|part| matches!(part, FieldPart::Missing { .. })) => FieldParts::Missing,
            ([FieldPart::Number(_, numbers)], _) => FieldParts::Number(numbers),
            (_, Some(numbers)) => FieldParts::Numbers(numbers),
            _ => FieldParts::Any(parts),
        };
        Values { parts, of: PhantomData }
    }

    /// The value of record `row`; `None` if the field or a part of it is missing in the trace.
    pub fn get(&self, row: u32) -> Option<T> {
        let is_whole = match &self.parts {
            FieldParts::Missing => false,
            FieldParts::Number(_) => true,
            FieldParts::Numbers(numbers) => numbers.iter().all(Option::is_some),
            FieldParts::Any(parts) => parts.iter().all(|part| match part {
                FieldPart::Missing { .. } => false,
                FieldPart::List { columns, .. } => columns.iter().all(|(_, numbers)| numbers.is_some()),
                _ => true,
            }),
        };
        if is_whole { self.decoded(row) } else { None }
    }

    /// The value of record `row`. Missing parts are zero or empty, as in a replay.
    #[inline]
    pub fn or_default(&self, row: u32) -> T
    where
        T: Default,
    {
        self.decoded(row).unwrap_or_default()
    }

    #[inline]
    fn decoded(&self, row: u32) -> Option<T> {
        let place = row as usize;
        match &self.parts {
            FieldParts::Missing => None,
            FieldParts::Number(numbers) => T::from_numbers(&mut std::iter::once(*numbers.get(place)?)),
            FieldParts::Numbers(numbers) => {
                let number = |numbers: &Option<&[u64]>| match numbers {
                    Some(numbers) => numbers.get(place).copied(),
                    None => Some(0),
                };
                T::from_numbers(&mut numbers.iter().map_while(number))
            }
            FieldParts::Any(parts) => {
                let mut bytes = Vec::new();
                parts.iter().try_for_each(|part| part.append(row, &mut bytes))?;
                decoded(&bytes)
            }
        }
    }
}

fn decoded<T: Field>(bytes: &[u8]) -> Option<T> {
    T::decode(&mut Decoder::new(bytes)).ok()
}

impl FieldPart<'_> {
    /// Appends a record's value in this build's row format; `None` if the record does not exist.
    pub fn append(&self, row: u32, out: &mut Vec<u8>) -> Option<()> {
        let number = |width_bytes: u8, number: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(&number.to_le_bytes()[..usize::from(width_bytes)]);
        };
        match self {
            FieldPart::Missing { width_bytes, .. } => out.resize(out.len() + width_bytes, 0),
            FieldPart::Number(width_bytes, numbers) => number(*width_bytes, *numbers.get(row as usize)?, out),
            FieldPart::Bytes { is_text, ends, bytes } => {
                let bytes = bytes.get(span(ends, row)?)?;
                let text;
                let bytes = if *is_text {
                    text = String::from_utf8_lossy(bytes);
                    text.as_bytes()
                } else {
                    bytes
                };
                Encoder::new(out).bytes(bytes);
            }
            FieldPart::List { ends, columns } => {
                let span = span(ends, row)?;
                Encoder::new(out).count(span.len());
                for element in span {
                    for (width_bytes, numbers) in columns {
                        let value = numbers.map_or(Some(0), |numbers| numbers.get(element).copied())?;
                        number(*width_bytes, value, out);
                    }
                }
            }
        }
        Some(())
    }
}

impl<'a> Values<'a, String> {
    /// The text of record `row`, without a copy; empty if the field is missing in the trace.
    pub fn text(&self, row: u32) -> Cow<'a, str> {
        match &self.parts {
            FieldParts::Any(parts) => match parts.first() {
                Some(FieldPart::Bytes { ends, bytes, .. }) => text(ends, bytes, row),
                _ => Cow::Borrowed(""),
            },
            _ => Cow::Borrowed(""),
        }
    }
}

impl<'a, T> Values<'a, Vec<T>> {
    /// The lists, without a copy: a column of numbers for each member of an element. Empty if the field is missing in
    /// the trace.
    pub fn lists(&self) -> Lists<'a> {
        match &self.parts {
            FieldParts::Any(parts) => match parts.first() {
                Some(FieldPart::List { ends, columns }) => {
                    Lists { ends, columns: columns.iter().map(|(_, numbers)| numbers.unwrap_or_default()).collect() }
                }
                _ => Lists::default(),
            },
            _ => Lists::default(),
        }
    }
}

/// The values of a list field in some records, in order.
#[derive(Debug, Clone, Default)]
pub struct Lists<'a> {
    ends: &'a [usize],
    columns: Vec<&'a [u64]>,
}

impl Lists<'_> {
    /// The range of record `row`'s elements.
    pub fn span(&self, row: u32) -> std::ops::Range<usize> {
        span(self.ends, row).unwrap_or_default()
    }

    /// A member of an element, by their indices; 0 if it is missing in the trace.
    pub fn number(&self, member: usize, element: usize) -> u64 {
        self.columns.get(member).and_then(|column| column.get(element)).copied().unwrap_or_default()
    }
}

/// The text of record `row` in a column of texts, given by their ends and bytes.
pub fn text<'a>(ends: &[usize], bytes: &'a [u8], row: u32) -> Cow<'a, str> {
    String::from_utf8_lossy(span(ends, row).and_then(|span| bytes.get(span)).unwrap_or_default())
}

/// The range of record `row`'s elements.
fn span(ends: &[usize], row: u32) -> Option<std::ops::Range<usize>> {
    let row = row as usize;
    let start = if row == 0 { 0 } else { *ends.get(row - 1)? };
    Some(start..*ends.get(row)?)
}

/// The values of a member of an optional in some records, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Optionals<'a> {
    ends: &'a [usize],
    numbers: &'a [u64],
}

impl<'a> Optionals<'a> {
    pub(super) fn new(ends: &'a [usize], numbers: &'a [u64]) -> Optionals<'a> {
        Optionals { ends, numbers }
    }

    /// The member in record `row`; `None` if the optional is empty there.
    pub fn get(self, row: u32) -> Option<u64> {
        span(self.ends, row).and_then(|span| self.numbers.get(span)?.first().copied())
    }
}
