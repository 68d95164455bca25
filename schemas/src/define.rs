//! The macros that turn lines into code, one per kind of family.

/// What the families' modules see.
pub(crate) mod prelude {
    pub(crate) use crate::call::{Call, EventVisitor, Input, Mark};
    pub(crate) use crate::creates::{Created, Creates};
    pub(crate) use crate::family::{Family, Layer};
    pub(crate) use crate::field::{Bytes, Field, HandleMap};
    pub(crate) use crate::hresult::{HResult, HResultCode};
    pub(crate) use crate::identity::{AdapterId, ObjectId};
    pub(crate) use crate::lock::LockSet;
    pub(crate) use crate::message::MessageId;
    pub(crate) use crate::row::{CodecError, Decoder, Encoder};
    pub(crate) use crate::schema::FieldSink;
    pub(crate) use crate::store_runs::StoreRun;
    pub(crate) use crate::work::{BackgroundWork, Product, SubmissionResult, TaskResult};
    pub(crate) use crate::{
        bind::*, chain_desc::*, code::*, d3d11_context_desc::*, d3d11_desc::*, d3d11_pipeline_desc::*,
        d3d11_state_desc::*, desc::*, execution_desc::*, format::Format, id::*, kernel_desc::*, present_desc::*,
        state_desc::*,
    };
    pub(crate) use std::sync::Arc;
}

/// An argument struct, and its codec; `$trait` is [`Call`](crate::Call) or [`Mark`](crate::Mark).
macro_rules! define {
    ($Trait:ident [$($more:tt)*] $(#[doc = $doc:literal])+ $id:literal $Name:ident {
        $( $(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(as $role:ident)?, )*
    }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $Name {
            $( $(#[doc = $field_doc])+ pub $field: $ty, )*
        }

        $crate::field_ref::fields!($Name { $( $(#[doc = $field_doc])+ $field: $ty, )* });

        impl $Trait for $Name {
            const ID: u16 = $id;
            const NAME: &'static str = stringify!($Name);
            const DOC: &'static str = concat!($($doc),+);
            const FAMILY: Family = FAMILY;

            fn describe(_sink: &mut FieldSink) {
                $( _sink.member_as(
                    stringify!($field),
                    concat!($($field_doc),+),
                    $crate::schema::role!($($role)?),
                    <$ty as Field>::describe,
                ); )*
            }
            fn encode(&self, _encoder: &mut Encoder<'_>) {
                $( self.$field.encode(_encoder); )*
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                let row = Self { $( $field: Field::decode(decoder)?, )* };
                decoder.finish()?;
                Ok(row)
            }
            $($more)*
        }

        const _: () = assert!(
            FAMILY.first <= $id && $id <= FAMILY.last,
            concat!(stringify!($Name), " has a number outside its family's range")
        );
    };
}

/// A call's struct.
macro_rules! define_call {
    ($(#[doc = $doc:literal])+ $id:literal $Name:ident (
        $( $(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(as $role:ident)?, )*
    ) -> $Output:ty) => {
        $crate::define::define! {
            Call [
                type Output = $Output;

                fn map_handles(&mut self, _map: &mut dyn HandleMap) {
                    $( self.$field.map_handles(_map); )*
                }
                fn visit_objects(&self, _visit: &mut dyn FnMut(ObjectId)) {
                    $( self.$field.visit_objects(_visit); )*
                }
                fn adapter(&self) -> AdapterId {
                    None $( .or_else(|| self.$field.adapter()) )* .unwrap_or(AdapterId::FIRST)
                }
            ]
            $(#[doc = $doc])+ $id $Name { $( $(#[doc = $field_doc])+ $field: $ty $(as $role)?, )* }
        }
    };
}

macro_rules! inputs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name $arguments -> $Output }

        impl Input for $Name {
            const LOCKS: LockSet = LockSet::NONE $(.$lock())*;
            const CREATES: Creates = Creates::Nothing $(.or(<$Made as Created<$Output>>::CREATES))?;

            type Given = $crate::define::given!($($Given)?);

            fn visit_created(_output: &$Output, _visit: &mut dyn FnMut(ObjectId)) {
                $( <$Made as Created<$Output>>::visit(_output, _visit); )?
            }
        }

        const _: () = assert!(
            $Name::CREATES.is_nothing() || ($Name::LOCKS.device && $Name::LOCKS.objects),
            concat!(stringify!($Name), " creates: it needs the device's lock to number, the objects' to insert")
        );

        const _: () = assert!($Name::LOCKS.fault().is_none(), concat!(stringify!($Name), " has locks that cannot be"));
    )* };
}

/// What an input's function takes besides its arguments. No trace holds it, so it may be missing.
macro_rules! given {
    () => { () };
    ($Given:ident) => { Option<$Given> };
}

macro_rules! ddi {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(with $with:ident)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name $arguments -> $Output }
        $crate::define::dispatch! { $Name $method $Output $(, with $with)? $(, given $given: $Given)? }
    )* };
}

/// How a DDI call reaches its function in its family's table.
macro_rules! dispatch {
    ($Name:ident $method:ident $Output:ty) => {
        impl DriverCall for $Name {
            fn dispatch(&self, driver: &dyn Driver) -> $Output {
                table(driver).$method(self)
            }
        }
    };
    ($Name:ident $method:ident $Output:ty, with callbacks) => {
        impl CallbackCall for $Name {
            type Given = ();

            fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks, _: ()) -> $Output {
                table(driver).$method(callbacks, self)
            }
        }
    };
    ($Name:ident $method:ident $Output:ty, with memory) => {
        impl HandleMemoryCall for $Name {
            fn dispatch(&self, driver: &dyn Driver, memory: &mut dyn ContextCallbacks) -> $Output {
                table(driver).$method(memory, self)
            }
        }
    };
    ($Name:ident $method:ident $Output:ty, with callbacks, given $given:ident: $Given:ident) => {
        impl CallbackCall for $Name {
            type Given = $Given;

            fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks, $given: $Given) -> $Output {
                table(driver).$method(callbacks, self, $given)
            }
        }
    };
}

/// What a driver is handed in a call that says `with`.
macro_rules! handed {
    (callbacks) => { dyn Callbacks };
    (memory) => { dyn ContextCallbacks };
}

macro_rules! callbacks {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name $arguments -> $Output }
    )* };
}

macro_rules! marks {
    ([] $( $(#[doc = $doc:literal])+ $id:literal $Name:ident $fields:tt )*) => { $(
        $crate::define::define! { Mark [] $(#[doc = $doc])+ $id $Name $fields }
    )* };
}

/// What a kind of family has besides its structs: a DDI its driver's table, callbacks their trait.
macro_rules! besides {
    (ddi $family:ident [$($list:ident),+]) => {
        use crate::define::{device_funcs, forwarded_funcs, layer_funcs};

        /// The driver's side of this DDI, as its table of functions: one per line.
        ///
        /// A driver is a pure function of what it is told: the runtime keeps for it what a real driver would keep in
        /// the memory behind its handles.
        pub trait DeviceFuncs: Send + Sync {
            $( crate::$list! { device_funcs } )+
        }

        /// A table that stands before that of another driver, and passes on what it does not change.
        pub trait DeviceFuncsLayer: DriverLayer {
            $( crate::$list! { layer_funcs } )+
        }

        impl<L: DeviceFuncsLayer> DeviceFuncs for L {
            $( crate::$list! { forwarded_funcs } )+
        }

        /// The table of a driver. Nothing is made on a driver that lacks it, so nothing can ask for what is not there.
        fn table(driver: &dyn Driver) -> &dyn DeviceFuncs {
            match driver.$family() {
                Some(table) => table,
                None => panic!("a device was made on a driver without {}", stringify!($family)),
            }
        }
    };
    (callbacks $family:ident [$($list:ident),+]) => {
        use crate::define::device_callbacks;

        /// What the runtime answers a driver, one function per line.
        pub trait DeviceCallbacks {
            $( crate::$list! { device_callbacks } )+
        }
    };
    ($kind:ident $family:ident [$($list:ident),+]) => {};
}

macro_rules! device_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(with $with:ident)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        $(#[doc = $doc])+
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $given: $Given)?) -> $Output;
    )* };
}

macro_rules! layer_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(with $with:ident)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        /// Passed on as it is.
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $given: $Given)?) -> $Output {
            self.passes_on(<$Name as Call>::ID);
            table(self.below()).$method($($with,)? call $(, $given)?)
        }
    )* };
}

macro_rules! forwarded_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(with $with:ident)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $given: $Given)?) -> $Output {
            DeviceFuncsLayer::$method(self, $($with,)? call $(, $given)?)
        }
    )* };
}

macro_rules! device_callbacks {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        $(#[doc = $doc])+
        fn $method(&mut self, call: &$Name $(, $given: Arc<dyn $Given>)?) -> $Output;
    )* };
}

/// Shows each line to a visitor.
macro_rules! visit {
    ([marks $visitor:ident] $( $(#[$doc:meta])+ $id:literal $Name:ident $fields:tt )*) => {
        $( $visitor.mark::<$Name>(); )*
    };
    ([$kind:ident $visitor:ident] $(
        $(#[$doc:meta])+ $id:literal $Name:ident $([$($lock:ident),*])? $(with $with:ident)? $(creates $Made:ty)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => {
        $( $visitor.call::<$Name>(); )*
    };
}

pub(crate) use {
    besides, callbacks, ddi, define, define_call, device_callbacks, device_funcs, dispatch, forwarded_funcs, given,
    handed, inputs, layer_funcs, marks, visit,
};
