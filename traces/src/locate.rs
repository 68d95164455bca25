//! Where the blocks of a file lie: by its footer, or by looking for them.

use crate::block_info::BlockInfo;
use crate::chain::indexed;
use crate::cover::cover;
use crate::entry::Entry;
use crate::error::Damage;
use crate::footer::{self, TRAILER_BYTES};
use crate::index::{Framed, Index};
use crate::parse::run;
use crate::scan::Scan;
use crate::sequence::Sequence;
use crate::version_0;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Finds the blocks of a file.
pub(crate) fn index(framed: Framed<'_>) -> Index {
    match read_footer(framed) {
        Ok(index) => index,
        Err(damage) => scan(framed, damage).run(),
    }
}

/// Looks for blocks one after another: behind those that index blocks tell of, or all.
fn scan(framed: Framed<'_>, damage: Damage) -> Scan<'_> {
    let scan = Scan::new(framed, damage);
    match Some(framed).filter(|framed| framed.version > 0).and_then(indexed) {
        Some((blocks, end)) => scan.behind(blocks, end),
        None => scan,
    }
}

fn read_footer(framed: Framed<'_>) -> Result<Index, Damage> {
    let Framed { file, start, key, version } = framed;
    let file_bytes = file.len() as u64;
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

/// The footer of version 0 says nothing of a block's number and of what came before it: its head does.
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
            // What it says otherwise than the footer is damage to who reads it.
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
