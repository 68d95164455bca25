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

pub use batches::few;
pub use calls::{CallRow, CallRows, CallStream};
pub use events::Events;
pub use fields::{Numbers, Optionals, Texts, ThreadFields};
pub use join::{Asked, Joined, Place};
pub use selecting::Selecting;
pub(crate) use survey::{Kinds, Said, Survey, ThreadHealth};
