//! Schema blocks: layouts of events that the head does not define. Encoder and parser are in this file so that they
//! stay in step.

use crate::format::control_block::ControlBlock;
use crate::format::error::Damage;
use crate::format::header::check_table;
use crate::format::index::Index;
use crate::format::limit;
use crate::format::other_block::OtherBlock;
use crate::{format::envelope::SCHEMA, format::header::HeaderError};
use taut_schemas::{EventCode, SchemaTable};

/// Compression level of the payload.
const LEVEL: i32 = 9;

/// Numbers and payload of the schema block of these definitions; `None` if there are none.
pub(crate) fn contents(part: &SchemaTable) -> Option<(ControlBlock, Vec<u8>)> {
    let text = serde_json::to_vec(&part.brief()).ok().filter(|_| !part.events.is_empty())?;
    let frame = zstd::bulk::compress(&text, LEVEL).ok()?;
    Some((ControlBlock { count: part.events.len() as u32, words: [text.len() as u64, 0, 0, 0] }, frame))
}

/// Parses the payload of a schema block, a zstd frame of `size_bytes` bytes of JSON.
///
/// # Errors
/// Expectation and actual content.
pub(crate) fn parse(size_bytes: u32, payload: &[u8]) -> Result<SchemaTable, (String, String)> {
    let max_bytes = limit::HEADER_BYTES;
    let wrong = |found: String| (format!("definitions, {size_bytes} bytes of JSON, at most {max_bytes}"), found);
    let size = usize::try_from(size_bytes).ok().filter(|size| *size <= max_bytes);
    let size = size.ok_or_else(|| wrong("more".to_owned()))?;
    let text = zstd::bulk::decompress(payload, size).map_err(|error| wrong(error.to_string()))?;
    if text.len() != size {
        return Err(wrong(format!("{} bytes", text.len())));
    }
    let mut part: SchemaTable = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    part.spell_out();
    part.complete();
    Ok(part)
}

/// Adds the definitions of a file's schema blocks to the table, in file order, and returns the damage of malformed
/// blocks. `payload` reads the payload of a block.
pub(crate) fn define<'f>(
    table: &mut SchemaTable,
    index: &Index,
    payload: impl Fn(&OtherBlock) -> Result<&'f [u8], Damage>,
) -> Vec<Damage> {
    // All schema blocks together have the size limit of a header.
    let (mut room, mut damage, mut known) = (limit::HEADER_BYTES as u64, Vec::new(), Vec::<&[u8]>::new());
    for block in index.others.iter().filter(|block| block.kind == SCHEMA) {
        let wrong = |(expected, found)| Damage {
            offset: block.offset,
            what: "schema block",
            expected,
            found,
            events_lost: Some(0),
        };
        let defined = payload(block).and_then(|payload| {
            // Blocks are repeated on purpose; a copy defines nothing new.
            if known.contains(&payload) {
                return Ok(());
            }
            let (control_block, max_bytes) = (block.control_block, room);
            let left = room.checked_sub(control_block.words[0]).filter(|_| control_block.words[1..] == [0; 3]);
            room = left.ok_or_else(|| {
                wrong((format!("{max_bytes} bytes of JSON at most"), format!("{:?}", control_block.words)))
            })?;
            let part = parse(control_block.words[0] as u32, payload).map_err(wrong)?;
            if part.events.len() != control_block.count as usize {
                return Err(wrong((format!("{} definitions", control_block.count), part.events.len().to_string())));
            }
            add(table, part).map_err(wrong)?;
            known.push(payload);
            Ok(())
        });
        damage.extend(defined.err());
    }
    damage
}

/// Adds definitions to a table, unless the table would become invalid.
///
/// # Errors
/// Expectation and actual content.
pub(crate) fn add(table: &mut SchemaTable, part: SchemaTable) -> Result<(), (String, String)> {
    check_table(&part).map_err(|error: HeaderError| ("definitions of events".to_owned(), error.to_string()))?;
    let duplicate = |code: EventCode| ("each event once".to_owned(), format!("another one with code {}", code.0));
    table.join(part).map_err(duplicate)
}

/// Definitions that have not been written yet; each is written on its event's first use.
#[derive(Debug, Default)]
pub(crate) struct PendingSchema {
    parts: Vec<SchemaTable>,
    /// Schema blocks of the definitions written so far.
    used: Vec<(ControlBlock, Vec<u8>)>,
}

impl PendingSchema {
    /// Collects the definitions that a table marks as defined when used.
    pub fn new(table: &SchemaTable) -> PendingSchema {
        PendingSchema { parts: table.defined_when_used(), used: Vec::new() }
    }

    /// True if every event is defined in the head.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Numbers and payload of a schema block of all these definitions, for events that are in no block yet.
    pub fn contents(&self) -> Option<(ControlBlock, Vec<u8>)> {
        let mut all = SchemaTable::default();
        for part in &self.parts {
            all.join(part.clone()).ok()?;
        }
        contents(&all)
    }

    /// Returns a schema block with the definitions of these events, unless they are defined already, and of the other
    /// events of their providers.
    pub fn take(&mut self, kinds: &[(EventCode, u32)]) -> Option<&(ControlBlock, Vec<u8>)> {
        let mut used = SchemaTable::default();
        for part in self.parts.extract_if(.., |part| kinds.iter().any(|(code, _)| part.event(*code).is_some())) {
            used.join(part).ok()?;
        }
        self.used.push(contents(&used)?);
        self.used.last()
    }

    /// Schema blocks of the definitions written so far.
    pub fn used(&self) -> &[(ControlBlock, Vec<u8>)] {
        &self.used
    }
}
