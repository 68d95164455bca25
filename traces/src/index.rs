//! Where the blocks of a file lie: by its footer, or by looking for them.

use crate::block_head::{self, BlockHead};
use crate::error::Damage;
use crate::footer::{self, Footer, TRAILER_BYTES};
use crate::parse::run;
use std::collections::BTreeMap;
use taut_schemas::grouped;

/// What is known of a file's blocks before any is read.
pub(crate) struct Index {
    pub footer: Footer,
    /// The footer was there, whole and in its place.
    pub complete: bool,
    pub damage: Vec<Damage>,
}

/// Finds the blocks of `file`, which begin at `start`.
pub(crate) fn index(file: &[u8], start: u64, key: u32) -> Index {
    match read_footer(file, start, key) {
        Ok(footer) => Index { footer, complete: true, damage: Vec::new() },
        Err(damage) => Scan::new(file, key, damage).run(start),
    }
}

fn read_footer(file: &[u8], start: u64, key: u32) -> Result<Footer, Damage> {
    let file_bytes = file.len() as u64;
    let trailer_at = file_bytes.saturating_sub(TRAILER_BYTES as u64).max(start);
    let (offset, length_bytes) = run(trailer_at, "trailer", &file[trailer_at as usize..], footer::parse_trailer)?;
    if offset < start || offset.checked_add(length_bytes) != Some(trailer_at) {
        let expected = format!("a footer that ends at byte {trailer_at}");
        let found = format!("offset {offset}, length {length_bytes}");
        return Err(Damage { offset: trailer_at, what: "trailer", expected, found, events_lost: Some(0) });
    }
    let bytes = &file[offset as usize..trailer_at as usize];
    let footer = run(offset, "footer", bytes, |input| Footer::parse(input, key))?;
    let mut end = start;
    for block in &footer.blocks {
        if block.offset != end || u64::from(block.length_bytes) > offset - end {
            let expected = format!("a block at byte {end} that ends before byte {offset}");
            let found = format!("offset {}, length {}", block.offset, block.length_bytes);
            return Err(Damage { offset, what: "footer", expected, found, events_lost: Some(0) });
        }
        end += u64::from(block.length_bytes);
    }
    if end != offset {
        let expected = format!("blocks up to byte {offset}");
        return Err(Damage { offset, what: "footer", expected, found: format!("up to {end}"), events_lost: Some(0) });
    }
    Ok(footer)
}

/// Where a thread's next block goes on.
#[derive(Default, Clone, Copy)]
struct Expected {
    number: u64,
    records_before: u64,
}

/// Looks for blocks one after another, and behind damage for the next that is whole.
struct Scan<'a> {
    file: &'a [u8],
    key: u32,
    index: Index,
    threads: BTreeMap<u32, Expected>,
    /// Index of the last damaged region in `index.damage`.
    region: Option<usize>,
}

impl<'a> Scan<'a> {
    fn new(file: &'a [u8], key: u32, mut damage: Damage) -> Self {
        // Without a footer there may have been more blocks than there are.
        damage.events_lost = None;
        let index = Index { footer: Footer::default(), complete: false, damage: vec![damage] };
        Self { file, key, index, threads: BTreeMap::new(), region: None }
    }

    fn run(mut self, start: u64) -> Index {
        let mut at = start as usize;
        while at < self.file.len() {
            let rest = &self.file[at..];
            match run(at as u64, "block head", rest, |input| BlockHead::parse(input, self.key)) {
                Ok(head) if head.length_bytes as usize <= rest.len() => {
                    self.add(at as u64, &head);
                    at += head.length_bytes as usize;
                }
                Ok(head) => {
                    self.index.damage.push(Damage {
                        offset: self.file.len() as u64,
                        what: "block",
                        expected: format!("{} more bytes", grouped((head.length_bytes as usize - rest.len()) as u64)),
                        found: "the end of the file".to_owned(),
                        events_lost: Some(head.records.into()),
                    });
                    break;
                }
                Err(damage) => {
                    // The footer's own damage has been told already.
                    if !footer::begins(rest) {
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

    /// Position of the next whole block head from `at` on.
    fn next_block(&self, at: usize) -> Option<usize> {
        let mut at = at;
        loop {
            at += self.file.get(at..)?.iter().position(|byte| *byte == block_head::MAGIC[0])?;
            let rest = &self.file[at..];
            if rest.starts_with(block_head::MAGIC) && BlockHead::parse(rest, self.key).is_ok() {
                return Some(at);
            }
            at += 1;
        }
    }

    fn add(&mut self, offset: u64, head: &BlockHead) {
        let expected = self.threads.entry(head.thread).or_default();
        if head.number < expected.number {
            let damage = Damage {
                offset,
                what: "block number",
                expected: format!("at least {}", expected.number),
                found: head.number.to_string(),
                events_lost: Some(0),
            };
            return self.index.damage.push(damage);
        }
        if head.number > expected.number {
            let missing = head.records_before.saturating_sub(expected.records_before);
            match self.region.and_then(|region| self.index.damage.get_mut(region)) {
                Some(damage) => {
                    let lost = damage.events_lost.get_or_insert(0);
                    *lost = lost.saturating_add(missing);
                }
                None => self.index.damage.push(Damage {
                    offset,
                    what: "block number",
                    expected: expected.number.to_string(),
                    found: head.number.to_string(),
                    events_lost: Some(missing),
                }),
            }
        }
        let records_before = head.records_before.saturating_add(head.records.into());
        *expected = Expected { number: head.number.saturating_add(1), records_before };
        self.index.footer.blocks.push(head.info(offset));
        for (code, records) in &head.kinds {
            *self.index.footer.codes.entry(*code).or_default() += u64::from(*records);
        }
    }
}
