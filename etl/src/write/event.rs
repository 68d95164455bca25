//! Records of the type EVENT64.

use super::buffer::PendingBuffer;
use crate::guid::Guid;
use crate::record::Descriptor;

/// Bytes of EVENT_HEADER.
const HEADER_BYTES: usize = 80;
/// Header type of an event of a 64-bit process.
const TYPE_EVENT_64: u8 = 0x13;
/// Marker of a trace header.
const MARKER: u8 = 0xC0;
/// EVENT_HEADER_FLAG_EXTENDED_INFO.
const HAS_ITEMS: u16 = 1;

/// An event of a 64-bit process.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewEvent<'a> {
    pub tick: i64,
    pub process: u32,
    pub thread: u32,
    pub provider: Guid,
    pub descriptor: Descriptor,
    /// Extended data items: type and data of each.
    pub items: &'a [(u16, &'a [u8])],
    pub payload: &'a [u8],
}

impl NewEvent<'_> {
    /// Size of the record without padding.
    pub fn size_bytes(&self) -> usize {
        let items: usize = self.items.iter().map(|(_, data)| item_bytes(data)).sum();
        HEADER_BYTES + items + self.payload.len()
    }

    pub(super) fn write(&self, buffer: &mut PendingBuffer) {
        buffer.append(self.tick, |bytes| self.append(bytes));
    }

    fn append(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        let descriptor = &self.descriptor;
        let flags = if self.items.is_empty() { 0 } else { HAS_ITEMS };
        // The writer has checked that the size is below 64 KiB.
        bytes.extend((self.size_bytes() as u16).to_le_bytes());
        bytes.extend([TYPE_EVENT_64, MARKER]);
        bytes.extend(flags.to_le_bytes());
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend(self.thread.to_le_bytes());
        bytes.extend(self.process.to_le_bytes());
        bytes.extend(self.tick.to_le_bytes());
        bytes.extend(self.provider.0);
        bytes.extend(descriptor.id.to_le_bytes());
        bytes.extend([descriptor.version, descriptor.channel, descriptor.level, descriptor.opcode]);
        bytes.extend(descriptor.task.to_le_bytes());
        bytes.extend(descriptor.keyword.to_le_bytes());
        // ProcessorTime and ActivityId are unknown.
        bytes.resize(start + HEADER_BYTES, 0);
        for (index, (item_type, data)) in self.items.iter().enumerate() {
            let has_next = u16::from(index + 1 < self.items.len());
            for field in [item_bytes(data) as u16, *item_type, has_next, data.len() as u16] {
                bytes.extend(field.to_le_bytes());
            }
            bytes.extend_from_slice(data);
            bytes.resize(bytes.len() + item_bytes(data) - 8 - data.len(), 0);
        }
        bytes.extend_from_slice(self.payload);
    }
}

/// Bytes of an item with its header and padding.
fn item_bytes(data: &[u8]) -> usize {
    (8 + data.len()).next_multiple_of(8)
}
