//! Where the blocks of a file lie: by its footer, or by looking for them.

use crate::block_info::BlockInfo;
use crate::error::Damage;
use crate::footer::{self, Entry, TRAILER_BYTES};
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
        Err(damage) => Scan::new(framed, damage).run(),
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
    for entry in footer.blocks {
        match entry {
            Entry::Records(block) => index.add(block, &mut sequence, version),
            Entry::Unknown(block, stream, number) => index.step_over(block, stream, number, &mut sequence),
        }
    }
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
    if all_agree && index.damage.is_empty() && index.codes != footer.codes {
        let text = |codes: &BTreeMap<EventCode, u64>| format!("{:?}", codes.iter().collect::<Vec<_>>());
        let (expected, found) = (format!("{} as the blocks say", text(&index.codes)), text(&footer.codes));
        index.damage.push(Damage { offset: footer_at, what: "footer", expected, found, events_lost: Some(0) });
    }
    (index.codes, index.interrupted) = (footer.codes, footer.interrupted);
}

/// Checks that blocks, each an offset and a length, cover a file from `start` to the footer at `offset`.
fn cover(blocks: impl Iterator<Item = (u64, u32)>, start: u64, offset: u64) -> Result<(), Damage> {
    let damage = |expected, found| Err(Damage { offset, what: "footer", expected, found, events_lost: Some(0) });
    let mut end = start;
    for (at, length_bytes) in blocks {
        if at != end || u64::from(length_bytes) > offset - end {
            let expected = format!("a block at byte {end} that ends before byte {offset}");
            return damage(expected, format!("offset {at}, length {length_bytes}"));
        }
        end += u64::from(length_bytes);
    }
    if end == offset { Ok(()) } else { damage(format!("blocks up to byte {offset}"), format!("up to {end}")) }
}
