//! Selection resolved against the schema table.

use crate::format::error::ReadError;
use crate::format::walk::{Step, Walks};
use crate::read::extracted::{Column, EventColumns, ThreadExtract};
use crate::read::selection::Selection;
use taut_schemas::{EventCode, FieldKind, SchemaTable};

/// A field to extract: index in the selection and index among the event's steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedField {
    /// Index of the event in the selection.
    pub event: usize,
    /// Index of the field in the event's selection.
    pub field: usize,
    /// Index of the field's step.
    pub step: usize,
}

/// Fields to extract from each event.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// Plain scalars, with slot index and position among the event's values on that slot; by walk index.
    pub scalars: Vec<Vec<(WantedField, u16, u32)>>,
    /// Texts, byte strings and lists; by walk index.
    pub tails: Vec<Vec<WantedField>>,
    /// True if any text, byte string or list is wanted.
    pub any_tail: bool,
    /// Empty columns for the selection.
    empty: Vec<EventColumns>,
}

impl Wanted {
    pub fn new(table: &SchemaTable, walks: &Walks, selection: &Selection) -> Result<Wanted, ReadError> {
        let mut wanted = Wanted {
            scalars: vec![Vec::new(); walks.len()],
            tails: vec![Vec::new(); walks.len()],
            any_tail: false,
            empty: Vec::new(),
        };
        for (event, (code, names)) in selection.events.iter().enumerate() {
            let mut columns = EventColumns { code: *code, fields: Vec::new() };
            for (field, name) in names.iter().enumerate() {
                let (step, column) = column(table, *code, name)?;
                columns.fields.push((name.clone(), column));
                wanted.add(walks, *code, WantedField { event, field, step });
            }
            if table.event(*code).is_none() {
                return Err(ReadError::UnknownEvent(*code));
            }
            wanted.empty.push(columns);
        }
        Ok(wanted)
    }

    fn add(&mut self, walks: &Walks, code: EventCode, field: WantedField) {
        let Some(index) = walks.index(code) else { return };
        let steps = &walks.walk(index).steps;
        match &steps[field.step] {
            Step::Scalar(scalar) => {
                let before = steps[..field.step].iter();
                let same = |step: &&Step| matches!(step, Step::Scalar(before) if before.slot == scalar.slot);
                self.scalars[index].push((field, scalar.slot, before.filter(same).count() as u32));
            }
            Step::Bytes | Step::List { .. } => {
                self.tails[index].push(field);
                self.any_tail = true;
            }
        }
    }

    /// Empty columns for a thread.
    pub fn columns(&self, thread: u32) -> ThreadExtract {
        ThreadExtract { thread, columns: self.empty.clone(), ..ThreadExtract::default() }
    }
}

/// Step index of a field and an empty column for it.
fn column(table: &SchemaTable, code: EventCode, name: &str) -> Result<(usize, Column), ReadError> {
    let event = table.event(code).ok_or(ReadError::UnknownEvent(code))?;
    let unknown = || ReadError::UnknownField { event: event.name.clone(), field: name.to_owned() };
    let step = event.fields.iter().position(|field| field.name == name).ok_or_else(unknown)?;
    let column = match &event.fields[step].kind {
        FieldKind::Scalar(_) => Column::Numbers(Vec::new()),
        FieldKind::Text | FieldKind::Bytes => Column::Texts { ends: Vec::new(), bytes: Vec::new() },
        FieldKind::List(columns) | FieldKind::Optional(columns) => {
            let columns = columns.iter().map(|scalar| (scalar.name.clone(), Vec::new())).collect();
            Column::Lists { ends: Vec::new(), columns }
        }
    };
    Ok((step, column))
}
