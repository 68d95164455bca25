//! Typed references to events and fields of the lists, to be looked up in the table of any file.
//!
//! Readers name no event and no field by a string. [`start`], [`stop`] and [`info`] return a reference to an event of
//! the lists; methods named like its fields return references to the fields, and likewise for the members of
//! descriptors:
//!
//! ```
//! use taut_schemas::{SchemaTable, d3d12, start, stop};
//!
//! let size = start::<d3d12::CreateHeap>().desc().size_bytes();
//! assert_eq!(size.described()[0].name, "desc.size_bytes");
//! let table = SchemaTable::current();
//! let event = table.find(stop::<d3d12::CreateHeap>().event_ref()).expect("every table has it");
//! assert_eq!(event.fields[1].name, stop::<d3d12::CreateHeap>().output().described()[0].name);
//! ```
//!
//! A name that no list has does not compile. A field that a file lacks is detected when the reference is looked up in
//! the file's table, once per trace.

use crate::call::{Call, Mark};
use crate::event::Opcode;
use crate::field_ref::{EventRef, FieldRef};

/// References the record of a call's start, whose fields are the arguments.
pub fn start<C: Call>() -> FieldRef<C> {
    FieldRef::new(EventRef { provider: C::FAMILY.provider, name: C::NAME, opcode: Opcode::Start })
}

/// References the record of a call's stop, whose fields are the result.
pub fn stop<C: Call>() -> FieldRef<C::Output> {
    FieldRef::new(EventRef { provider: C::FAMILY.provider, name: C::NAME, opcode: Opcode::Stop })
}

/// References the record of a mark.
pub fn info<M: Mark>() -> FieldRef<M> {
    FieldRef::new(EventRef { provider: M::FAMILY.provider, name: M::NAME, opcode: Opcode::Info })
}
