//! The records of a trace as typed events: columns of all threads in batches, calls joined with their returns, and one
//! stream in stamp order.
//!
//! Readers name fields by [`FieldRef`](taut_schemas::FieldRef)s, which are located once, by name, in the trace's schema
//! table ([`Column`]), so that a trace of another version can be read as far as its table allows.

mod batches;
mod calls;
mod column;
mod input_head;
mod join;
mod lines;
mod reader;
mod rows;
mod schema_events;
mod selecting;
mod source;
mod survey;
mod value_names;
mod values;
mod view;

pub(crate) use batches::{Batch, BatchBlock, Batches, floor, in_order};
pub use calls::{CallRow, CallRows, CallStream};
pub use column::{Column, ElementColumn, values};
pub use input_head::{InputHead, ticks_to_ns};
pub use join::{ColumnSelection, Joined, Place};
pub use reader::At;
pub(crate) use reader::{EventReader, any};
pub(crate) use rows::{RowColumns, Rows};
pub use schema_events::Events;
pub use selecting::Selecting;
pub use source::Source;
pub(crate) use survey::{Kinds, Repeated, Survey, ThreadHealth};
pub use value_names::ValueNames;
pub use values::{Lists, Optionals, Values, text};
pub use view::{Found, View};
