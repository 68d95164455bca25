//! Values of some records of one event: what their columns hold, as the types that the lists give them.

use std::borrow::Cow;
use std::marker::PhantomData;
use taut_schemas::{Decoder, Encoder, Field};

/// The columns of one field.
#[derive(Debug, Clone)]
pub(super) enum Part<'a> {
    /// Numbers of so many bytes.
    Number(u8, &'a [u64]),
    /// Texts, or bytes: where each ends.
    Bytes { is_text: bool, ends: &'a [usize], bytes: &'a [u8] },
    /// Lists, or optionals: where each ends, and for each column of an element its width and its numbers, if there are any.
    List { ends: &'a [usize], columns: Vec<(u8, Option<&'a [u64]>)> },
    /// The trace does not have it; bytes of its default, all zero.
    Missing(usize),
}

/// What some records have in one field, in their order.
#[derive(Debug, Clone)]
pub struct Values<'a, T> {
    parts: Parts<'a>,
    of: PhantomData<fn() -> T>,
}

#[derive(Debug, Clone)]
enum Parts<'a> {
    /// The trace has nothing of it.
    Missing,
    /// A single number.
    Number(u8, &'a [u64]),
    /// Numbers of so many bytes together.
    Numbers(usize, Vec<(usize, Option<&'a [u64]>)>),
    Any(Vec<Part<'a>>),
}

/// Bytes of the largest descriptor that is made without memory of its own.
const SMALL_BYTES: usize = 64;

impl<T> Default for Values<'_, T> {
    fn default() -> Self {
        Values { parts: Parts::Missing, of: PhantomData }
    }
}

impl<'a, T: Field> Values<'a, T> {
    pub(super) fn new(parts: impl Iterator<Item = Part<'a>>) -> Values<'a, T> {
        let mut parts: Vec<Part<'a>> = parts.collect();
        let number = |part: &Part<'a>| match part {
            Part::Number(width_bytes, numbers) => Some((usize::from(*width_bytes), Some(*numbers))),
            Part::Missing(width_bytes) => Some((*width_bytes, None)),
            _ => None,
        };
        let numbers: Option<Vec<_>> = parts.iter().map(number).collect();
        let parts = match (parts.as_mut_slice(), numbers) {
            (parts, _) if parts.iter().all(|part| matches!(part, Part::Missing(_))) => Parts::Missing,
            ([Part::Number(width_bytes, numbers)], _) => Parts::Number(*width_bytes, numbers),
            (_, Some(numbers)) => {
                let bytes = numbers.iter().map(|(width_bytes, _)| width_bytes).sum();
                if bytes <= SMALL_BYTES { Parts::Numbers(bytes, numbers) } else { Parts::Any(parts) }
            }
            _ => Parts::Any(parts),
        };
        Values { parts, of: PhantomData }
    }

    /// The value of record `row`; `None` if the trace does not have the field, or not all of it.
    pub fn get(&self, row: u32) -> Option<T> {
        let is_whole = match &self.parts {
            Parts::Missing => false,
            Parts::Number(..) => true,
            Parts::Numbers(_, numbers) => numbers.iter().all(|(_, numbers)| numbers.is_some()),
            Parts::Any(parts) => parts.iter().all(|part| match part {
                Part::Missing(_) => false,
                Part::List { columns, .. } => columns.iter().all(|(_, numbers)| numbers.is_some()),
                _ => true,
            }),
        };
        if is_whole { self.decoded(row) } else { None }
    }

    /// The value of record `row`. What the trace does not have of it is zero or empty, as replay takes it to be.
    #[inline]
    pub fn or_default(&self, row: u32) -> T
    where
        T: Default,
    {
        self.decoded(row).unwrap_or_default()
    }

    fn decoded(&self, row: u32) -> Option<T> {
        let place = row as usize;
        match &self.parts {
            Parts::Missing => None,
            Parts::Number(width_bytes, numbers) => {
                let bytes = numbers.get(place)?.to_le_bytes();
                decoded(bytes.get(..usize::from(*width_bytes))?)
            }
            Parts::Numbers(length, numbers) => {
                let (mut bytes, mut at) = ([0; SMALL_BYTES], 0);
                for (width_bytes, numbers) in numbers {
                    let number = numbers.map_or(Some(0), |numbers| numbers.get(place).copied())?;
                    bytes[at..at + width_bytes].copy_from_slice(&number.to_le_bytes()[..*width_bytes]);
                    at += width_bytes;
                }
                decoded(&bytes[..*length])
            }
            Parts::Any(parts) => {
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

impl Part<'_> {
    /// Appends a record's value as it stands in a row of this build; none if there is no such record.
    fn append(&self, row: u32, out: &mut Vec<u8>) -> Option<()> {
        let number = |width_bytes: u8, number: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(&number.to_le_bytes()[..usize::from(width_bytes)]);
        };
        match self {
            Part::Missing(width_bytes) => out.resize(out.len() + width_bytes, 0),
            Part::Number(width_bytes, numbers) => number(*width_bytes, *numbers.get(row as usize)?, out),
            Part::Bytes { is_text, ends, bytes } => {
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
            Part::List { ends, columns } => {
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
    /// The text of record `row` as it lies there; empty if the trace does not have the field.
    pub fn text(&self, row: u32) -> Cow<'a, str> {
        match &self.parts {
            Parts::Any(parts) => match parts.first() {
                Some(Part::Bytes { ends, bytes, .. }) => text(ends, bytes, row),
                _ => Cow::Borrowed(""),
            },
            _ => Cow::Borrowed(""),
        }
    }
}

/// The text of record `row` in a column of texts: their bytes, and where each ends.
pub fn text<'a>(ends: &[usize], bytes: &'a [u8], row: u32) -> Cow<'a, str> {
    String::from_utf8_lossy(span(ends, row).and_then(|span| bytes.get(span)).unwrap_or_default())
}

/// Where the elements of record `row` lie.
fn span(ends: &[usize], row: u32) -> Option<std::ops::Range<usize>> {
    let row = row as usize;
    let start = if row == 0 { 0 } else { *ends.get(row - 1)? };
    Some(start..*ends.get(row)?)
}

/// What some records have in a member of an optional, in their order.
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
