//! The index blocks of a file that has no end: from the last one back to the first.

use crate::block_whole::check_whole;
use crate::cover::cover;
use crate::entry::Entry;
use crate::envelope::MAGIC;
use crate::index::Framed;
use crate::index_block::{self, IndexBlock};
use crate::other_block::OtherBlock;
use crate::parse::run;

/// How far from its end a file is searched for its last index block: writers make one more often.
const SEARCH_BYTES: usize = 128 << 20;

/// What damage in one is called; nobody hears of it here, as the file is scanned then.
const WHAT: &str = "index block";

/// The blocks that the index blocks of a file tell of, in order, themselves included, and where the last index block ends. None
/// where there are no index blocks, or anything is wrong with them.
pub(crate) fn indexed(framed: Framed<'_>) -> Option<(Vec<Entry>, u64)> {
    let Framed { file, start, key, .. } = framed;
    let last = last(framed)?;
    let end = last.offset + u64::from(last.length_bytes);
    let (mut blocks, mut at) = (Vec::new(), last);
    loop {
        let bytes = bytes(file, at.offset, at.length_bytes)?;
        let IndexBlock { block, before, entries } =
            run(at.offset, WHAT, bytes, |input| index_block::parse(input, key, at.offset)).ok()?;
        let Some(before) = before else {
            cover(entries.iter().map(Entry::place), start, block.offset).ok()?;
            blocks.push((block, entries));
            break;
        };
        // Links lead back, so that there is an end to them.
        let rest = Some(before)
            .filter(|before| (start..block.offset).contains(before))
            .and_then(|before| file.get(before as usize..))?;
        let next = run(before, WHAT, rest, |input| index_block::head(input, key, before)).ok()?;
        cover(entries.iter().map(Entry::place), next.offset + u64::from(next.length_bytes), block.offset).ok()?;
        blocks.push((block, entries));
        at = next;
    }
    let in_order = blocks.into_iter().rev();
    let all = in_order.flat_map(|(block, entries)| entries.into_iter().chain([Entry::Other(block)]));
    Some((all.collect(), end))
}

/// The last index block that is whole. One whose end is missing was being written; one that is damaged ends the search, so that no
/// file is summed up again and again.
fn last(framed: Framed<'_>) -> Option<OtherBlock> {
    let Framed { file, start, key, .. } = framed;
    let from = (start as usize).max(file.len().saturating_sub(SEARCH_BYTES)).min(file.len());
    let found = memchr::memrchr_iter(MAGIC[0], &file[from..]).map(|at| from + at).find_map(|at| {
        let rest = &file[at..];
        let head = rest
            .starts_with(MAGIC)
            .then(|| run(at as u64, WHAT, rest, |input| index_block::head(input, key, at as u64)));
        head?.ok().filter(|block| block.length_bytes as usize <= rest.len())
    })?;
    let bytes = bytes(file, found.offset, found.length_bytes)?;
    run(found.offset, WHAT, bytes, check_whole).is_ok().then_some(found)
}

fn bytes(file: &[u8], offset: u64, length_bytes: u32) -> Option<&[u8]> {
    file.get(usize::try_from(offset).ok()?..)?.get(..length_bytes as usize)
}
