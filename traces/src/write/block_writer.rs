//! Block writer thread: turns handed-over buffers of records into blocks and appends them to the output.

use crate::Trace;
use crate::format::block_encoder::BlockEncoder;
use crate::format::column::ColumnEncoder;
use crate::format::end_cause::EndCause;
use crate::format::error::WriteError;
use crate::format::gap::{Gap, GapCause};
use crate::format::header::Header;
use crate::format::metadata::MetadataRecord;
use crate::format::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::format::walk::Walks;
use crate::format::write_summary::WriteSummary;
use crate::live::disk::TRACE_MODE;
use crate::live::free_space::{free_bytes, is_full};
use crate::live::handover::{Handover, Rows};
use crate::live::pending_sidecars::PendingSidecars;
use crate::live::segments::read_segments;
use crate::live::sidecar::Sidecar;
use crate::live::slot::Slot;
use crate::live::temp_file::TempFile;
use crate::write::block_output::BlockOutput;
use crate::write::close_on_end::CloseOnEnd;
use crate::write::full_disk::FullDisk;
use crate::write::metadata_writer::MetadataWriter;
use crate::write::pool::{Next, Pool};
use crate::write::ring::Ring;
use crate::write::sink::Sink;
use crate::write::size_limit;
use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::sync::{Arc, mpsc::Sender};
use taut_schemas::{CodecError, EventCode};

/// Number of rows that did not match the layout of their event, and the first such row.
struct Rejected {
    rows: u64,
    thread: u32,
    code: EventCode,
    source: CodecError,
}

/// Assumed ratio of block bytes to row bytes until the first block is written; measured recordings reach 0.1 and more.
const UNKNOWN_RATIO: f64 = 0.125;

/// State of the block writer.
pub(crate) struct BlockWriter {
    pool: Arc<Pool>,
    sink: Sink,
    /// Segments of a ring recording, which receive the blocks; `sink` then has only the head.
    ring: Option<Ring>,
    key: u32,
    walks: Walks,
    encoders: BTreeMap<u32, BlockEncoder>,
    /// Slots whose records are in an encoder and not yet in the file, by thread.
    held: BTreeMap<u32, Vec<Slot>>,
    sidecar: Option<Arc<Sidecar>>,
    columns: ColumnEncoder,
    out: Vec<u8>,
    /// Metadata and block list of a sequential trace; for a ring recording, metadata only.
    metadata_writer: MetadataWriter,
    /// Events that the blocks written so far contain or count as lost, by thread.
    accounted: BTreeMap<u32, u64>,
    /// Events that the blocks written so far contain, by thread.
    recorded: BTreeMap<u32, u64>,
    rejected: Option<Rejected>,
    /// File size at which the recording is to end, in bytes.
    max_bytes: Option<u64>,
    /// Total size of the rows in written blocks, and of these blocks, in bytes.
    flushed: (u64, u64),
}

impl BlockWriter {
    pub fn new(pool: Arc<Pool>, output: BlockOutput, metadata_writer: MetadataWriter, header: &Header) -> Self {
        let BlockOutput { mut sink, sidecar, mut ring, max_bytes } = output;
        if let Some(sidecar) = &sidecar {
            let full_disk = FullDisk { pool: Arc::clone(&pool), sidecar: Arc::clone(sidecar) };
            sink.set_full_disk_handler(full_disk.clone());
            ring.iter_mut().for_each(|ring| ring.set_full_disk_handler(full_disk.clone()));
        }
        Self {
            pool,
            sink,
            ring,
            key: metadata_writer.list.key(),
            metadata_writer,
            walks: Walks::new(&header.schema),
            encoders: BTreeMap::new(),
            held: BTreeMap::new(),
            sidecar,
            columns: ColumnEncoder::new(),
            out: Vec::new(),
            accounted: BTreeMap::new(),
            recorded: BTreeMap::new(),
            rejected: None,
            max_bytes,
            flushed: (0, 0),
        }
    }

    /// Writes `head`, signals `begun`, and writes blocks until the pool is closed and empty or the output fails; a
    /// failure is reported immediately.
    pub fn run(
        mut self,
        head: &[u8],
        appear: impl FnOnce() -> io::Result<()>,
        begun: &Sender<()>,
        sync: bool,
    ) -> Result<WriteSummary, WriteError> {
        let _close = CloseOnEnd(Arc::clone(&self.pool));
        // Makes exceeding the file size limit an error on this thread, which writes the trace.
        size_limit::is_an_error();
        let began = self.sink.write(head).and_then(|()| self.appear(appear));
        if let Err(error) = began {
            self.sidecar.iter().for_each(|sidecar| sidecar.remove());
            return Err(error);
        }
        // The creating thread waits for this signal. It may have given up, so a send error is ignored.
        let _ = begun.send(());
        let written = self.write(head, sync);
        if let Err(error @ WriteError::Output { .. }) = &written {
            self.pool.fail(error, self.recorded.clone());
            if let Some(sidecar) = &self.sidecar {
                sidecar.mark_failed_write();
                // The missing records are in the sidecar, where readers find them, so the trace is cut to whole blocks
                // only.
                self.sink.cut();
                return written;
            }
        }
        if written.is_ok() {
            self.pool.account(self.recorded.clone());
        }
        // After a failed sync the trace has no end, and threads may still have records that it lacks.
        let is_needed = self.pool.is_failed() && self.ring.is_none();
        if !is_needed {
            if let Some(ring) = self.ring.take() {
                ring.close();
            }
            // Windows removes no file of which a part is mapped.
            #[cfg(windows)]
            {
                self.held.clear();
                self.pool.unmap_free_slots();
            }
            self.sidecar.iter().for_each(|sidecar| sidecar.remove());
        }
        match self.pool.full() {
            Some(cause) if written.is_ok() => {
                let WriteError::Output { path, bytes_written, source, .. } = self.sink.error(cause.error()) else {
                    return written;
                };
                Err(WriteError::Output { path, bytes_written, source, lost: self.lost() })
            }
            _ => written,
        }
    }

    /// Events that the blocks count as lost, by thread; empty for a ring recording, which has no list of blocks.
    fn lost(&self) -> Vec<(u32, u64)> {
        let mut lost = BTreeMap::<u32, u64>::new();
        for block in self.metadata_writer.list.records().filter(|block| block.lost_before > 0) {
            *lost.entry(block.thread).or_default() += block.lost_before;
        }
        lost.into_iter().collect()
    }

    /// Renames the trace to its final path. A process that is killed before this call leaves no file; a process that is
    /// killed afterwards leaves a recording.
    fn appear(&self, appear: impl FnOnce() -> io::Result<()>) -> Result<(), WriteError> {
        // The list is locked during the rename, so that the exit hook removes the sidecar exactly if the trace is
        // missing.
        let mut pending = PendingSidecars::lock();
        appear().map_err(|error| self.sink.error(error))?;
        self.sidecar.iter().for_each(|sidecar| pending.remove(sidecar.path()));
        Ok(())
    }

    fn write(&mut self, head: &[u8], sync: bool) -> Result<WriteSummary, WriteError> {
        loop {
            match self.pool.next(!self.held.is_empty()) {
                Next::WriteMetadata(metadata) => self.write_metadata(metadata)?,
                Next::Take(handover) => {
                    self.take(handover)?;
                    self.watch_size();
                }
                Next::Free => self.free_oldest()?,
                Next::Flush => {
                    let mut encoders = std::mem::take(&mut self.encoders);
                    encoders.values_mut().try_for_each(|encoder| self.flush(encoder))?;
                    self.encoders = encoders;
                }
                Next::End => break,
            }
        }
        let mut encoders = std::mem::take(&mut self.encoders);
        encoders.values_mut().try_for_each(|encoder| self.flush(encoder))?;
        let last = self.pool.time().map(MetadataRecord::Clock);
        self.write_metadata(last.into_iter().collect())?;
        if let (Some(ring), true) = (&self.ring, self.pool.abandoned()) {
            return self.finish_ring(ring, head, sync);
        }
        if self.pool.abandoned() {
            self.sink.flush(sync)?;
            return Ok(self.summary());
        }
        // Restored because `count_outlived` adds losses to the same encoders.
        self.encoders = encoders;
        self.count_outlived()?;
        let rejected = self.metadata_writer.rejected();
        self.write_metadata(rejected)?;
        if let Some(ring) = &self.ring {
            return self.finish_ring(ring, head, sync);
        }
        self.metadata_writer.repeat_definitions();
        self.flush_metadata()?;
        let footer = self.metadata_writer.list.footer(self.pool.is_interrupted());
        self.sink.write(&footer)?;
        self.sink.flush(sync)?;
        match self.rejected.take() {
            Some(Rejected { rows, thread, code, source }) => Err(WriteError::Rows { rows, thread, code, source }),
            None => Ok(self.summary()),
        }
    }

    /// Replaces a ring recording with a finished trace of its segments; `head` is its head.
    fn finish_ring(&self, ring: &Ring, head: &[u8], sync: bool) -> Result<WriteSummary, WriteError> {
        let path = self.sidecar.as_ref().map(|sidecar| sidecar.trace_path()).unwrap_or_default();
        let failed = |source: io::Error| WriteError::Output {
            path: Some(path.clone()),
            bytes_written: ring.bytes_written(),
            source,
            lost: Vec::new(),
        };
        let damaged =
            |error: &dyn std::error::Error| failed(io::Error::new(io::ErrorKind::InvalidData, error.to_string()));
        let segments = read_segments(ring.folder(), self.key).map_err(|error| damaged(&error))?;
        let segments = segments.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
        let trace = Trace::open_ring(head, segments, Ok(None)).map_err(|error| damaged(&error))?;
        let (file, temp_file) = TempFile::create_for(&path, TRACE_MODE, ring.disk()).map_err(failed)?;
        let permissions = std::fs::metadata(&path).map(|trace| trace.permissions());
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions)).map_err(failed)?;
        let mut output = BufWriter::new(file);
        let written = trace.write_ended(self.pool.is_interrupted(), &mut output).map_err(failed)?;
        let file = output.into_inner().map_err(io::IntoInnerError::into_error).map_err(failed)?;
        if sync {
            file.sync_all().map_err(failed)?;
        }
        // Renamed only when complete: until then, head and segments remain a valid recording.
        temp_file.put(&path).map_err(failed)?;
        self.sidecar.iter().for_each(|sidecar| sidecar.trace_appeared());
        Ok(written)
    }

    /// Requests the end of the recording if the trace would reach its maximum size when ended now.
    fn watch_size(&self) {
        let Some(max_bytes) = self.max_bytes else { return };
        let open: u64 = self.encoders.values().map(|encoder| encoder.row_bytes() as u64).sum();
        // Threads have on average filled half of their buffers.
        let thread_bytes = (self.pool.threads() * self.pool.buffer_bytes()).min(self.pool.capacity_bytes());
        let with_threads = (thread_bytes / 2) as u64;
        let (row_bytes, block_bytes) = self.flushed;
        let ratio = if row_bytes > 0 { block_bytes as f64 / row_bytes as f64 } else { UNKNOWN_RATIO };
        let to_come = (open.saturating_add(with_threads) as f64 * ratio) as u64;
        let end_bytes = self.metadata_writer.list.footer_bytes() + self.metadata_writer.repeated_definitions_bytes();
        if self.sink.bytes_written().saturating_add(end_bytes).saturating_add(to_come) >= max_bytes {
            self.pool.ends.reach(EndCause::Size(max_bytes));
        }
    }

    fn summary(&self) -> WriteSummary {
        let events = self.metadata_writer.list.records().map(|block| u64::from(block.records)).sum();
        let lost_events = self.metadata_writer.list.records().map(|block| block.lost_before).sum();
        WriteSummary { events, lost_events, bytes: self.sink.bytes_written() }
    }

    fn encoder(&mut self, thread: u32) -> BlockEncoder {
        let close_bytes = self.ring.as_ref().map_or(usize::MAX, Ring::close_bytes);
        let new = || BlockEncoder::new(thread).closing_at(close_bytes);
        let mut encoder = self.encoders.remove(&thread).unwrap_or_else(new);
        encoder.wake(&self.walks);
        encoder
    }

    /// Writes metadata records.
    fn write_metadata(&mut self, metadata: Vec<MetadataRecord>) -> Result<(), WriteError> {
        self.metadata_writer.write_metadata(metadata);
        self.try_flush_metadata()
    }

    /// Writes pending metadata; on a full disk it stays pending until the next block.
    fn try_flush_metadata(&mut self) -> Result<(), WriteError> {
        match self.flush_metadata() {
            // The remainder is written with the next block, when slots have been returned.
            Err(WriteError::Output { source, .. })
                if is_full(&source) && self.pool.is_full() && self.ring.is_none() && self.sink.rest_bytes() > 0 =>
            {
                Ok(())
            }
            written => written,
        }
    }

    fn flush_metadata(&mut self) -> Result<(), WriteError> {
        let bytes = self.metadata_writer.written();
        match &mut self.ring {
            _ if bytes.is_empty() => Ok(()),
            Some(ring) => ring.append_metadata(&bytes),
            None => self.sink.write(&bytes),
        }
    }

    /// Encodes the records that a thread handed over. Slots in the sidecar are released only when their records are in
    /// the file.
    fn take(&mut self, handover: Handover) -> Result<(), WriteError> {
        let mut encoder = self.encoder(handover.thread);
        self.append(&mut encoder, &handover)?;
        match handover.rows {
            Rows::Empty => {}
            Rows::Large(_) => {
                if self.pool.is_persistent() {
                    self.flush(&mut encoder)?;
                }
                self.pool.took_large();
            }
            Rows::Slot(slot) if self.pool.is_persistent() && !encoder.is_empty() => {
                self.held.entry(handover.thread).or_default().push(slot);
            }
            Rows::Slot(slot) => self.pool.return_slots([slot]),
        }
        self.encoders.insert(handover.thread, encoder);
        Ok(())
    }

    /// Closes the block that has waited longest to release its slots.
    fn free_oldest(&mut self) -> Result<(), WriteError> {
        let oldest = |slots: &Vec<Slot>| slots.first().map(Slot::turn);
        let thread = self.held.iter().min_by_key(|(_, slots)| oldest(slots)).map(|(thread, _)| *thread);
        let Some(mut encoder) = thread.and_then(|thread| self.encoders.remove(&thread)) else { return Ok(()) };
        self.flush(&mut encoder)?;
        self.encoders.insert(encoder.thread(), encoder);
        Ok(())
    }

    /// Adds a buffer's records to their thread's block, writing blocks as they fill.
    fn append(&mut self, encoder: &mut BlockEncoder, handover: &Handover) -> Result<(), WriteError> {
        self.lose(encoder, handover.lost_before)?;
        let rows = handover.rows.bytes();
        let mut at = 0;
        while let Some((row_bytes, code, stamp)) = row_head(rows, at) {
            let next = encoder.add_plain(&self.walks, rows, at);
            if next == at {
                let start = at + ROW_HEAD_BYTES;
                let row = rows.get(start..start + row_bytes as usize).unwrap_or_default();
                self.record(encoder, code, stamp, row)?;
                at += record_bytes(row_bytes as usize);
            } else {
                at = next;
            }
        }
        self.lose(encoder, handover.lost_after)?;
        if handover.last {
            self.flush(encoder)?;
            encoder.rest();
        }
        Ok(())
    }

    fn record(
        &mut self,
        encoder: &mut BlockEncoder,
        code: EventCode,
        stamp: u64,
        row: &[u8],
    ) -> Result<(), WriteError> {
        let Some(index) = self.walks.index(code) else {
            let source = CodecError::Value { at: 0, what: "a code of the schema table", found: code.0.into() };
            return self.reject(encoder, code, stamp, source);
        };
        loop {
            match encoder.add(index, &self.walks, stamp, row) {
                Ok(true) => return Ok(()),
                Ok(false) => self.flush(encoder)?,
                Err(source) => return self.reject(encoder, code, stamp, source),
            }
        }
    }

    #[cold]
    fn reject(
        &mut self,
        encoder: &mut BlockEncoder,
        code: EventCode,
        stamp: u64,
        source: CodecError,
    ) -> Result<(), WriteError> {
        let first = Rejected { rows: 0, thread: encoder.thread(), code, source };
        self.rejected.get_or_insert(first).rows += 1;
        self.metadata_writer.reject(encoder.thread(), stamp);
        self.lose(encoder, 1)
    }

    /// Counts events lost after the thread's last record. A block counts losses before its first record only, so a
    /// block with records is closed first.
    fn lose(&mut self, encoder: &mut BlockEncoder, events: u64) -> Result<(), WriteError> {
        if events > 0 {
            if encoder.has_records() {
                self.flush(encoder)?;
            }
            encoder.lose(events);
        }
        Ok(())
    }

    fn flush(&mut self, encoder: &mut BlockEncoder) -> Result<(), WriteError> {
        if encoder.is_empty() {
            return Ok(());
        }
        // Streams and definitions must precede the first block whose records use them (FORMAT.md).
        self.metadata_writer.streams();
        let mut metadata = self.metadata_writer.written();
        self.out.clear();
        let row_bytes = encoder.row_bytes() as u64;
        let block = encoder.finish(self.key, &self.walks.slots, &mut self.columns, &mut self.out);
        self.metadata_writer.define(&block.kinds);
        metadata.append(&mut self.metadata_writer.written());
        let (thread, records, lost_before) = (block.thread, u64::from(block.records), block.lost_before);
        let is_new_segment = match &mut self.ring {
            Some(ring) => {
                if !metadata.is_empty() {
                    ring.append_metadata(&metadata)?;
                }
                let is_new = ring.append(&self.out, &block)?;
                self.pool.wrote(ring.bytes_written());
                is_new
            }
            None => {
                metadata.extend_from_slice(&self.out);
                let bytes = metadata.len() as u64;
                let end_bytes = self.metadata_writer.list.end_bytes(bytes, block.kinds.len())
                    + self.metadata_writer.repeated_definitions_bytes();
                // Reserved before each block, because the footer grows with every entry.
                let is_full = self.sink.reserve(bytes, end_bytes);
                self.write_block(thread, &metadata)?;
                self.metadata_writer.add(block, !is_full);
                self.flushed = (self.flushed.0 + row_bytes, self.flushed.1 + self.out.len() as u64);
                self.pool.wrote(self.sink.bytes_written());
                false
            }
        };
        // Counted only after the output took the block: an error above leaves its events counted as lost.
        *self.accounted.entry(thread).or_default() += records + lost_before;
        *self.recorded.entry(thread).or_default() += records;
        if is_new_segment {
            let repeat_bytes = self.ring.as_ref().map_or(0, Ring::metadata_bytes);
            self.metadata_writer.repeat_metadata(repeat_bytes);
            self.metadata_writer.write_metadata(self.pool.time().map(MetadataRecord::Clock));
            self.pool.segments.begun();
        }
        self.try_flush_metadata()?;
        match (self.held.remove(&encoder.thread()), &self.sidecar) {
            (Some(slots), Some(sidecar)) if sidecar.is_too_large() => {
                sidecar.return_slots(self.pool.return_or_remove_slots(slots));
            }
            (Some(slots), _) => self.pool.return_slots(slots),
            (None, _) => {}
        }
        Ok(())
    }

    /// Writes a thread's block and the metadata before it. If nothing else frees space on a full disk, the slots whose
    /// records the block holds are returned before it is written, provided they occupy at least twice the space it
    /// needs. A process killed in between loses these records.
    fn write_block(&mut self, thread: u32, bytes: &[u8]) -> Result<(), WriteError> {
        let Err(error) = self.sink.write(bytes) else { return Ok(()) };
        let (Some(sidecar), Some(held)) = (&self.sidecar, self.held.get(&thread)) else { return Err(error) };
        let rest_bytes = self.sink.rest_bytes();
        let held_bytes = held.iter().filter(|slot| slot.is_persistent()).count() as u64 * sidecar.slot_bytes();
        let has_no_space = free_bytes(sidecar.path()).is_some_and(|free| free < rest_bytes);
        if !self.pool.is_full() || rest_bytes == 0 || held_bytes < 2 * rest_bytes || !has_no_space {
            return Err(error);
        }
        sidecar.return_slots(self.held.remove(&thread).unwrap_or_default());
        self.sink.write(&[])
    }

    /// Counts the events that thread writers which outlive the recording still hold.
    fn count_outlived(&mut self) -> Result<(), WriteError> {
        for (thread, produced) in self.pool.produced() {
            let left = produced.saturating_sub(self.accounted.get(&thread).copied().unwrap_or_default());
            let mut encoder = self.encoder(thread);
            self.lose(&mut encoder, left)?;
            self.flush(&mut encoder)?;
            let gap = Gap { stream: thread, cause: GapCause::Outlived, events: left, from: 0, to: 0 };
            self.write_metadata(Some(gap).filter(|gap| gap.events > 0).map(MetadataRecord::Gap).into_iter().collect())?;
        }
        Ok(())
    }
}
