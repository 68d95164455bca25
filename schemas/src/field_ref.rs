//! References to events and fields by their types: methods named like a struct's fields return references to those.

use crate::event::Opcode;
use crate::field::Field;
use crate::hresult::{HResult, HResultCode};
use crate::schema::{FieldSchema, FieldSink};
use std::fmt;
use std::marker::PhantomData;

/// Name of the first field in the start record of every input: the time spent waiting for locks.
pub const WAIT_FIELD: &str = "wait_ns";

/// Max members in a path to a field: `desc.properties.heap_type` has three.
const DEEPEST: usize = 4;

/// An event of the lists, by the names that identify it in any file's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventRef {
    pub(crate) provider: &'static str,
    pub(crate) name: &'static str,
    pub(crate) opcode: Opcode,
}

impl EventRef {
    /// Name of the call or mark.
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// A field of an event of the lists, or the whole of its record, which holds a `T`.
pub struct FieldRef<T> {
    event: EventRef,
    /// The names of the members that lead to the field; unused elements are empty.
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
    pub(crate) fn new(event: EventRef) -> FieldRef<T> {
        FieldRef { event, path: [""; DEEPEST], of: PhantomData }
    }

    /// The event that the field belongs to.
    pub fn event_ref(self) -> EventRef {
        self.event
    }

    fn members(&self) -> &[&'static str] {
        &self.path[..self.path.iter().take_while(|member| !member.is_empty()).count()]
    }

    /// A reference to the member of this name, which holds a `U`.
    pub(crate) fn to_member<U>(self, name: &'static str) -> FieldRef<U> {
        let FieldRef { event, mut path, .. } = self;
        let end = path.iter_mut().find(|member| member.is_empty());
        debug_assert!(end.is_some(), "a path of more than {DEEPEST} members: {self:?}.{name}");
        end.into_iter().for_each(|end| *end = name);
        FieldRef { event, path, of: PhantomData }
    }
}

impl<T: Field> FieldRef<T> {
    /// The field's entries in this build's table: one, or for a descriptor one per member.
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

    /// The outputs. Their fields are on the same level as `hr`.
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

/// Name of the enumeration of an enumerator or flag set, by which a table holds the names of its values.
pub fn enumeration_of<T: Field>() -> Option<String> {
    let mut sink = FieldSink::default();
    T::describe(&mut sink);
    sink.fields.first()?.scalars().first()?.code.clone()
}

/// Defines on references to a struct a method for each of its fields.
macro_rules! fields {
    ($Name:ident { $( $(#[doc = $doc:literal])+ $field:ident: $ty:ty, )* }) => {
        impl $crate::field_ref::FieldRef<$Name> { $(
            $(#[doc = $doc])+
            pub fn $field(self) -> $crate::field_ref::FieldRef<$ty> {
                self.to_member(stringify!($field))
            }
        )* }
    };
}
pub(crate) use fields;
