//! Objects that a call creates, from its line: `creates HeapId`, `creates [ResourceId]`, or nothing.

use crate::field::Field;
use crate::identity::ObjectId;

/// Number of objects that a successful call creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Creates {
    /// No object.
    Nothing,
    /// One object, whose handle is known before the call begins.
    One,
    /// All objects that the result names.
    Several,
}

impl Creates {
    /// Returns `declared` if `self` is [`Creates::Nothing`], else `self`.
    pub(crate) const fn or(self, declared: Creates) -> Creates {
        match self {
            Creates::Nothing => declared,
            known => known,
        }
    }

    /// True if the call creates nothing.
    pub const fn is_nothing(self) -> bool {
        matches!(self, Creates::Nothing)
    }
}

/// An object type, or a slice of it, that a call with this `Output` can create. A line whose result does not name the
/// created objects does not compile.
pub trait Created<Output: Field> {
    /// Number of created objects.
    const CREATES: Creates;

    /// Calls `visit` with the created objects: all that the call's result names.
    fn visit(output: &Output, visit: &mut dyn FnMut(ObjectId)) {
        output.visit_objects(visit);
    }
}
