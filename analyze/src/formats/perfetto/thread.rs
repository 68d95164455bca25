//! One thread's track, and the calls on it that have not returned.

use super::packets::{EventType, TrackEvent};
use super::sequence::Sequence;
use super::spans::{Note, named, notes};
use super::tracks::Tracks;
use taut_traces::{BlockInfo, Trace};

/// One thread.
pub struct Thread {
    pub track: u64,
    /// Lines of the calls that have not returned, outermost first.
    open: Vec<u16>,
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
        let stamp = |block: &BlockInfo| if block.records == 0 { u64::MAX } else { block.first_stamp };
        let mut lost: Vec<(u64, u64)> = blocks.map(|block| (stamp(block), block.lost_before)).collect();
        lost.reverse();
        Thread { track: tracks.thread(thread), open: Vec::new(), gap: false, lost }
    }

    /// A record of this stamp is next: says what was lost before it. Calls that were open may have returned in that.
    pub fn catch_up(&mut self, at_ns: u64, stamp: u64, sequence: &mut Sequence) {
        while let Some((_, events)) = self.lost.pop_if(|(first_stamp, _)| *first_stamp <= stamp) {
            self.gap = true;
            lost(at_ns, self.track, &[Note::Number("events", events)], sequence);
        }
        if std::mem::take(&mut self.gap) {
            self.end_from(0, at_ns, sequence);
        }
    }

    /// A call of this line begins; one that is `outermost` is made in no other.
    pub fn begin(&mut self, line: u16, outermost: bool, at_ns: u64, sequence: &mut Sequence) {
        if outermost {
            self.end_from(0, at_ns, sequence);
        }
        self.open.push(line);
    }

    /// A call of this line returns; whether its begin is known.
    pub fn end(&mut self, line: u16, at_ns: u64, sequence: &mut Sequence) -> bool {
        let Some(depth) = self.open.iter().rposition(|open| *open == line) else { return false };
        self.end_from(depth + 1, at_ns, sequence);
        self.open.truncate(depth);
        true
    }

    /// Ends the calls from this depth on, of whose returns nothing is known.
    fn end_from(&mut self, depth: usize, at_ns: u64, sequence: &mut Sequence) {
        for _ in self.open.drain(depth.min(self.open.len())..) {
            let said = [Note::Text("result", "not recorded".to_owned())];
            let event = TrackEvent {
                r#type: Some(EventType::SliceEnd as i32),
                track_uuid: Some(self.track),
                debug_annotations: notes(&said, sequence),
                ..Default::default()
            };
            sequence.event(at_ns, event);
        }
    }
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
