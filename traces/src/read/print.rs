//! Rows as names and values, for text output and JSON.

use crate::format::error::ReadError;
use crate::format::walk::{read_number, row_error};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write;
use taut_schemas::{CodecError, Decoder, EventCode, FieldKind, Role, ScalarSchema, SchemaTable};

/// Value of a field. As JSON: a number, a string (bytes in hex), or an array of objects.
#[derive(Debug, Clone)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A floating-point number. JSON has null for one that is not finite.
    Float(f64),
    /// A text, the name of an enumerator, the names of flags, an `HRESULT` or an address.
    Text(String),
    /// A byte string.
    Bytes(Vec<u8>),
    /// Elements of a list or an optional, each with the names of its columns.
    List(Vec<Vec<(String, Value)>>),
}

/// Floating-point numbers are equal if their bits are, so that a trace equals itself.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

/// Fields of a row of the event `code`, in row order, as `table` describes them.
///
/// Enumerators and flags get their names from the table; values without a name stay numbers. An `HRESULT` becomes eight
/// hex digits, an address hex digits.
///
/// # Errors
/// The table has no such event, or the row does not match it.
pub fn fields(table: &SchemaTable, code: EventCode, row: &[u8]) -> Result<Vec<(String, Value)>, ReadError> {
    let event = table.event(code).ok_or(ReadError::UnknownEvent(code))?;
    let mut decoder = Decoder::new(row);
    let fields = event.fields.iter().map(|field| Ok((field.name.clone(), value(table, &field.kind, &mut decoder)?)));
    let fields: Result<Vec<_>, CodecError> = fields.collect();
    let fields = fields.map_err(|source| row_error(event, source))?;
    decoder.finish().map_err(|source| row_error(event, source))?;
    Ok(fields)
}

/// Value of a field.
pub(crate) fn value(table: &SchemaTable, kind: &FieldKind, decoder: &mut Decoder<'_>) -> Result<Value, CodecError> {
    Ok(match kind {
        FieldKind::Scalar(scalar) => self::scalar(table, scalar, decoder)?,
        FieldKind::Text => text(decoder)?,
        FieldKind::Bytes => Value::Bytes(decoder.bytes()?.to_vec()),
        FieldKind::List(columns) | FieldKind::Optional(columns) => list(table, columns, decoder)?,
    })
}

fn text(decoder: &mut Decoder<'_>) -> Result<Value, CodecError> {
    let at = decoder.position();
    let bytes = decoder.bytes()?.to_vec();
    String::from_utf8(bytes).map(Value::Text).map_err(|_| CodecError::Text { at })
}

fn list(table: &SchemaTable, columns: &[ScalarSchema], decoder: &mut Decoder<'_>) -> Result<Value, CodecError> {
    let element_bytes = columns.iter().map(|scalar| usize::from(scalar.width_bytes)).sum();
    let count = decoder.count(element_bytes)?;
    let element = |decoder: &mut Decoder<'_>| {
        columns.iter().map(|scalar| Ok((scalar.name.clone(), self::scalar(table, scalar, decoder)?))).collect()
    };
    let elements: Result<Vec<_>, CodecError> = (0..count).map(|_| element(decoder)).collect();
    Ok(Value::List(elements?))
}

fn scalar(table: &SchemaTable, schema: &ScalarSchema, decoder: &mut Decoder<'_>) -> Result<Value, CodecError> {
    let number = read_number(schema.width_bytes, decoder)?;
    let names = schema.code.as_deref().and_then(|name| table.code(name));
    Ok(match (schema.role, names) {
        (_, Some(names)) => named(&names.values, names.flags, number),
        (Role::HResult, None) => Value::Text(format!("0x{number:08x}")),
        (Role::Address, None) => Value::Text(format!("{number:#x}")),
        (Role::Float, None) if schema.width_bytes == 8 => Value::Float(f64::from_bits(number)),
        (Role::Float, None) if schema.width_bytes == 4 => Value::Float(f32::from_bits(number as u32).into()),
        _ => Value::Number(number),
    })
}

/// Name of an enumerator, or names of the set flags joined by `|`, with unnamed flags as a number.
fn named(names: &[(u64, String)], flags: bool, number: u64) -> Value {
    if let Some((_, name)) = names.iter().find(|(value, _)| *value == number) {
        return Value::Text(name.clone());
    }
    if !flags {
        return Value::Number(number);
    }
    let mut set = Vec::new();
    let mut left = number;
    for (value, name) in names.iter().filter(|(value, _)| *value != 0) {
        if left & value == *value {
            left &= !value;
            set.push(name.clone());
        }
    }
    if set.is_empty() {
        return Value::Number(number);
    }
    if left != 0 {
        set.push(format!("{left:#x}"));
    }
    Value::Text(set.join("|"))
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Element<'a>(&'a [(String, Value)]);
        impl Serialize for Element<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.len()))?;
                self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
        match self {
            Value::Number(number) => serializer.serialize_u64(*number),
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => {
                let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
                    // Writing to a string cannot fail.
                    let _ = write!(hex, "{byte:02x}");
                    hex
                });
                serializer.serialize_str(&hex)
            }
            Value::List(elements) => serializer.collect_seq(elements.iter().map(|element| Element(element))),
        }
    }
}
