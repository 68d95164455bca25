//! Rundowns in a recording: where a replay can start in mid-stream, and where it cannot go on without one.

use std::collections::BTreeMap;
use taut_runtime::StateRecords;
use taut_schemas::{CodecError, Decoder, EventCode, Mark, state};
use taut_traces::Trace;

/// A rundown that has begun, and not ended.
struct Gathered {
    thread: u32,
    records: StateRecords,
}

/// What a pass knows of rundowns, and of what the recorder lost.
#[derive(Default)]
pub(crate) struct MidStream {
    gathered: Option<Gathered>,
    /// Stamps after which something is missing, latest first.
    losses: Vec<u64>,
    /// Nothing that is recorded from here on follows from what was replayed; `u64::MAX` as long as all does.
    unknown_from: u64,
}

/// Whether an event is a record of a rundown.
#[inline]
pub(crate) fn is_state(code: EventCode) -> bool {
    (state::FAMILY.first..=state::FAMILY.last).contains(&code.id())
}

impl MidStream {
    /// Of a trace, by the heads of its blocks.
    pub fn of(trace: &Trace) -> MidStream {
        let (mut last, mut losses) = (BTreeMap::new(), Vec::new());
        // What was recorded before the first event may be needed for any.
        losses.extend(trace.header().identity.left_out.map(|_| 0));
        for block in trace.blocks() {
            let before =
                last.insert(block.thread, block.greatest_stamp).map_or(0, |stamp: u64| stamp.saturating_add(1));
            if block.lost_before > 0 {
                losses.push(before);
            }
        }
        losses.sort_unstable_by(|a, b| b.cmp(a));
        let unknown_from = losses.last().copied().unwrap_or(u64::MAX);
        MidStream { gathered: None, losses, unknown_from }
    }

    /// Something is missing before an event with this stamp, and no rundown has come since.
    #[inline]
    pub fn is_unknown(&self, stamp: u64) -> bool {
        stamp >= self.unknown_from
    }

    /// The state is known at this stamp.
    pub fn known_at(&mut self, stamp: u64) {
        while self.losses.last().is_some_and(|lost| *lost <= stamp) {
            self.losses.pop();
        }
        self.unknown_from = self.losses.last().copied().unwrap_or(u64::MAX);
    }

    /// Takes a record; the rundown that ends with it, if it is whole.
    pub fn record(&mut self, thread: u32, code: EventCode, row: &[u8]) -> Result<Option<StateRecords>, CodecError> {
        if code.id() == state::Rundown::ID {
            self.gathered = Some(Gathered { thread, records: StateRecords::default() });
        }
        // One whose beginning is missing is none.
        let Some(gathered) = self.gathered.as_mut().filter(|gathered| gathered.thread == thread) else {
            return Ok(None);
        };
        if code.id() != state::RundownEnd::ID {
            gathered.records.push(code, row);
            return Ok(None);
        }
        let end = state::RundownEnd::decode(&mut Decoder::new(row))?;
        let gathered = self.gathered.take().map(|gathered| gathered.records);
        Ok(gathered.filter(|records| records.len() as u64 == end.records.saturating_add(1)))
    }
}
