//! Fields of a row with lazily built values; a long list is built in chunks.

use crate::format::error::ReadError;
use crate::format::walk::row_error;
use crate::read::print::{Value, value};
use taut_schemas::{CodecError, Decoder, EventCode, EventSchema, FieldKind, FieldSchema, ScalarSchema, SchemaTable};

/// A field of a row; its value is built on request.
#[derive(Debug, Clone)]
pub struct RowPart<'a> {
    table: &'a SchemaTable,
    event: &'a EventSchema,
    field: &'a FieldSchema,
    bytes: &'a [u8],
}

/// Splits a row of the event `code` into its fields, in row order; [`fields`](crate::fields) also builds the values.
///
/// # Errors
/// The table has no such event, or the row does not match it.
pub fn row_parts<'a>(table: &'a SchemaTable, code: EventCode, row: &'a [u8]) -> Result<Vec<RowPart<'a>>, ReadError> {
    let event = table.event(code).ok_or(ReadError::UnknownEvent(code))?;
    let parts = split(event, row).map_err(|source| row_error(event, source))?;
    Ok(event.fields.iter().zip(parts).map(|(field, bytes)| RowPart { table, event, field, bytes }).collect())
}

/// Bytes of each field of an event's row.
pub(crate) fn split<'a>(event: &EventSchema, row: &'a [u8]) -> Result<Vec<&'a [u8]>, CodecError> {
    let mut decoder = Decoder::new(row);
    let mut fields = Vec::with_capacity(event.fields.len());
    for field in &event.fields {
        let start = decoder.position();
        match &field.kind {
            FieldKind::Scalar(scalar) => drop(decoder.raw(scalar.width_bytes.into())?),
            FieldKind::Text | FieldKind::Bytes => drop(decoder.bytes()?),
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                let element_bytes = element_bytes(columns);
                let count = decoder.count(element_bytes)?;
                decoder.raw(count * element_bytes)?;
            }
        }
        fields.push(&row[start..decoder.position()]);
    }
    decoder.finish()?;
    Ok(fields)
}

/// Size of a list's element, in bytes.
pub(crate) fn element_bytes(columns: &[ScalarSchema]) -> usize {
    columns.iter().map(|scalar| usize::from(scalar.width_bytes)).sum()
}

impl<'a> RowPart<'a> {
    /// Name of the field.
    pub fn name(&self) -> &'a str {
        &self.field.name
    }

    /// True if the field is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.field.kind, FieldKind::List(_))
    }

    /// Bytes of the field in the row.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Builds the whole value.
    ///
    /// # Errors
    /// The bytes are not a value of the field.
    pub fn value(&self) -> Result<Value, ReadError> {
        let mut decoder = Decoder::new(self.bytes);
        value(self.table, &self.field.kind, &mut decoder).map_err(|source| row_error(self.event, source))
    }

    /// Builds the value of a list in chunks of `elements` elements; any other value in one.
    pub fn values(&self, elements: usize) -> impl Iterator<Item = Result<Value, ReadError>> {
        let (part_bytes, bytes) = match &self.field.kind {
            FieldKind::List(columns) => {
                (element_bytes(columns), self.bytes.get(size_of::<u32>()..).unwrap_or_default())
            }
            _ => (0, &[][..]),
        };
        let whole = (part_bytes == 0).then(|| self.value());
        let parts = bytes.chunks((part_bytes * elements).max(1)).map(move |part| {
            // Each chunk becomes a list with a count of its own.
            let mut list = ((part.len() / part_bytes.max(1)) as u32).to_le_bytes().to_vec();
            list.extend_from_slice(part);
            RowPart { bytes: &list, ..self.clone() }.value()
        });
        whole.into_iter().chain(parts)
    }
}
