//! From a trace's columns to calls, lines and a world.
//!
//! Everything is found by name in the schema table that the trace carries, so that a trace of another version reads
//! as far as its table goes.

mod creation;
mod events;
mod fields;
mod join;
mod lines;
mod parts;
mod records;
mod selecting;
mod world;

pub(crate) use events::Events;
pub(crate) use fields::ThreadFields;
pub(crate) use join::{JoinedCall, JoinedThread, join};
pub(crate) use lines::{LineKind, Lines};
pub(crate) use records::Records;
pub(crate) use selecting::Selecting;
pub(crate) use world::world;
