//! What every line of the lists turns into.

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
    /// What it does, and where it comes from.
    const DOC: &'static str;
    /// The family that the line belongs to.
    const FAMILY: Family;
    /// Layer.
    const LAYER: Layer = Self::FAMILY.layer;
    /// What it returns.
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

    /// Shows the objects that the arguments name, null handles left out.
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId));

    /// The adapter that the arguments name, or that what they name first belongs to; the first where they name none.
    fn adapter(&self) -> AdapterId;
}

/// A call that the runtime takes: it is made under locks, and may create objects.
pub trait Input: Call + 'static {
    /// The locks it takes.
    const LOCKS: LockSet;
    /// What it creates, if it succeeds.
    const CREATES: Creates;
    /// What its function takes besides the arguments: what no trace holds.
    type Given;

    /// What the first argument names, of a call whose line names a context: that, or the device whose immediate context it
    /// is. Null if it names nothing.
    fn context(&self) -> ObjectId {
        let mut first = ObjectId::NULL;
        self.visit_objects(&mut |object| {
            if first == ObjectId::NULL {
                first = object;
            }
        });
        first
    }

    /// Shows the objects that a call with this result created.
    fn visit_created(output: &Self::Output, visit: &mut dyn FnMut(ObjectId));
}

/// A mark's content.
pub trait Mark: Sized {
    /// Number of the line.
    const ID: u16;
    /// Name.
    const NAME: &'static str;
    /// What it says.
    const DOC: &'static str;
    /// The family that the line belongs to.
    const FAMILY: Family;

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

/// Takes every line of a list, or of all.
pub trait EventVisitor {
    /// A call.
    fn call<C: Call>(&mut self);

    /// A mark.
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
        /// Creates as many as it is told.
        1 CreateBuffers [device, objects] creates [ResourceId] = create_buffers(
            /// Ends in "end", as a blend or a vendor does, and is none.
            vendor_id: u32,
            /// A task.
            resource: TaskId,
            /// How many.
            buffers: u64 as Count,
            /// How large each is.
            lengths: Vec<u32> as Size,
        ) -> HResult<Vec<ResourceId>>;
        /// Names a resource that was there.
        2 GetBuffer [objects] = get_buffer() -> HResult<ResourceId>;
    }

    fn scalars() -> Vec<(String, Role, Option<IdSpace>)> {
        let mut table = SchemaTable::default();
        table.call::<CreateBuffers>();
        let scalars = table.events[0].fields.iter().flat_map(FieldSchema::scalars);
        scalars.map(|scalar| (scalar.name.clone(), scalar.role, scalar.space)).collect()
    }

    #[test]
    fn a_number_means_what_its_line_says_whatever_its_name() {
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
    fn a_call_creates_what_its_line_says_whatever_its_result_names() {
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
