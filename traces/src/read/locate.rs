//! Location of a file's blocks: by its footer, or by a search.

use crate::format::block_info::BlockInfo;
use crate::format::cover::cover;
use crate::format::entry::Entry;
use crate::format::error::Damage;
use crate::format::footer::{self, TRAILER_BYTES};
use crate::format::index::{Framed, Index};
use crate::format::parse::run;
use crate::format::sequence::Sequence;
use crate::format::version_0;
use crate::read::chain::indexed;
use crate::read::scan::Scan;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Builds the index of a file's blocks.
pub(crate) fn index(framed: Framed<'_>) -> Index {
    match read_footer(framed) {
        Ok(index) => index,
        Err(damage) => scan(framed, damage).run(),
    }
}

/// Prepares a scan for blocks, which starts after the blocks that index blocks list, or at the start of the file.
fn scan(framed: Framed<'_>, damage: Damage) -> Scan<'_> {
    let scan = Scan::new(framed, damage);
    match Some(framed).filter(|framed| framed.version > 0).and_then(indexed) {
        Some((blocks, end)) => scan.after(blocks, end),
        None => scan,
    }
}

fn read_footer(framed: Framed<'_>) -> Result<Index, Damage> {
    let Framed { file, start, key, version } = framed;
    let file_bytes = file.len() as u64;
    // The trailer cannot begin within the head.
    let trailer_at = file_bytes.saturating_sub(TRAILER_BYTES as u64).max(start);
    let (offset, length_bytes) = run(trailer_at, "trailer", &file[trailer_at as usize..], footer::parse_trailer)?;
    if offset < start || offset.checked_add(length_bytes) != Some(trailer_at) {
        let expected = format!("a footer that ends at byte {trailer_at}");
        let found = format!("offset {offset}, length {length_bytes}");
        return Err(Damage { offset: trailer_at, what: "trailer", expected, found, events_lost: Some(0) });
    }
    let bytes = &file[offset as usize..trailer_at as usize];
    let mut index = Index { complete: true, ..Index::default() };
    let mut sequence = Sequence::default();
    if version == 0 {
        let footer = run(offset, "footer", bytes, |input| version_0::footer::parse(input, key))?;
        cover(footer.blocks.iter().map(|block| (block.offset, block.length_bytes)), start, offset)?;
        add_old(&mut index, &mut sequence, footer, framed, offset);
        return Ok(index);
    }
    let footer = run(offset, "footer", bytes, |input| footer::parse(input, key))?;
    cover(footer.blocks.iter().map(Entry::place), start, offset)?;
    index.interrupted = footer.interrupted;
    index.add_entries(footer.blocks, &mut sequence, version);
    Ok(index)
}

/// Adds the blocks of a version 0 footer, which lacks the blocks' numbers and records before; these come from the
/// heads.
fn add_old(
    index: &mut Index,
    sequence: &mut Sequence,
    footer: version_0::footer::Footer,
    framed: Framed<'_>,
    footer_at: u64,
) {
    let mut all_agree = true;
    for stated in footer.blocks {
        let bytes = &framed.file[stated.offset as usize..][..stated.length_bytes as usize];
        let head = run(stated.offset, "block head", bytes, |input| version_0::block_head::parse(input, framed.key));
        let (number, records_before) = sequence.next(stated.thread);
        let mut block = BlockInfo { number, records_before, ..stated };
        if let Ok(head) = head {
            // A head that contradicts the footer is reported as damage when the block is read.
            let head = head.info(block.offset);
            block = BlockInfo { number: head.number, records_before: head.records_before, kinds: head.kinds, ..block };
        }
        all_agree &=
            block.kinds.iter().map(|(_, records)| u64::from(*records)).sum::<u64>() == u64::from(block.records);
        index.add(block, sequence, framed.version);
    }
    if all_agree
        && index.damage.is_empty()
        && !index.codes().eq(footer.codes.iter().map(|(code, records)| (*code, *records)))
    {
        let text = |codes: &BTreeMap<EventCode, u64>| format!("{:?}", codes.iter().collect::<Vec<_>>());
        let (expected, found) = (format!("{} as the blocks say", text(&index.codes().collect())), text(&footer.codes));
        index.damage.push(Damage { offset: footer_at, what: "footer", expected, found, events_lost: Some(0) });
    }
    index.recount(footer.codes);
    index.interrupted = footer.interrupted;
}
