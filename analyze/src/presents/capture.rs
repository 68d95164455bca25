//! Comparison of a recording with the capture of presents that it was read from.

use super::event::CaptureCompared;
use crate::error::AnalyzeError;
use crate::events::{EventReader, Source, any};
use serde::Serialize;
use std::fmt;
use std::ops::ControlFlow;
use taut_schemas::{counted, grouped, info, mark};

/// Presents of a capture by their agreement with the recording.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CaptureAgreement {
    /// Presents in the capture.
    pub captured_presents: u64,
    /// Presents whose frame was displayed, or not displayed, as in the capture.
    pub as_logged: u64,
    /// Presents whose frame had another outcome or time.
    pub otherwise: u64,
    /// Presents that could not be replayed.
    pub not_played: u64,
    /// Frames that the driver generated or repeated.
    pub generated_frames: u64,
}

impl CaptureAgreement {
    /// Adds the numbers of a swap chain.
    pub fn add(&mut self, compared: &CaptureCompared) {
        self.captured_presents = self.captured_presents.saturating_add(compared.presents);
        self.as_logged = self.as_logged.saturating_add(compared.as_logged);
        self.otherwise = self.otherwise.saturating_add(compared.otherwise);
        self.not_played = self.not_played.saturating_add(compared.not_played);
        self.generated_frames = self.generated_frames.saturating_add(compared.generated_frames);
    }
}

impl fmt::Display for CaptureAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let presents = counted(self.captured_presents, "present");
        write!(f, "{} of {presents} as in the capture, ", grouped(self.as_logged))?;
        write!(f, "{} differ, {} not replayed", grouped(self.otherwise), grouped(self.not_played))
    }
}

/// Reads the comparison of a trace; `None` if the trace was not recorded from a capture.
///
/// # Errors
/// The trace could not be read.
pub fn capture_agreement(source: &Source) -> Result<Option<CaptureAgreement>, AnalyzeError> {
    if !any(source.trace(), &[info::<mark::CaptureCompared>().event_ref()]) {
        return Ok(None);
    }
    let mut reader = EventReader::new(source);
    reader.each(|compared: CaptureCompared| Some(compared))?;
    let mut agreement = None;
    reader.visit(|_, compared| -> Result<_, AnalyzeError> {
        agreement.get_or_insert_with(CaptureAgreement::default).add(&compared);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(agreement)
}
