//! What events and their fields are, apart from their layout: a file may say the two in different places.

use crate::event::{EventCode, Opcode};
use crate::schema::{FieldKind, FieldSchema, ScalarSchema};
use crate::table::{EventSchema, SchemaTable};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What an event and its fields are: its code; its doc; in the order of the fields, the doc of each, and behind a list's those of
/// its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventDocs(pub EventCode, pub String, pub Vec<String>);

impl EventSchema {
    /// What it and its fields are.
    pub fn docs(&self) -> EventDocs {
        let of_field = |field: &FieldSchema| {
            let columns = columns(field).iter().map(|column| column.doc.clone());
            std::iter::once(field.doc.clone()).chain(columns).collect::<Vec<_>>()
        };
        EventDocs(self.code, self.doc.clone(), self.fields.iter().flat_map(of_field).collect())
    }

    /// Says what it and its fields are, as far as they are as many as were told.
    pub fn tell(&mut self, docs: &EventDocs) {
        let EventDocs(_, doc, of_fields) = docs;
        self.doc.clone_from(doc);
        let mut of_fields = of_fields.iter();
        for field in &mut self.fields {
            tell_field(field, &mut || of_fields.next().cloned().unwrap_or_default());
        }
    }
}

/// The columns of a list; a plain number is what its field is.
fn columns(field: &FieldSchema) -> &[ScalarSchema] {
    if matches!(field.kind, FieldKind::Scalar(_)) { &[] } else { field.scalars() }
}

fn tell_field(field: &mut FieldSchema, doc: &mut dyn FnMut() -> String) {
    field.doc = doc();
    match &mut field.kind {
        FieldKind::Scalar(scalar) => scalar.doc.clone_from(&field.doc),
        FieldKind::List(columns) | FieldKind::Optional(columns) => {
            columns.iter_mut().for_each(|column| column.doc = doc())
        }
        FieldKind::Text | FieldKind::Bytes => {}
    }
}

impl SchemaTable {
    /// The table without a word of what anything is.
    #[must_use]
    pub fn without_docs(&self) -> SchemaTable {
        let mut table = self.clone();
        for event in &mut table.events {
            event.doc.clear();
            event.fields.iter_mut().for_each(|field| tell_field(field, &mut String::new));
        }
        table
    }

    /// The table without what follows from the rest of it: a plain number has its field's name, and is what that is.
    #[must_use]
    pub fn brief(&self) -> SchemaTable {
        let mut table = self.clone();
        for field in table.events.iter_mut().flat_map(|event| &mut event.fields) {
            if let FieldKind::Scalar(scalar) = &mut field.kind {
                let clear = |text: &mut String, known: &str| {
                    if text == known {
                        text.clear()
                    }
                };
                clear(&mut scalar.name, &field.name);
                clear(&mut scalar.doc, &field.doc);
            }
        }
        table
    }

    /// Undoes [`brief`](Self::brief).
    pub fn spell_out(&mut self) {
        for field in self.events.iter_mut().flat_map(|event| &mut event.fields) {
            if let FieldKind::Scalar(scalar) = &mut field.kind {
                let fill = |text: &mut String, known: &String| {
                    if text.is_empty() {
                        text.clone_from(known)
                    }
                };
                fill(&mut scalar.name, &field.name);
                fill(&mut scalar.doc, &field.doc);
            }
        }
    }

    /// Says of events that nothing is said of what this build's event of that name is, and its fields of these names.
    pub fn tell_of_known(&mut self) {
        for event in self.events.iter_mut().filter(|event| event.doc.is_empty()) {
            let Some(known) = known(event) else { continue };
            event.doc.clone_from(&known.doc);
            for field in event.fields.iter_mut().filter(|field| field.doc.is_empty()) {
                let Some(known) = known.fields.iter().find(|known| known.name == field.name) else { continue };
                field.doc.clone_from(&known.doc);
                for scalar in field.scalars_mut().iter_mut().filter(|scalar| scalar.doc.is_empty()) {
                    let known = known.scalars().iter().find(|known| known.name == scalar.name);
                    scalar.doc.clone_from(known.map_or(&String::new(), |known| &known.doc));
                }
            }
        }
    }
}

/// This build's event of that name.
fn known(event: &EventSchema) -> Option<&'static EventSchema> {
    type Key = (String, String, Opcode);
    static KNOWN: OnceLock<HashMap<Key, EventSchema>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let key = |event: &EventSchema| (event.provider.clone(), event.name.clone(), event.opcode);
        SchemaTable::current().events.into_iter().map(|event| (key(&event), event)).collect()
    });
    known.get(&(event.provider.clone(), event.name.clone(), event.opcode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_comes_back() {
        let whole = SchemaTable::current();
        let mut brief = whole.brief();
        assert_ne!(brief, whole);
        brief.spell_out();
        assert_eq!(brief, whole);
        let mut told = whole.without_docs();
        assert!(
            told.events
                .iter()
                .all(|event| event.doc.is_empty() && event.fields.iter().all(|field| field.doc.is_empty()))
        );
        for (event, whole) in told.events.iter_mut().zip(&whole.events) {
            event.tell(&whole.docs());
        }
        assert_eq!(told, whole);
        let mut known = whole.without_docs();
        known.tell_of_known();
        assert_eq!(known, whole);
    }
}
