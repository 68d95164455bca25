//! Reads what a trace tells of presents.

use super::event::PresentEvent;
use crate::error::AnalyzeError;
use crate::event_reader::{self, At, EventReader};
use crate::source::Source;
use std::ops::ControlFlow;
use taut_schemas::{info, mark};
use taut_traces::Trace;

/// Whether the trace tells of presents, or may.
pub fn any(source: &Source) -> bool {
    any_of(source.trace())
}

/// The same of a trace.
pub fn any_of(trace: &Trace) -> bool {
    trace.summary().complete && event_reader::any(trace, &[info::<mark::HybridPresentDecision>().of_event()])
}

/// Shows all that is told to `visit`, in order, until it has had enough. What is in memory at a time does not grow with the trace.
///
/// # Errors
/// The trace could not be read or lacks a field, or `visit` failed.
pub fn each<E: From<AnalyzeError> + Send>(
    source: &Source,
    visit: impl FnMut(At, PresentEvent) -> Result<ControlFlow<()>, E> + Send,
) -> Result<(), E> {
    let mut reader = EventReader::new(source);
    reader.each(|machine| Some(PresentEvent::Machine(machine)))?;
    reader.each(|adapter| Some(PresentEvent::Adapter(adapter)))?;
    reader.each(|display| Some(PresentEvent::Display(display)))?;
    reader.each(|change| Some(PresentEvent::ModeChange(change)))?;
    reader.each(|creation| Some(PresentEvent::Creation(creation)))?;
    reader.each(|creation| Some(PresentEvent::Creation9(creation)))?;
    reader.each(|advance| Some(PresentEvent::Advance(advance)))?;
    reader.each(|decision| Some(PresentEvent::Decision(decision)))?;
    reader.each(|slow| Some(PresentEvent::SlowLink(slow)))?;
    reader.each(|frame| Some(PresentEvent::Frame(frame)))?;
    reader.visit(visit)
}
