//! Docs blocks: descriptions of the events that occur. Encoder and parser are in this file so that they stay in step.

use crate::format::control_block::ControlBlock;
use crate::format::envelope::DOCS;
use crate::format::index::Index;
use crate::format::limit;
use taut_schemas::{EventCode, EventDocs, SchemaTable};

/// Compression level of the payload.
const LEVEL: i32 = 12;

/// Numbers and payload of the docs block of these events; `None` without events.
pub(crate) fn contents(docs: &[EventDocs]) -> Option<(ControlBlock, Vec<u8>)> {
    let text = serde_json::to_vec(docs).ok().filter(|_| !docs.is_empty())?;
    let frame = zstd::bulk::compress(&text, LEVEL).ok()?;
    Some((ControlBlock { count: docs.len() as u32, words: [text.len() as u64, 0, 0, 0] }, frame))
}

/// Parses the payload of a docs block; `None` if it is malformed.
pub(crate) fn parse(control_block: ControlBlock, payload: &[u8]) -> Option<Vec<EventDocs>> {
    let [size, zeros @ ..] = control_block.words;
    let size = usize::try_from(size).ok().filter(|size| *size <= limit::HEADER_BYTES && zeros == [0; 3])?;
    let text = zstd::bulk::decompress(payload, size).ok().filter(|text| text.len() == size)?;
    let docs: Vec<EventDocs> = serde_json::from_slice(&text).ok()?;
    (docs.len() == control_block.count as usize).then_some(docs)
}

/// Sets the descriptions in `table` from a file's docs blocks, and the remaining descriptions from this build's table.
/// `payload` reads the payload of a block; unreadable descriptions are skipped, because decoding does not need them.
pub(crate) fn set_docs<'f>(
    table: &mut SchemaTable,
    index: &Index,
    payload: impl Fn(&crate::format::other_block::OtherBlock) -> Option<&'f [u8]>,
) {
    // All docs blocks together have the size limit of a header.
    let mut room = limit::HEADER_BYTES as u64;
    for block in index.others.iter().filter(|block| block.kind == DOCS) {
        let Some(left) = room.checked_sub(block.control_block.words[0]) else { break };
        room = left;
        for docs in payload(block).and_then(|payload| parse(block.control_block, payload)).unwrap_or_default() {
            let at = table.events.binary_search_by_key(&docs.0, |event| event.code);
            if let Some(event) = at.ok().and_then(|at| table.events.get_mut(at)) {
                event.set_docs(&docs);
            }
        }
    }
    table.fill_known_docs();
}

/// Descriptions of events that have not been written yet; each is written on the event's first use.
#[derive(Debug, Default)]
pub(crate) struct PendingDocs {
    docs: Vec<EventDocs>,
}

impl PendingDocs {
    /// Creates the list from all descriptions of a table.
    pub fn new(table: &SchemaTable) -> PendingDocs {
        let has_docs = |docs: &EventDocs| !docs.1.is_empty() || docs.2.iter().any(|doc| !doc.is_empty());
        PendingDocs { docs: table.events.iter().map(|event| event.docs()).filter(has_docs).collect() }
    }

    /// Removes and returns the descriptions of these kinds.
    pub fn take(&mut self, kinds: &[(EventCode, u32)]) -> Vec<EventDocs> {
        self.docs.extract_if(.., |docs| kinds.iter().any(|(code, _)| *code == docs.0)).collect()
    }
}
