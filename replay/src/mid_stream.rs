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

/// Something is missing of a thread: it may have been at any stamp of these.
struct Loss {
    from: u64,
    /// The first stamp behind.
    to: u64,
}

/// What a pass knows of rundowns, and of what the recorder lost.
#[derive(Default)]
pub(crate) struct MidStream {
    gathered: Option<Gathered>,
    losses: Vec<Loss>,
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
        // By thread, where its records so far end, and those losses behind which it has none yet.
        let (mut ends, mut open) = (BTreeMap::<u32, u64>::new(), BTreeMap::<u32, u64>::new());
        let mut losses = Vec::new();
        // What was recorded before the first event may be needed for any.
        losses.extend(trace.header().identity.left_out.map(|left_out| Loss { from: 0, to: left_out.until_stamp }));
        for block in trace.blocks() {
            if block.lost_before > 0 {
                let from = ends.get(&block.thread).copied().unwrap_or_default();
                open.entry(block.thread).or_insert(from);
            }
            if block.records > 0 {
                let ended = open.remove(&block.thread);
                losses.extend(ended.map(|from| Loss { from, to: block.least_stamp }));
                ends.insert(block.thread, block.greatest_stamp.saturating_add(1));
            }
        }
        losses.extend(open.into_values().map(|from| Loss { from, to: u64::MAX }));
        let mut mid_stream = MidStream { gathered: None, losses, unknown_from: 0 };
        mid_stream.look();
        mid_stream
    }

    fn look(&mut self) {
        self.unknown_from = self.losses.iter().map(|loss| loss.from).min().unwrap_or(u64::MAX);
    }

    /// Something is missing before an event with this stamp, and no rundown has come since.
    #[inline]
    pub fn is_unknown(&self, stamp: u64) -> bool {
        stamp >= self.unknown_from
    }

    /// The state is known at this stamp.
    pub fn known_at(&mut self, stamp: u64) {
        // What is missing may have come behind it.
        self.losses.retain(|loss| loss.to > stamp.saturating_add(1));
        self.losses.iter_mut().for_each(|loss| loss.from = loss.from.max(stamp.saturating_add(1)));
        self.look();
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
