//! From a trace's columns to calls, lines and a world.
//!
//! Everything is found by name in the schema table that the trace carries, so that a trace of another version reads
//! as far as its table goes.

mod events;
mod fields;
mod join;
mod lines;
mod records;
mod selecting;
mod survey;

pub(crate) use events::Events;
pub(crate) use fields::ThreadFields;
pub(crate) use join::{JoinedCall, JoinedThread, join};
pub(crate) use lines::{LineKind, Lines};
pub(crate) use records::Records;
pub(crate) use selecting::Selecting;
pub(crate) use survey::{Kinds, Said, Survey, ThreadHealth};
