//! Inputs of the machine itself: one function per line of their list.

mod driver;
mod gpu;
mod panicked;
mod work;

pub(crate) use crate::d3d11::remove_device;
pub(crate) use crate::dxgi::{connect_display, set_display_mode, start_application};
pub(crate) use crate::kernel::{
    advance_simulation, describe_adapter, describe_machine, refresh_display, start_adapter, stop_adapter,
};
pub(crate) use driver::{notify_command_list_closed, run_driver_thread};
pub(crate) use gpu::{complete_queue_operation, fail_queue_operation};
pub(crate) use panicked::remove_panicked_device;
pub(crate) use work::{fail_background_work, finish_background_work, start_background_work};
