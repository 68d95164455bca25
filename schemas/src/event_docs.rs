//! Descriptions of events and fields, apart from their layout: a file may store the two in different places.

use crate::event::{EventCode, Opcode};
use crate::schema::{FieldKind, FieldSchema, ScalarSchema};
use crate::table::{EventSchema, SchemaTable};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The descriptions of an event and its fields: the event's code; the event's text; then, in the order of the fields,
/// the text of each, followed for a list by those of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventDocs(pub EventCode, pub String, pub Vec<String>);

impl EventSchema {
    /// The descriptions of the event and its fields.
    pub fn docs(&self) -> EventDocs {
        let of_field = |field: &FieldSchema| {
            let columns = columns(field).iter().map(|column| column.doc.clone());
            std::iter::once(field.doc.clone()).chain(columns).collect::<Vec<_>>()
        };
        EventDocs(self.code, self.doc.clone(), self.fields.iter().flat_map(of_field).collect())
    }

    /// Sets the descriptions of the event and its fields; missing ones become empty.
    pub fn set_docs(&mut self, docs: &EventDocs) {
        let EventDocs(_, doc, of_fields) = docs;
        self.doc.clone_from(doc);
        let mut of_fields = of_fields.iter();
        for field in &mut self.fields {
            set_field_docs(field, &mut || of_fields.next().cloned().unwrap_or_default());
        }
    }
}

/// The columns of a list; empty for a plain number, which has the description of its field.
fn columns(field: &FieldSchema) -> &[ScalarSchema] {
    if matches!(field.kind, FieldKind::Scalar(_)) { &[] } else { field.scalars() }
}

fn set_field_docs(field: &mut FieldSchema, doc: &mut dyn FnMut() -> String) {
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
    /// The table without any descriptions.
    #[must_use]
    pub fn without_docs(&self) -> SchemaTable {
        let mut table = self.clone();
        for event in &mut table.events {
            event.doc.clear();
            event.fields.iter_mut().for_each(|field| set_field_docs(field, &mut String::new));
        }
        table
    }

    /// The table without redundant texts: a plain number's name and description are left out where they equal its
    /// field's.
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

    /// Restores the texts that [`brief`](Self::brief) removed.
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

    /// Fills in missing descriptions of events and fields from this build's event and fields of the same names.
    pub fn fill_known_docs(&mut self) {
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
    fn left_out_texts_are_restored() {
        let whole = SchemaTable::current();
        let mut brief = whole.brief();
        assert_ne!(brief, whole);
        brief.spell_out();
        assert_eq!(brief, whole);
        let mut bare = whole.without_docs();
        assert!(
            bare.events
                .iter()
                .all(|event| event.doc.is_empty() && event.fields.iter().all(|field| field.doc.is_empty()))
        );
        for (event, whole) in bare.events.iter_mut().zip(&whole.events) {
            event.set_docs(&whole.docs());
        }
        assert_eq!(bare, whole);
        let mut known = whole.without_docs();
        known.fill_known_docs();
        assert_eq!(known, whole);
    }
}
