//! A thread's track, and its calls that have not returned.

use super::packets::{EventType, TrackEvent};
use super::sequence::Sequence;
use super::spans::{Note, named, notes};
use super::tracks::Tracks;
use taut_schemas::EventCode;
use taut_traces::{BlockInfo, Joiner, Trace};

/// State of one thread.
pub struct Thread {
    pub track: u64,
    /// Calls that have not returned: their slices are open.
    open: Joiner<()>,
    /// True if records are missing before the next one.
    pub gap: bool,
    /// First stamps of blocks before which the recorder lost events, and the number of lost events; last first.
    lost: Vec<(u64, u64)>,
}

impl Thread {
    pub fn new(trace: &Trace, thread: u32, tracks: &mut Tracks) -> Thread {
        let losing = |block: &&BlockInfo| block.thread == thread && block.lost_before > 0;
        let blocks = trace.blocks().iter().filter(losing);
        // A block without records counts the events lost after the last record.
        let stamp = |block: &BlockInfo| if block.records == 0 { u64::MAX } else { block.min_stamp };
        let mut lost: Vec<(u64, u64)> = blocks.map(|block| (stamp(block), block.lost_before)).collect();
        lost.reverse();
        Thread { track: tracks.thread(thread), open: Joiner::default(), gap: false, lost }
    }

    /// Prepares for a record with this stamp: adds the losses before it. Open calls may have returned in the lost
    /// records.
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

    /// Begins a call; an `outermost` one is made inside no other.
    pub fn begin(&mut self, start: EventCode, outermost: bool, at_ns: u64, sequence: &mut Sequence) {
        self.open.start(start, outermost, (), |()| end(self.track, at_ns, sequence));
    }

    /// Ends a call; returns true if its begin is known.
    pub fn end(&mut self, stop: EventCode, at_ns: u64, sequence: &mut Sequence) -> bool {
        self.open.stop(stop, |()| end(self.track, at_ns, sequence)).is_some()
    }
}

/// Ends the slice of a call whose return is not recorded.
fn end(track: u64, at_ns: u64, sequence: &mut Sequence) {
    let note_list = [Note::Text("result", "not recorded".to_owned())];
    let event = TrackEvent {
        r#type: Some(EventType::SliceEnd as i32),
        track_uuid: Some(track),
        debug_annotations: notes(&note_list, sequence),
        ..Default::default()
    };
    sequence.event(at_ns, event);
}

/// Adds an instant for lost events.
pub fn lost(at_ns: u64, track: u64, note_list: &[Note], sequence: &mut Sequence) {
    let mut event = TrackEvent {
        r#type: Some(EventType::Instant as i32),
        track_uuid: Some(track),
        debug_annotations: notes(note_list, sequence),
        ..Default::default()
    };
    named(&mut event, "events lost", sequence);
    sequence.event(at_ns, event);
}
