//! What a call creates, as its line says it: `creates HeapId`, `creates [ResourceId]`, or nothing.

use crate::field::Field;
use crate::identity::ObjectId;

/// How many objects a successful call creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Creates {
    /// None.
    Nothing,
    /// One, known by its handle before the call begins.
    One,
    /// As many as its result names.
    Several,
}

impl Creates {
    /// What a line says, where it says something.
    pub(crate) const fn or(self, said: Creates) -> Creates {
        match self {
            Creates::Nothing => said,
            known => known,
        }
    }

    /// It creates nothing.
    pub const fn is_nothing(self) -> bool {
        matches!(self, Creates::Nothing)
    }
}

/// A kind of object, or several of a kind, that a call with this `Output` can say it creates. A line whose result does
/// not name what it creates does not compile.
pub trait Created<Output: Field> {
    /// How many.
    const CREATES: Creates;

    /// Shows the objects created, by a call's result: all that it names.
    fn visit(output: &Output, visit: &mut dyn FnMut(ObjectId)) {
        output.visit_objects(visit);
    }
}
