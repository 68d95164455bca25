//! Frames on their way to displays, as discrete events in simulated nanoseconds. Integer arithmetic alone; knows no call.

mod content;
mod fair_shares;
mod pipeline;
mod screen;
mod simulation;
#[cfg(test)]
mod tests;

pub(crate) use content::{Picture, Seen, Way};
pub(crate) use fair_shares::Use;
pub(crate) use pipeline::Stage;
pub(crate) use screen::Screen;
pub(crate) use simulation::{Compositor, Fate, Frame, FrameEnd, Simulation};
