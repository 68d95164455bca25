//! From an API call's line in the list to the function that is its behaviour.

use crate::context::Context;
use crate::d3d12::device::DeviceState;
use crate::objects::Objects;
use taut_schemas::{Call, for_each_api_call, for_each_d3d11_call};

/// The state a call runs on: exactly what its line says it locks.
pub struct Locked<'a> {
    /// The device, if the line names it.
    pub device: Option<&'a mut DeviceState>,
    /// The objects the call names and the slot of the one it may create, if the line names them.
    pub objects: Option<&'a mut dyn Objects>,
}

/// An API call that the runtime can make.
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
    ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] = $method:ident($($args:tt)*) -> $Output:ty; )*) => { $(
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
