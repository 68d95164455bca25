//! From an API call's line in the list to the function that is its behaviour.

use crate::context::Context;
use crate::d3d12::device::DeviceState;
use crate::objects::{ObjectTable, Objects};
use crate::queue::QueueState;
use taut_schemas::{Call, LockSet, for_each_api_call, for_each_d3d11_call, for_each_task_call};

/// The state a call runs on: exactly what its line says it locks.
#[derive(Default)]
pub struct Locked<'a> {
    /// The device, if the line names it.
    pub device: Option<&'a mut DeviceState>,
    /// What happens after recording, if the line names it.
    pub queue: Option<&'a mut QueueState>,
    /// The objects the call names, and room for those it creates, if the line names them.
    pub objects: Option<&'a mut dyn Objects>,
}

/// All state of a runtime, under no lock: for replay and tests.
#[derive(Default)]
pub struct RuntimeState {
    /// The device.
    pub device: DeviceState,
    /// What happens after recording.
    pub queue: QueueState,
    /// The objects.
    pub objects: ObjectTable,
}

impl RuntimeState {
    /// What a line with these locks may touch, and nothing else.
    pub fn locked(&mut self, locks: LockSet) -> Locked<'_> {
        Locked {
            device: locks.device.then_some(&mut self.device),
            queue: locks.queue.then_some(&mut self.queue),
            objects: locks.objects.then_some(&mut self.objects as &mut dyn Objects),
        }
    }
}

/// An input that the runtime can take: an API call, or what the machine itself does.
pub trait Execute: Call {
    /// Makes the call.
    ///
    /// # Panics
    /// If `locked` lacks what [`Call::LOCKS`] names: a fault of the shell, not of any input.
    fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> Self::Output;
}

/// What the shell must have locked.
fn held<T>(lock: Option<T>, name: &str) -> T {
    match lock {
        Some(lock) => lock,
        None => panic!("the call's line names the {name}, and the shell did not lock it"),
    }
}

/// A call's function gets what its line locks and nothing more: a body that reaches for more does not compile.
macro_rules! execute {
    ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
        $method:ident($($args:tt)*) -> $Output:ty; )*) => { $(
        impl Execute for calls::$Name {
            fn execute(&self, context: &mut Context<'_>, locked: Locked<'_>) -> <Self as Call>::Output {
                methods::$method(context, $( held(locked.$lock, stringify!($lock)), )* self)
            }
        }
    )* };
}

mod of_d3d12 {
    use super::*;
    use crate::d3d12 as methods;
    use taut_schemas::api as calls;
    for_each_api_call!(execute);
}

mod of_d3d11 {
    use super::*;
    use crate::d3d11 as methods;
    use taut_schemas::d3d11 as calls;
    for_each_d3d11_call!(execute);
}

mod of_machine {
    use super::*;
    use crate::machine as methods;
    use taut_schemas::task as calls;
    for_each_task_call!(execute);
}
