//! TraceLogging: events whose fields are described by an extended item of type 11.

use crate::bytes::{u8_at, u16_at};
use crate::decode::{FieldType, Fit, Value, element};

/// Structures within structures.
const MAX_DEPTH: usize = 16;
/// Steps of one payload beyond one per byte: arrays of structures without bytes have no other limit.
const MAX_STEPS: usize = 65_536;

/// Description of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceLoggingSchema<'a> {
    pub name: &'a str,
    /// In order. The members of a structure follow it.
    pub fields: Vec<TraceLoggingField<'a>>,
}

/// A field of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLoggingField<'a> {
    pub name: &'a str,
    /// Type of the values, 24 for a structure.
    pub in_type: u8,
    /// Format for display; for a structure, the number of its members.
    pub out_type: u8,
    pub count: TraceLoggingCount,
}

/// Number of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLoggingCount {
    One,
    Constant(u16),
    /// A u16 in the payload before the values.
    InPayload,
}

const STRUCT: u8 = 24;

impl<'a> TraceLoggingSchema<'a> {
    /// Parses the data of the item. `None` if a name or a field ends outside, or a type has no known size.
    pub fn parse(data: &'a [u8]) -> Option<Self> {
        let size = usize::from(u16_at(data, 0)?);
        let data = data.get(..size)?;
        let mut at = 2;
        // Tags of the event: bytes while bit 7 is set.
        while u8_at(data, at)? & 0x80 != 0 {
            at += 1;
        }
        at += 1;
        let name = text(data, &mut at)?;
        let mut fields = Vec::new();
        while at < data.len() {
            fields.push(TraceLoggingField::parse(data, &mut at)?);
        }
        Some(Self { name, fields })
    }

    /// Decodes a payload. `visit` receives the position of the field and each value.
    pub fn decode<'p>(&self, payload: &'p [u8], pointer_bytes: usize, visit: &mut dyn FnMut(usize, Value<'p>)) -> Fit {
        let steps = MAX_STEPS + payload.len();
        let mut walk = Walk { fields: &self.fields, rest: payload, pointer_bytes, steps, visit };
        match walk.fields(0, self.fields.len(), 0) {
            Err(field) => Fit::ShortAfter(field),
            Ok(()) if walk.rest.is_empty() => Fit::Exact,
            Ok(()) => Fit::Trailing(walk.rest.len()),
        }
    }
}

impl<'a> TraceLoggingField<'a> {
    /// Type of the values. `None` for a structure, and for a number that is not a type.
    pub fn field_type(&self) -> Option<FieldType> {
        match self.in_type {
            22 => Some(FieldType::Utf16),
            23 => Some(FieldType::Ansi),
            25 => Some(FieldType::Binary),
            other => FieldType::from_in_type(other.into()),
        }
    }

    /// Number of members that follow, without the members of members. 0 for a plain field.
    pub fn member_count(&self) -> usize {
        if self.in_type == STRUCT { self.out_type.into() } else { 0 }
    }

    pub fn is_struct(&self) -> bool {
        self.in_type == STRUCT
    }

    fn parse(data: &'a [u8], at: &mut usize) -> Option<Self> {
        let name = text(data, at)?;
        let input = byte(data, at)?;
        let mut out_type = 0;
        if input & 0x80 != 0 {
            let out = byte(data, at)?;
            out_type = out & 0x7F;
            if out & 0x80 != 0 {
                while byte(data, at)? & 0x80 != 0 {}
            }
        }
        let count = match input & 0x60 {
            0 => TraceLoggingCount::One,
            0x20 => {
                let count = u16_at(data, *at)?;
                *at += 2;
                TraceLoggingCount::Constant(count)
            }
            0x40 => TraceLoggingCount::InPayload,
            // Custom: a length and that many bytes of the provider's own description.
            _ => {
                *at += 2 + usize::from(u16_at(data, *at)?);
                TraceLoggingCount::InPayload
            }
        };
        (*at <= data.len()).then_some(Self { name, in_type: input & 0x1F, out_type, count })
    }
}

fn byte(data: &[u8], at: &mut usize) -> Option<u8> {
    let byte = u8_at(data, *at)?;
    *at += 1;
    Some(byte)
}

/// UTF-8 text up to its NUL.
fn text<'a>(data: &'a [u8], at: &mut usize) -> Option<&'a str> {
    let rest = data.get(*at..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    *at += end + 1;
    std::str::from_utf8(&rest[..end]).ok()
}

struct Walk<'s, 'p, 'v> {
    fields: &'s [TraceLoggingField<'s>],
    rest: &'p [u8],
    pointer_bytes: usize,
    steps: usize,
    visit: &'v mut dyn FnMut(usize, Value<'p>),
}

impl<'p> Walk<'_, 'p, '_> {
    /// Values of the fields `from..to`. The error is the position of the field that does not fit.
    fn fields(&mut self, from: usize, to: usize, depth: usize) -> Result<(), usize> {
        let mut index = from;
        while index < to {
            let field = self.fields[index];
            let count = match field.count {
                TraceLoggingCount::One => 1,
                TraceLoggingCount::Constant(count) => count,
                TraceLoggingCount::InPayload => self.u16().ok_or(index)?,
            };
            let members = match field.in_type {
                STRUCT => self.members(index, to).ok_or(index)?,
                _ => 0,
            };
            if depth >= MAX_DEPTH {
                return Err(index);
            }
            for _ in 0..count {
                self.steps = self.steps.checked_sub(1).ok_or(index)?;
                match field.in_type {
                    STRUCT => self.fields(index + 1, index + 1 + members, depth + 1)?,
                    _ => self.value(index, field.in_type).ok_or(index)?,
                }
            }
            index += 1 + members;
        }
        Ok(())
    }

    /// Number of fields that follow a structure as its members, with the members of members. A member count beyond the
    /// enclosing structure is invalid.
    fn members(&mut self, index: usize, to: usize) -> Option<usize> {
        let mut open = usize::from(self.fields[index].out_type);
        let mut at = index + 1;
        while open > 0 {
            self.steps = self.steps.checked_sub(1)?;
            let field = self.fields[..to].get(at)?;
            open -= 1;
            if field.in_type == STRUCT {
                open += usize::from(field.out_type);
            }
            at += 1;
        }
        Some(at - index - 1)
    }

    fn u16(&mut self) -> Option<u16> {
        let value = u16_at(self.rest, 0)?;
        self.rest = &self.rest[2..];
        Some(value)
    }

    fn value(&mut self, index: usize, in_type: u8) -> Option<()> {
        if let 14 | 22 | 23 | 25 = in_type {
            let size = usize::from(self.u16()?);
            let bytes = self.rest.get(..size)?;
            self.rest = &self.rest[size..];
            let value = match in_type {
                22 => Value::Utf16(bytes),
                23 => Value::Ansi(bytes),
                _ => Value::Bytes(bytes),
            };
            (self.visit)(index, value);
            return Some(());
        }
        let plain = FieldType::from_in_type(in_type.into())?;
        let (value, size) = element(plain, self.rest, None, self.pointer_bytes)?;
        self.rest = &self.rest[size..];
        (self.visit)(index, value);
        Some(())
    }
}
