//! Reads the presents of a trace.

use super::event::PresentEvent;
use crate::error::AnalyzeError;
use crate::events::{self, At, EventReader, Source};
use std::ops::ControlFlow;
use taut_schemas::{info, mark};
use taut_traces::Trace;

/// True if the trace has, or may have, presents.
pub fn any(source: &Source) -> bool {
    any_of(source.trace())
}

/// True if the trace is complete and has presents.
pub fn any_of(trace: &Trace) -> bool {
    trace.summary().complete && events::any(trace, &[info::<mark::HybridPresentDecision>().event_ref()])
}

/// Calls `visit` with all events of presents, in order, until it breaks. Memory does not grow with the trace.
///
/// # Errors
/// The trace could not be read or lacks a field, or `visit` failed.
pub fn each<E: From<AnalyzeError> + Send>(
    source: &Source,
    visit: impl FnMut(At, PresentEvent) -> Result<ControlFlow<()>, E> + Send,
) -> Result<(), E> {
    events(source)?.visit(visit)
}

/// A reader of all events of presents.
pub(crate) fn events(source: &Source) -> Result<EventReader<'_, PresentEvent>, AnalyzeError> {
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
    reader.each(|compared| Some(PresentEvent::Compared(compared)))?;
    Ok(reader)
}
