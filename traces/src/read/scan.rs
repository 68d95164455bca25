//! Sequential search for a file's blocks.

use crate::format::entry::Entry;
use crate::format::error::Damage;
use crate::format::footer;
use crate::format::head::{self, Head};
use crate::format::index::{Framed, Index};
use crate::format::other_block::OtherBlock;
use crate::format::parse::run;
use crate::format::sequence::Sequence;
use crate::format::version_0;
use taut_schemas::grouped;

/// Sequential search for blocks, which after damage continues at the next valid block head.
pub(crate) struct Scan<'a> {
    framed: Framed<'a>,
    index: Index,
    sequence: Sequence,
    /// Index in `index.damage` of the last damaged region.
    region: Option<usize>,
    /// Offset at which the search begins.
    at: u64,
}

impl<'a> Scan<'a> {
    /// Starts a scan of a file whose footer has this damage.
    pub fn new(framed: Framed<'a>, mut damage: Damage) -> Self {
        // Without a footer, an unknown number of blocks may be missing.
        damage.events_lost = None;
        let index = Index { damage: vec![damage], ..Index::default() };
        Self { framed, index, sequence: Sequence::default(), region: None, at: framed.start }
    }

    /// Continues after blocks that are known from index blocks and end at `end`.
    pub fn after(mut self, blocks: Vec<Entry>, end: u64) -> Self {
        self.index.add_entries(blocks, &mut self.sequence, self.framed.version);
        Self { at: end, ..self }
    }

    /// Starts a scan of a file that never had a footer.
    pub fn unended(framed: Framed<'a>, begins_anywhere: bool) -> Self {
        let sequence = if begins_anywhere { Sequence::anywhere() } else { Sequence::default() };
        let end = framed.file.len() as u64;
        let (expected, found) = ("a footer".to_owned(), "none".to_owned());
        let damage = Damage { offset: end, what: "footer", expected, found, events_lost: None };
        Self { sequence, ..Self::new(framed, damage) }
    }

    /// Scans the file.
    pub fn run(mut self) -> Index {
        let Framed { file, key, version, .. } = self.framed;
        let mut at = self.at as usize;
        while at < file.len() {
            let rest = &file[at..];
            match run(at as u64, "block head", rest, |input| head::parse(input, key, version)) {
                Ok(head) if head.length_bytes() as usize <= rest.len() => {
                    at += head.length_bytes() as usize;
                    self.add((at - head.length_bytes() as usize) as u64, &head);
                }
                Ok(head) => {
                    self.index.damage.push(Damage {
                        offset: file.len() as u64,
                        what: "block",
                        expected: format!("{} more bytes", grouped((head.length_bytes() as usize - rest.len()) as u64)),
                        found: "the end of the file".to_owned(),
                        events_lost: Some(head.records().into()),
                    });
                    break;
                }
                Err(damage) => {
                    // The damage of the footer is already in the list.
                    if !footer_begins(rest) {
                        self.region = Some(self.index.damage.len());
                        self.index.damage.push(Damage { events_lost: None, ..damage });
                    }
                    match self.next_block(at + 1) {
                        Some(next) => at = next,
                        None => break,
                    }
                }
            }
        }
        self.index
    }

    /// Position of the next valid block head from `at` on.
    fn next_block(&self, at: usize) -> Option<usize> {
        let magic = head::magic(self.framed.version);
        let mut at = at;
        loop {
            at += self.framed.file.get(at..)?.iter().position(|byte| *byte == magic[0])?;
            let rest = &self.framed.file[at..];
            if rest.starts_with(magic) && head::parse(rest, self.framed.key, self.framed.version).is_ok() {
                return Some(at);
            }
            at += 1;
        }
    }

    fn add(&mut self, offset: u64, head: &Head) {
        let known = self.index.damage.len();
        match head {
            Head::Records(head) => self.index.add(head.info(offset), &mut self.sequence, self.framed.version),
            Head::Other(envelope, control_block) => {
                self.index.step_over(OtherBlock::from_head(offset, envelope, *control_block), &mut self.sequence);
            }
        }
        // Missing blocks are attributed to the damaged region before them.
        let Some(region) = self.region.filter(|_| self.index.damage.len() > known) else { return };
        if self.index.blocks.last().is_some_and(|block| block.offset == offset)
            && let Some(gap) = self.index.damage.pop()
            && let Some(damage) = self.index.damage.get_mut(region)
        {
            let lost = damage.events_lost.get_or_insert(0);
            *lost = lost.saturating_add(gap.events_lost.unwrap_or_default());
        }
    }
}

/// True if a footer seems to begin here.
fn footer_begins(bytes: &[u8]) -> bool {
    bytes.starts_with(footer::MAGIC) || bytes.starts_with(version_0::footer::MAGIC)
}
