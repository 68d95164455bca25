//! Chain of index blocks of an unfinished file, followed from the last one back to the first.

use crate::format::block_whole::check_whole;
use crate::format::cover::cover;
use crate::format::entry::Entry;
use crate::format::envelope::MAGIC;
use crate::format::index::Framed;
use crate::format::index_block::{self, IndexBlock};
use crate::format::other_block::OtherBlock;
use crate::format::parse::run;

/// Distance from the end of a file in which its last index block is searched, in bytes.
// Writers emit an index block after about 64 MiB of blocks (`block_list::INDEX_EVERY_BYTES`).
const SEARCH_BYTES: usize = 128 << 20;

/// Name of the structure in damage, which is discarded: the file is scanned instead.
const STRUCTURE: &str = "index block";

/// Entries of all blocks covered by a file's index blocks, in order and including these, and the end of the last index
/// block. `None` if there are no index blocks or an index block is invalid.
pub(crate) fn indexed(framed: Framed<'_>) -> Option<(Vec<Entry>, u64)> {
    let Framed { file, start, key, .. } = framed;
    let last = last(framed)?;
    let end = last.offset + u64::from(last.length_bytes);
    let (mut blocks, mut at) = (Vec::new(), last);
    loop {
        let bytes = bytes(file, at.offset, at.length_bytes)?;
        let IndexBlock { block, before, entries } =
            run(at.offset, STRUCTURE, bytes, |input| index_block::parse(input, key, at.offset)).ok()?;
        let Some(before) = before else {
            cover(entries.iter().map(Entry::place), start, block.offset).ok()?;
            blocks.push((block, entries));
            break;
        };
        // Links lead strictly backwards, so the loop terminates.
        let rest = Some(before)
            .filter(|before| (start..block.offset).contains(before))
            .and_then(|before| file.get(before as usize..))?;
        let next = run(before, STRUCTURE, rest, |input| index_block::head(input, key, before)).ok()?;
        cover(entries.iter().map(Entry::place), next.offset + u64::from(next.length_bytes), block.offset).ok()?;
        blocks.push((block, entries));
        at = next;
    }
    let in_order = blocks.into_iter().rev();
    let all = in_order.flat_map(|(block, entries)| entries.into_iter().chain([Entry::Other(block)]));
    Some((all.collect(), end))
}

/// Last complete index block. One that is cut off at the end of the file was being written and is skipped. A damaged
/// one ends the search, so that checksums are not computed over the file repeatedly.
fn last(framed: Framed<'_>) -> Option<OtherBlock> {
    let Framed { file, start, key, .. } = framed;
    let from = (start as usize).max(file.len().saturating_sub(SEARCH_BYTES)).min(file.len());
    // Searched backwards, so that the newest index block is found first.
    let found = memchr::memrchr_iter(MAGIC[0], &file[from..]).map(|at| from + at).find_map(|at| {
        let rest = &file[at..];
        let head = rest
            .starts_with(MAGIC)
            .then(|| run(at as u64, STRUCTURE, rest, |input| index_block::head(input, key, at as u64)));
        head?.ok().filter(|block| block.length_bytes as usize <= rest.len())
    })?;
    let bytes = bytes(file, found.offset, found.length_bytes)?;
    run(found.offset, STRUCTURE, bytes, check_whole).is_ok().then_some(found)
}

fn bytes(file: &[u8], offset: u64, length_bytes: u32) -> Option<&[u8]> {
    file.get(usize::try_from(offset).ok()?..)?.get(..length_bytes as usize)
}
