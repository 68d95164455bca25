//! A trace of what a recording has so far, while it goes on.

use crate::Trace;
use crate::block_encoder::BlockEncoder;
use crate::block_info::BlockInfo;
use crate::block_list::{BlockList, INDEX_EVERY};
use crate::block_rows::BlockRows;
use crate::column::ColumnEncoder;
use crate::column_decoder::ColumnDecoder;
use crate::disk::Disk;
use crate::envelope::GAP;
use crate::nesting::Nesting;
use crate::part::Part;
use crate::write_summary::WriteSummary;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Times that a recording is looked at again which was met in the middle of a change.
const LOOKS: usize = 20;

/// A trace that was taken of a recording under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Where it is.
    pub path: PathBuf,
    /// What it has.
    pub written: WriteSummary,
}

impl Snapshot {
    /// Takes one of the recording at `path`, beside which it lies as `NAME.1.taut`, or with the next number that is free.
    ///
    /// It ends at a moment: with each of its events it has all that came before, in whichever thread. For that stamps have to be
    /// times, and `now` says which it is: by the logical clock there is none.
    ///
    /// # Errors
    /// There is no time, the recording cannot be read, or the file cannot be written.
    pub(crate) fn take(path: &Path, now: impl Fn() -> Option<u64>, disk: &Disk) -> io::Result<Snapshot> {
        let (trace, until) = look(path, now)?;
        let target = free_name(path)?;
        let (file, part) = Part::beside(&target, disk)?;
        let mut output = BufWriter::new(file);
        let written = trace.write_until(until, &mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        part.put(&target)?;
        Ok(Snapshot { path: target, written })
    }
}

/// The recording as it is, and the moment up to which it is whole; one that is met in the middle of a change looks damaged.
///
/// An event that came before another was recorded when the other got its stamp. What is stamped up to a moment before the files are
/// read has all that came before it there, though they are not read at one moment.
fn look(path: &Path, now: impl Fn() -> Option<u64>) -> io::Result<(Trace, u64)> {
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
            Some(damage) if looks == LOOKS => return Err(Error::new(ErrorKind::InvalidData, damage.clone())),
            Some(_) => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
}

/// `x.taut` has snapshots `x.1.taut`, `x.2.taut` and so on.
fn free_name(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1..u32::MAX {
        let name = match path.extension() {
            Some(extension) => format!("{stem}.{number}.{}", extension.to_string_lossy()),
            None => format!("{stem}.{number}"),
        };
        let free = path.with_file_name(name);
        if !free.try_exists()? {
            return Ok(free);
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

impl Trace {
    /// Writes a finished trace of all records with stamps up to `until`; the streams' stamps rise.
    fn write_until(&self, until: u64, output: &mut impl Write) -> io::Result<WriteSummary> {
        output.write_all(&self.file[..self.start as usize])?;
        let mut written = WriteSummary::default();
        let (mut list, mut ended, mut own) =
            (BlockList::new(self.key, self.start, INDEX_EVERY), BTreeSet::new(), Vec::new());
        self.others().iter().try_for_each(|other| self.copy_own(other, &mut list, &mut own))?;
        self.recovered_gaps().iter().for_each(|gap| list.add_own((GAP, 0), gap.told(), &[], &mut own));
        let mut cut = Cut { rows: BlockRows::default(), columns: ColumnEncoder::new(), bytes: Vec::new() };
        for block in self.blocks() {
            if ended.contains(&block.thread) {
                continue;
            }
            let (bytes, info) = if block.greatest_stamp <= until {
                (self.source().bytes(block.offset, block.length_bytes).unwrap_or_default(), block.clone())
            } else {
                ended.insert(block.thread);
                let Some(info) = cut.at(self, block, until)? else { continue };
                (&cut.bytes[..], info)
            };
            output.write_all(&own)?;
            output.write_all(bytes)?;
            written.events += u64::from(info.records);
            written.lost_events += info.lost_before;
            list.add(info);
            own.clear();
            list.add_index(&mut own);
        }
        output.write_all(&own)?;
        let footer = list.footer(true);
        output.write_all(&footer)?;
        output.flush()?;
        Ok(WriteSummary { bytes: list.end() + footer.len() as u64, ..written })
    }
}

/// The beginning of a block.
struct Cut {
    rows: BlockRows,
    columns: ColumnEncoder,
    bytes: Vec<u8>,
}

impl Cut {
    /// Writes the part of a block up to a stamp into `bytes`; none if nothing of it is.
    fn at(&mut self, trace: &Trace, block: &BlockInfo, until: u64) -> io::Result<Option<BlockInfo>> {
        let damaged = |damage| Error::new(ErrorKind::InvalidData, damage);
        let head = self.rows.load(trace, block, &mut ColumnDecoder::new()).map_err(damaged)?;
        let lost = block.lost_since_begin.saturating_sub(block.lost_before);
        let nesting = Nesting::new(head.depth, &head.open);
        let mut encoder = BlockEncoder::behind(block.thread, block.number, block.records_before, lost, nesting);
        encoder.wake(&trace.walks);
        encoder.lose(block.lost_before);
        while self.rows.peek().is_some_and(|stamp| stamp <= until) {
            self.rows.ready(trace).map_err(damaged)?;
            let (code, stamp, row) = self.rows.next();
            let index = trace.walks.index(code).ok_or(ErrorKind::InvalidData)?;
            let added = encoder.add(index, &trace.walks, stamp, row);
            // As many as the whole block has fit.
            added.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
        }
        self.bytes.clear();
        let info = encoder
            .has_records()
            .then(|| encoder.finish(trace.key, &trace.walks.slots, &mut self.columns, &mut self.bytes));
        Ok(info)
    }
}
