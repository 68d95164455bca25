//! Events and fields by their types: what the lists say of them, to be looked up in the table of any file.
//!
//! Readers name no event and no field by a string. [`start`], [`stop`] and [`info`] give an event of the lists, methods named
//! like its fields lead to those, and so do the members of descriptors:
//!
//! ```
//! use taut_schemas::{SchemaTable, d3d12, start, stop};
//!
//! let size = start::<d3d12::CreateHeap>().desc().size_bytes();
//! assert_eq!(size.described()[0].name, "desc.size_bytes");
//! let table = SchemaTable::current();
//! let event = table.find(stop::<d3d12::CreateHeap>().of_event()).expect("every table has it");
//! assert_eq!(event.fields[1].name, stop::<d3d12::CreateHeap>().output().described()[0].name);
//! ```
//!
//! A name that no list has does not compile; what a file lacks is found out when a reference is looked up in its table, once
//! for each trace.

use crate::call::{Call, Mark};
use crate::event::Opcode;
use crate::field_ref::{EventRef, FieldRef};

/// The record of a call's start: its fields are the arguments.
pub fn start<C: Call>() -> FieldRef<C> {
    FieldRef::new(EventRef { provider: C::FAMILY.provider, name: C::NAME, opcode: Opcode::Start })
}

/// The record of a call's stop: its fields are the result.
pub fn stop<C: Call>() -> FieldRef<C::Output> {
    FieldRef::new(EventRef { provider: C::FAMILY.provider, name: C::NAME, opcode: Opcode::Stop })
}

/// The record of a mark.
pub fn info<M: Mark>() -> FieldRef<M> {
    FieldRef::new(EventRef { provider: M::FAMILY.provider, name: M::NAME, opcode: Opcode::Info })
}
