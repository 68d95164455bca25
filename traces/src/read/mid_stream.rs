//! Opening of a ring recording as a trace that begins in mid-stream, at a stamp from which on all events are present.

use crate::Trace;
use crate::format::error::{Damage, ReadError};
use crate::format::file_head;
use crate::format::identity::DiscardedEvents;
use crate::live::map::FileBytes;
use crate::live::orphaned_sidecar::OrphanedSidecar;
use crate::live::segments::Segments;
use crate::read::excerpt::Excerpt;
use taut_schemas::{Mark, state};

impl Trace {
    /// Opens the trace formed by the head of a file, its segments, and its sidecar. If older segments are gone, the
    /// trace begins with the first rundown from which on all events are present, or without one at the first such
    /// stamp.
    ///
    /// # Errors
    /// The head is invalid, or a block in which a stream would begin is damaged.
    pub(crate) fn open_ring(
        head: &[u8],
        segments: Segments,
        left: Result<Option<OrphanedSidecar>, Damage>,
    ) -> Result<Trace, ReadError> {
        let Segments { blocks, oldest, damage } = segments;
        let is_whole = oldest.sequence == 0;
        let mut image = head.to_vec();
        image.extend_from_slice(&blocks);
        drop(blocks);
        let mut all = Trace::open_unfinished(FileBytes::Owned(image), !is_whole)?;
        all.join(left);
        all.add_damage(damage);
        if is_whole {
            return Ok(all);
        }
        let from =
            all.first_rundown_after(oldest.max_stamp_before).unwrap_or(oldest.max_stamp_before.saturating_add(1));
        let mut excerpt = Excerpt::new(&all, from);
        let mut blocks = Vec::new();
        // A first pass counts the omitted records. The header states that count, and the checksum of the header is the
        // key of the blocks.
        excerpt.write(0, &mut blocks).map_err(ReadError::Head)?;
        let mut header = all.header().clone();
        let events = oldest.records_before.saturating_add(excerpt.left_out);
        header.identity.discarded = Some(DiscardedEvents { events, until_stamp: from });
        let at = |source| ReadError::Header { offset: head.len() as u64, source };
        let (mut image, key) = file_head::write(&header).map_err(at)?;
        blocks.clear();
        Excerpt::new(&all, from).write(key, &mut blocks).map_err(ReadError::Head)?;
        image.extend_from_slice(&blocks);
        let mut trace = Trace::open_unfinished(FileBytes::Owned(image), false)?;
        trace.take_over(all);
        Ok(trace)
    }

    /// Stamp of the first complete rundown after a stamp.
    fn first_rundown_after(&self, stamp: u64) -> Option<u64> {
        let events = &self.header().schema.events;
        let is_end = |name: &str, provider: &str| {
            name == state::RundownEnd::NAME && provider == state::RundownEnd::FAMILY.provider
        };
        let code = events.iter().find(|event| is_end(&event.name, &event.provider))?.code;
        let mut rows = self.rows_of(|block| block.kinds.iter().any(|(kind, _)| *kind == code));
        while let Some(row) = rows.next_row() {
            if row.code == code && row.stamp > stamp {
                return Some(row.stamp);
            }
        }
        None
    }
}
