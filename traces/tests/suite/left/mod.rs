//! Files of an unfinished recording, for damage tests.
#![allow(dead_code, clippy::unwrap_used)]

use crate::blocks::table;
use crate::generate::{Random, Record, read, records};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Files of an unfinished recording and its records, some of them in the trace and some in the sidecar.
pub struct UnfinishedRecording {
    pub all: Vec<Record>,
    pub trace: Vec<u8>,
    pub sidecar: Vec<u8>,
}

impl UnfinishedRecording {
    /// Recording with a table whose header is parsed quickly.
    pub fn new() -> UnfinishedRecording {
        UnfinishedRecording::with_table(&table(), 5000)
    }

    /// Recording of two threads with this table.
    pub fn with_table(table: &SchemaTable, count: usize) -> UnfinishedRecording {
        let all = records(&mut Random(5), table, 2, count);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.taut");
        let options = WriteOptions { buffer_bytes: 1 << 13, spare_buffers: 6, ..WriteOptions::default() };
        let header = Header { schema: table.clone(), ..Header::default() };
        let writer = TraceWriter::record(&path, header, options).unwrap();
        let mut threads = [writer.thread(0), writer.thread(1)];
        for record in &all {
            let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
            threads[record.thread as usize].event(record.code, record.stamp, payload);
        }
        // Copies of the files, as a crash would leave them now.
        let (trace, sidecar) = (fs::read(&path).unwrap(), fs::read(folder.path().join("x.taut.live")).unwrap());
        drop(threads);
        writer.finish().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the sidecar goes");
        let in_trace = Trace::from_bytes(trace.clone()).unwrap().summary().events;
        assert!(0 < in_trace && in_trace < all.len() as u64, "some are beside it: {in_trace}");
        UnfinishedRecording { all, trace, sidecar }
    }

    /// Folder with the files, whose lock nobody holds.
    pub fn place(&self) -> Place {
        let folder = tempfile::tempdir_in(memory()).unwrap();
        let (path, sidecar_path) = (folder.path().join("x.taut"), folder.path().join("x.taut.live"));
        fs::write(&path, &self.trace).unwrap();
        fs::write(&sidecar_path, &self.sidecar).unwrap();
        let sidecar = File::options().write(true).open(sidecar_path).unwrap();
        Place { sidecar, path, _folder: folder }
    }
}

/// Folder of an in-memory file system, if there is one.
fn memory() -> PathBuf {
    Some(PathBuf::from("/dev/shm")).filter(|memory| memory.is_dir()).unwrap_or_else(std::env::temp_dir)
}

pub struct Place {
    sidecar: File,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Place {
    /// Writes into the sidecar.
    pub fn write(&self, at: usize, bytes: &[u8]) {
        let mut sidecar = &self.sidecar;
        sidecar.seek(SeekFrom::Start(at as u64)).unwrap();
        sidecar.write_all(bytes).unwrap();
    }

    /// Truncates the sidecar.
    pub fn cut(&self, length: usize) {
        self.sidecar.set_len(length as u64).unwrap();
    }

    pub fn open(&self) -> Trace {
        Trace::open(&self.path).unwrap()
    }
}

/// True if the records found are those recorded, except for missing ones, which have to be reported.
pub fn check(all: &[Record], found: &Trace, what: &str) {
    let events = read(found);
    let mut rest = all.iter();
    assert!(
        events.iter().all(|event| rest.any(|recorded| recorded == event)),
        "{what}: an event changed, or its order"
    );
    if events.len() < all.len() {
        let missing = all.len() - events.len();
        assert!(!found.damage().is_empty(), "{what}: {missing} events are missing, which nothing tells");
    }
    let lost = found.summary().lost_events;
    assert!(lost <= (all.len() - events.len()) as u64, "{what}: {lost} lost");
}
