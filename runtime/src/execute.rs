//! From an input's line in its list to the function that is its behaviour.

mod cpu_range;
mod removal;
mod serial;

pub use cpu_range::CpuRange;
pub use removal::{removal, told_of};
pub use serial::Machine;

use crate::context::Context;
use crate::d3d11::context_state::{ContextState, Contexts};
use crate::d3d11::context_table::ContextTable;
use crate::executor::Executor;
use crate::given::Given;
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
        /// The state a call runs on: exactly what its line says it locks.
        #[derive(Default)]
        pub struct Locked<'a> {
            $( $(#[doc = $doc])+ pub $lock: Option<&'a mut $State>, )+
            $( $(#[doc = $session_doc])+ pub $session_lock: Option<&'a mut $SessionState>, )+
            $(#[doc = $context_doc])+
            pub $context_lock: Option<&'a mut $ContextState>,
            /// The device, if the context's device has an extension in use.
            pub extension: Option<Option<&'a mut DeviceState>>,
            /// Room for the contexts that the call creates.
            pub contexts: Option<&'a mut dyn Contexts>,
            /// The objects the call names, and room for those it creates.
            pub objects: Option<&'a mut dyn Objects>,
            /// Of the objects the call names those that its context does not hold.
            pub opens: Option<&'a mut dyn Objects>,
        }

        /// All state of an adapter.
        pub struct AdapterState {
            $( $(#[doc = $doc])+ pub $lock: $State, )+
        }

        impl AdapterState {
            /// An adapter, before the first call.
            pub fn new(adapter: AdapterId) -> AdapterState {
                AdapterState { $( $lock: $State::new(adapter), )+ }
            }
        }

        /// All state of a runtime, under no lock: for replay and tests.
        pub struct RuntimeState {
            adapters: Vec<AdapterState>,
            $( $(#[doc = $session_doc])+ pub $session_lock: $SessionState, )+
            /// The objects.
            pub objects: ObjectTable,
            contexts: ContextTable,
        }

        impl RuntimeState {
            /// A machine with so many adapters, at least one, before the first call.
            pub fn new(adapters: usize) -> RuntimeState {
                RuntimeState {
                    adapters: AdapterId::first(adapters.max(1)).map(AdapterState::new).collect(),
                    $( $session_lock: $SessionState::new(adapters), )+
                    objects: ObjectTable::default(),
                    contexts: ContextTable::default(),
                }
            }

            /// What a call may touch, and nothing else.
            pub fn locked_for<C: Input>(&mut self, call: &C) -> Locked<'_> {
                let at = call.adapter().place_among(self.adapters.len());
                let state = &mut self.adapters[at];
                let (objects, contexts) = (&mut self.objects as &mut dyn Objects, &mut self.contexts);
                let mut locked = Locked {
                    $( $lock: Some(&mut state.$lock), )+
                    $( $session_lock: C::LOCKS.$session_lock.then_some(&mut self.$session_lock), )+
                    ..Locked::default()
                };
                if C::LOCKS.contexts {
                    locked.contexts = Some(contexts);
                } else if C::LOCKS.$context_lock {
                    let context = contexts.get_mut(call.context());
                    let extended = context.is_extended();
                    locked.extension = C::LOCKS.extension.then(|| locked.device.take().filter(|_| extended));
                    locked.$context_lock = Some(context);
                }
                $( locked.$lock = locked.$lock.filter(|_| C::LOCKS.$lock); )+
                match C::LOCKS.opens {
                    true => locked.opens = Some(objects),
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
    /// A context, for who looks at what it holds.
    pub(crate) fn context(&mut self, id: taut_schemas::ObjectId) -> &mut ContextState {
        self.contexts.get_mut(id)
    }

    /// Puts a context where its handles lead.
    pub(crate) fn insert_context(&mut self, context: ContextState) {
        let (id, device) = (context.id.into(), context.device.into());
        let names = [id, device];
        self.contexts.insert(if context.is_immediate() { &names } else { &names[..1] }, context);
    }

    /// The states of all adapters.
    pub(crate) fn adapters(&self) -> &[AdapterState] {
        &self.adapters
    }

    /// The state of an adapter.
    pub(crate) fn adapter_mut(&mut self, adapter: AdapterId) -> &mut AdapterState {
        let at = adapter.place_among(self.adapters.len());
        &mut self.adapters[at]
    }

    /// Every context there has been.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &ContextState> {
        self.contexts.iter()
    }

    /// The state of an adapter.
    pub fn adapter(&self, adapter: AdapterId) -> &AdapterState {
        &self.adapters[adapter.place_among(self.adapters.len())]
    }
}

/// An input that the runtime can take: an API call, or what the machine itself does.
pub trait ExecuteGiven: Input {
    /// Makes the call.
    ///
    /// # Panics
    /// If `locked` lacks what [`Input::LOCKS`] names: a fault of the shell, not of any input.
    fn execute_given(&self, context: &mut Context<'_>, locked: Locked<'_>, given: Self::Given) -> Self::Output;

    /// What the input is given, made by `executor`; `queue` is the state of its adapter.
    fn find_given(&self, queue: &SubmissionState, executor: &mut dyn Executor) -> Self::Given;
}

/// An input that is given nothing but its arguments: all that an application makes, and most of the machine's own.
pub trait Execute: ExecuteGiven + Input<Given = ()> {
    /// Makes the call.
    ///
    /// # Panics
    /// If `locked` lacks what [`Input::LOCKS`] names: a fault of the shell, not of any input.
    fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> Self::Output {
        self.execute_given(context, locked, ())
    }
}

impl<C: ExecuteGiven + Input<Given = ()>> Execute for C {}

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
    fn input<C: ExecuteGiven>(&mut self);
}

/// Calls a function with what is given besides, where something is.
macro_rules! method_call {
    ($methods:ident::$method:ident [] $value:ident; ($($argument:tt)*)) => { $methods::$method($($argument)*) };
    ($methods:ident::$method:ident [$given:ident] $value:ident; ($($argument:tt)*)) => {
        $methods::$method($($argument)*, $value)
    };
}

/// A call's function gets what its line locks and nothing more: a body that reaches for more does not compile.
macro_rules! execute {
    ([] $(
        $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
    )*) => { $(
        impl ExecuteGiven for calls::$Name {
            fn execute_given(
                &self,
                context: &mut Context<'_>,
                locked: Locked<'_>,
                _given: Self::Given,
            ) -> <Self as Call>::Output {
                method_call!(methods::$method [$($given)?] _given; (
                    context, $( held(locked.$lock, stringify!($lock)), )* self
                ))
            }

            fn find_given(&self, queue: &SubmissionState, executor: &mut dyn Executor) -> Self::Given {
                Given::find(self, queue, executor)
            }
        }
    )* };
}

macro_rules! show {
    ([$family:ident $visitor:ident] $(
        $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident $arguments:tt $(given $given:ident: $Given:ident)? -> $Output:ty;
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
