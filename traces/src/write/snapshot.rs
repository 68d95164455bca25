//! Snapshot: a trace of the events that an active recording has so far.

use crate::Trace;
use crate::format::block_encoder::BlockEncoder;
use crate::format::block_info::BlockInfo;
use crate::format::block_list::{BlockList, INDEX_EVERY};
use crate::format::column::ColumnEncoder;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::envelope::GAP;
use crate::format::nesting::Nesting;
use crate::format::write_summary::WriteSummary;
use crate::live::disk::{Disk, SIDE_FILE_MODE};
use crate::live::temp_file::TempFile;
use crate::read::block_rows::BlockRows;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Max number of attempts to read a recording that changes meanwhile.
const MAX_ATTEMPTS: usize = 20;

/// Snapshot of an active recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Path of the snapshot.
    pub path: PathBuf,
    /// Counts of the snapshot.
    pub written: WriteSummary,
}

impl Snapshot {
    /// Takes a snapshot of the recording `NAME.taut` at `path` and writes it to `NAME.1.taut`, or with the next free
    /// number.
    ///
    /// The snapshot ends at a stamp: it contains every event up to it, in all threads. That requires stamps that are
    /// times; `now` returns the current one, and `None` for the logical clock.
    ///
    /// # Errors
    /// The recording has no times or cannot be read, or the file cannot be written.
    pub(crate) fn take(path: &Path, now: impl Fn() -> Option<u64>, disk: &Disk) -> io::Result<Snapshot> {
        let (trace, until) = open_consistent(path, now)?;
        let mut target = free_name(path)?;
        let (file, mut temp_file) = TempFile::create_for(&target, SIDE_FILE_MODE, disk)?;
        let mut output = BufWriter::new(file);
        let written = trace.write_until(until, &mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        loop {
            match temp_file.put_exclusive(&target) {
                // Another process took the name meanwhile.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => target = free_name(path)?,
                put => return put.map(|()| Snapshot { path: target, written }),
            }
        }
    }
}

/// Opens the recording and returns it with the stamp up to which it is complete. A recording in the middle of a change
/// appears damaged and is opened again.
///
/// An event is recorded before any later event gets its stamp. So the files contain every event stamped before they are
/// read, although they are not read at one moment.
fn open_consistent(path: &Path, now: impl Fn() -> Option<u64>) -> io::Result<(Trace, u64)> {
    let (mut looks, mut until) = (0, None);
    loop {
        looks += 1;
        let opened = Trace::open_after(path, || until = now());
        let trace = opened.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
        let Some(until) = until else {
            let why = "no stamp says when something happened: they are of the logical clock, or of none that the recorder was told";
            return Err(Error::new(ErrorKind::Unsupported, why));
        };
        match trace.damage().first() {
            None => return Ok((trace, until)),
            Some(damage) if looks == MAX_ATTEMPTS => return Err(Error::new(ErrorKind::InvalidData, damage.clone())),
            Some(_) => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
}

/// First unused name among `x.1.taut`, `x.2.taut` and so on, for `x.taut`.
fn free_name(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1..u32::MAX {
        let name = match path.extension() {
            Some(extension) => format!("{stem}.{number}.{}", extension.to_string_lossy()),
            None => format!("{stem}.{number}"),
        };
        let free = path.with_file_name(name);
        // The metadata does not follow links, so the path of a dangling link counts as used.
        match std::fs::symlink_metadata(&free) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(free),
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

impl Trace {
    /// Writes a finished trace of all records with stamps up to `until`; requires rising stamps in each stream.
    fn write_until(&self, until: u64, output: &mut impl Write) -> io::Result<WriteSummary> {
        output.write_all(&self.file[..self.start as usize])?;
        let mut written = WriteSummary::default();
        let (mut list, mut ended, mut metadata) =
            (BlockList::new(self.key, self.start, INDEX_EVERY), BTreeSet::new(), Vec::new());
        self.others().iter().try_for_each(|other| self.copy_metadata(other, &mut list, &mut metadata))?;
        self.recovered_gaps().iter().for_each(|gap| list.add_metadata(GAP, 0, gap.control_block(), &[], &mut metadata));
        let mut cut =
            BlockPrefixEncoder { rows: BlockRows::default(), columns: ColumnEncoder::new(), bytes: Vec::new() };
        for block in self.blocks() {
            if ended.contains(&block.thread) {
                continue;
            }
            let (bytes, info) = if block.max_stamp <= until {
                (self.source().bytes(block.offset, block.length_bytes).unwrap_or_default(), block.clone())
            } else {
                ended.insert(block.thread);
                let Some(info) = cut.at(self, block, until)? else { continue };
                (&cut.bytes[..], info)
            };
            output.write_all(&metadata)?;
            output.write_all(bytes)?;
            written.events += u64::from(info.records);
            written.lost_events += info.lost_before;
            list.add(info);
            metadata.clear();
            list.add_index(&mut metadata);
        }
        output.write_all(&metadata)?;
        // A snapshot always ends before the workload does.
        let footer = list.footer(true);
        output.write_all(&footer)?;
        output.flush()?;
        Ok(WriteSummary { bytes: list.end() + footer.len() as u64, ..written })
    }
}

/// Encoder of the first part of a block.
struct BlockPrefixEncoder {
    rows: BlockRows,
    columns: ColumnEncoder,
    bytes: Vec<u8>,
}

impl BlockPrefixEncoder {
    /// Encodes the records of a block up to a stamp into `bytes`; `None` if there are none.
    fn at(&mut self, trace: &Trace, block: &BlockInfo, until: u64) -> io::Result<Option<BlockInfo>> {
        let damaged = |damage| Error::new(ErrorKind::InvalidData, damage);
        let head = self.rows.load(trace, block, &mut ColumnDecoder::new()).map_err(damaged)?;
        let lost = block.lost_since_begin.saturating_sub(block.lost_before);
        let nesting = Nesting::new(head.depth, &head.open);
        let mut encoder = BlockEncoder::after(block.thread, block.number, block.records_before, lost, nesting);
        encoder.wake(&trace.walks);
        encoder.lose(block.lost_before);
        while self.rows.peek().is_some_and(|stamp| stamp <= until) {
            self.rows.ready(trace).map_err(damaged)?;
            let (code, stamp, row) = self.rows.next();
            let index = trace.walks.index(code).ok_or(ErrorKind::InvalidData)?;
            let added = encoder.add(index, &trace.walks, stamp, row);
            // A subset of a block's records fits into one block.
            added.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
        }
        self.bytes.clear();
        let info = encoder
            .has_records()
            .then(|| encoder.finish(trace.key, &trace.walks.slots, &mut self.columns, &mut self.bytes));
        Ok(info)
    }
}
