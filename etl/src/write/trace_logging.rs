//! Descriptions of TraceLogging events: the data of the items EVENT_SCHEMA_TL and PROV_TRAITS.

/// Bits of a field's type.
const COUNT_IN_PAYLOAD: u8 = 0x40;
const HAS_OUT_TYPE: u8 = 0x80;
const STRUCT: u8 = 24;
/// Members of a structure: its out type has 7 bits for them.
const MAX_MEMBERS: usize = 0x7F;

/// Builder of an event's description.
#[derive(Debug, Clone)]
pub struct SchemaBuilder {
    bytes: Vec<u8>,
}

impl SchemaBuilder {
    /// Begins the description of the event `name`.
    pub fn new(name: &str) -> Self {
        // Size, which `finish` sets, and no tags.
        let mut builder = Self { bytes: vec![0, 0, 0] };
        builder.text(name);
        builder
    }

    /// Adds a field of a TraceLogging type, one value.
    pub fn field(&mut self, name: &str, in_type: u8) {
        self.text(name);
        self.bytes.push(in_type);
    }

    /// Adds a structure whose number stands in the payload. The next `members` fields are its members. False if a
    /// structure cannot have so many.
    pub fn structures(&mut self, name: &str, members: usize) -> bool {
        if !(1..=MAX_MEMBERS).contains(&members) {
            return false;
        }
        self.text(name);
        self.bytes.extend([STRUCT | COUNT_IN_PAYLOAD | HAS_OUT_TYPE, members as u8]);
        true
    }

    /// The item's data. `None` if it is longer than its size can state.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        let size = u16::try_from(self.bytes.len()).ok()?;
        self.bytes[..2].copy_from_slice(&size.to_le_bytes());
        Some(self.bytes)
    }

    fn text(&mut self, text: &str) {
        push_text(&mut self.bytes, text);
    }
}

/// Data of the item PROV_TRAITS with a provider's name. Names are short: the size has 16 bits.
pub fn provider_traits(name: &str) -> Vec<u8> {
    let mut bytes = vec![0, 0];
    push_text(&mut bytes, name);
    let size = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    bytes[..2].copy_from_slice(&size.to_le_bytes());
    bytes
}

/// A text with its NUL. A NUL within becomes `_`.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(text.bytes().map(|byte| if byte == 0 { b'_' } else { byte }));
    bytes.push(0);
}
