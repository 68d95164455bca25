//! The records of a trace as typed events: columns of all threads in batches, calls joined with their returns, and one
//! stream in stamp order.
//!
//! Readers name fields by [`FieldRef`](taut_schemas::FieldRef)s, which are located once, by name, in the trace's schema
//! table ([`Column`]), so that a trace of another version can be read as far as its table allows.

mod at;
mod batches;
mod calls;
mod column;
mod file_position;
mod input_head;
mod join;
mod lines;
mod merged;
mod read_record;
mod reader;
mod rows;
mod schema_events;
mod selecting;
mod source;
mod survey;
mod tracker;
mod value_names;
mod values;
mod view;
mod windows_record;

pub use at::At;
pub(crate) use batches::{BatchBlock, Batches};
pub use calls::{CallRow, CallRows, CallStream};
pub use column::{Column, ElementColumn, values};
pub use file_position::FilePositions;
pub use input_head::{InputHead, ticks_to_ns};
pub use join::{ColumnSelection, Joined, Place};
pub(crate) use merged::{MergedThreads, ThreadEvents};
pub(crate) use reader::{EventReader, any, any_codes};
pub(crate) use rows::{RowColumns, Rows};
pub use schema_events::Events;
pub use selecting::Selecting;
pub use source::Source;
pub(crate) use survey::{Kinds, Repeated, Survey, ThreadHealth};
pub(crate) use tracker::Tracker;
pub use value_names::ValueNames;
pub use values::{Lists, Optionals, Values, text};
pub use view::{Found, View};
pub(crate) use windows_record::{lines, lines_of};
