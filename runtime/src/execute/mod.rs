//! Dispatch of an input to the function that implements its line.

mod cpu_range;
mod removal;
mod serial;

pub use cpu_range::CpuRange;
pub use removal::{DueReleases, command_list_notice, removal};
pub use serial::Machine;

use crate::context::Context;
use crate::d3d11::context_state::{ContextState, Contexts};
use crate::d3d11::context_table::ContextTable;
use crate::derived_input::DerivedInput;
use crate::executor::Executor;
use crate::kernel::DisplayState;
use crate::state::{DeviceState, ObjectTable, Objects};
use crate::submission::SubmissionState;
use crate::win32::SystemState;
use taut_schemas::{AdapterId, Call, Input, for_each_family, for_each_lock};

macro_rules! state {
    ([]
        adapter { $( $(#[doc = $doc:literal])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[doc = $session_doc:literal])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[doc = $context_doc:literal])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        /// State of a call: exactly the parts that the call's line locks.
        #[derive(Default)]
        pub struct Locked<'a> {
            $( $(#[doc = $doc])+ pub $lock: Option<&'a mut $State>, )+
            $( $(#[doc = $session_doc])+ pub $session_lock: Option<&'a mut $SessionState>, )+
            $(#[doc = $context_doc])+
            pub $context_lock: Option<&'a mut $ContextState>,
            /// Device state, if the device of the context has an extension in use.
            pub extension: Option<Option<&'a mut DeviceState>>,
            /// Table for contexts that the call creates.
            pub contexts: Option<&'a mut dyn Contexts>,
            /// Objects that the call names, and the table for objects that it creates.
            pub objects: Option<&'a mut dyn Objects>,
            /// Objects that the call names and its context does not hold.
            pub unpinned: Option<&'a mut dyn Objects>,
        }

        /// Complete state of an adapter.
        pub struct AdapterState {
            $( $(#[doc = $doc])+ pub $lock: $State, )+
        }

        impl AdapterState {
            /// Creates the state of an adapter before the first call.
            pub fn new(adapter: AdapterId) -> AdapterState {
                AdapterState { $( $lock: $State::new(adapter), )+ }
            }
        }

        /// Complete state of a runtime, without locks: for replay and tests.
        pub struct RuntimeState {
            adapters: Vec<AdapterState>,
            $( $(#[doc = $session_doc])+ pub $session_lock: $SessionState, )+
            /// Live objects.
            pub objects: ObjectTable,
            contexts: ContextTable,
        }

        impl RuntimeState {
            /// Creates the state of a machine with this number of adapters, at least one, before the first call.
            pub fn new(adapters: usize) -> RuntimeState {
                RuntimeState {
                    adapters: AdapterId::first(adapters.max(1)).map(AdapterState::new).collect(),
                    $( $session_lock: $SessionState::new(adapters), )+
                    objects: ObjectTable::default(),
                    contexts: ContextTable::default(),
                }
            }

            /// Returns the state that a call may access.
            pub fn locked_for<C: Input>(&mut self, call: &C) -> Locked<'_> {
                let at = call.adapter().place_among(self.adapters.len());
                let state = &mut self.adapters[at];
                let (objects, contexts) = (&mut self.objects as &mut dyn Objects, &mut self.contexts);
                let mut locked = Locked {
                    $( $lock: Some(&mut state.$lock), )+
                    $( $session_lock: C::LOCKS.$session_lock.then_some(&mut self.$session_lock), )+
                    ..Locked::default()
                };
                // A call that creates contexts gets the table; any other call gets only the context that it names.
                if C::LOCKS.contexts {
                    locked.contexts = Some(contexts);
                } else if C::LOCKS.$context_lock {
                    let context = contexts.get_mut(call.context());
                    let extended = context.is_extended();
                    locked.extension = C::LOCKS.extension.then(|| locked.device.take().filter(|_| extended));
                    locked.$context_lock = Some(context);
                }
                $( locked.$lock = locked.$lock.filter(|_| C::LOCKS.$lock); )+
                match C::LOCKS.unpinned {
                    true => locked.unpinned = Some(objects),
                    false => locked.objects = C::LOCKS.objects.then_some(objects),
                }
                locked
            }
        }
    };
}
for_each_lock!(state);

impl Default for RuntimeState {
    fn default() -> Self {
        RuntimeState::new(1)
    }
}

impl RuntimeState {
    /// Returns a context.
    pub fn context(&mut self, id: taut_schemas::ObjectId) -> &mut ContextState {
        self.contexts.get_mut(id)
    }

    /// Inserts a context under its ids; an immediate context also under its device's id.
    pub(crate) fn insert_context(&mut self, context: ContextState) {
        let (id, device) = (context.id.into(), context.device.into());
        let names = [id, device];
        self.contexts.insert(if context.is_immediate() { &names } else { &names[..1] }, context);
    }

    /// Returns the states of all adapters.
    pub(crate) fn adapters(&self) -> &[AdapterState] {
        &self.adapters
    }

    /// Returns the state of an adapter.
    pub(crate) fn adapter_mut(&mut self, adapter: AdapterId) -> &mut AdapterState {
        let at = adapter.place_among(self.adapters.len());
        &mut self.adapters[at]
    }

    /// Returns all contexts so far.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &ContextState> {
        self.contexts.iter()
    }

    /// Returns the state of an adapter.
    pub fn adapter(&self, adapter: AdapterId) -> &AdapterState {
        &self.adapters[adapter.place_among(self.adapters.len())]
    }
}

/// Input that the runtime can execute: an API call, or an event of the machine.
pub trait ExecuteWith: Input {
    /// Executes the input.
    ///
    /// # Panics
    /// If `locked` lacks a lock of [`Input::LOCKS`]: an error of the shell, not of any input.
    fn execute_with(&self, context: &mut Context<'_>, locked: Locked<'_>, derived: Self::DerivedInput) -> Self::Output;

    /// Returns the derived input, computed by `executor`; `queue` is the state of its adapter.
    fn derive_input(&self, queue: &SubmissionState, executor: &mut dyn Executor) -> Self::DerivedInput;
}

/// Input without a derived input: all API calls, and most events of the machine.
pub trait Execute: ExecuteWith + Input<DerivedInput = ()> {
    /// Executes the input.
    ///
    /// # Panics
    /// If `locked` lacks a lock of [`Input::LOCKS`]: an error of the shell, not of any input.
    fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> Self::Output {
        self.execute_with(context, locked, ())
    }
}

impl<C: ExecuteWith + Input<DerivedInput = ()>> Execute for C {}

/// Returns state that the shell must have locked.
fn held<T>(lock: Option<T>, name: &str) -> T {
    match lock {
        Some(lock) => lock,
        None => panic!("the call's line names the {name}, and the shell did not lock it"),
    }
}

/// Visitor of all inputs that the runtime can execute.
pub trait InputVisitor {
    /// Visits an input.
    fn input<C: ExecuteWith>(&mut self);
}

/// Calls a function, with the derived input if the line declares one.
macro_rules! method_call {
    ($methods:ident::$method:ident [] $value:ident; ($($argument:tt)*)) => { $methods::$method($($argument)*) };
    ($methods:ident::$method:ident [$derived:ident] $value:ident; ($($argument:tt)*)) => {
        $methods::$method($($argument)*, $value)
    };
}

/// Passes a call's function the state that its line locks and nothing more: a body that needs another lock does not
/// compile.
macro_rules! execute {
    ([] $(
        $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* [$($lock:ident),*] $(creates $Created:ty)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => { $(
        impl ExecuteWith for calls::$Name {
            fn execute_with(
                &self,
                context: &mut Context<'_>,
                locked: Locked<'_>,
                _derived: Self::DerivedInput,
            ) -> <Self as Call>::Output {
                method_call!(methods::$method [$($derived)?] _derived; (
                    context, $( held(locked.$lock, stringify!($lock)), )* self
                ))
            }

            fn derive_input(&self, queue: &SubmissionState, executor: &mut dyn Executor) -> Self::DerivedInput {
                DerivedInput::find(self, queue, executor)
            }
        }
    )* };
}

macro_rules! show {
    ([$family:ident $visitor:ident] $(
        $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* [$($lock:ident),*] $(creates $Created:ty)? =
            $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
    )*) => {
        $( $visitor.input::<taut_schemas::$family::$Name>(); )*
    };
}

/// Implements the inputs of a family by the functions of the runtime's module of that name.
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

        /// Visits every input of every family.
        pub fn visit_inputs(visitor: &mut impl InputVisitor) {
            $( show_family! { $kind $family [$($list),+] visitor } )+
        }
    };
}
for_each_family!(families);
