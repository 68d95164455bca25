//! Records of a buffer: the header types of ETW.

use crate::bytes::{array, i64_at, u8_at, u16_at, u32_at, u64_at};
use crate::extended::ExtendedItems;
use crate::guid::Guid;

/// Bytes of EVENT_HEADER.
const EVENT_HEADER_BYTES: usize = 80;

/// Header type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    System32,
    System64,
    Compact32,
    Compact64,
    Full32,
    Full64,
    Instance32,
    Instance64,
    /// Error while Windows logged an event.
    Error,
    /// WPP message; its text is in a TMF file or a PDB.
    Message,
    PerfInfo32,
    PerfInfo64,
    Event32,
    Event64,
}

impl Kind {
    fn from_type(header_type: u8) -> Option<Self> {
        Some(match header_type {
            1 => Self::System32,
            2 => Self::System64,
            3 => Self::Compact32,
            4 => Self::Compact64,
            0x0A => Self::Full32,
            0x14 => Self::Full64,
            0x0B => Self::Instance32,
            0x15 => Self::Instance64,
            0x0D => Self::Error,
            0x10 => Self::PerfInfo32,
            0x11 => Self::PerfInfo64,
            0x12 => Self::Event32,
            0x13 => Self::Event64,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::System32 => "SYSTEM32",
            Self::System64 => "SYSTEM64",
            Self::Compact32 => "COMPACT32",
            Self::Compact64 => "COMPACT64",
            Self::Full32 => "FULL32",
            Self::Full64 => "FULL64",
            Self::Instance32 => "INSTANCE32",
            Self::Instance64 => "INSTANCE64",
            Self::Error => "ERROR",
            Self::Message => "MESSAGE",
            Self::PerfInfo32 => "PERFINFO32",
            Self::PerfInfo64 => "PERFINFO64",
            Self::Event32 => "EVENT32",
            Self::Event64 => "EVENT64",
        }
    }

    /// Size of a pointer in the payload.
    pub fn pointer_bytes(self) -> usize {
        match self {
            Self::System32 | Self::Compact32 | Self::Full32 | Self::Instance32 | Self::PerfInfo32 | Self::Event32 => 4,
            _ => 8,
        }
    }

    fn header_bytes(self) -> usize {
        match self {
            Self::System32 | Self::System64 => 32,
            Self::Compact32 | Self::Compact64 => 24,
            Self::Full32 | Self::Full64 => 48,
            Self::Instance32 | Self::Instance64 => 72,
            Self::Error | Self::Message => 8,
            Self::PerfInfo32 | Self::PerfInfo64 => 16,
            Self::Event32 | Self::Event64 => EVENT_HEADER_BYTES,
        }
    }

    /// Position of the record's size: after the version in kernel records, else first.
    fn size_at(self) -> usize {
        match self {
            Self::System32 | Self::System64 | Self::Compact32 | Self::Compact64 => 4,
            Self::PerfInfo32 | Self::PerfInfo64 => 4,
            _ => 0,
        }
    }
}

/// EVENT_DESCRIPTOR. Classic and kernel records have version, opcode and level only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Descriptor {
    pub id: u16,
    pub version: u8,
    pub channel: u8,
    pub level: u8,
    pub opcode: u8,
    pub task: u16,
    pub keyword: u64,
}

/// One event. Slices are those of the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    pub kind: Kind,
    pub processor: u16,
    /// In the file's clock. Records without a time have that of the previous record.
    pub tick: i64,
    pub thread: Option<u32>,
    pub process: Option<u32>,
    pub provider: Option<Guid>,
    pub descriptor: Descriptor,
    /// Group and opcode of a kernel record.
    pub hook: Option<u16>,
    pub payload: &'a [u8],
    pub(crate) items: &'a [u8],
}

/// Defect of a record's header.
pub(crate) struct Defect {
    pub expected: &'static str,
    pub found: String,
}

impl Record<'static> {
    /// State before the first record of a processor.
    pub(crate) fn at(processor: u16, tick: i64) -> Self {
        Self {
            kind: Kind::System64,
            processor,
            tick,
            thread: None,
            process: None,
            provider: None,
            descriptor: Descriptor::default(),
            hook: None,
            payload: &[],
            items: &[],
        }
    }
}

impl<'a> Record<'a> {
    /// Extended data items.
    pub fn extended(&self) -> ExtendedItems<'a> {
        ExtendedItems::new(self.items)
    }

    /// Parses the record at the start of `bytes` and its size. `previous` is the tick of the record before.
    pub(crate) fn parse(bytes: &'a [u8], processor: u16, previous: i64) -> Result<(Self, usize), Defect> {
        let short = || Defect { expected: "a record's header", found: format!("{} bytes", bytes.len()) };
        let [_, _, header_type, marker] = array(bytes, 0).ok_or_else(short)?;
        let kind = match marker {
            0xC0 => Kind::from_type(header_type),
            0x90 => Some(Kind::Message),
            _ => None,
        };
        let kind = kind.ok_or_else(|| Defect {
            expected: "the marker 0xC0 and a known header type, or 0x90",
            found: format!("marker {marker:#04x}, type {header_type:#04x}"),
        })?;
        let size = usize::from(u16_at(bytes, kind.size_at()).ok_or_else(short)?);
        if size < kind.header_bytes() || size > bytes.len() {
            return Err(Defect {
                expected: "a record size between its header and the rest of the buffer",
                found: format!("{size} for {} with {} bytes left", kind.name(), bytes.len()),
            });
        }
        let record = Self::fields(kind, &bytes[..size], processor, previous).ok_or_else(|| Defect {
            expected: "extended items and counters inside the record",
            found: format!("{} of {size} bytes", kind.name()),
        })?;
        Ok((record, size))
    }

    fn fields(kind: Kind, bytes: &'a [u8], processor: u16, previous: i64) -> Option<Self> {
        let payload = &bytes[kind.header_bytes()..];
        let mut record = Self { kind, payload, ..Record::at(processor, previous) };
        match kind {
            Kind::System32 | Kind::System64 | Kind::Compact32 | Kind::Compact64 => {
                record.kernel(bytes)?;
                record.descriptor.version = u8::try_from(u16_at(bytes, 0)?).unwrap_or(u8::MAX);
                record.thread = u32_at(bytes, 8);
                record.process = u32_at(bytes, 12);
                record.tick = i64_at(bytes, 16)?;
            }
            Kind::PerfInfo32 | Kind::PerfInfo64 => {
                record.kernel(bytes)?;
                record.tick = i64_at(bytes, 8)?;
                let version = u16_at(bytes, 0)?;
                record.descriptor.version = version as u8;
                // One extra u64 for PEBS and one per PMC counter stand before the data.
                let counters = usize::from(version >> 15) + usize::from(version >> 8 & 7);
                record.payload = record.payload.get(counters * 8..)?;
            }
            Kind::Full32 | Kind::Full64 | Kind::Instance32 | Kind::Instance64 => {
                record.headed(bytes)?;
                let (opcode, level) = (u8_at(bytes, 4)?, u8_at(bytes, 5)?);
                let version = u8::try_from(u16_at(bytes, 6)?).unwrap_or(u8::MAX);
                record.descriptor = Descriptor { opcode, level, version, ..Descriptor::default() };
            }
            Kind::Event32 | Kind::Event64 => record.event(bytes)?,
            Kind::Message => record.message(bytes),
            Kind::Error => {}
        }
        Some(record)
    }

    fn kernel(&mut self, bytes: &[u8]) -> Option<()> {
        let hook = u16_at(bytes, 6)?;
        self.hook = Some(hook);
        self.descriptor.opcode = hook as u8;
        Some(())
    }

    /// Fields at the same place in FULL, INSTANCE and EVENT headers.
    #[inline]
    fn headed(&mut self, bytes: &[u8]) -> Option<()> {
        self.thread = u32_at(bytes, 8);
        self.process = u32_at(bytes, 12);
        self.tick = i64_at(bytes, 16)?;
        self.provider = array(bytes, 0x18).map(Guid);
        Some(())
    }

    #[inline]
    fn event(&mut self, bytes: &'a [u8]) -> Option<()> {
        // One check for all fields.
        let bytes = bytes.first_chunk::<EVENT_HEADER_BYTES>()?;
        self.headed(bytes)?;
        self.descriptor = Descriptor {
            id: u16_at(bytes, 0x28)?,
            version: u8_at(bytes, 0x2A)?,
            channel: u8_at(bytes, 0x2B)?,
            level: u8_at(bytes, 0x2C)?,
            opcode: u8_at(bytes, 0x2D)?,
            task: u16_at(bytes, 0x2E)?,
            keyword: u64_at(bytes, 0x30)?,
        };
        if u16_at(bytes, 4)? & 1 != 0 {
            let items_bytes = ExtendedItems::chain_bytes(self.payload)?;
            (self.items, self.payload) = self.payload.split_at(items_bytes);
        }
        Some(())
    }

    /// Optional fields of a WPP message, in the order of their flags. Fields that do not fit stay in the payload.
    fn message(&mut self, bytes: &'a [u8]) {
        let flags = u16_at(bytes, 6).unwrap_or_default();
        self.descriptor.id = u16_at(bytes, 4).unwrap_or_default();
        let mut at = 8;
        at += if flags & 1 != 0 { 4 } else { 0 };
        if flags & 2 != 0 {
            self.provider = array(bytes, at).map(Guid);
            at += 16;
        } else if flags & 4 != 0 {
            at += 4;
        }
        if flags & 8 != 0 {
            self.tick = i64_at(bytes, at).unwrap_or(self.tick);
            at += 8;
        }
        if flags & 0x20 != 0 {
            self.thread = u32_at(bytes, at);
            self.process = u32_at(bytes, at + 4);
            at += 8;
        }
        self.payload = bytes.get(at..).unwrap_or_default();
    }
}
