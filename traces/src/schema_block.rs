//! Schema blocks: what events are laid out like that the head does not define. Writer and reader side by side.

use crate::error::Damage;
use crate::header::check_table;
use crate::index::Index;
use crate::limit;
use crate::other_block::OtherBlock;
use crate::told::Told;
use crate::{envelope::SCHEMA, header::HeaderError};
use taut_schemas::{EventCode, SchemaTable};

/// Level at which they are compressed.
const LEVEL: i32 = 9;

/// The numbers and the payload of one that defines these events; none if it defines none.
pub(crate) fn contents(part: &SchemaTable) -> Option<(Told, Vec<u8>)> {
    let text = serde_json::to_vec(&part.brief()).ok().filter(|_| !part.events.is_empty())?;
    let frame = zstd::bulk::compress(&text, LEVEL).ok()?;
    Some((Told { count: part.events.len() as u32, words: [text.len() as u64, 0, 0, 0] }, frame))
}

/// Reads the payload of one, which is a frame of so many bytes of JSON.
///
/// # Errors
/// What is expected, and what is there.
pub(crate) fn parse(size_bytes: u32, payload: &[u8]) -> Result<SchemaTable, (String, String)> {
    let most = limit::HEADER_BYTES;
    let wrong = |found: String| (format!("definitions, {size_bytes} bytes of JSON, at most {most}"), found);
    let size = usize::try_from(size_bytes).ok().filter(|size| *size <= most);
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

/// Adds to the table what the schema blocks of a file define, in their order, and tells which are not what they are to be. `payload`
/// reads a block's.
pub(crate) fn define<'f>(
    table: &mut SchemaTable,
    index: &Index,
    payload: impl Fn(&OtherBlock) -> Result<&'f [u8], Damage>,
) -> Vec<Damage> {
    // Together they define no more than a header could.
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
            if known.contains(&payload) {
                return Ok(());
            }
            let (told, most) = (block.told, room);
            let left = room.checked_sub(told.words[0]).filter(|_| told.words[1..] == [0; 3]);
            room = left.ok_or_else(|| wrong((format!("{most} bytes of JSON at most"), format!("{:?}", told.words))))?;
            let part = parse(told.words[0] as u32, payload).map_err(wrong)?;
            if part.events.len() != told.count as usize {
                return Err(wrong((format!("{} definitions", told.count), part.events.len().to_string())));
            }
            add(table, part).map_err(wrong)?;
            known.push(payload);
            Ok(())
        });
        damage.extend(defined.err());
    }
    damage
}

/// Adds definitions to a table, unless it would be none then.
///
/// # Errors
/// What is expected, and what is there.
pub(crate) fn add(table: &mut SchemaTable, part: SchemaTable) -> Result<(), (String, String)> {
    check_table(&part).map_err(|error: HeaderError| ("definitions of events".to_owned(), error.to_string()))?;
    let again = |code: EventCode| ("each event once".to_owned(), format!("another one with code {}", code.0));
    table.join(part).map_err(again)
}

/// What is to be defined when it is used.
#[derive(Debug, Default)]
pub(crate) struct Undefined {
    parts: Vec<SchemaTable>,
    /// Blocks that define what has been used.
    used: Vec<(Told, Vec<u8>)>,
}

impl Undefined {
    /// What a table defines when it is used.
    pub fn of(table: &SchemaTable) -> Undefined {
        Undefined { parts: table.defined_when_used(), used: Vec::new() }
    }

    /// Whether everything is defined from the begin on.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// All of it, for whoever finds events of it in no block.
    pub fn contents(&self) -> Option<(Told, Vec<u8>)> {
        let mut all = SchemaTable::default();
        for part in &self.parts {
            all.join(part.clone()).ok()?;
        }
        contents(&all)
    }

    /// A block that defines those of these events that no block defines yet, and others of their providers.
    pub fn take(&mut self, kinds: &[(EventCode, u32)]) -> Option<&(Told, Vec<u8>)> {
        let mut used = SchemaTable::default();
        for part in self.parts.extract_if(.., |part| kinds.iter().any(|(code, _)| part.event(*code).is_some())) {
            used.join(part).ok()?;
        }
        self.used.push(contents(&used)?);
        self.used.last()
    }

    /// The blocks that have defined something.
    pub fn used(&self) -> &[(Told, Vec<u8>)] {
        &self.used
    }
}
