//! The macros that turn the lines of the lists into code, one per kind of family.

/// The names that the families' modules import.
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
        d3d11_state_desc::*, desc::*, execution_desc::*, format::Format, id::*, kernel_desc::*, list_desc::*,
        plane_desc::*, present_desc::*, state_desc::*,
    };
    pub(crate) use std::sync::Arc;
}

/// Defines an argument struct and its codec; `$Trait` is [`Call`](crate::Call) or [`Mark`](crate::Mark).
macro_rules! define {
    ($Trait:ident [$($more:tt)*] $(#[doc = $doc:literal])+ $id:literal $Name:ident [$($was:ident)*] {
        $( $(#[doc = $field_doc:literal])+ $field:ident $(was $field_was:ident)*: $ty:ty $(as $role:ident)?, )*
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
            const FORMER_NAMES: &'static [&'static str] = &[$(stringify!($was)),*];

            fn describe(_sink: &mut FieldSink) {
                $(
                    $( _sink.was(stringify!($field_was)); )*
                    _sink.member_as(
                        stringify!($field),
                        concat!($($field_doc),+),
                        $crate::schema::role!($($role)?),
                        <$ty as Field>::describe,
                    );
                )*
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

/// Defines a call's struct.
macro_rules! define_call {
    ($(#[doc = $doc:literal])+ $id:literal $Name:ident $was:tt (
        $( $(#[doc = $field_doc:literal])+ $field:ident $(was $field_was:ident)*: $ty:ty $(as $role:ident)?, )*
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
            $(#[doc = $doc])+ $id $Name $was {
                $( $(#[doc = $field_doc])+ $field $(was $field_was)*: $ty $(as $role)?, )*
            }
        }
    };
}

macro_rules! inputs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* [$($lock:ident),*] $(creates $Object:ty)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name [$($was)*] $arguments -> $Output }

        impl Input for $Name {
            const LOCKS: LockSet = LockSet::NONE $(.$lock())*;
            const CREATES: Creates = Creates::Nothing $(.or(<$Object as Created<$Output>>::CREATES))?;

            type DerivedInput = $crate::define::derived!($($DerivedInput)?);

            fn visit_created(_output: &$Output, _visit: &mut dyn FnMut(ObjectId)) {
                $( <$Object as Created<$Output>>::visit(_output, _visit); )?
            }
        }

        // Checked at compile time: an object is numbered under the device's lock and inserted under the objects'.
        const _: () = assert!(
            $Name::CREATES.is_nothing() || ($Name::LOCKS.device && $Name::LOCKS.objects),
            concat!(stringify!($Name), " creates: expected the locks `device` (order of ids) and `objects` (insertion)")
        );

        const _: () = assert!($Name::LOCKS.fault().is_none(), concat!(stringify!($Name), " has locks that cannot be"));
    )* };
}

/// The type of the input that an input's function takes besides its arguments. No trace holds it, so it may be missing.
macro_rules! derived {
    () => { () };
    ($DerivedInput:ident) => { Option<$DerivedInput> };
}

macro_rules! ddi {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* $(with $with:ident)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name [$($was)*] $arguments -> $Output }
        $crate::define::dispatch! { $Name $method $Output $(, with $with)? $(, derived $derived: $DerivedInput)? }
    )* };
}

/// Implements the trait by which a DDI call reaches its function in its family's table.
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
            type DerivedInput = ();

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
    ($Name:ident $method:ident $Output:ty, with callbacks, derived $derived:ident: $DerivedInput:ident) => {
        impl CallbackCall for $Name {
            type DerivedInput = $DerivedInput;

            fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks, $derived: $DerivedInput) -> $Output {
                table(driver).$method(callbacks, self, $derived)
            }
        }
    };
}

/// The type of the parameter that a driver's function receives if its line says `with`.
macro_rules! handed {
    (callbacks) => { dyn Callbacks };
    (memory) => { dyn ContextCallbacks };
}

macro_rules! callbacks {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        $crate::define::define_call! { $(#[doc = $doc])+ $id $Name [$($was)*] $arguments -> $Output }
    )* };
}

macro_rules! marks {
    ([] $( $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* { $($fields:tt)* } )*) => { $(
        $crate::define::define! { Mark [] $(#[doc = $doc])+ $id $Name [$($was)*] { $($fields)* } }
    )* };
}

/// Defines the items of a family besides its structs: for a DDI its driver's table, for callbacks their trait.
macro_rules! besides {
    (ddi $family:ident [$($list:ident),+]) => {
        use crate::define::{device_funcs, forwarded_funcs, layer_funcs};

        /// The driver's side of this DDI, as its table of functions: one per line.
        ///
        /// A driver is a pure function of its inputs: the state that a real driver would store in the memory of its
        /// handles is stored by the runtime.
        pub trait DeviceFuncs: Send + Sync {
            $( crate::$list! { device_funcs } )+
        }

        /// A driver layer's table, which wraps the table of another driver and forwards the calls that it does not
        /// change.
        pub trait DeviceFuncsLayer: DriverLayer {
            $( crate::$list! { layer_funcs } )+
        }
// // Every layer is a driver, so layers can be stacked.

        impl<L: DeviceFuncsLayer> DeviceFuncs for L {
            $( crate::$list! { forwarded_funcs } )+
        }

        /// Returns the table of a driver. No device is created on a driver without the table, so no call can reach the
        /// panic.
        fn table(driver: &dyn Driver) -> &dyn DeviceFuncs {
            match driver.$family() {
                Some(table) => table,
                None => panic!("a device was made on a driver without {}", stringify!($family)),
            }
        }
    };
    (callbacks $family:ident [$($list:ident),+]) => {
        use crate::define::device_callbacks;

        /// The callbacks that the runtime offers a driver, one function per line.
        pub trait DeviceCallbacks {
            $( crate::$list! { device_callbacks } )+
        }
    };
    ($kind:ident $family:ident [$($list:ident),+]) => {};
}

macro_rules! device_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* $(with $with:ident)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        $(#[doc = $doc])+
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $derived: $DerivedInput)?) -> $Output;
    )* };
}

macro_rules! layer_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* $(with $with:ident)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        /// Forwards the call unchanged.
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $derived: $DerivedInput)?) -> $Output {
            self.forwards(<$Name as Call>::ID);
            table(self.below()).$method($($with,)? call $(, $derived)?)
        }
    )* };
}

macro_rules! forwarded_funcs {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* $(with $with:ident)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        fn $method(&self, $($with: &mut $crate::define::handed!($with),)? call: &$Name $(, $derived: $DerivedInput)?) -> $Output {
            DeviceFuncsLayer::$method(self, $($with,)? call $(, $derived)?)
        }
    )* };
}

macro_rules! device_callbacks {
    ([] $(
        $(#[doc = $doc:literal])+ $id:literal $Name:ident $(was $was:ident)* =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        $(#[doc = $doc])+
        fn $method(&mut self, call: &$Name $(, $derived: Arc<dyn $DerivedInput>)?) -> $Output;
    )* };
}

/// Passes each line to a visitor.
macro_rules! visit {
    ([marks $visitor:ident] $( $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* { $($fields:tt)* } )*) => {
        $( $visitor.mark::<$Name>(); )*
    };
    ([$kind:ident $visitor:ident] $(
        $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* $([$($lock:ident),*])? $(with $with:ident)? $(creates $Object:ty)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => {
        $( $visitor.call::<$Name>(); )*
    };
}

pub(crate) use {
    besides, callbacks, ddi, define, define_call, derived, device_callbacks, device_funcs, dispatch, forwarded_funcs,
    handed, inputs, layer_funcs, marks, visit,
};
