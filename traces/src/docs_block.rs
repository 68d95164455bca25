//! Docs blocks: what the events are that occur. Writer and reader side by side.

use crate::envelope::DOCS;
use crate::index::Index;
use crate::limit;
use crate::told::Told;
use taut_schemas::{EventCode, EventDocs, SchemaTable};

/// Level at which they are compressed.
const LEVEL: i32 = 12;

/// The numbers and the payload of one that tells of these events; none if nothing is to be said.
pub(crate) fn contents(docs: &[EventDocs]) -> Option<(Told, Vec<u8>)> {
    let text = serde_json::to_vec(docs).ok().filter(|_| !docs.is_empty())?;
    let frame = zstd::bulk::compress(&text, LEVEL).ok()?;
    Some((Told { count: docs.len() as u32, words: [text.len() as u64, 0, 0, 0] }, frame))
}

/// Reads the payload of one; none if it is not what it is to be.
pub(crate) fn parse(told: Told, payload: &[u8]) -> Option<Vec<EventDocs>> {
    let [size, zeros @ ..] = told.words;
    let size = usize::try_from(size).ok().filter(|size| *size <= limit::HEADER_BYTES && zeros == [0; 3])?;
    let text = zstd::bulk::decompress(payload, size).ok().filter(|text| text.len() == size)?;
    let docs: Vec<EventDocs> = serde_json::from_slice(&text).ok()?;
    (docs.len() == told.count as usize).then_some(docs)
}

/// Says in the table what the docs blocks of a file say, and of the rest what this build knows. `payload` reads a block's; what
/// cannot be read is not said.
pub(crate) fn tell<'f>(
    table: &mut SchemaTable,
    index: &Index,
    payload: impl Fn(&crate::other_block::OtherBlock) -> Option<&'f [u8]>,
) {
    // Together they say no more than a header could.
    let mut room = limit::HEADER_BYTES as u64;
    for block in index.others.iter().filter(|block| block.kind == DOCS) {
        let Some(left) = room.checked_sub(block.told.words[0]) else { break };
        room = left;
        for docs in payload(block).and_then(|payload| parse(block.told, payload)).unwrap_or_default() {
            let at = table.events.binary_search_by_key(&docs.0, |event| event.code);
            if let Some(event) = at.ok().and_then(|at| table.events.get_mut(at)) {
                event.tell(&docs);
            }
        }
    }
    table.tell_of_known();
}

/// What is to be said of events, and of which it has been.
#[derive(Debug, Default)]
pub(crate) struct Untold {
    docs: Vec<EventDocs>,
}

impl Untold {
    /// Everything that a table says of its events.
    pub fn of(table: &SchemaTable) -> Untold {
        let is_told = |docs: &EventDocs| !docs.1.is_empty() || docs.2.iter().any(|doc| !doc.is_empty());
        Untold { docs: table.events.iter().map(|event| event.docs()).filter(is_told).collect() }
    }

    /// What is to be said of these; once.
    pub fn take(&mut self, kinds: &[(EventCode, u32)]) -> Vec<EventDocs> {
        self.docs.extract_if(.., |docs| kinds.iter().any(|(code, _)| *code == docs.0)).collect()
    }
}
