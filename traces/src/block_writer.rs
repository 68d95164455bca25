//! The block writer: turns buffers of records into blocks and appends them to the output.

use crate::Trace;
use crate::block_encoder::BlockEncoder;
use crate::column::ColumnEncoder;
use crate::end_cause::EndCause;
use crate::error::WriteError;
use crate::gap::{Gap, GapCause};
use crate::handover::{Handover, Rows};
use crate::header::Header;
use crate::own::Own;
use crate::part::Part;
use crate::pool::{Next, Pool};
use crate::ring::Ring;
use crate::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::segments::read_segments;
use crate::sidecar::Sidecar;
use crate::sink::Sink;
use crate::size_limit;
use crate::slot::Slot;
use crate::teller::Teller;
use crate::walk::Walks;
use crate::write_summary::WriteSummary;
use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use taut_schemas::{CodecError, EventCode};

/// Rows that did not have their event's layout.
struct Rejected {
    rows: u64,
    thread: u32,
    code: EventCode,
    source: CodecError,
}

/// Bytes of a block for each byte of its rows, while none is written yet: recordings of workloads come to a tenth and more.
const UNKNOWN_RATIO: f64 = 0.125;

/// The state of the block writer.
pub(crate) struct BlockWriter {
    pool: Arc<Pool>,
    sink: Sink,
    /// Where the blocks go of a recording that keeps only its last; `sink` has the head then.
    ring: Option<Ring>,
    key: u32,
    walks: Walks,
    encoders: BTreeMap<u32, BlockEncoder>,
    /// By thread, slots with records that are in its encoder and not in the file.
    held: BTreeMap<u32, Vec<Slot>>,
    sidecar: Option<Arc<Sidecar>>,
    columns: ColumnEncoder,
    out: Vec<u8>,
    /// The blocks of a trace that is written straight; without any, those of one that keeps only its last.
    teller: Teller,
    /// By thread, the events that the blocks written so far have, or count as lost.
    accounted: BTreeMap<u32, u64>,
    rejected: Option<Rejected>,
    /// Size at which the recording is to end.
    max_bytes: Option<u64>,
    /// Of the rows in blocks that are written, and of these blocks.
    flushed: (u64, u64),
}

/// Closes the pool however the block writer ends, so that no recording thread waits for it for ever.
struct CloseOnEnd(Arc<Pool>);

impl Drop for CloseOnEnd {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl BlockWriter {
    pub fn new(
        pool: Arc<Pool>,
        sink: Sink,
        teller: Teller,
        header: &Header,
        (sidecar, ring): (Option<Arc<Sidecar>>, Option<Ring>),
        max_bytes: Option<u64>,
    ) -> Self {
        Self {
            pool,
            sink,
            ring,
            key: teller.list.key(),
            teller,
            walks: Walks::new(&header.schema),
            encoders: BTreeMap::new(),
            held: BTreeMap::new(),
            sidecar,
            columns: ColumnEncoder::new(),
            out: Vec::new(),
            accounted: BTreeMap::new(),
            rejected: None,
            max_bytes,
            flushed: (0, 0),
        }
    }

    /// Writes `head`, says that it has begun, and goes on until the pool is closed and empty, or the output fails, which is
    /// told at once.
    pub fn run(
        mut self,
        head: &[u8],
        appear: impl FnOnce() -> io::Result<()>,
        begun: &Sender<()>,
        sync: bool,
    ) -> Result<WriteSummary, WriteError> {
        let _close = CloseOnEnd(Arc::clone(&self.pool));
        size_limit::is_an_error();
        let began = self.sink.write(head).and_then(|()| appear().map_err(|error| self.sink.error(error)));
        if let Err(error) = began {
            self.sidecar.iter().for_each(|sidecar| sidecar.remove());
            return Err(error);
        }
        // Who began it waits for this.
        let _ = begun.send(());
        let written = self.write(head, sync);
        if let Err(error @ WriteError::Output { .. }) = &written {
            self.pool.fail(error, self.accounted.clone());
            if self.ring.is_some() {
                // What there is can be recovered from it.
                return written;
            }
        }
        if written.is_ok() {
            self.pool.account(self.accounted);
        }
        // What the trace lacks now was counted as lost.
        self.sidecar.iter().for_each(|sidecar| sidecar.remove());
        written
    }

    fn write(&mut self, head: &[u8], sync: bool) -> Result<WriteSummary, WriteError> {
        loop {
            match self.pool.next(!self.held.is_empty()) {
                Next::Tell(own) => self.tell(own)?,
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
        let last = self.pool.time().map(Own::Clock);
        self.tell(last.into_iter().collect())?;
        if let (Some(ring), true) = (&self.ring, self.pool.abandoned()) {
            return self.end_of(ring, head, sync);
        }
        if self.pool.abandoned() {
            self.sink.flush(sync)?;
            return Ok(self.summary());
        }
        self.encoders = encoders;
        self.count_left_behind()?;
        let rejected = self.teller.rejected();
        self.tell(rejected)?;
        if let Some(ring) = &self.ring {
            return self.end_of(ring, head, sync);
        }
        self.teller.define_again();
        self.write_own()?;
        let footer = self.teller.list.footer(self.pool.is_interrupted());
        self.sink.write(&footer)?;
        self.sink.flush(sync)?;
        match self.rejected.take() {
            Some(Rejected { rows, thread, code, source }) => Err(WriteError::Rows { rows, thread, code, source }),
            None => Ok(self.summary()),
        }
    }

    /// Puts a trace of what the segments have where the recording is, whose head is this.
    fn end_of(&self, ring: &Ring, head: &[u8], sync: bool) -> Result<WriteSummary, WriteError> {
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
        let trace = Trace::last_of(head, segments, Ok(None)).map_err(|error| damaged(&error))?;
        let (file, part) = Part::beside(&path, ring.disk()).map_err(failed)?;
        let mut output = BufWriter::new(file);
        let written = trace.write_ended(self.pool.is_interrupted(), &mut output).map_err(failed)?;
        let file = output.into_inner().map_err(io::IntoInnerError::into_error).map_err(failed)?;
        if sync {
            file.sync_all().map_err(failed)?;
        }
        part.put(&path).map_err(failed)?;
        self.sidecar.iter().for_each(|sidecar| sidecar.trace_appeared());
        Ok(written)
    }

    /// Has the recording end when the trace would reach the size set for it if it ended now.
    fn watch_size(&self) {
        let Some(max_bytes) = self.max_bytes else { return };
        let open: u64 = self.encoders.values().map(|encoder| encoder.row_bytes() as u64).sum();
        // What threads have not handed over yet is half of what fits, on average.
        let with_threads = (self.pool.threads() * self.pool.buffer_bytes() / 2) as u64;
        let (row_bytes, block_bytes) = self.flushed;
        let ratio = if row_bytes > 0 { block_bytes as f64 / row_bytes as f64 } else { UNKNOWN_RATIO };
        let to_come = (open.saturating_add(with_threads) as f64 * ratio) as u64;
        let end_bytes = self.teller.list.footer_bytes() + self.teller.again_bytes();
        if self.sink.bytes_written().saturating_add(end_bytes).saturating_add(to_come) >= max_bytes {
            self.pool.ends.reach(EndCause::Size(max_bytes));
        }
    }

    fn summary(&self) -> WriteSummary {
        let events = self.teller.list.records().map(|block| u64::from(block.records)).sum();
        let lost_events = self.teller.list.records().map(|block| block.lost_before).sum();
        WriteSummary { events, lost_events, bytes: self.sink.bytes_written() }
    }

    fn encoder(&mut self, thread: u32) -> BlockEncoder {
        let close_bytes = self.ring.as_ref().map_or(usize::MAX, Ring::close_bytes);
        let new = || BlockEncoder::new(thread).closing_at(close_bytes);
        let mut encoder = self.encoders.remove(&thread).unwrap_or_else(new);
        encoder.wake(&self.walks);
        encoder
    }

    /// Writes what the recording says of itself.
    fn tell(&mut self, own: Vec<Own>) -> Result<(), WriteError> {
        self.teller.tell(own);
        self.write_own()
    }

    fn write_own(&mut self) -> Result<(), WriteError> {
        let bytes = self.teller.written();
        match &mut self.ring {
            _ if bytes.is_empty() => Ok(()),
            Some(ring) => ring.append_own(&bytes),
            None => self.sink.write(&bytes),
        }
    }

    /// Takes what a thread handed over; slots that outlive the process are given back when it is in the file.
    fn take(&mut self, handover: Handover) -> Result<(), WriteError> {
        let mut encoder = self.encoder(handover.thread);
        self.append(&mut encoder, &handover)?;
        match handover.rows {
            Rows::Empty => {}
            Rows::Large(_) => {
                if self.pool.is_kept() {
                    self.flush(&mut encoder)?;
                }
                self.pool.took_large();
            }
            Rows::Slot(slot) if self.pool.is_kept() && !encoder.is_empty() => {
                self.held.entry(handover.thread).or_default().push(slot);
            }
            Rows::Slot(slot) => self.pool.give_back([slot]),
        }
        self.encoders.insert(handover.thread, encoder);
        Ok(())
    }

    /// Closes the block that has waited longest, so that its slots are free.
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
        self.teller.reject(encoder.thread(), stamp);
        self.lose(encoder, 1)
    }

    /// Counts a loss after the thread's last record.
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
        self.teller.streams();
        self.write_own()?;
        self.out.clear();
        let row_bytes = encoder.row_bytes() as u64;
        let block = encoder.finish(self.key, &self.walks.slots, &mut self.columns, &mut self.out);
        self.teller.define(&block.kinds);
        self.write_own()?;
        let (thread, accounted) = (block.thread, u64::from(block.records) + block.lost_before);
        let is_new_segment = match &mut self.ring {
            Some(ring) => {
                let is_new = ring.append(&self.out, &block)?;
                self.pool.wrote(ring.bytes_written());
                is_new
            }
            None => {
                self.sink.write(&self.out)?;
                self.teller.add(block);
                self.flushed = (self.flushed.0 + row_bytes, self.flushed.1 + self.out.len() as u64);
                self.pool.wrote(self.sink.bytes_written());
                false
            }
        };
        // Of a block that the output did not take, nothing is there: its events are lost.
        *self.accounted.entry(thread).or_default() += accounted;
        if is_new_segment {
            let most = self.ring.as_ref().map_or(0, Ring::own_bytes);
            self.teller.again(most);
            self.teller.tell(self.pool.time().map(Own::Clock));
            self.pool.segments.begun();
        }
        self.write_own()?;
        if let Some(slots) = self.held.remove(&encoder.thread()) {
            self.pool.give_back(slots);
        }
        Ok(())
    }

    /// Counts the events that writers hold which outlive the trace.
    fn count_left_behind(&mut self) -> Result<(), WriteError> {
        for (thread, given) in self.pool.given() {
            let left = given.saturating_sub(self.accounted.get(&thread).copied().unwrap_or_default());
            let mut encoder = self.encoder(thread);
            self.lose(&mut encoder, left)?;
            self.flush(&mut encoder)?;
            let gap = Gap { stream: thread, cause: GapCause::Outlived, events: left, from: 0, to: 0 };
            self.tell(Some(gap).filter(|gap| gap.events > 0).map(Own::Gap).into_iter().collect())?;
        }
        Ok(())
    }
}
