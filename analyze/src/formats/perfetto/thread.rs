//! One thread's track, and the calls on it that have not returned.

use super::packets::{EventType, TrackEvent};
use super::sequence::Sequence;
use super::spans::{Note, named, notes};
use super::tracks::Tracks;
use taut_schemas::EventCode;
use taut_traces::{BlockInfo, Joiner, Trace};

/// One thread.
pub struct Thread {
    pub track: u64,
    /// The calls that have not returned: their slices are open.
    open: Joiner<()>,
    /// Records are missing before the next one.
    pub gap: bool,
    /// First stamps of blocks before which the recorder lost events, and how many; last first.
    lost: Vec<(u64, u64)>,
}

impl Thread {
    pub fn new(trace: &Trace, thread: u32, tracks: &mut Tracks) -> Thread {
        let losing = |block: &&BlockInfo| block.thread == thread && block.lost_before > 0;
        let blocks = trace.blocks().iter().filter(losing);
        // A block without records tells what was lost behind the last.
        let stamp = |block: &BlockInfo| if block.records == 0 { u64::MAX } else { block.least_stamp };
        let mut lost: Vec<(u64, u64)> = blocks.map(|block| (stamp(block), block.lost_before)).collect();
        lost.reverse();
        Thread { track: tracks.thread(thread), open: Joiner::default(), gap: false, lost }
    }

    /// A record of this stamp is next: says what was lost before it. Calls that were open may have returned in that.
    pub fn catch_up(&mut self, at_ns: u64, stamp: u64, sequence: &mut Sequence) {
        while let Some((_, events)) = self.lost.pop_if(|(first_stamp, _)| *first_stamp <= stamp) {
            self.gap = true;
            lost(at_ns, self.track, &[Note::Number("events", events)], sequence);
        }
        if std::mem::take(&mut self.gap) {
            let track = self.track;
            self.open.gap().for_each(|()| end(track, at_ns, sequence));
        }
    }

    /// A call begins; one that is `outermost` is made in no other.
    pub fn begin(&mut self, start: EventCode, outermost: bool, at_ns: u64, sequence: &mut Sequence) {
        self.open.start(start, outermost, (), |()| end(self.track, at_ns, sequence));
    }

    /// A call returns; whether its begin is known.
    pub fn end(&mut self, stop: EventCode, at_ns: u64, sequence: &mut Sequence) -> bool {
        self.open.stop(stop, |()| end(self.track, at_ns, sequence)).is_some()
    }
}

/// Ends a call of whose return nothing is known.
fn end(track: u64, at_ns: u64, sequence: &mut Sequence) {
    let said = [Note::Text("result", "not recorded".to_owned())];
    let event = TrackEvent {
        r#type: Some(EventType::SliceEnd as i32),
        track_uuid: Some(track),
        debug_annotations: notes(&said, sequence),
        ..Default::default()
    };
    sequence.event(at_ns, event);
}

/// Says that events are missing.
pub fn lost(at_ns: u64, track: u64, said: &[Note], sequence: &mut Sequence) {
    let mut event = TrackEvent {
        r#type: Some(EventType::Instant as i32),
        track_uuid: Some(track),
        debug_annotations: notes(said, sequence),
        ..Default::default()
    };
    named(&mut event, "events lost", sequence);
    sequence.event(at_ns, event);
}
