//! The traits that the structs of the lists' lines implement.

use crate::creates::Creates;
use crate::family::{Family, Layer};
use crate::field::{Field, HandleMap};
use crate::identity::{AdapterId, ObjectId};
use crate::lock::LockSet;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::FieldSink;

/// The arguments of a call: of an API, a DDI, or an input of the machine.
pub trait Call: Sized {
    /// Number of the line.
    const ID: u16;
    /// Name in the header.
    const NAME: &'static str;
    /// Description and origin.
    const DOC: &'static str;
    /// The family that the line belongs to.
    const FAMILY: Family;
    /// Names of the line in tables of earlier builds.
    const FORMER_NAMES: &'static [&'static str] = &[];
    /// Layer.
    const LAYER: Layer = Self::FAMILY.layer;
    /// Result of the call.
    type Output: Field;

    /// Describes the arguments.
    fn describe(sink: &mut FieldSink);

    /// Appends the arguments to a row.
    fn encode(&self, encoder: &mut Encoder<'_>);

    /// Reads the arguments from a row.
    ///
    /// # Errors
    /// The row is too short, too long, or holds a value that a field does not have.
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError>;

    /// Replaces every handle in the arguments.
    fn map_handles(&mut self, map: &mut dyn HandleMap);

    /// Calls `visit` with the objects that the arguments name, except null handles.
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId));

    /// The adapter that the arguments name, or the one that their first named object belongs to; the first if there is
    /// none.
    fn adapter(&self) -> AdapterId;
}

/// A call that the runtime executes: it is made under locks, and may create objects.
pub trait Input: Call + 'static {
    /// The locks it takes.
    const LOCKS: LockSet;
    /// The objects that the call creates if it succeeds.
    const CREATES: Creates;
    /// The input that the call's function takes besides the arguments; no trace holds it.
    type DerivedInput;

    /// The first object that the arguments name: for a call whose line names a context, that context, or the device
    /// whose immediate context it is. Null if the arguments name none.
    fn context(&self) -> ObjectId {
        let mut first = ObjectId::NULL;
        self.visit_objects(&mut |object| {
            if first == ObjectId::NULL {
                first = object;
            }
        });
        first
    }

    /// Calls `visit` with the objects that a call with this result created.
    fn visit_created(output: &Self::Output, visit: &mut dyn FnMut(ObjectId));
}

/// A mark's content.
pub trait Mark: Sized {
    /// Number of the line.
    const ID: u16;
    /// Name.
    const NAME: &'static str;
    /// Description of the mark.
    const DOC: &'static str;
    /// The family that the line belongs to.
    const FAMILY: Family;
    /// Names of the line in tables of earlier builds.
    const FORMER_NAMES: &'static [&'static str] = &[];

    /// Describes the fields.
    fn describe(sink: &mut FieldSink);

    /// Appends the fields to a row.
    fn encode(&self, encoder: &mut Encoder<'_>);

    /// Reads the fields from a row.
    ///
    /// # Errors
    /// The row is too short, too long, or holds a value that a field does not have.
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError>;
}

/// Visitor of the lines of a list, or of all lists.
pub trait EventVisitor {
    /// Visits a call.
    fn call<C: Call>(&mut self);

    /// Visits a mark.
    fn mark<M: Mark>(&mut self);
}

#[cfg(test)]
mod tests {
    use crate::define::inputs;
    use crate::define::prelude::*;
    use crate::hresult::HResultCode;
    use crate::identity::IdSpace;
    use crate::schema::{FieldSchema, Role};
    use crate::table::SchemaTable;

    const FAMILY: Family =
        Family { provider: "test", header: "test.h", layer: Layer::Api, first: 1, last: 2, doc: "For tests." };

    inputs! { []
        /// Creates as many buffers as its argument counts.
        1 CreateBuffers [device, objects] creates [ResourceId] = create_buffers(
            /// A name that ends in "end", as `blend` does, and has no special meaning.
            vendor_id: u32,
            /// A task.
            resource: TaskId,
            /// Number of buffers.
            buffers: u64 as Count,
            /// Size of each buffer.
            lengths: Vec<u32> as Size,
        ) -> HResult<Vec<ResourceId>>;
        /// Names a resource that exists already.
        2 GetBuffer [objects] = get_buffer() -> HResult<ResourceId>;
    }

    fn scalars() -> Vec<(String, Role, Option<IdSpace>)> {
        let mut table = SchemaTable::default();
        table.call::<CreateBuffers>();
        let scalars = table.events[0].fields.iter().flat_map(FieldSchema::scalars);
        scalars.map(|scalar| (scalar.name.clone(), scalar.role, scalar.space)).collect()
    }

    #[test]
    fn a_number_has_the_role_of_its_line_whatever_its_name() {
        let expected = [
            ("wait_ns", Role::Duration, None),
            ("vendor_id", Role::Value, None),
            ("resource", Role::Id, Some(IdSpace::Task)),
            ("buffers", Role::Count, None),
            ("value", Role::Size, None),
        ];
        assert_eq!(scalars(), expected.map(|(name, role, space)| (name.to_owned(), role, space)));
    }

    fn created<C: Input>(result: &C::Output) -> Vec<u64> {
        let mut created = Vec::new();
        C::visit_created(result, &mut |object| created.push(object.0));
        created
    }

    #[test]
    fn a_call_creates_the_objects_of_its_line_not_of_its_result() {
        assert_eq!((CreateBuffers::CREATES, GetBuffer::CREATES), (Creates::Several, Creates::Nothing));
        assert_eq!(created::<CreateBuffers>(&Ok(vec![ResourceId(3), ResourceId(4)])), [3, 4]);
        assert!(created::<CreateBuffers>(&Err(HResultCode::E_INVALIDARG)).is_empty());
        assert!(created::<GetBuffer>(&Ok(ResourceId(3))).is_empty());
    }

    #[test]
    fn only_objects_are_shown_as_objects() {
        let mut shown = 0;
        CreateBuffers { resource: TaskId(1), ..Default::default() }.visit_objects(&mut |_| shown += 1);
        assert_eq!(shown, 0);
    }
}
