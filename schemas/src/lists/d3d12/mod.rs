//! The API calls of d3d12.h, by interface.

mod allocation_info;
mod command_list;
mod command_queue;
mod device;
mod fence;
mod heap;
mod pipeline_state;
mod resource;
mod view;
