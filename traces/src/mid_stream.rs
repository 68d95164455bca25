//! A recording that keeps only its last, as a trace: from a moment on everything is there.

use crate::Trace;
use crate::error::{Damage, ReadError};
use crate::excerpt::Excerpt;
use crate::file_head;
use crate::identity::LeftOut;
use crate::left_behind::LeftBehind;
use crate::map::FileBytes;
use crate::segments::Segments;
use taut_schemas::{Mark, state};

impl Trace {
    /// What segments have behind the head of a file, and what is to come behind them. If older segments are gone, it begins with
    /// the first rundown from which on everything is there; without one, with the first moment of which that is so.
    ///
    /// # Errors
    /// The head is none, or a block is damaged in which a stream would begin.
    pub(crate) fn last_of(
        head: &[u8],
        segments: Segments,
        left: Result<Option<LeftBehind>, Damage>,
    ) -> Result<Trace, ReadError> {
        let Segments { blocks, oldest } = segments;
        let is_whole = oldest.sequence == 0;
        let mut image = head.to_vec();
        image.extend_from_slice(&blocks);
        drop(blocks);
        let mut all = Trace::without_end(FileBytes::Owned(image), !is_whole)?;
        all.join(left);
        if is_whole {
            return Ok(all);
        }
        let from = all.first_rundown_behind(oldest.greatest_before).unwrap_or(oldest.greatest_before + 1);
        let mut excerpt = Excerpt::new(&all, from);
        let mut blocks = Vec::new();
        // Once for what is left out, which the head says, whose sum is the key.
        excerpt.write(0, &mut blocks).map_err(ReadError::Head)?;
        let mut header = all.header().clone();
        let events = oldest.records_before + excerpt.left_out;
        header.identity.left_out = Some(LeftOut { events, until_stamp: from });
        let at = |source| ReadError::Header { offset: head.len() as u64, source };
        let (mut image, key) = file_head::write(&header).map_err(at)?;
        blocks.clear();
        Excerpt::new(&all, from).write(key, &mut blocks).map_err(ReadError::Head)?;
        image.extend_from_slice(&blocks);
        let mut trace = Trace::without_end(FileBytes::Owned(image), false)?;
        trace.take_over(all);
        Ok(trace)
    }

    /// The stamp of the first whole rundown behind a stamp.
    fn first_rundown_behind(&self, stamp: u64) -> Option<u64> {
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
