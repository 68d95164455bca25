//! A named part of the workload.

use super::change::Moment;

/// A phase's place in [`World::phases`](super::World::phases).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhaseIndex(pub u32);

/// A named part of the workload. Parts of one name are one phase, however often it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// When it first began.
    pub began: Moment,
    /// When it last ended; none if it never does.
    pub ended: Option<Moment>,
}
