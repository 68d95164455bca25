//! Translation of rows from a file's layout of an event to the current build's layout, by field name.

use crate::format::error::ReadError;
use crate::format::walk::row_error;
use crate::read::row_parts::{element_bytes, split};
use taut_schemas::{Decoder, EventCode, EventSchema, Field, FieldKind, FieldSchema, ScalarSchema};

/// Source of a value of the current layout.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// Bytes at this offset of the file's field or list element; the width is the same.
    Copy { at: usize, width_bytes: usize },
    /// A field added later: its default, zeros. An empty text or list is a count of zero.
    Default { width_bytes: usize },
}

/// Translation of one field of the current layout.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TranslationStep {
    /// Copies the file's field with all of its bytes.
    Whole(usize),
    /// Rebuilds the elements of a list.
    Elements { field: usize, element_bytes: usize, sources: Vec<Source> },
    /// Inserts the default of a field added later.
    Default { width_bytes: usize },
}

/// Plan for rewriting the rows of one event. Fields that the file lacks get their default: zero, empty, absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlan {
    event: EventSchema,
    /// Steps for the current layout; `None` if both layouts are equal.
    steps: Option<Vec<TranslationStep>>,
}

impl RowPlan {
    /// Creates a plan that rewrites rows of `file_event`, the file's layout, as rows of `current_event`.
    ///
    /// # Errors
    /// The file has a field that the current build lacks, or has it in another kind or width. Fields are only ever
    /// appended, so such a file is newer or of another format.
    pub fn new(file_event: &EventSchema, current_event: &EventSchema) -> Result<RowPlan, ReadError> {
        let event = file_event.clone();
        let same = file_event.fields.len() == current_event.fields.len()
            && file_event.fields.iter().zip(&current_event.fields).all(|(file, current)| same_field(file, current));
        if same {
            return Ok(RowPlan { event, steps: None });
        }
        let lacks = |file: &&FieldSchema| current_event.fields.iter().all(|field| field.name != file.name);
        if let Some(field) = file_event.fields.iter().find(lacks) {
            return Err(layout_error(&event, &field.name, "a field of the current build", "one that it lacks"));
        }
        let steps: Result<Vec<TranslationStep>, ReadError> =
            current_event.fields.iter().map(|field| step(&event, field)).collect();
        Ok(RowPlan { steps: Some(steps?), event })
    }

    /// Creates a plan that rewrites rows of `file_event` as rows of the fields `wanted` alone.
    ///
    /// # Errors
    /// A field of the file has another kind or width.
    pub fn for_fields(file_event: &EventSchema, wanted: &[FieldSchema]) -> Result<RowPlan, ReadError> {
        let steps: Result<Vec<TranslationStep>, ReadError> =
            wanted.iter().map(|field| step(file_event, field)).collect();
        Ok(RowPlan { event: file_event.clone(), steps: Some(steps?) })
    }

    /// True if the file has all fields, so that no default is used.
    pub(crate) fn is_whole(&self) -> bool {
        let is_copied = |source: &Source| matches!(source, Source::Copy { .. });
        self.steps.iter().flatten().all(|step| match step {
            TranslationStep::Whole(_) => true,
            TranslationStep::Elements { sources, .. } => sources.iter().all(is_copied),
            TranslationStep::Default { .. } => false,
        })
    }

    /// Decodes a value from a row that the plan has rewritten.
    pub(crate) fn decode<T: Field>(&self, row: &[u8]) -> Result<T, ReadError> {
        T::decode(&mut Decoder::new(row)).map_err(|source| row_error(&self.event, source))
    }

    /// True if both layouts are equal, so that rows need no rewriting.
    pub fn is_identity(&self) -> bool {
        self.steps.is_none()
    }

    /// Code of the event.
    pub fn code(&self) -> EventCode {
        self.event.code
    }

    /// Rewrites `row` in the current layout, replacing the contents of `out`.
    ///
    /// # Errors
    /// The row does not have the file's layout.
    pub fn apply(&self, row: &[u8], out: &mut Vec<u8>) -> Result<(), ReadError> {
        out.clear();
        let Some(steps) = &self.steps else {
            out.extend_from_slice(row);
            return Ok(());
        };
        let fields = split(&self.event, row).map_err(|source| row_error(&self.event, source))?;
        for step in steps {
            match step {
                TranslationStep::Whole(field) => out.extend_from_slice(fields[*field]),
                TranslationStep::Default { width_bytes } => out.resize(out.len() + width_bytes, 0),
                TranslationStep::Elements { field, element_bytes, sources } => {
                    let (count, elements) = fields[*field].split_at(size_of::<u32>());
                    out.extend_from_slice(count);
                    for element in elements.chunks_exact(*element_bytes) {
                        for source in sources {
                            match source {
                                Source::Copy { at, width_bytes } => {
                                    out.extend_from_slice(&element[*at..at + width_bytes])
                                }
                                Source::Default { width_bytes } => out.resize(out.len() + width_bytes, 0),
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// True if both fields have the same bytes in rows. Documentation, roles and slots may differ.
fn same_field(file: &FieldSchema, current: &FieldSchema) -> bool {
    file.name == current.name
        && match (&file.kind, &current.kind) {
            (FieldKind::Scalar(file), FieldKind::Scalar(current)) => file.width_bytes == current.width_bytes,
            (FieldKind::Text, FieldKind::Text) | (FieldKind::Bytes, FieldKind::Bytes) => true,
            (FieldKind::List(file), FieldKind::List(current))
            | (FieldKind::Optional(file), FieldKind::Optional(current)) => {
                let columns = |columns: &[ScalarSchema]| -> Vec<(String, u8)> {
                    columns.iter().map(|scalar| (scalar.name.clone(), scalar.width_bytes)).collect()
                };
                columns(file) == columns(current)
            }
            _ => false,
        }
}

fn step(file_event: &EventSchema, current: &FieldSchema) -> Result<TranslationStep, ReadError> {
    let Some(index) = file_event.fields.iter().position(|field| field.name == current.name) else {
        let width_bytes = match &current.kind {
            FieldKind::Scalar(scalar) => scalar.width_bytes.into(),
            // A count of zero.
            _ => size_of::<u32>(),
        };
        return Ok(TranslationStep::Default { width_bytes });
    };
    let file = &file_event.fields[index];
    if same_field(file, current) {
        return Ok(TranslationStep::Whole(index));
    }
    match (&file.kind, &current.kind) {
        (FieldKind::List(file), FieldKind::List(columns))
        | (FieldKind::Optional(file), FieldKind::Optional(columns)) => {
            let sources = sources(file_event, &current.name, file, columns)?;
            Ok(TranslationStep::Elements { field: index, element_bytes: element_bytes(file), sources })
        }
        (file, current_kind) => Err(layout_error(file_event, &current.name, kind(current_kind), kind(file))),
    }
}

/// Sources of the columns of a list's elements.
fn sources(
    event: &EventSchema,
    field: &str,
    file: &[ScalarSchema],
    current: &[ScalarSchema],
) -> Result<Vec<Source>, ReadError> {
    if let Some(column) = file.iter().find(|file| current.iter().all(|column| column.name != file.name)) {
        let name = format!("{field}.{}", column.name);
        return Err(layout_error(event, &name, "a column of the current build", "one that it lacks"));
    }
    let sources = current.iter().map(|column| {
        let width_bytes = usize::from(column.width_bytes);
        let Some(index) = file.iter().position(|known| known.name == column.name) else {
            return Ok(Source::Default { width_bytes });
        };
        if file[index].width_bytes != column.width_bytes {
            let name = format!("{field}.{}", column.name);
            return Err(layout_error(event, &name, width(column), width(&file[index])));
        }
        Ok(Source::Copy { at: element_bytes(&file[..index]), width_bytes })
    });
    sources.collect()
}

fn kind(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Scalar(scalar) => width(scalar),
        FieldKind::Text => "text".to_owned(),
        FieldKind::Bytes => "bytes".to_owned(),
        FieldKind::List(_) => "a list".to_owned(),
        FieldKind::Optional(_) => "an optional".to_owned(),
    }
}

fn width(scalar: &ScalarSchema) -> String {
    format!("a number of {} bytes", scalar.width_bytes)
}

fn layout_error(event: &EventSchema, field: &str, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
    ReadError::Layout {
        event: event.name.clone(),
        field: field.to_owned(),
        expected: expected.into(),
        found: found.into(),
    }
}
