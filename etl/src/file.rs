//! A trace file: its header, and the places of its buffers.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use crate::buffer::{BufferHeader, Compression, HEADER_BYTES, TYPE_HEADER, flags};
use crate::damage::{DamageList, Error};
use crate::header::LogHeader;
use crate::record::{Kind, Record};

/// First bytes of formats that people confuse with traces.
const OTHER_FORMATS: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "a .zip archive"),
    (b"ElfFile\0", "an .evtx event log"),
    (b"\x89TAUT", "a .taut trace"),
    (b"\x1f\x8b", "a .gz file"),
    (b"MSCF", "a .cab archive"),
];

/// Bytes of a file.
enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

/// Place of one buffer with records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BufferPlace {
    pub offset: u64,
    pub sequence: i64,
}

/// Numbers of buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BufferCounts {
    pub buffers: u64,
    pub compressed: u64,
    /// With the flag EVENTS_LOST.
    pub with_events_lost: u64,
    /// With the flag BUFFER_LOST.
    pub with_buffer_lost: u64,
}

/// An open trace file.
pub struct Etl {
    bytes: Bytes,
    header: LogHeader,
    compression: Option<Compression>,
    counts: BufferCounts,
    processors: BTreeMap<u16, Vec<BufferPlace>>,
    damage: DamageList,
}

impl Etl {
    /// Maps a file and reads the headers of its buffers. The file must not be truncated while it is open.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Self::from_bytes(Vec::new());
        }
        // SAFETY: the mapping is read-only; a file that another program truncates meanwhile is excluded by contract.
        #[allow(unsafe_code)]
        let mapped = unsafe { memmap2::Mmap::map(&file) }?;
        Self::read(Bytes::Mapped(mapped))
    }

    /// Reads a trace in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::read(Bytes::Owned(bytes))
    }

    fn read(bytes: Bytes) -> Result<Self, Error> {
        let slice = bytes.as_slice();
        let (first, header) = first_record(slice)?;
        let compression = header.is_compressed().then(|| Compression::from_state(first.state));
        let mut walk = Walk::default();
        walk.buffers(slice);
        for buffers in walk.processors.values_mut() {
            // Stable: buffers of equal numbers keep the order of the file.
            buffers.sort_by_key(|buffer| buffer.sequence);
        }
        let Walk { counts, processors, mut damage } = walk;
        // A session that crashed states 0 or a former number, never a larger one.
        if counts.buffers < u64::from(header.buffers_written) {
            let found = format!("{} of {}", counts.buffers, header.buffers_written);
            damage.push(slice.len() as u64, "as many buffers as the header states", found);
        }
        Ok(Self { header, compression, counts, processors, damage, bytes })
    }

    pub fn header(&self) -> &LogHeader {
        &self.header
    }

    /// `None` if the file's mode does not include compression.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    pub fn counts(&self) -> BufferCounts {
        self.counts
    }

    pub fn size_bytes(&self) -> u64 {
        self.bytes.as_slice().len() as u64
    }

    /// Damage of buffers' headers. [`crate::Events::damage`] adds that of their content.
    pub fn damage(&self) -> &DamageList {
        &self.damage
    }

    pub(crate) fn processors(&self) -> &BTreeMap<u16, Vec<BufferPlace>> {
        &self.processors
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Header of the first buffer, and the first record in it.
fn first_record(bytes: &[u8]) -> Result<(BufferHeader, LogHeader), Error> {
    let looks_like = OTHER_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| *name);
    let not_etl = |offset, expected, found| Error::NotEtl { looks_like, offset, expected, found };
    let header = BufferHeader::parse(bytes)
        .ok_or_else(|| not_etl(0, "a buffer header of 72 bytes", format!("{} bytes", bytes.len())))?;
    if header.buffer_type != TYPE_HEADER || looks_like.is_some() {
        let found = format!("{} (bytes {:02x?})", header.buffer_type, &bytes[..8]);
        return Err(not_etl(0x36, "the buffer type 4 of a header", found));
    }
    let size = (header.size_bytes as usize).min(bytes.len());
    let start = HEADER_BYTES.min(size);
    let record = match Record::parse(&bytes[start..size], 0, 0) {
        Ok((record, _)) => record,
        Err(defect) => return Err(not_etl(start as u64, defect.expected, defect.found)),
    };
    if !matches!(record.kind, Kind::System32 | Kind::System64) || record.hook != Some(0) {
        return Err(not_etl(start as u64, "the SYSTEM record 0 of a trace header", record.kind.name().to_owned()));
    }
    let found = format!("{} bytes", record.payload.len());
    let log = LogHeader::parse(record.payload, record.tick)
        .ok_or_else(|| not_etl(start as u64 + 0x20, "a trace header of 272 or 280 bytes", found))?;
    Ok((header, log))
}

/// Walk over the headers of all buffers.
#[derive(Default)]
struct Walk {
    counts: BufferCounts,
    processors: BTreeMap<u16, Vec<BufferPlace>>,
    damage: DamageList,
}

impl Walk {
    fn buffers(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let Some(header) = BufferHeader::parse(rest) else {
                self.damage.push(at as u64, "a buffer header of 72 bytes", format!("{} bytes", rest.len()));
                return;
            };
            let size = header.size_bytes as usize;
            if size < HEADER_BYTES || size > rest.len() {
                let found = format!("{size} with {} bytes left", rest.len());
                self.damage.push(at as u64, "a BufferSize between 72 and the rest of the file", found);
                // Records of a buffer that the end of the file cuts off are still read.
                if size < HEADER_BYTES {
                    return;
                }
            }
            self.buffer(at as u64, &header);
            at = at.saturating_add(size);
        }
    }

    fn buffer(&mut self, offset: u64, header: &BufferHeader) {
        if offset > 0 && header.buffer_type == TYPE_HEADER {
            self.damage.push(offset, "one header buffer per file", "another one (two sessions in one file)");
        }
        self.counts.buffers += 1;
        self.counts.compressed += u64::from(header.is_compressed());
        self.counts.with_events_lost += u64::from(header.flags & flags::EVENTS_LOST != 0);
        self.counts.with_buffer_lost += u64::from(header.flags & flags::BUFFER_LOST != 0);
        let used = if header.is_compressed() { header.saved_offset } else { header.offset };
        if used as usize > HEADER_BYTES {
            let place = BufferPlace { offset, sequence: header.sequence };
            self.processors.entry(header.processor).or_default().push(place);
        }
    }
}
