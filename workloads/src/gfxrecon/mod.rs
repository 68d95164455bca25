//! Direct3D 12 captures of GFXReconstruct as `gfxrecon-convert` prints them, in JSON Lines or as one JSON array.
//!
//! [`CaptureReader`] reads rows while [`run`] plays them, so the memory does not grow with the file. A row that is wrong
//! is counted and left out. The calls are played as they were captured, by the player of [call logs](crate::call_log),
//! which compares the outcomes.

pub(crate) mod args;
mod counts;
mod creation;
mod fault;
mod objects;
mod query;
mod reader;
mod row;
mod run;
mod submission;
mod translate;
mod translation;
pub(crate) mod value;
mod view;

pub use counts::CaptureCounts;
pub use reader::CaptureReader;
pub use run::{CaptureSummary, run};

pub(crate) use fault::RowFault;

#[cfg(test)]
mod tests;
