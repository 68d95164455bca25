//! Frames on their way to displays, as a discrete-event simulation in nanoseconds. Integer arithmetic only, because
//! replay must reproduce every time; independent of API calls.

mod content;
mod fair_shares;
mod pipeline;
mod screen;
mod simulation;
#[cfg(test)]
mod tests;

pub(crate) use content::{ChainSurfaces, FramePath, ProbeResult};
pub(crate) use fair_shares::Use;
pub(crate) use pipeline::Stage;
pub(crate) use screen::Screen;
pub(crate) use simulation::{Compositor, Frame, FrameEnd, SimulatedOutcome, Simulation};
