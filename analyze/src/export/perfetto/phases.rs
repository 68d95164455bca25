//! Phases of the workload as slices.

use super::packets::{DebugAnnotation, EventType, TrackEvent};
use super::sequence::Sequence;
use super::spans::named;
use super::tracks::{Rank, Tracks};
use crate::error::AnalyzeError;
use taut_schemas::{PhaseEdge, SchemaTable, info, mark};
use taut_traces::RowField;

/// The phases' track.
pub struct Phases {
    edge: Option<RowField<PhaseEdge>>,
    name: Option<RowField<String>>,
    track: u64,
    open: usize,
}

impl Phases {
    pub fn new(schema: &SchemaTable, tracks: &mut Tracks) -> Phases {
        let phase = info::<mark::WorkloadPhase>();
        Phases {
            edge: RowField::find(schema, phase.edge()),
            name: RowField::find(schema, phase.name()),
            track: tracks.slices(Rank::Phases, "phases".to_owned()),
            open: 0,
        }
    }

    /// Writes the begin or end of a phase, or a single point, at a time and with a category.
    ///
    /// # Errors
    /// The row does not match the event's layout.
    pub fn mark(
        &mut self,
        at_ns: u64,
        category: u64,
        row: &[u8],
        debug_annotations: Vec<DebugAnnotation>,
        sequence: &mut Sequence,
    ) -> Result<(), AnalyzeError> {
        let edge = self.edge.as_ref().map(|edge| edge.read(row)).transpose()?;
        let mut event = TrackEvent { track_uuid: Some(self.track), debug_annotations, ..Default::default() };
        let kind = if edge == Some(PhaseEdge::BEGIN) {
            self.open += 1;
            EventType::SliceBegin
        } else if edge == Some(PhaseEdge::END) && self.open > 0 {
            self.open -= 1;
            EventType::SliceEnd
        } else {
            EventType::Instant
        };
        if kind != EventType::SliceEnd {
            event.category_iids = vec![category];
            let name = self.name.as_ref().map(|name| name.read(row)).transpose()?;
            named(&mut event, &name.unwrap_or_default(), sequence);
        }
        event.r#type = Some(kind as i32);
        sequence.event(at_ns, event);
        Ok(())
    }
}
