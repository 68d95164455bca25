//! Extended data items between an event's header and its payload.

use crate::bytes::u16_at;

/// Types of items.
pub mod item_types {
    pub const RELATED_ACTIVITY: u16 = 1;
    pub const STACK_TRACE32: u16 = 5;
    pub const STACK_TRACE64: u16 = 6;
    /// TraceLogging description of the event's fields.
    pub const EVENT_SCHEMA: u16 = 11;
    /// Name of the provider, and its group.
    pub const PROVIDER_TRAITS: u16 = 12;
}

/// One item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtendedItem<'a> {
    pub item_type: u16,
    pub data: &'a [u8],
}

/// Items of one event, in order.
#[derive(Debug, Clone)]
pub struct ExtendedItems<'a> {
    rest: &'a [u8],
}

impl<'a> ExtendedItems<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Bytes of the chain at the start of `bytes`. `None` if an item ends outside.
    pub(crate) fn chain_bytes(bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let linkage = u16_at(bytes, at + 4)?;
            let data = usize::from(u16_at(bytes, at + 6)?);
            bytes.get(at + 8..at + 8 + data)?;
            at += (8 + data).next_multiple_of(8);
            if linkage & 1 == 0 {
                // Padding of the last item may be cut off where the payload is empty.
                return Some(at.min(bytes.len()));
            }
        }
    }
}

impl<'a> Iterator for ExtendedItems<'a> {
    type Item = ExtendedItem<'a>;

    fn next(&mut self) -> Option<ExtendedItem<'a>> {
        let item_type = u16_at(self.rest, 2)?;
        let data_bytes = usize::from(u16_at(self.rest, 6)?);
        let data = self.rest.get(8..8 + data_bytes)?;
        self.rest = self.rest.get((8 + data_bytes).next_multiple_of(8)..).unwrap_or_default();
        Some(ExtendedItem { item_type, data })
    }
}

/// Name in the data of a [`item_types::PROVIDER_TRAITS`] item.
pub fn provider_traits_name(data: &[u8]) -> Option<&str> {
    let text = data.get(2..)?;
    let end = text.iter().position(|byte| *byte == 0)?;
    std::str::from_utf8(&text[..end]).ok()
}
