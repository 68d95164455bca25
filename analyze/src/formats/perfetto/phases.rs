//! Named parts of the workload as slices.

use super::packets::{DebugAnnotation, EventType, TrackEvent};
use super::sequence::Sequence;
use super::spans::named;
use super::tracks::{Rank, Tracks};
use crate::error::AnalyzeError;
use taut_schemas::{EventCode, PhaseEdge, SchemaTable};
use taut_traces::{Value, fields};

/// The phases' track.
pub struct Phases<'a> {
    schema: &'a SchemaTable,
    track: u64,
    open: usize,
}

impl<'a> Phases<'a> {
    pub fn new(schema: &'a SchemaTable, tracks: &mut Tracks) -> Phases<'a> {
        Phases { schema, track: tracks.slices(Rank::Phases, "phases".to_owned()), open: 0 }
    }

    /// A phase begins or ends, or is reported in passing: what happens then, and when.
    ///
    /// # Errors
    /// The record is not one of its event.
    pub fn mark(
        &mut self,
        (at_ns, category): (u64, u64),
        (code, row): (EventCode, &[u8]),
        debug_annotations: Vec<DebugAnnotation>,
        sequence: &mut Sequence,
    ) -> Result<(), AnalyzeError> {
        let fields = fields(self.schema, code, row)?;
        let text = |name: &str| match fields.iter().find(|(known, _)| known == name) {
            Some((_, Value::Text(text))) => text.as_str(),
            _ => "",
        };
        let is = |edge: PhaseEdge| text("edge") == format!("{edge:?}");
        let mut event = TrackEvent { track_uuid: Some(self.track), debug_annotations, ..Default::default() };
        let kind = if is(PhaseEdge::BEGIN) {
            self.open += 1;
            EventType::SliceBegin
        } else if is(PhaseEdge::END) && self.open > 0 {
            self.open -= 1;
            EventType::SliceEnd
        } else {
            EventType::Instant
        };
        if kind != EventType::SliceEnd {
            event.category_iids = vec![category];
            named(&mut event, text("name"), sequence);
        }
        event.r#type = Some(kind as i32);
        sequence.event(at_ns, event);
        Ok(())
    }
}
