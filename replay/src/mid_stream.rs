//! Rundowns in a recording: where a replay can start in mid-stream, and where it cannot continue without one.

use std::collections::BTreeMap;
use taut_runtime::StateRecords;
use taut_schemas::{CodecError, Decoder, EventCode, Mark, state};
use taut_traces::Trace;

/// Records of a rundown that has started and not ended.
struct PendingRundown {
    thread: u32,
    records: StateRecords,
}

/// Lost events of a thread: they may have had any stamp in the range.
struct Loss {
    from: u64,
    /// First stamp after the range.
    to: u64,
}

/// State of a pass with respect to rundowns and to events that the recorder lost.
#[derive(Default)]
pub(crate) struct MidStream {
    pending: Option<PendingRundown>,
    losses: Vec<Loss>,
    /// Stamp from which the state is unknown because of a loss; `u64::MAX` while it is known.
    unknown_from: u64,
}

/// True if an event is a record of a rundown.
#[inline]
pub(crate) fn is_state(code: EventCode) -> bool {
    (state::FAMILY.first..=state::FAMILY.last).contains(&code.id())
}

impl MidStream {
    /// Finds the losses of a trace from the headers of its blocks.
    pub fn of(trace: &Trace) -> MidStream {
        // Per thread: the end of its records so far, and the start of a loss after which it has no records yet.
        let (mut ends, mut open) = (BTreeMap::<u32, u64>::new(), BTreeMap::<u32, u64>::new());
        let mut losses = Vec::new();
        // Any event may depend on discarded events, which precede the first event of the file.
        losses.extend(trace.header().identity.discarded.map(|left_out| Loss { from: 0, to: left_out.until_stamp }));
        for block in trace.blocks() {
            if block.lost_before > 0 {
                let from = ends.get(&block.thread).copied().unwrap_or_default();
                open.entry(block.thread).or_insert(from);
            }
            if block.records > 0 {
                let ended = open.remove(&block.thread);
                losses.extend(ended.map(|from| Loss { from, to: block.min_stamp }));
                ends.insert(block.thread, block.max_stamp.saturating_add(1));
            }
        }
        losses.extend(open.into_values().map(|from| Loss { from, to: u64::MAX }));
        let mut mid_stream = MidStream { pending: None, losses, unknown_from: 0 };
        mid_stream.update_unknown_from();
        mid_stream
    }

    fn update_unknown_from(&mut self) {
        self.unknown_from = self.losses.iter().map(|loss| loss.from).min().unwrap_or(u64::MAX);
    }

    /// True if events before this stamp are missing and no rundown has followed them.
    #[inline]
    pub fn is_unknown(&self, stamp: u64) -> bool {
        stamp >= self.unknown_from
    }

    /// Sets the state as known at this stamp.
    pub fn known_at(&mut self, stamp: u64) {
        // A loss that extends beyond the rundown may also have happened after it.
        self.losses.retain(|loss| loss.to > stamp.saturating_add(1));
        self.losses.iter_mut().for_each(|loss| loss.from = loss.from.max(stamp.saturating_add(1)));
        self.update_unknown_from();
    }

    /// Adds a record; returns the rundown when this record completes it.
    pub fn record(&mut self, thread: u32, code: EventCode, row: &[u8]) -> Result<Option<StateRecords>, CodecError> {
        if code.id() == state::Rundown::ID {
            self.pending = Some(PendingRundown { thread, records: StateRecords::default() });
        }
        // A rundown whose first record is missing is incomplete, so its records are ignored.
        let Some(pending) = self.pending.as_mut().filter(|pending| pending.thread == thread) else {
            return Ok(None);
        };
        if code.id() != state::RundownEnd::ID {
            pending.records.push(code, row);
            return Ok(None);
        }
        // The count shows whether records in the middle were lost.
        let end = state::RundownEnd::decode(&mut Decoder::new(row))?;
        let pending = self.pending.take().map(|pending| pending.records);
        Ok(pending.filter(|records| records.len() as u64 == end.records.saturating_add(1)))
    }
}
