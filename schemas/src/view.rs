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
use crate::field::Field;
use crate::hresult::{HResult, HResultCode};
use crate::table::{EventSchema, FieldSchema, FieldSink, SchemaTable};
use std::fmt;
use std::marker::PhantomData;

/// Name of the field that the start of every input begins with: how long it waited for its locks.
pub const WAIT_FIELD: &str = "wait_ns";

/// Name of what has none: the only column of a list of plain numbers, a result that is a plain number.
pub const UNNAMED_FIELD: &str = "value";

/// Members that a path to a field has at most: `desc.properties.heap_type` has three.
const DEEPEST: usize = 4;

/// An event of the lists, by what every file has of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventRef {
    provider: &'static str,
    name: &'static str,
    opcode: Opcode,
}

impl EventRef {
    /// Name of the call or mark.
    pub fn name(self) -> &'static str {
        self.name
    }
}

impl SchemaTable {
    /// An event of the lists in this table, which may be another build's; none if that does not have it.
    pub fn find(&self, event: EventRef) -> Option<&EventSchema> {
        self.named(event.provider, event.name, event.opcode)
    }
}

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

/// A field of an event of the lists, or the whole of its record, which holds a `T`.
pub struct FieldRef<T> {
    event: EventRef,
    /// The names of the members that lead to it; empty behind the last.
    path: [&'static str; DEEPEST],
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for FieldRef<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FieldRef<T> {}

impl<T> fmt::Debug for FieldRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?}) {}", self.event.name, self.event.opcode, self.members().join("."))
    }
}

impl<T> FieldRef<T> {
    fn new(event: EventRef) -> FieldRef<T> {
        FieldRef { event, path: [""; DEEPEST], of: PhantomData }
    }

    /// The event that it is a field of.
    pub fn of_event(self) -> EventRef {
        self.event
    }

    fn members(&self) -> &[&'static str] {
        &self.path[..self.path.iter().take_while(|member| !member.is_empty()).count()]
    }

    /// The member of this name, which holds a `U`.
    pub(crate) fn to_member<U>(self, name: &'static str) -> FieldRef<U> {
        let FieldRef { event, mut path, .. } = self;
        let end = path.iter_mut().find(|member| member.is_empty());
        debug_assert!(end.is_some(), "a path of more than {DEEPEST} members: {self:?}.{name}");
        end.into_iter().for_each(|end| *end = name);
        FieldRef { event, path, of: PhantomData }
    }
}

impl<T: Field> FieldRef<T> {
    /// What it has in the table of this build: one field, or of a descriptor one for each member.
    pub fn described(self) -> Vec<FieldSchema> {
        let mut sink = FieldSink::default();
        described_in::<T>(self.members(), &mut sink);
        sink.fields
    }
}

fn described_in<T: Field>(members: &[&'static str], sink: &mut FieldSink) {
    match members {
        [] => T::describe(sink),
        [first, rest @ ..] => sink.member(first, "", |sink| described_in::<T>(rest, sink)),
    }
}

impl<T> FieldRef<HResult<T>> {
    /// The `HRESULT`.
    pub fn hr(self) -> FieldRef<HResultCode> {
        self.to_member("hr")
    }

    /// The outputs, whose fields stand beside it.
    pub fn output(self) -> FieldRef<T> {
        FieldRef { event: self.event, path: self.path, of: PhantomData }
    }
}

impl<T> FieldRef<Option<T>> {
    /// The element, whose members are columns of the optional.
    pub fn element(self) -> FieldRef<T> {
        FieldRef { event: self.event, path: [""; DEEPEST], of: PhantomData }
    }
}

/// Name of the enumeration that an enumerator or a flag set is of, by which a file has the names of its values.
pub fn enumeration_of<T: Field>() -> Option<String> {
    let mut sink = FieldSink::default();
    T::describe(&mut sink);
    sink.fields.first()?.scalars().first()?.code.clone()
}

/// Lets a reference to the struct lead to its fields.
macro_rules! fields {
    ($Name:ident { $( $(#[doc = $doc:literal])+ $field:ident: $ty:ty, )* }) => {
        impl $crate::view::FieldRef<$Name> { $(
            $(#[doc = $doc])+
            pub fn $field(self) -> $crate::view::FieldRef<$ty> {
                self.to_member(stringify!($field))
            }
        )* }
    };
}
pub(crate) use fields;
