//! Rows as JSON text, straight from their bytes.
//!
//! What the values look like is said at [`taut_traces::fields`]; this writes the same without making them first, because
//! there are millions.

use std::collections::HashMap;
use std::io::Write;
use taut_schemas::{CodecError, Decoder, EventCode, FieldKind, Opcode, Role, ScalarSchema, SchemaTable};

/// How each event of a schema table is written.
pub(super) struct JsonRows {
    events: HashMap<EventCode, Event>,
    unknown: Event,
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
    /// Columns with their names.
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
    /// Bits and their names; values that have a name of their own.
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
        JsonRows { events: schema.events.iter().map(event).collect(), unknown }
    }

    /// Appends a row as one line.
    ///
    /// # Errors
    /// The row is not one of its event.
    pub fn line(
        &self,
        stamp: u64,
        thread: u32,
        code: EventCode,
        row: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        let event = self.events.get(&code).unwrap_or(&self.unknown);
        // Writing to memory does not fail.
        let _ = write!(out, "{{\"stamp\":{stamp},\"thread\":{thread},{}", event.head);
        let mut decoder = Decoder::new(row);
        for (number, (key, kind)) in event.fields.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            out.extend_from_slice(key.as_bytes());
            kind.write(&mut decoder, out)?;
        }
        decoder.finish()?;
        out.extend_from_slice(b"}}\n");
        Ok(())
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
    fn write(&self, decoder: &mut Decoder<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        match self {
            JsonField::Scalar(scalar) => scalar.write(decoder, out),
            JsonField::Text => {
                let at = decoder.position();
                let text = std::str::from_utf8(decoder.bytes()?).map_err(|_| CodecError::Text { at })?;
                // Writing to memory does not fail.
                let _ = serde_json::to_writer(out, text);
                Ok(())
            }
            JsonField::Bytes => {
                out.push(b'"');
                for byte in decoder.bytes()? {
                    let _ = write!(out, "{byte:02x}");
                }
                out.push(b'"');
                Ok(())
            }
            JsonField::List(columns, element_bytes) => {
                out.push(b'[');
                for element in 0..decoder.count(*element_bytes)? {
                    out.extend_from_slice(if element > 0 { b",{" } else { b"{" });
                    for (number, (key, scalar)) in columns.iter().enumerate() {
                        if number > 0 {
                            out.push(b',');
                        }
                        out.extend_from_slice(key.as_bytes());
                        scalar.write(decoder, out)?;
                    }
                    out.push(b'}');
                }
                out.push(b']');
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
                // Of two names for a value the first counts.
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
        // Writing to memory does not fail.
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

/// The names of the bits that are set, joined by `|`, the unnamed ones as a number; none if no bit has a name.
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
