//! WMI_BUFFER_HEADER, the 72 bytes before each buffer's records.

use crate::bytes::{i64_at, u8_at, u16_at, u32_at};

/// Bytes of the header.
pub(crate) const HEADER_BYTES: usize = 0x48;

/// Bits of [`BufferHeader::flags`].
pub mod flags {
    /// Windows lost events before this buffer.
    pub const EVENTS_LOST: u16 = 2;
    /// Windows lost a whole buffer before this one.
    pub const BUFFER_LOST: u16 = 4;
    /// The processor is 16 bits wide.
    pub const PROCESSOR_INDEX: u16 = 0x20;
    pub const COMPRESSED: u16 = 0x40;
}

/// BufferType of the buffer that begins a file.
pub(crate) const TYPE_HEADER: u16 = 4;

/// Compression of a file's buffers, RTL's COMPRESSION_FORMAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Lznt1,
    Xpress,
    XpressHuffman,
    Unknown(u16),
}

impl Compression {
    pub(crate) fn from_state(state: u32) -> Self {
        match state as u16 {
            2 => Self::Lznt1,
            3 => Self::Xpress,
            4 => Self::XpressHuffman,
            other => Self::Unknown(other),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Lznt1 => "LZNT1",
            Self::Xpress => "XPRESS",
            Self::XpressHuffman => "XPRESS_HUFF",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Fields of a buffer's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferHeader {
    /// Bytes on disk with the header.
    pub size_bytes: u32,
    /// Used bytes of a compressed buffer's content with the header.
    pub saved_offset: u32,
    /// Used bytes with the header.
    pub offset: u32,
    pub sequence: i64,
    pub processor: u16,
    pub state: u32,
    pub flags: u16,
    pub buffer_type: u16,
}

impl BufferHeader {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let flags = u16_at(bytes, 0x34)?;
        let processor = match flags & flags::PROCESSOR_INDEX {
            0 => u16::from(u8_at(bytes, 0x28)?),
            _ => u16_at(bytes, 0x28)?,
        };
        Some(Self {
            size_bytes: u32_at(bytes, 0)?,
            saved_offset: u32_at(bytes, 4)?,
            offset: u32_at(bytes, 0x30)?,
            sequence: i64_at(bytes, 0x18)?,
            processor,
            state: u32_at(bytes, 0x2C)?,
            flags,
            buffer_type: u16_at(bytes, 0x36)?,
        })
    }

    pub fn is_compressed(&self) -> bool {
        self.flags & flags::COMPRESSED != 0
    }
}
