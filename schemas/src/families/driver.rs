//! A user-mode driver: a table of functions for each DDI that it has, and what it may do while it is called.

use super::{d3d11_callbacks, d3d12_callbacks};
use crate::call::Call;
use crate::for_each_family;
use crate::handle_memory::HandleMemory;
use crate::work::{BackgroundWork, GpuWork};
use std::any::Any;
use std::sync::Arc;

/// Puts together, from the families, the functions that give a driver's tables.
macro_rules! driver {
    ([] $(
        $(#[$doc:meta])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
            [$($list:ident),+];
    )+) => {
        /// A user-mode driver, as its tables of functions. What it has does not change.
        pub trait Driver: Send + Sync {
            $( table_of! { $kind $family $header } )+

            /// What it remembers, to be written down; none of a driver that cannot.
            fn memory(&self) -> Option<&dyn DriverMemory> {
                None
            }

            /// From where it queues work.
            fn habits(&self) -> DriverHabits {
                DriverHabits::default()
            }
        }

        /// A driver that stands before another: what it [`changes`](crate::changes) of the other's tables, its
        /// `DeviceFuncsLayer` of that DDI says.
        pub trait DriverLayer: Send + Sync {
            /// The driver behind it.
            fn below(&self) -> &dyn Driver;

            $( table_below! { $kind $family } )+

            /// A call of the line with this number is about to be passed on.
            fn passes_on(&self, _line: u16) {}

            /// What it remembers: what the driver behind it does.
            fn memory(&self) -> Option<&dyn DriverMemory> {
                self.below().memory()
            }

            /// From where it queues work: as the driver behind it.
            fn habits(&self) -> DriverHabits {
                self.below().habits()
            }
        }

        impl<L: DriverLayer> Driver for L {
            $( layer_of! { $kind $family } )+

            fn memory(&self) -> Option<&dyn DriverMemory> {
                DriverLayer::memory(self)
            }

            fn habits(&self) -> DriverHabits {
                DriverLayer::habits(self)
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
        /// The table of this DDI: that of the driver behind it, unless it changes that.
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

/// Within an `impl DriverLayer`: the DDIs of which it has a `DeviceFuncsLayer`, where the driver behind it has that DDI.
#[macro_export]
macro_rules! changes {
    ($($family:ident),+) => { $(
        fn $family(&self) -> ::core::option::Option<&dyn $crate::$family::DeviceFuncs> {
            self.below().$family().map(|_| self as _)
        }
    )+ };
}

for_each_family!(driver);

/// What a driver wants to be called for, beside what every driver is. What is so does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DriverHabits {
    /// It has a thread of its own, which goes on when it is woken.
    pub has_thread: bool,
    /// It queues work from its recording calls.
    pub hears_of_command_lists: bool,
    /// Its tasks look whether there is anything to do before they begin.
    pub looks_first: bool,
}

/// What a driver remembers, as bytes that mean something under its profile alone.
pub trait DriverMemory {
    /// What it keeps: `kept` is what the runtime keeps for it.
    ///
    /// # Errors
    /// In words, what it is that cannot be written down.
    fn save(&self, kept: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String>;

    /// Takes up what was written; gives what the runtime is to keep for it.
    ///
    /// # Errors
    /// In words, why these bytes cannot be what it wrote.
    fn restore(&self, saved: &[u8]) -> Result<Option<Box<dyn Any + Send>>, String>;

    /// The background work that [`BackgroundWork::save`] wrote.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    fn restore_work(&self, saved: &[u8]) -> Result<Arc<dyn BackgroundWork>, String>;

    /// The graphics processor's work that [`GpuWork::save`] wrote.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    fn restore_gpu_work(&self, saved: &[u8]) -> Result<Arc<dyn GpuWork>, String>;
}

/// A DDI call that a driver can be given.
pub trait DriverCall: Call {
    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is made on such a driver.
    fn dispatch(&self, driver: &dyn Driver) -> Self::Output;
}

/// A DDI call in which the driver may call back.
pub trait CallbackCall: Call {
    /// What the driver is given besides the arguments, which cannot be recorded.
    type Given;

    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is made on such a driver.
    fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks, given: Self::Given) -> Self::Output;
}

/// A DDI call in which the driver may reach the memory behind its handles, and call back.
pub trait HandleMemoryCall: Call {
    /// Makes the call.
    ///
    /// # Panics
    /// If the driver does not have the call's table. No device is made on such a driver.
    fn dispatch(&self, driver: &dyn Driver, memory: &mut dyn ContextCallbacks) -> Self::Output;
}

/// What a driver can do during a DDI call that is made `with callbacks`: the callbacks of its DDI, whose function of work
/// queued cancels it, if at all, before it returns; and what no call stands for. It never sees the device.
pub trait Callbacks: d3d12_callbacks::DeviceCallbacks {
    /// What the driver keeps from call to call: whatever it last put there, nothing at first.
    fn kept(&mut self) -> &mut Option<Box<dyn Any + Send>>;

    /// During ExecuteCommandLists: what the graphics processor will do.
    fn submit(&mut self, work: Arc<dyn GpuWork>);
}

/// What a driver can do during a DDI call that is made `with memory`: read and write what lies behind its handles, and call back.
pub trait ContextCallbacks: HandleMemory + d3d11_callbacks::DeviceCallbacks {}

impl<T: HandleMemory + d3d11_callbacks::DeviceCallbacks> ContextCallbacks for T {}
