//! Lower bound for grouping records by event and thread: fixed-size records in mapped memory are counted.

use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write};
use taut_console::outcome::Failure;
use taut_traces::{EventReader, MappedFile, Trace};

/// Size of a record: its stamp, and the indices of its event and thread.
const RECORD_BYTES: usize = 16;

/// Records that a core processes at a time.
const CHUNK_RECORDS: usize = 1 << 17;

/// Records in a mapped file.
pub struct Floor {
    records: MappedFile,
    codes: usize,
    threads: usize,
}

impl Floor {
    /// Writes the records of a trace to `file` and maps it.
    ///
    /// # Errors
    /// The trace is damaged, or the file cannot be written.
    pub fn new(trace: &Trace, file: File) -> Result<Floor, Failure> {
        let (mut reader, mut threads, mut codes) = (EventReader::default(), Vec::new(), Vec::new());
        let mut out = BufWriter::with_capacity(1 << 20, &file);
        let place = |known: &mut Vec<u32>, value: u32| {
            known.iter().position(|known| *known == value).unwrap_or_else(|| {
                known.push(value);
                known.len() - 1
            })
        };
        for block in trace.blocks() {
            let events = trace
                .block_events(block, &[], true, &mut reader)
                .map_err(|damage| Failure::input(std::io::Error::other(format!("damaged at {damage}"))))?;
            let thread = place(&mut threads, events.thread) as u32;
            let own: Vec<u32> = events.codes.iter().map(|code| place(&mut codes, u32::from(code.0)) as u32).collect();
            for (kind, stamp) in events.kinds.iter().zip(&events.stamps) {
                let mut record = [0; RECORD_BYTES];
                record[..8].copy_from_slice(&stamp.to_le_bytes());
                record[8..12].copy_from_slice(&own[usize::from(*kind)].to_le_bytes());
                record[12..].copy_from_slice(&thread.to_le_bytes());
                out.write_all(&record)?;
            }
        }
        out.flush()?;
        drop(out);
        let records = MappedFile::new(&file)?;
        Ok(Floor { records, codes: codes.len().max(1), threads: threads.len().max(1) })
    }

    /// Number of records.
    pub fn records(&self) -> u64 {
        (self.records.len() / RECORD_BYTES) as u64
    }

    /// Counts the records by event and thread on all cores; returns the sum over the groups.
    pub fn scan(&self) -> u64 {
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap_or_default()) as usize;
        let count = |chunk: &[u8]| {
            let mut groups = vec![0_u64; self.codes * self.threads];
            for record in chunk.chunks_exact(RECORD_BYTES) {
                let (code, thread) = (number(&record[8..12]), number(&record[12..]));
                groups[thread * self.codes + code] += 1;
            }
            groups
        };
        let both = |mut one: Vec<u64>, other: Vec<u64>| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
            one
        };
        let groups = self.records.par_chunks(CHUNK_RECORDS * RECORD_BYTES).map(count);
        let groups = groups.reduce(|| vec![0; self.codes * self.threads], both);
        // Prevents the compiler from optimising the counting away.
        std::hint::black_box(groups).iter().sum()
    }
}
