//! Slices whose begin and end are known before they are written.

use super::interning::Sort;
use super::packets::{AnnotationValue, DebugAnnotation, EventType, TrackEvent};
use super::sequence::Sequence;
use super::tracks::{Rank, Tracks};
use crate::analysis::Analysis;

/// An annotation of a slice.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    Number(&'static str, u64),
    Text(&'static str, String),
}

/// A slice.
#[derive(Debug, Clone, Default)]
pub struct Span {
    pub began_stamp: u64,
    /// End; `None` for a slice that lasts to the trace's end.
    pub ended_stamp: Option<u64>,
    pub name: String,
    pub category: &'static str,
    pub at_begin: Vec<Note>,
    pub at_end: Vec<Note>,
    /// The flow through its begin.
    pub flow: Option<u64>,
    /// The flows that end at its begin.
    pub last_of_flows: Vec<u64>,
}

/// Begin or end of a slice.
struct Edge {
    stamp: u64,
    track: u64,
    span: usize,
    begins: bool,
}

/// Slices on tracks of their own.
#[derive(Default)]
pub struct Spans {
    spans: Vec<Span>,
    edges: Vec<Edge>,
    next: usize,
}

impl Spans {
    /// Adds slices on tracks of this name: as many tracks as overlaps require. Viewers show tracks of one name as one.
    pub fn lay(&mut self, tracks: &mut Tracks, rank: Rank, name: &str, mut spans: Vec<Span>) {
        spans.sort_by_key(|span| span.began_stamp);
        // Track, and the stamp from which on it is free; `None` if it never is.
        let mut lanes: Vec<(u64, Option<u64>)> = Vec::new();
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        for span in spans {
            let began = span.began_stamp;
            let free = lanes.iter().position(|(_, free)| free.is_some_and(|free| free <= began));
            let lane = free.unwrap_or_else(|| {
                lanes.push((tracks.slices(rank, name.to_owned()), None));
                edges.push(Vec::new());
                lanes.len() - 1
            });
            let ended = span.ended_stamp.map(|ended| ended.max(began));
            lanes[lane].1 = ended;
            let (track, number) = (lanes[lane].0, self.spans.len());
            let edge = |stamp, begins| Edge { stamp, track, span: number, begins };
            edges[lane].push(edge(began, true));
            edges[lane].extend(ended.map(|ended| edge(ended, false)));
            self.spans.push(span);
        }
        self.edges.extend(edges.into_iter().flatten());
    }

    /// Sorts the edges by time; a stable sort, so that the edges of a track stay in order.
    pub fn sort(&mut self) {
        self.edges.sort_by_key(|edge| edge.stamp);
    }

    /// Writes the edges up to a stamp.
    pub fn until(&mut self, stamp: u64, analysis: &Analysis, sequence: &mut Sequence) {
        self.write(stamp, |stamp| super::since_start_ns(analysis, stamp), sequence);
    }

    /// Writes the edges up to a time, for stamps in nanoseconds of simulated time.
    pub fn until_ns(&mut self, at_ns: u64, sequence: &mut Sequence) {
        self.write(at_ns, |at_ns| at_ns, sequence);
    }

    fn write(&mut self, stamp: u64, in_ns: impl Fn(u64) -> u64, sequence: &mut Sequence) {
        while let Some(edge) = self.edges.get(self.next).filter(|edge| edge.stamp <= stamp) {
            self.next += 1;
            let span = &self.spans[edge.span];
            let mut event = TrackEvent { track_uuid: Some(edge.track), ..Default::default() };
            if edge.begins {
                event.category_iids = vec![sequence.interning.fixed(Sort::Category, span.category)];
                named(&mut event, &span.name, sequence);
                event.r#type = Some(EventType::SliceBegin as i32);
                event.debug_annotations = notes(&span.at_begin, sequence);
                event.flow_ids = span.flow.into_iter().collect();
                event.terminating_flow_ids.clone_from(&span.last_of_flows);
            } else {
                event.r#type = Some(EventType::SliceEnd as i32);
                event.debug_annotations = notes(&span.at_end, sequence);
            }
            sequence.event(in_ns(edge.stamp), event);
        }
    }
}

/// Sets the name of an event from a text of the trace.
pub fn named(event: &mut TrackEvent, name: &str, sequence: &mut Sequence) {
    match sequence.interning.text(Sort::EventName, name) {
        Some(iid) => event.name_iid = Some(iid),
        None => event.name = Some(name.to_owned()),
    }
}

/// Converts notes to annotations.
pub fn notes(notes: &[Note], sequence: &mut Sequence) -> Vec<DebugAnnotation> {
    let note = |note: &Note| {
        let (name, value) = match note {
            Note::Number(name, number) => (name, AnnotationValue::Uint(*number)),
            Note::Text(name, text) => match sequence.interning.text(Sort::Text, text) {
                Some(iid) => (name, AnnotationValue::TextIid(iid)),
                None => (name, AnnotationValue::Text(text.clone())),
            },
        };
        let name_iid = Some(sequence.interning.fixed(Sort::AnnotationName, name));
        DebugAnnotation { name_iid, value: Some(value), ..Default::default() }
    };
    notes.iter().map(note).collect()
}
