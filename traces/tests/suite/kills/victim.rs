//! The killed process: threads that record, and note their progress in another file before and after each event.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use taut_schemas::{EventCode, EventSchema, FieldKind, FieldSchema, Layer, Level, Opcode, SchemaTable};
use taut_traces::{Header, Mode, PathClaim, TraceWriter, WriteOptions};

pub const ROLE: &str = "TAUT_VICTIM";

pub const MAX_THREADS: usize = 8;

const CODE: EventCode = EventCode::new(1, Opcode::Info);

/// Parameters of the process.
#[derive(Debug)]
pub struct Role {
    pub threads: u64,
    pub spare_buffers: u64,
    pub buffer_bytes: u64,
    /// Period of events that are larger than a slot; 0 for none.
    pub large_every: u64,
    /// Recording mode, as an index into [`MODES`].
    pub mode: u64,
}

/// All recording modes.
pub const MODES: [Mode; 3] = [Mode::Sequential, Mode::Ring, Mode::Circular];

/// Size of a ring recording, in bytes.
const MAX_BYTES: u64 = 1 << 18;

impl Role {
    pub fn to_text(&self) -> String {
        let Role { threads, spare_buffers, buffer_bytes, large_every, mode } = self;
        format!("{threads} {spare_buffers} {buffer_bytes} {large_every} {mode}")
    }

    pub fn of_text(text: &str) -> Role {
        let mut numbers = text.split(' ').map(|number| number.parse().unwrap());
        let mut next = || numbers.next().unwrap();
        Role { threads: next(), spare_buffers: next(), buffer_bytes: next(), large_every: next(), mode: next() }
    }
}

/// Progress of each thread, in a file of the page cache: two numbers per thread.
pub struct Progress(Vec<u64>);

impl Progress {
    pub fn read(path: &Path) -> Progress {
        let bytes = std::fs::read(path).unwrap();
        let (words, _) = bytes.as_chunks::<8>();
        Progress(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// Number of events that a thread began to record, and number recorded.
    pub fn of(&self, thread: usize) -> (u64, u64) {
        let number = |at: usize| self.0.get(at).copied().unwrap_or_default();
        (number(2 * thread), number(2 * thread + 1))
    }
}

fn header() -> Header {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let event = EventSchema {
        code: CODE,
        name: "Counted".into(),
        provider: "test".into(),
        layer: Layer::Api,
        opcode: Opcode::Info,
        level: Level::default(),
        keywords: 0,
        etw: None,
        doc: String::new(),
        fields: vec![field],
    };
    Header { schema: SchemaTable { events: vec![event].into(), ..SchemaTable::default() }, ..Header::default() }
}

/// Number that an event carries; the rest of its bytes follow from it.
pub fn number(payload: &[u8]) -> u64 {
    let data = &payload[4..];
    let number = u64::from_le_bytes(*data.first_chunk().unwrap());
    assert!(data[8..].iter().all(|byte| *byte == number as u8), "event {number}");
    number
}

/// Records until killed.
pub fn record(role: &Role) {
    let path = Path::new("x.taut");
    let claim = PathClaim::new(path, path, false).unwrap();
    let file = File::create("part").unwrap();
    let mode = MODES[role.mode as usize];
    let options = WriteOptions {
        buffer_bytes: role.buffer_bytes as usize,
        spare_buffers: role.spare_buffers as usize,
        mode,
        max_bytes: mode.discards_oldest().then_some(MAX_BYTES),
        sync_interval: (mode == Mode::Circular).then_some(Duration::from_millis(20)),
        ..WriteOptions::default()
    };
    let appear = || std::fs::rename("part", "x.taut");
    let progress = OpenOptions::new().create(true).truncate(true).write(true).read(true).open("progress").unwrap();
    progress.set_len(16 * MAX_THREADS as u64).unwrap();
    let progress = Arc::new(progress);
    let writer = TraceWriter::to_claimed(claim, file, appear, header(), options).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..role.threads {
            let (mut recorder, progress) = (writer.thread(thread as u32), Arc::clone(&progress));
            scope.spawn(move || {
                let note = |place: u64, number: u64| {
                    progress.write_all_at(&number.to_le_bytes(), 16 * thread + 8 * place).unwrap();
                };
                for number in 0.. {
                    let is_large = role.large_every > 0 && number % role.large_every == role.large_every - 1;
                    let length = if is_large { role.buffer_bytes as usize } else { (number % 61) as usize };
                    note(0, number + 1);
                    recorder.event(CODE, 10 * number + thread, |encoder| {
                        encoder.count(8 + length);
                        encoder.u64(number);
                        (0..length).for_each(|_| encoder.u8(number as u8));
                    });
                    note(1, number + 1);
                }
            });
        }
    });
}
