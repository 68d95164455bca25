//! From a trace's columns to calls, lines and a world.
//!
//! Readers name fields by [`FieldRef`](taut_schemas::FieldRef)s, which are found by name in the schema table that the trace
//! carries, once ([`Column`]), so that a trace of another version reads as far as its table goes.

mod batches;
mod calls;
mod column;
mod events;
mod join;
mod lines;
mod rows;
mod selecting;
mod survey;
mod value_names;
mod values;
mod view;

pub(crate) use batches::{Batch, BatchBlock, Batches, floor, in_order};
pub use calls::{CallRow, CallRows, CallStream};
pub use column::{Column, ElementColumn, values};
pub use events::Events;
pub use join::{Asked, Joined, Place};
pub(crate) use rows::{RowColumns, Rows};
pub use selecting::Selecting;
pub(crate) use survey::{Kinds, Repeated, Survey, ThreadHealth};
pub use value_names::ValueNames;
pub use values::{Lists, Optionals, Values, text};
pub use view::{Found, View};
