//! The API calls of d3d12.h, by interface.

mod allocation_info;
mod command_list;
mod command_queue;
mod descriptor;
mod device;
mod fence;
mod heap;
mod later_lists;
mod list_state;
mod list_work;
mod pipeline_object;
mod pipeline_state;
mod residency;
mod resource;
mod view;
