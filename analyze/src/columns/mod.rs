//! From a trace's columns to calls, lines and a world.
//!
//! Everything is found by name in the schema table that the trace carries, so that a trace of another version reads
//! as far as its table goes.

mod batches;
mod calls;
mod events;
mod fields;
mod join;
mod lines;
mod selecting;
mod survey;

pub(crate) use batches::few;
pub(crate) use calls::{CallRow, CallRows, CallStream};
pub(crate) use events::Events;
pub(crate) use fields::{Texts, ThreadFields};
pub(crate) use selecting::Selecting;
pub(crate) use survey::{Kinds, Said, Survey, ThreadHealth};
