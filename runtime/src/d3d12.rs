//! The API side: one function per call of the list, and what they share.

pub(crate) mod alloc_info;
mod allocation_info;
pub(crate) mod answer;
mod background;
mod command_list;
mod command_queue;
mod committed;
mod destruction;
pub(crate) mod device;
mod event;
mod features;
mod fence;
mod floor;
mod footprints;
mod heap;
mod map;
mod name;
mod pipeline;
mod placed;
mod query;
mod raytracing;
mod recording;
mod release;
mod reserved;
mod resource;
mod translate;
mod validation;
mod video;
mod view;

pub(crate) use allocation_info::{
    get_resource_allocation_info, get_resource_allocation_info1, get_resource_allocation_info2,
    get_resource_allocation_info3,
};
pub(crate) use background::{set_background_processing_mode, set_developer_mode};
pub(crate) use command_list::{
    CommandList, close_command_list, create_command_allocator, create_command_list, release_command_allocator,
    release_command_list, reset_command_list,
};
pub(crate) use command_queue::{
    command_queue_signal, command_queue_wait, create_command_queue, execute_command_lists, present,
    release_command_queue,
};
pub(crate) use committed::{
    create_committed_resource, create_committed_resource1, create_committed_resource2, create_committed_resource3,
};
pub(crate) use destruction::{finish_release_device, get_device_removed_reason, release_device};
pub(crate) use device::create_device;
pub(crate) use event::{begin_wait_for_single_object, close_handle, create_event, finish_wait_for_single_object};
pub(crate) use features::check_feature_support;
pub(crate) use fence::{create_fence, get_completed_value, release_fence, set_event_on_completion};
pub(crate) use footprints::get_copyable_footprints;
pub(crate) use heap::{create_heap, create_heap1};
pub(crate) use map::{map, unmap};
pub(crate) use name::set_name;
pub(crate) use pipeline::{
    PipelineState, create_compute_pipeline_state, create_graphics_pipeline_state, release_pipeline_state,
};
pub(crate) use placed::{create_placed_resource, create_placed_resource1, create_placed_resource2};
pub(crate) use query::no_such;
pub(crate) use query::{get_desc, get_gpu_virtual_address, get_heap_desc};
pub(crate) use raytracing::{build_raytracing_acceleration_structure, dispatch_rays};
pub(crate) use recording::{
    dispatch, draw_instanced, set_compute_root_32bit_constants, set_graphics_root_32bit_constants, set_pipeline_state,
};
pub(crate) use release::{release_heap, release_resource};
pub(crate) use reserved::create_reserved_resource;
pub(crate) use video::decode_frame1;
pub(crate) use view::{create_constant_buffer_view, create_shader_resource_view, create_unordered_access_view};
