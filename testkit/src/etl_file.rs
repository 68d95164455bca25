//! Small trace files of Event Tracing for Windows (.etl), with one buffer per processor.

/// Header type of an event of a 64-bit process.
const EVENT_64: u8 = 0x13;
/// EXTENDED_HEADER flag of an event's header.
const HAS_EXTENDED_ITEMS: u8 = 1;
/// Extended item with a TraceLogging description.
const EVENT_SCHEMA: u16 = 11;
/// Type of the header's buffer.
const HEADER_BUFFER: u16 = 4;
/// Bytes of a buffer's header, and of an event's.
const BUFFER_HEADER_BYTES: usize = 72;
const EVENT_HEADER_BYTES: usize = 80;
/// Bytes of the header record's fields before the names.
const LOG_HEADER_BYTES: usize = 0x118;

/// A file.
#[derive(Debug, Clone)]
pub struct EtlFile {
    pub windows_build: u32,
    pub events_lost: u32,
    pub ticks_per_second: i64,
    /// Name of the session, and path of the file on the machine that wrote it.
    pub session: &'static str,
    pub log_file: &'static str,
}

/// An event of a 64-bit process.
#[derive(Debug, Clone)]
pub struct EtlEvent {
    pub process: u32,
    pub thread: u32,
    pub tick: i64,
    /// Provider's GUID in the file's byte order.
    pub provider: [u8; 16],
    pub id: u16,
    pub version: u8,
    /// TraceLogging description.
    pub schema: Option<Vec<u8>>,
    pub payload: Vec<u8>,
}

impl Default for EtlFile {
    fn default() -> Self {
        Self {
            windows_build: 22_000,
            events_lost: 0,
            ticks_per_second: 10_000_000,
            session: "session",
            log_file: "C:\\Users\\ann\\file",
        }
    }
}

impl Default for EtlEvent {
    fn default() -> Self {
        Self {
            process: 9,
            thread: 7,
            tick: 0,
            provider: [0xAB; 16],
            id: 0,
            version: 0,
            schema: None,
            payload: Vec::new(),
        }
    }
}

impl EtlFile {
    /// Bytes of the file, with the events of each processor in their order.
    pub fn bytes(&self, processors: &[Vec<EtlEvent>]) -> Vec<u8> {
        let mut bytes = buffer(0, HEADER_BUFFER, &self.header_record());
        for (processor, events) in processors.iter().enumerate() {
            let content: Vec<u8> = events.iter().flat_map(EtlEvent::bytes).collect();
            bytes.extend(buffer(processor as u16, 0, &content));
        }
        bytes
    }

    fn header_record(&self) -> Vec<u8> {
        let mut payload = vec![0; LOG_HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| payload[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &65_536_u32.to_le_bytes());
        put(8, &self.windows_build.to_le_bytes());
        put(0x2C, &8_u32.to_le_bytes());
        put(0x30, &self.events_lost.to_le_bytes());
        put(0x100, &self.ticks_per_second.to_le_bytes());
        put(0x108, &132_000_000_000_000_000_i64.to_le_bytes());
        put(0x110, &1_u32.to_le_bytes());
        for name in [self.session, self.log_file] {
            payload.extend(name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        }
        let mut record = vec![2, 0, 2, 0xC0];
        record.extend((32 + payload.len() as u16).to_le_bytes());
        record.extend([0; 26]);
        record.extend(payload);
        record
    }
}

impl EtlEvent {
    /// A TraceLogging event. `fields` has the name of each field, its 0 and its type.
    pub fn trace_logging(name: &str, fields: &[u8], payload: Vec<u8>) -> Self {
        let mut schema = vec![0, 0, 0];
        schema.extend(name.as_bytes());
        schema.push(0);
        schema.extend(fields);
        let length = schema.len() as u16;
        schema[..2].copy_from_slice(&length.to_le_bytes());
        Self { schema: Some(schema), payload, ..Self::default() }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut chain = Vec::new();
        if let Some(schema) = &self.schema {
            let size = (8 + schema.len()).next_multiple_of(8) as u16;
            chain.extend([size, EVENT_SCHEMA, 0, schema.len() as u16].into_iter().flat_map(u16::to_le_bytes));
            chain.extend(schema);
            chain.resize(chain.len().next_multiple_of(8), 0);
        }
        let size = EVENT_HEADER_BYTES + chain.len() + self.payload.len();
        let mut bytes = (size as u16).to_le_bytes().to_vec();
        let flags = if chain.is_empty() { 0 } else { HAS_EXTENDED_ITEMS };
        bytes.extend([EVENT_64, 0xC0, flags, 0, 0, 0]);
        bytes.extend(self.thread.to_le_bytes());
        bytes.extend(self.process.to_le_bytes());
        bytes.extend(self.tick.to_le_bytes());
        bytes.extend(self.provider);
        bytes.extend(self.id.to_le_bytes());
        // Version, channel and level: 4 is `info`.
        bytes.extend([self.version, 0, 4]);
        bytes.resize(EVENT_HEADER_BYTES, 0);
        bytes.extend(chain);
        bytes.extend(&self.payload);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }
}

fn buffer(processor: u16, buffer_type: u16, content: &[u8]) -> Vec<u8> {
    let used = (BUFFER_HEADER_BYTES + content.len()) as u32;
    let mut bytes = vec![0; BUFFER_HEADER_BYTES];
    bytes[0..4].copy_from_slice(&used.next_multiple_of(8).to_le_bytes());
    bytes[4..8].copy_from_slice(&used.to_le_bytes());
    bytes[0x28..0x2A].copy_from_slice(&processor.to_le_bytes());
    bytes[0x30..0x34].copy_from_slice(&used.to_le_bytes());
    bytes[0x34] = 0x20;
    bytes[0x36..0x38].copy_from_slice(&buffer_type.to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}
