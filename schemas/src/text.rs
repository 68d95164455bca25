//! The schema table as text, for people.

use crate::event::Opcode;
use crate::family::Layer;
use crate::schema::{FieldKind, FieldSchema, ScalarSchema};
use crate::table::{EventSchema, SchemaTable};
use std::fmt;

impl fmt::Display for SchemaTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for layer in Layer::ALL {
            writeln!(f, "# {}\n", layer.title())?;
            let mut provider = "";
            for event in self.events.iter().filter(|event| event.layer == layer) {
                if event.provider != provider {
                    provider = &event.provider;
                    writeln!(f, "## {provider}\n")?;
                }
                event_text(event, f)?;
            }
        }
        writeln!(f, "# Codes\n")?;
        for code in &self.codes {
            let values = code.values.iter().map(|(value, name)| match code.flags {
                true => format!("{name} 0x{value:x}"),
                false => format!("{name} {value}"),
            });
            writeln!(f, "{}: {}", code.name, values.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

fn event_text(event: &EventSchema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match event.opcode {
        // A stop is listed under its start.
        Opcode::Stop => writeln!(f, "  returns")?,
        _ => writeln!(f, "{} {}\n  {}", event.code.id(), event.name, event.doc)?,
    }
    for field in &event.fields {
        field_text(field, f)?;
    }
    if event.opcode != Opcode::Start {
        writeln!(f)?;
    }
    Ok(())
}

fn field_text(field: &FieldSchema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (kind, columns) = match &field.kind {
        FieldKind::Scalar(scalar) => (scalar_text(scalar), &[][..]),
        FieldKind::Text => ("text".to_owned(), &[][..]),
        FieldKind::Bytes => ("bytes".to_owned(), &[][..]),
        FieldKind::List(columns) => ("list".to_owned(), &columns[..]),
        FieldKind::Optional(columns) => ("optional".to_owned(), &columns[..]),
    };
    writeln!(f, "    {:<32} {kind:<22} {}", field.name, field.doc)?;
    for column in columns {
        writeln!(f, "      {:<30} {:<22} {}", column.name, scalar_text(column), column.doc)?;
    }
    Ok(())
}

fn scalar_text(scalar: &ScalarSchema) -> String {
    let role = match (&scalar.code, scalar.space) {
        (Some(code), _) => code.clone(),
        (None, Some(space)) => format!("{} id", space.name()),
        (None, None) => format!("{:?}", scalar.role).to_lowercase(),
    };
    format!("u{} {role}", u32::from(scalar.width_bytes) * 8)
}
