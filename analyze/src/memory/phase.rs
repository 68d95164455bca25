//! A phase of the workload.

use super::change::Moment;

/// A phase's index in [`World::phases`](super::World::phases).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhaseIndex(pub u32);

/// A phase of the workload. Phases of one name are one phase, however often it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub name: String,
    /// Moment of the first begin.
    pub began: Moment,
    /// Moment of the phase's last end; `None` if the phase never ends.
    pub ended: Option<Moment>,
}
