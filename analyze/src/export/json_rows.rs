//! Formats rows as JSON text, directly from their bytes.
//!
//! The format of the values is that of [`taut_traces::fields`], without the intermediate values: a trace has millions
//! of them.

use super::line_text::LineText;
use std::collections::HashMap;
use std::io::Write;
use taut_schemas::{CodecError, Decoder, EventCode, FieldKind, Opcode, Role, ScalarSchema, SchemaTable};
use taut_traces::Row;

/// Length of a name, in bytes, above which a row's text is written out directly: each value of the row may repeat the
/// name.
const LONG_NAME_BYTES: usize = 128;

/// Formatters of the events of a schema table.
pub(super) struct JsonRows {
    events: HashMap<EventCode, Event>,
    unknown: Event,
    has_long_names: bool,
}

struct Event {
    /// `"provider":"d3d12","event":"CreateHeap","opcode":"start","fields":{`
    head: String,
    fields: Vec<(String, JsonField)>,
}

enum JsonField {
    Scalar(JsonScalar),
    Text,
    Bytes,
    /// Columns with their names, and the size of an element in bytes.
    List(Vec<(String, JsonScalar)>, usize),
}

struct JsonScalar {
    width_bytes: u8,
    form: JsonForm,
}

enum JsonForm {
    Number,
    /// Eight hex digits.
    HResult,
    Address,
    /// An enumerator's name, as JSON.
    Named(HashMap<u64, String>),
    /// Bits with their names, and names of whole values.
    Flags(Vec<(u64, String)>),
}

impl JsonRows {
    pub fn new(schema: &SchemaTable) -> JsonRows {
        let event = |event: &taut_schemas::EventSchema| {
            let fields = event.fields.iter().map(|field| {
                let kind = match &field.kind {
                    FieldKind::Scalar(scalar) => JsonField::Scalar(JsonScalar::new(schema, scalar)),
                    FieldKind::Text => JsonField::Text,
                    FieldKind::Bytes => JsonField::Bytes,
                    FieldKind::List(columns) | FieldKind::Optional(columns) => {
                        let scalars = columns.iter().map(|scalar| (key(&scalar.name), JsonScalar::new(schema, scalar)));
                        let element_bytes = columns.iter().map(|scalar| usize::from(scalar.width_bytes)).sum();
                        JsonField::List(scalars.collect(), element_bytes)
                    }
                };
                (key(&field.name), kind)
            });
            (event.code, Event { head: head(&event.provider, &event.name, event.code), fields: fields.collect() })
        };
        let unknown = Event { head: head("unknown", "unknown", EventCode::new(0, Opcode::Info)), fields: Vec::new() };
        let events: HashMap<EventCode, Event> = schema.events.iter().map(event).collect();
        let has_long_names = events.values().any(Event::has_long_names);
        JsonRows { events, unknown, has_long_names }
    }

    /// True if a name is so long that a row's text may be thousands of times its size.
    pub fn has_long_names(&self) -> bool {
        self.has_long_names
    }

    /// Appends a row as one line.
    ///
    /// # Errors
    /// The row does not match its event's layout.
    pub fn line(&self, row: &Row<'_>, out: &mut LineText<'_>) -> Result<(), CodecError> {
        let event = self.events.get(&row.code).unwrap_or(&self.unknown);
        // Writing to memory cannot fail.
        let _ = write!(out.bytes, "{{\"stamp\":{},\"thread\":{},{}", row.stamp, row.thread, event.head);
        let mut decoder = Decoder::new(row.payload);
        for (number, (key, kind)) in event.fields.iter().enumerate() {
            if number > 0 {
                out.bytes.push(b',');
            }
            out.bytes.extend_from_slice(key.as_bytes());
            kind.write(&mut decoder, out)?;
        }
        decoder.finish()?;
        out.bytes.extend_from_slice(b"}}\n");
        out.spill();
        Ok(())
    }
}

impl Event {
    fn has_long_names(&self) -> bool {
        let is_long = |key: &String| key.len() > LONG_NAME_BYTES;
        self.head.len() > 4 * LONG_NAME_BYTES
            || self.fields.iter().any(|(key, kind)| {
                is_long(key)
                    || match kind {
                        JsonField::Scalar(scalar) => scalar.form.has_long_names(),
                        JsonField::Text | JsonField::Bytes => false,
                        JsonField::List(columns, _) => {
                            columns.iter().any(|(key, scalar)| is_long(key) || scalar.form.has_long_names())
                        }
                    }
            })
    }
}

impl JsonForm {
    fn has_long_names(&self) -> bool {
        match self {
            JsonForm::Number | JsonForm::HResult | JsonForm::Address => false,
            JsonForm::Named(names) => names.values().any(|name| name.len() > LONG_NAME_BYTES),
            JsonForm::Flags(names) => names.iter().any(|(_, name)| name.len() > LONG_NAME_BYTES),
        }
    }
}

/// `"name":`
fn key(name: &str) -> String {
    format!("{}:", serde_json::Value::from(name))
}

fn head(provider: &str, name: &str, code: EventCode) -> String {
    let opcode = match code.opcode() {
        Some(Opcode::Start) => "start",
        Some(Opcode::Stop) => "stop",
        _ => "info",
    };
    let (provider, name) = (serde_json::Value::from(provider), serde_json::Value::from(name));
    format!("\"provider\":{provider},\"event\":{name},\"opcode\":\"{opcode}\",\"fields\":{{")
}

impl JsonField {
    fn write(&self, decoder: &mut Decoder<'_>, out: &mut LineText<'_>) -> Result<(), CodecError> {
        match self {
            JsonField::Scalar(scalar) => {
                scalar.write(decoder, &mut out.bytes)?;
                out.spill();
                Ok(())
            }
            JsonField::Text => {
                let at = decoder.position();
                let text = std::str::from_utf8(decoder.bytes()?).map_err(|_| CodecError::Text { at })?;
                // Writing to memory cannot fail.
                let _ = serde_json::to_writer(&mut out.bytes, text);
                out.spill();
                Ok(())
            }
            JsonField::Bytes => {
                out.bytes.push(b'"');
                for byte in decoder.bytes()? {
                    let _ = write!(out.bytes, "{byte:02x}");
                    out.spill();
                }
                out.bytes.push(b'"');
                Ok(())
            }
            JsonField::List(columns, element_bytes) => {
                out.bytes.push(b'[');
                for element in 0..decoder.count(*element_bytes)? {
                    out.bytes.extend_from_slice(if element > 0 { b",{" } else { b"{" });
                    for (number, (key, scalar)) in columns.iter().enumerate() {
                        if number > 0 {
                            out.bytes.push(b',');
                        }
                        out.bytes.extend_from_slice(key.as_bytes());
                        scalar.write(decoder, &mut out.bytes)?;
                        out.spill();
                    }
                    out.bytes.push(b'}');
                }
                out.bytes.push(b']');
                Ok(())
            }
        }
    }
}

impl JsonScalar {
    fn new(schema: &SchemaTable, scalar: &ScalarSchema) -> JsonScalar {
        let names = scalar.code.as_deref().and_then(|name| schema.code(name));
        let form = match (scalar.role, names) {
            (_, Some(names)) if names.flags => JsonForm::Flags(names.values.clone()),
            (_, Some(names)) => {
                // Reversed, so that the first of two names for a value counts.
                let names =
                    names.values.iter().rev().map(|(value, name)| (*value, serde_json::Value::from(name.as_str())));
                JsonForm::Named(names.map(|(value, name)| (value, name.to_string())).collect())
            }
            (Role::HResult, None) => JsonForm::HResult,
            (Role::Address, None) => JsonForm::Address,
            _ => JsonForm::Number,
        };
        JsonScalar { width_bytes: scalar.width_bytes, form }
    }

    fn write(&self, decoder: &mut Decoder<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let number = match self.width_bytes {
            1 => decoder.u8()?.into(),
            2 => decoder.u16()?.into(),
            4 => decoder.u32()?.into(),
            _ => decoder.u64()?,
        };
        // Writing to memory cannot fail.
        let _ = match &self.form {
            JsonForm::Number => write!(out, "{number}"),
            JsonForm::HResult => write!(out, "\"0x{number:08x}\""),
            JsonForm::Address => write!(out, "\"{number:#x}\""),
            JsonForm::Named(names) => match names.get(&number) {
                Some(name) => out.write_all(name.as_bytes()),
                None => write!(out, "{number}"),
            },
            JsonForm::Flags(names) => match flags(names, number) {
                Some(text) => write!(out, "{}", serde_json::Value::from(text)),
                None => write!(out, "{number}"),
            },
        };
        Ok(())
    }
}

/// The names of the set bits, joined by `|`, with unnamed bits as a number; `None` if no bit has a name.
pub(super) fn flags(names: &[(u64, String)], number: u64) -> Option<String> {
    if let Some((_, name)) = names.iter().find(|(value, _)| *value == number) {
        return Some(name.clone());
    }
    let mut left = number;
    let mut set = Vec::new();
    for (value, name) in names.iter().filter(|(value, _)| *value != 0) {
        if left & value == *value {
            left &= !value;
            set.push(name.clone());
        }
    }
    if set.is_empty() {
        return None;
    }
    set.extend((left != 0).then(|| format!("{left:#x}")));
    Some(set.join("|"))
}
