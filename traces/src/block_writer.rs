//! The block writer: turns buffers of records into blocks and appends them to the output.

use crate::block_encoder::BlockEncoder;
use crate::block_info::BlockInfo;
use crate::column::ColumnEncoder;
use crate::error::WriteError;
use crate::footer;
use crate::header::Header;
use crate::pool::{Handover, Next, Pool, Rows};
use crate::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::sidecar::Sidecar;
use crate::sink::Sink;
use crate::size_limit;
use crate::slot::Slot;
use crate::walk::Walks;
use std::collections::BTreeMap;
use std::io;
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

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteSummary {
    /// Events in the trace.
    pub events: u64,
    /// Events that were recorded but are not in it.
    pub lost_events: u64,
    /// Size of the trace, in bytes.
    pub bytes: u64,
}

/// The state of the block writer.
pub(crate) struct BlockWriter {
    pool: Arc<Pool>,
    sink: Sink,
    key: u32,
    walks: Walks,
    encoders: BTreeMap<u32, BlockEncoder>,
    /// By thread, slots with records that are in its encoder and not in the file.
    held: BTreeMap<u32, Vec<Slot>>,
    sidecar: Option<Arc<Sidecar>>,
    columns: ColumnEncoder,
    out: Vec<u8>,
    blocks: Vec<BlockInfo>,
    rejected: Option<Rejected>,
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
        key: u32,
        header: &Header,
        columns: ColumnEncoder,
        sidecar: Option<Arc<Sidecar>>,
    ) -> Self {
        Self {
            pool,
            sink,
            key,
            walks: Walks::new(&header.schema),
            encoders: BTreeMap::new(),
            held: BTreeMap::new(),
            sidecar,
            columns,
            out: Vec::new(),
            blocks: Vec::new(),
            rejected: None,
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
        let written = self.write(sync);
        if let Err(error @ WriteError::Output { .. }) = &written {
            self.pool.fail(error, self.accounted());
        }
        // What the trace lacks now was counted as lost.
        self.sidecar.iter().for_each(|sidecar| sidecar.remove());
        written
    }

    fn write(&mut self, sync: bool) -> Result<WriteSummary, WriteError> {
        loop {
            match self.pool.next(!self.held.is_empty()) {
                Next::Take(handover) => self.take(handover)?,
                Next::Free => self.free_oldest()?,
                Next::End => break,
            }
        }
        let mut encoders = std::mem::take(&mut self.encoders);
        encoders.values_mut().try_for_each(|encoder| self.flush(encoder))?;
        if self.pool.abandoned() {
            self.sink.flush(sync)?;
            return Ok(self.summary());
        }
        self.encoders = encoders;
        self.count_left_behind()?;
        let footer = footer::write(&self.blocks, self.pool.is_interrupted(), self.sink.bytes_written(), self.key);
        self.sink.write(&footer)?;
        self.sink.flush(sync)?;
        match self.rejected.take() {
            Some(Rejected { rows, thread, code, source }) => Err(WriteError::Rows { rows, thread, code, source }),
            None => Ok(self.summary()),
        }
    }

    fn summary(&self) -> WriteSummary {
        let events = self.blocks.iter().map(|block| u64::from(block.records)).sum();
        let lost_events = self.blocks.iter().map(|block| block.lost_before).sum();
        WriteSummary { events, lost_events, bytes: self.sink.bytes_written() }
    }

    fn encoder(&mut self, thread: u32) -> BlockEncoder {
        let mut encoder = self.encoders.remove(&thread).unwrap_or_else(|| BlockEncoder::new(thread));
        encoder.wake(&self.walks);
        encoder
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
            return self.reject(encoder, code, source);
        };
        loop {
            match encoder.add(index, &self.walks, stamp, row) {
                Ok(true) => return Ok(()),
                Ok(false) => self.flush(encoder)?,
                Err(source) => return self.reject(encoder, code, source),
            }
        }
    }

    #[cold]
    fn reject(&mut self, encoder: &mut BlockEncoder, code: EventCode, source: CodecError) -> Result<(), WriteError> {
        let first = Rejected { rows: 0, thread: encoder.thread(), code, source };
        self.rejected.get_or_insert(first).rows += 1;
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
        self.out.clear();
        let block = encoder.finish(self.key, &self.walks.slots, &mut self.columns, &mut self.out);
        let offset = self.sink.bytes_written();
        self.sink.write(&self.out)?;
        self.blocks.push(BlockInfo { offset, ..block });
        if let Some(slots) = self.held.remove(&encoder.thread()) {
            self.pool.give_back(slots);
        }
        Ok(())
    }

    /// By thread, the events that the blocks written so far have, or count as lost.
    fn accounted(&self) -> BTreeMap<u32, u64> {
        let mut accounted = BTreeMap::<u32, u64>::new();
        for block in &self.blocks {
            *accounted.entry(block.thread).or_default() += u64::from(block.records) + block.lost_before;
        }
        accounted
    }

    /// Counts the events that writers hold which outlive the trace.
    fn count_left_behind(&mut self) -> Result<(), WriteError> {
        let accounted = self.accounted();
        for (thread, given) in self.pool.given() {
            let left = given.saturating_sub(accounted.get(&thread).copied().unwrap_or_default());
            let mut encoder = self.encoder(thread);
            self.lose(&mut encoder, left)?;
            self.flush(&mut encoder)?;
        }
        Ok(())
    }
}
