//! Layouts that a merged file carries itself: TRACE_EVENT_INFO in FULL records of opcode 32.

use std::collections::HashMap;

use crate::bytes::{array, u8_at, u16_at, u32_at, utf16_nul, utf16_text};
use crate::decode::{Extent, Field, FieldType, Layout};
use crate::file::Etl;
use crate::guid::Guid;
use crate::record::{Kind, Record};

/// Provider of the records.
const META_PROVIDER: &str = "bbccf6c1-6cd1-48c4-80ff-839482e37671";
const OPCODE_EVENT_INFO: u8 = 32;
/// Position of the first property, and size of each.
const PROPERTIES_AT: usize = 112;
const PROPERTY_BYTES: usize = 24;
/// Bits of a property's flags.
const IS_STRUCT: u32 = 1;
const LENGTH_IN_FIELD: u32 = 2;
const COUNT_IN_FIELD: u32 = 4;
const LENGTH_IS_FIXED: u32 = 0x10;
const COUNT_IS_FIXED: u32 = 0x20;

/// Provider, id and version of an event.
pub type EventKey = (Guid, u16, u8);

/// An event that the file describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedEvent {
    pub key: EventKey,
    pub provider: String,
    pub task: String,
    pub layout: Layout,
}

impl EmbeddedEvent {
    /// Parses a record. `None` if it is of another kind, an offset is outside, or a property has no plain type.
    pub fn parse(record: &Record<'_>) -> Option<Self> {
        let is_full = matches!(record.kind, Kind::Full32 | Kind::Full64);
        if !is_full || record.descriptor.opcode != OPCODE_EVENT_INFO || record.provider != Guid::parse(META_PROVIDER) {
            return None;
        }
        let bytes = record.payload;
        let key = (Guid(array(bytes, 0)?), u16_at(bytes, 32)?, u8_at(bytes, 34)?);
        let properties = u32_at(bytes, 100)? as usize;
        if u32_at(bytes, 104)? as usize != properties
            || properties > bytes.len().checked_sub(PROPERTIES_AT)? / PROPERTY_BYTES
        {
            return None;
        }
        let mut layout = Layout::default();
        for index in 0..properties {
            layout.fields.push(property(bytes, PROPERTIES_AT + index * PROPERTY_BYTES)?);
        }
        Some(Self { key, provider: text(bytes, 52)?, task: text(bytes, 68).unwrap_or_default(), layout })
    }

    /// All events that the file describes. Reads the whole file.
    pub fn all(file: &Etl) -> HashMap<EventKey, Self> {
        let mut found = HashMap::new();
        let mut events = file.events();
        while let Some(record) = events.next_record() {
            if let Some(event) = Self::parse(&record) {
                found.insert(event.key, event);
            }
        }
        found
    }
}

/// Text whose offset is stored at `at`.
fn text(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(u32_at(bytes, at)? as usize..)?;
    Some(utf16_text(&rest[..utf16_nul(rest)?]).trim_end().to_owned())
}

fn property(bytes: &[u8], at: usize) -> Option<Field> {
    let flags = u32_at(bytes, at)?;
    if flags & IS_STRUCT != 0 {
        return None;
    }
    let field_type = FieldType::from_in_type(u16_at(bytes, at + 8)?)?;
    let extent = |in_field, fixed, value: u16| match flags {
        flags if flags & in_field != 0 => Extent::Field(usize::from(value)),
        flags if flags & fixed != 0 => Extent::Constant(usize::from(value)),
        _ => Extent::None,
    };
    Some(Field {
        name: text(bytes, at + 4)?,
        field_type,
        count: extent(COUNT_IN_FIELD, COUNT_IS_FIXED, u16_at(bytes, at + 16)?),
        length: extent(LENGTH_IN_FIELD, LENGTH_IS_FIXED, u16_at(bytes, at + 18)?),
        map: None,
    })
}
