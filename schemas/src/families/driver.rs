//! A user-mode driver: a table of functions for each DDI that it implements, and the callbacks it may use during a
//! call.

use super::{d3d11_callbacks, d3d12_callbacks};
use crate::call::Call;
use crate::for_each_family;
use crate::handle_memory::HandleMemory;
use crate::work::{BackgroundWork, GpuWork};
use std::any::Any;
use std::sync::Arc;

/// Defines the driver traits, with one accessor per DDI family for the driver's table.
macro_rules! driver {
    ([] $(
        $(#[$doc:meta])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
            [$($list:ident),+];
    )+) => {
        /// A user-mode driver, as its tables of functions. The set of tables does not change.
        pub trait Driver: Send + Sync {
            $( table_of! { $kind $family $header } )+

            /// Access to the driver's state for saving and restoring; `None` if the driver does not support it.
            fn memory(&self) -> Option<&dyn DriverMemory> {
                None
            }

            /// The DDI calls in which the driver queues work.
            fn traits(&self) -> DriverTraits {
                DriverTraits::default()
            }
        }

        /// A driver that wraps another. Its `DeviceFuncsLayer` of a DDI holds what it [`changes`](crate::changes) of
        /// the other's table.
        pub trait DriverLayer: Send + Sync {
            /// The wrapped driver.
            fn below(&self) -> &dyn Driver;

            $( table_below! { $kind $family } )+

            /// Called before the call of the line with this number is forwarded.
            fn forwards(&self, _line: u16) {}

            /// Access to the driver's state: by default that of the wrapped driver.
            fn memory(&self) -> Option<&dyn DriverMemory> {
                self.below().memory()
            }

            /// The DDI calls in which the driver queues work: by default as the wrapped driver.
            fn traits(&self) -> DriverTraits {
                self.below().traits()
            }
        }

        impl<L: DriverLayer> Driver for L {
            $( layer_of! { $kind $family } )+

            fn memory(&self) -> Option<&dyn DriverMemory> {
                DriverLayer::memory(self)
            }

            fn traits(&self) -> DriverTraits {
                DriverLayer::traits(self)
            }
        }
    };
}

macro_rules! table_of {
    (ddi $family:ident $header:literal) => {
        #[doc = concat!("Its functions of ", $header, ", if it has them.")]
        fn $family(&self) -> Option<&dyn super::$family::DeviceFuncs> {
            None
        }
    };
    ($kind:ident $family:ident $header:literal) => {};
}

macro_rules! table_below {
    (ddi $family:ident) => {
        /// The table of this DDI: that of the wrapped driver, unless the layer changes it.
        fn $family(&self) -> Option<&dyn super::$family::DeviceFuncs> {
            self.below().$family()
        }
    };
    ($kind:ident $family:ident) => {};
}

macro_rules! layer_of {
    (ddi $family:ident) => {
        fn $family(&self) -> Option<&dyn super::$family::DeviceFuncs> {
            DriverLayer::$family(self)
        }
    };
    ($kind:ident $family:ident) => {};
}

/// Within an `impl DriverLayer`: the DDIs for which the layer has a `DeviceFuncsLayer`, where the wrapped driver has
/// that DDI.
#[macro_export]
macro_rules! changes {
    ($($family:ident),+) => { $(
        fn $family(&self) -> ::core::option::Option<&dyn $crate::$family::DeviceFuncs> {
            self.below().$family().map(|_| self as _)
        }
    )+ };
}

for_each_family!(driver);

/// Properties of a driver that decide which calls it receives beyond the common ones. They do not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DriverTraits {
    /// True if the driver has a thread of its own, which runs when it is woken.
    pub has_thread: bool,
    /// True if the driver receives the recording calls of command lists, from which it queues work.
    pub receives_command_lists: bool,
    /// True if the driver's tasks check for work before they begin.
    pub checks_before_work: bool,
}

/// Saves and restores a driver's state, as bytes that only a driver of the same profile can read.
pub trait DriverMemory {
    /// Returns the driver's state; `driver_state` is the part that the runtime stores for it.
    ///
    /// # Errors
    /// A text that names the part that cannot be saved.
    fn save(&self, driver_state: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String>;

    /// Restores a saved state; returns the part that the runtime is to store for the driver.
    ///
    /// # Errors
    /// A text with the reason why the bytes are not a saved state of this driver.
    fn restore(&self, saved: &[u8]) -> Result<Option<Box<dyn Any + Send>>, String>;

    /// The background work that [`BackgroundWork::save`] wrote.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    fn restore_work(&self, saved: &[u8]) -> Result<Arc<dyn BackgroundWork>, String>;

    /// The GPU's work that [`GpuWork::save`] wrote.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    fn restore_gpu_work(&self, saved: &[u8]) -> Result<Arc<dyn GpuWork>, String>;
}

/// A DDI call of a driver.
pub trait DriverCall: Call {
    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is created on such a driver.
    fn dispatch(&self, driver: &dyn Driver) -> Self::Output;
}

/// A DDI call in which the driver may call back.
pub trait CallbackCall: Call {
    /// The input that the driver receives besides the arguments; it cannot be recorded.
    type DerivedInput;

    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is created on such a driver.
    fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks, derived: Self::DerivedInput)
    -> Self::Output;
}

/// A DDI call in which the driver may access the memory of its handles, and call back.
pub trait HandleMemoryCall: Call {
    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is created on such a driver.
    fn dispatch(&self, driver: &dyn Driver, memory: &mut dyn ContextCallbacks) -> Self::Output;
}

/// The operations available to a driver during a DDI call that is made `with callbacks`: the callbacks of its DDI, of
/// which QueueProcessingWork cancels the work, if at all, before it returns; and operations that are no calls of the
/// DDI. The driver never sees the device.
pub trait Callbacks: d3d12_callbacks::DeviceCallbacks {
    /// The state that the driver stores from call to call; `None` at first.
    fn driver_state(&mut self) -> &mut Option<Box<dyn Any + Send>>;

    /// Submits the work of the GPU; to be called during ExecuteCommandLists.
    fn submit(&mut self, work: Arc<dyn GpuWork>);
}

/// The operations available to a driver during a DDI call that is made `with memory`: reading and writing the memory of
/// its handles, and calling back.
pub trait ContextCallbacks: HandleMemory + d3d11_callbacks::DeviceCallbacks {}

impl<T: HandleMemory + d3d11_callbacks::DeviceCallbacks> ContextCallbacks for T {}
