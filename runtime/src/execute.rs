//! From an input's line in its list to the function that is its behaviour.

use crate::context::Context;
use crate::d3d12::device::DeviceState;
use crate::objects::{ObjectTable, Objects};
use crate::queue::QueueState;
use taut_schemas::{Call, Input, LockSet, for_each_family, for_each_lock};

macro_rules! state {
    ([] $( $(#[doc = $doc:literal])+ $lock:ident: $State:ident; )+) => {
        /// The state a call runs on: exactly what its line says it locks.
        #[derive(Default)]
        pub struct Locked<'a> {
            $( $(#[doc = $doc])+ pub $lock: Option<&'a mut $State>, )+
            /// The objects the call names, and room for those it creates.
            pub objects: Option<&'a mut dyn Objects>,
        }

        /// All state of a runtime, under no lock: for replay and tests.
        #[derive(Default)]
        pub struct RuntimeState {
            $( $(#[doc = $doc])+ pub $lock: $State, )+
            /// The objects.
            pub objects: ObjectTable,
        }

        impl RuntimeState {
            /// What a line with these locks may touch, and nothing else.
            pub fn locked(&mut self, locks: LockSet) -> Locked<'_> {
                Locked {
                    $( $lock: locks.$lock.then_some(&mut self.$lock), )+
                    objects: locks.objects.then_some(&mut self.objects as &mut dyn Objects),
                }
            }
        }
    };
}
for_each_lock!(state);

/// An input that the runtime can take: an API call, or what the machine itself does.
pub trait Execute: Input {
    /// Makes the call.
    ///
    /// # Panics
    /// If `locked` lacks what [`Input::LOCKS`] names: a fault of the shell, not of any input.
    fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> Self::Output;
}

/// What the shell must have locked.
fn held<T>(lock: Option<T>, name: &str) -> T {
    match lock {
        Some(lock) => lock,
        None => panic!("the call's line names the {name}, and the shell did not lock it"),
    }
}

/// Takes every input that the runtime can take.
pub trait InputVisitor {
    /// An input.
    fn input<C: Execute>(&mut self);
}

/// A call's function gets what its line locks and nothing more: a body that reaches for more does not compile.
macro_rules! execute {
    ([] $(
        $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident $arguments:tt -> $Output:ty;
    )*) => { $(
        impl Execute for calls::$Name {
            fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> <Self as Call>::Output {
                methods::$method(context, $( held(locked.$lock, stringify!($lock)), )* self)
            }
        }
    )* };
}

macro_rules! show {
    ([$family:ident $visitor:ident] $(
        $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident $arguments:tt -> $Output:ty;
    )*) => {
        $( $visitor.input::<taut_schemas::$family::$Name>(); )*
    };
}

/// The functions of a family of inputs are those of the runtime's module of that name.
macro_rules! family {
    (inputs $family:ident [$($list:ident),+]) => {
        mod $family {
            use super::*;
            use crate::$family as methods;
            use taut_schemas::$family as calls;
            $( taut_schemas::$list! { execute } )+
        }
    };
    ($kind:ident $family:ident [$($list:ident),+]) => {};
}

macro_rules! show_family {
    (inputs $family:ident [$($list:ident),+] $visitor:ident) => {
        $( taut_schemas::$list! { show $family $visitor } )+
    };
    ($kind:ident $family:ident [$($list:ident),+] $visitor:ident) => {};
}

macro_rules! families {
    ([] $(
        $(#[$doc:meta])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
            [$($list:ident),+];
    )+) => {
        $( family! { $kind $family [$($list),+] } )+

        /// Shows every input of every family.
        pub fn visit_inputs(visitor: &mut impl InputVisitor) {
            $( show_family! { $kind $family [$($list),+] visitor } )+
        }
    };
}
for_each_family!(families);
