//! What every line of the lists turns into, and the macros that do it.

use crate::creates::Creates;
use crate::field::{Field, HandleMap};
use crate::id::ObjectId;
use crate::row::{CodecError, Decoder, Encoder};
use crate::table::{FieldSink, Role};
use serde::{Deserialize, Serialize};

/// Which list an event comes from. A trace's providers are its layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Application to runtime: d3d12.h.
    Api,
    /// Runtime to driver: d3d12umddi.h.
    Ddi,
    /// What the machine behind the runtime does by itself, told to it as inputs: background tasks, the graphics processor.
    Task,
    /// Not a call: messages, violations, phases.
    Mark,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Layer; 4] = [Layer::Api, Layer::Ddi, Layer::Task, Layer::Mark];

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Api => "api",
            Layer::Ddi => "ddi",
            Layer::Task => "task",
            Layer::Mark => "mark",
        }
    }

    /// Its calls are inputs of the runtime, made under locks of their own.
    pub fn is_input(self) -> bool {
        matches!(self, Layer::Api | Layer::Task)
    }

    /// The layer in words.
    pub fn title(self) -> &'static str {
        match self {
            Layer::Api => "API calls",
            Layer::Ddi => "DDI calls",
            Layer::Task => "Inputs of the machine",
            Layer::Mark => "Marks",
        }
    }
}

/// The locks an input takes before anything else, always in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LockSet {
    /// The device: object numbering, address space, heaps.
    pub device: bool,
    /// What happens after recording: command queues, fences, events, background work, what the driver learns.
    pub queue: bool,
    /// The objects that the call names, and those that it creates.
    pub objects: bool,
}

impl LockSet {
    /// No lock.
    pub const NONE: LockSet = LockSet { device: false, queue: false, objects: false };

    /// Adds the device's lock.
    pub const fn device(self) -> LockSet {
        LockSet { device: true, ..self }
    }

    /// Adds the queue's lock.
    pub const fn queue(self) -> LockSet {
        LockSet { queue: true, ..self }
    }

    /// Of a DDI call: the driver may call back, so it is made under the queue's lock.
    pub const fn callbacks(self) -> LockSet {
        self.queue()
    }

    /// Adds the objects' locks.
    pub const fn objects(self) -> LockSet {
        LockSet { objects: true, ..self }
    }
}

/// An API or DDI call's arguments.
pub trait Call: Sized {
    /// Number of the line.
    const ID: u16;
    /// Name in the header.
    const NAME: &'static str;
    /// Layer.
    const LAYER: Layer;
    /// Locks an input takes. A DDI call runs under its caller's, which have to be these at least.
    const LOCKS: LockSet;
    /// What it creates, if it succeeds.
    const CREATES: Creates;
    /// What it returns.
    type Output: Field;

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

    /// Shows the objects that a call with this result created.
    fn visit_created(output: &Self::Output, visit: &mut dyn FnMut(ObjectId));
}

/// A mark's content.
pub trait Mark: Sized {
    /// Number of the line.
    const ID: u16;
    /// Name.
    const NAME: &'static str;

    /// Appends the fields to a row.
    fn encode(&self, encoder: &mut Encoder<'_>);

    /// Reads the fields from a row.
    ///
    /// # Errors
    /// The row is too short, too long, or holds a value that a field does not have.
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError>;
}

/// Defines the argument struct of every call of a list, its codec and its schema.
macro_rules! define_calls {
    ($layer:ident; $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? = $method:ident(
            $( $(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(as $role:ident)?, )*
        ) -> $Output:ty;
    )*) => { $(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $Name {
            $( $(#[doc = $field_doc])+ pub $field: $ty, )*
        }

        impl Call for $Name {
            const ID: u16 = $id;
            const NAME: &'static str = stringify!($Name);
            const LAYER: Layer = Layer::$layer;
            const LOCKS: LockSet = LockSet::NONE $(.$lock())*;
            const CREATES: $crate::creates::Creates =
                $crate::creates::Creates::Nothing $(.or(<$Made as $crate::creates::Created<$Output>>::CREATES))?;
            type Output = $Output;

            fn encode(&self, encoder: &mut Encoder<'_>) {
                $( self.$field.encode(encoder); )*
                let _ = encoder;
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                let call = Self { $( $field: Field::decode(decoder)?, )* };
                decoder.finish()?;
                Ok(call)
            }
            fn map_handles(&mut self, map: &mut dyn HandleMap) {
                $( self.$field.map_handles(map); )*
                let _ = map;
            }
            fn visit_objects(&self, visit: &mut dyn FnMut($crate::id::ObjectId)) {
                $( self.$field.visit_objects(visit); )*
                let _ = visit;
            }
            fn visit_created(output: &$Output, visit: &mut dyn FnMut($crate::id::ObjectId)) {
                $( <$Made as $crate::creates::Created<$Output>>::visit(output, visit); )?
                let _ = (output, visit);
            }
        }

        const _: () = assert!(
            $Name::CREATES.is_nothing() || ($Name::LOCKS.device && $Name::LOCKS.objects),
            concat!(stringify!($Name), " creates: it needs the device's lock to number, the objects' to insert")
        );
    )*

        /// Adds the list's events to a table.
        pub(crate) fn describe(table: &mut SchemaTable) { $(
            let doc = concat!($($doc),+);
            let head = |opcode| EventHead {
                code: EventCode::new($id, opcode), name: stringify!($Name), layer: Layer::$layer, opcode, doc,
            };
            table.add(head(Opcode::Start), |sink| {
                describe_start(Layer::$layer, sink);
                $( sink.member_as(
                    stringify!($field),
                    concat!($($field_doc),+),
                    $crate::table::role!($($role)?),
                    <$ty as Field>::describe,
                ); )*
            });
            table.add(head(Opcode::Stop), <$Output as Field>::describe);
        )* }
    };
}
pub(crate) use define_calls;

/// The fields that every start record of a layer begins with: an input's wait for its locks.
pub(crate) fn describe_start(layer: Layer, sink: &mut FieldSink) {
    if layer.is_input() {
        sink.member_as(
            "wait_ns",
            "Time the call waited for its locks before it was stamped, in nanoseconds.",
            Role::Duration,
            u64::describe,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{EventCode, Opcode};
    use crate::hresult::{HResult, HResultCode};
    use crate::id::{IdSpace, ResourceId, TaskId};
    use crate::table::{EventHead, FieldSchema, SchemaTable};

    define_calls! {
        Api;
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
        describe(&mut table);
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

    fn created<C: Call>(result: &C::Output) -> Vec<u64> {
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
