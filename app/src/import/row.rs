//! Rows of imported events.

use super::definitions::Line;
use super::kind::{DecodedPayload, Form};
use super::redact::redact;
use super::survey::SurveyedKind;
use std::borrow::Cow;
use taut_etl::Value;
use taut_schemas::Encoder;

/// Separator of the texts of an array: a row has no lists of texts.
const TEXT_SEPARATOR: &str = "\n";

/// Encoder of rows, with counts of what the rows do not show.
#[derive(Debug, Default)]
pub struct RowEncoder {
    /// True if names are replaced, and bytes that may contain names removed.
    redacts: bool,
    /// Number of replaced names.
    pub redacted_names: u64,
    /// Number of byte strings that were emptied.
    pub removed_bytes: u64,
    /// Invalid UTF-16 or UTF-8 sequences, each of which became U+FFFD.
    pub invalid_units: u64,
    /// The last row.
    pub row: Vec<u8>,
    /// Text of the last field with one.
    text: String,
}

impl RowEncoder {
    pub fn new(redacts: bool) -> Self {
        Self { redacts, ..Self::default() }
    }

    /// Encodes the row of an event.
    pub fn encode(&mut self, line: &Line, payload: &DecodedPayload<'_>) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let mut encoder = Encoder::new(&mut row);
        let mut values = payload.values.as_slice();
        for field in &line.fields {
            let from = values.iter().position(|(index, _)| *index >= field.index).unwrap_or(values.len());
            values = &values[from..];
            let to = values.iter().position(|(index, _)| *index > field.index).unwrap_or(values.len());
            let (of_field, later) = values.split_at(to);
            values = later;
            match field.form {
                Form::Text => {
                    self.read_text(of_field);
                    encoder.bytes(self.text.as_bytes());
                }
                Form::Guid => encoder.bytes(&bytes(of_field)),
                Form::Bytes | Form::Structure => encoder.bytes(self.checked(&bytes(of_field))),
                Form::Number(_) | Form::Float(_) | Form::Address => {
                    if field.is_list || field.is_optional {
                        encoder.count(of_field.len());
                    }
                    of_field.iter().for_each(|(_, value)| number(&mut encoder, field.form, value));
                }
            }
        }
        if line.has_rest {
            encoder.bytes(self.checked(payload.rest));
        }
        self.row = row;
    }

    /// Encodes the row of an event without a line.
    pub fn encode_other(&mut self, kind: &SurveyedKind, payload: &[u8]) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let mut encoder = Encoder::new(&mut row);
        let provider = kind.key.provider.map(|guid| guid.to_string()).unwrap_or_default();
        encoder.bytes(provider.as_bytes());
        encoder.bytes(kind.key.header.name().as_bytes());
        encoder.u16(kind.key.id);
        encoder.u8(kind.key.version);
        encoder.bytes(self.checked(payload));
        self.row = row;
    }

    /// The bytes, or none where a name could be in them.
    fn checked<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        if !self.redacts || bytes.is_empty() {
            return bytes;
        }
        self.removed_bytes += 1;
        &[]
    }

    /// Joins the texts of a field.
    fn read_text(&mut self, values: &[(usize, Value<'_>)]) {
        self.text.clear();
        for (position, (_, value)) in values.iter().enumerate() {
            if position > 0 {
                self.text += TEXT_SEPARATOR;
            }
            let start = self.text.len();
            self.invalid_units += push_text(&mut self.text, value);
            if self.redacts {
                let mut part = self.text.split_off(start);
                self.redacted_names += redact(&mut part);
                self.text += &part;
            }
        }
    }
}

/// Appends a text. Returns the number of units that are no character.
fn push_text(text: &mut String, value: &Value<'_>) -> u64 {
    let mut invalid = 0;
    match value {
        Value::Utf16(bytes) => {
            let units = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            text.extend(char::decode_utf16(units).map(|unit| {
                invalid += u64::from(unit.is_err());
                unit.unwrap_or(char::REPLACEMENT_CHARACTER)
            }));
        }
        Value::Ansi(bytes) => {
            for chunk in bytes.utf8_chunks() {
                *text += chunk.valid();
                if !chunk.invalid().is_empty() {
                    text.push(char::REPLACEMENT_CHARACTER);
                    invalid += 1;
                }
            }
        }
        _ => {}
    }
    invalid
}

/// Bytes of a field, joined if it has several elements.
fn bytes<'v>(values: &'v [(usize, Value<'_>)]) -> Cow<'v, [u8]> {
    let of_value = |value: &'v Value<'_>| match value {
        Value::Guid(guid) => &guid.0[..],
        Value::Bytes(bytes) => bytes,
        _ => &[],
    };
    match values {
        [(_, only)] => Cow::Borrowed(of_value(only)),
        _ => Cow::Owned(values.iter().flat_map(|(_, value)| of_value(value)).copied().collect()),
    }
}

fn number(encoder: &mut Encoder<'_>, form: Form, value: &Value<'_>) {
    let bits = match (value, form) {
        (Value::Unsigned(number), _) => *number,
        // Two's complement of the field's width.
        (Value::Signed(number) | Value::FileTime(number), _) => *number as u64,
        (Value::Float(number), Form::Float(4)) => (*number as f32).to_bits().into(),
        (Value::Float(number), _) => number.to_bits(),
        (Value::Bool(is_set), _) => u64::from(*is_set),
        _ => 0,
    };
    match form {
        Form::Number(1) => encoder.u8(bits as u8),
        Form::Number(2) => encoder.u16(bits as u16),
        Form::Number(4) | Form::Float(4) => encoder.u32(bits as u32),
        _ => encoder.u64(bits),
    }
}
