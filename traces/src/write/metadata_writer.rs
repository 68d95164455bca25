//! Metadata writer: encodes what a recording states about itself (index, clock readings, streams, gaps, notes,
//! definitions and descriptions of events) as metadata blocks.

use crate::format::block_info::BlockInfo;
use crate::format::block_list::BlockList;
use crate::format::control_block::ControlBlock;
use crate::format::docs_block::{self, PendingDocs};
use crate::format::envelope::{CLOCK, CRITICAL, DOCS, GAP, NOTE, SCHEMA, STREAMS};
use crate::format::gap::{GapCause, GapCounter};
use crate::format::metadata::{MetadataRecord, NOT_PERSISTENT, note};
use crate::format::schema_block::PendingSchema;
use crate::format::stream_info::{self, StreamInfo};
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Encoder of a recording's metadata blocks.
#[derive(Debug)]
pub(crate) struct MetadataWriter {
    /// Block list of the trace; for a ring recording, only the metadata blocks.
    pub list: BlockList,
    pending_docs: PendingDocs,
    pending_schema: PendingSchema,
    /// Streams to be described before the next block of records.
    new_streams: Vec<StreamInfo>,
    streams: Vec<StreamInfo>,
    /// Cause for which buffers do not survive the process, if so.
    not_persistent: Option<String>,
    /// Number of events whose rows did not match the event's layout, by stream.
    rejected: BTreeMap<u32, GapCounter>,
    out: Vec<u8>,
}

impl MetadataWriter {
    pub fn new(list: BlockList, pending_docs: PendingDocs, pending_schema: PendingSchema) -> MetadataWriter {
        let (new_streams, streams, rejected, out) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        MetadataWriter { list, pending_docs, pending_schema, new_streams, streams, not_persistent: None, rejected, out }
    }

    /// Encodes metadata.
    pub fn write_metadata(&mut self, metadata: impl IntoIterator<Item = MetadataRecord>) {
        for metadata in metadata {
            match metadata {
                MetadataRecord::Clock(reading) => self.block(CLOCK, reading.control_block(), &[]),
                MetadataRecord::Gap(gap) => self.block(GAP, gap.control_block(), &[]),
                MetadataRecord::NotPersistent(why) => {
                    self.write_not_persistent_note(&why);
                    self.not_persistent = Some(why);
                }
                MetadataRecord::Stream(stream) => self.new_streams.push(stream),
            }
        }
    }

    /// Encodes the descriptions of the streams that are new since the last call.
    pub fn streams(&mut self) {
        if !self.new_streams.is_empty() {
            let (control_block, payload) = stream_info::contents(&self.new_streams);
            self.block(STREAMS, control_block, &payload);
            self.streams.append(&mut self.new_streams);
        }
    }

    fn write_not_persistent_note(&mut self, why: &str) {
        self.block(NOTE, ControlBlock { count: NOT_PERSISTENT, words: [0; 4] }, note(why));
    }

    /// Repeats the note about buffers and the newest streams, within a limit of `max_bytes` bytes; for the begin of a
    /// segment.
    pub fn repeat_metadata(&mut self, max_bytes: usize) {
        let bytes = |stream: &StreamInfo| stream_info::ENTRY_BYTES + stream.name.len();
        let not_persistent = self.not_persistent.clone();
        not_persistent.iter().for_each(|why| self.write_not_persistent_note(why));
        let mut left = max_bytes.saturating_sub(not_persistent.as_deref().map_or(0, |why| note(why).len()));
        let fits = self.streams.iter().rev().take_while(|stream| {
            let rest = left.checked_sub(bytes(stream));
            left = rest.unwrap_or_default();
            rest.is_some()
        });
        let from = self.streams.len() - fits.count();
        if from < self.streams.len() {
            let (control_block, payload) = stream_info::contents(&self.streams[from..]);
            self.block(STREAMS, control_block, &payload);
        }
    }

    /// Encodes the definitions of these events, except for events that are already defined.
    pub fn define(&mut self, kinds: &[(EventCode, u32)]) {
        if let Some((control_block, payload)) = self.pending_schema.take(kinds) {
            self.list.add_metadata(SCHEMA, CRITICAL, *control_block, payload, &mut self.out);
        }
    }

    /// Size of the blocks that [`repeat_definitions`](Self::define_again) will add, in bytes.
    pub fn repeated_definitions_bytes(&self) -> u64 {
        self.pending_schema.used().iter().map(|(_, payload)| BlockList::metadata_bytes(payload)).sum()
    }

    /// Repeats all schema blocks: a single changed bit in the only copy would cost every record of the events.
    pub fn repeat_definitions(&mut self) {
        for (control_block, payload) in self.pending_schema.used() {
            self.list.add_metadata(SCHEMA, CRITICAL, *control_block, payload, &mut self.out);
        }
    }

    /// Adds a written block of records; encodes the descriptions of its new events, and an index block if one is due
    /// and `is_indexed` is true. On a full disk the index block is omitted, because the footer has the same entries.
    pub fn add(&mut self, block: BlockInfo, is_indexed: bool) {
        let docs = self.pending_docs.take(&block.kinds);
        self.list.add(block);
        if let Some((control_block, payload)) = docs_block::contents(&docs) {
            self.block(DOCS, control_block, &payload);
        }
        if is_indexed {
            self.list.add_index(&mut self.out);
        }
    }

    /// Counts an event whose row did not match the event's layout.
    pub fn reject(&mut self, stream: u32, stamp: u64) {
        self.rejected.entry(stream).or_default().add(Some(stamp));
    }

    /// Takes the gaps of the rejected events.
    pub fn rejected(&mut self) -> Vec<MetadataRecord> {
        let rejected = std::mem::take(&mut self.rejected).into_iter();
        rejected
            .filter_map(|(stream, mut gap_counter)| gap_counter.take(stream, GapCause::Layout))
            .map(MetadataRecord::Gap)
            .collect()
    }

    /// Takes the blocks encoded since the last call.
    pub fn written(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn block(&mut self, kind: u16, control_block: ControlBlock, payload: &[u8]) {
        self.list.add_metadata(kind, 0, control_block, payload, &mut self.out);
    }
}
