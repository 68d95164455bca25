//! The API side: one function per call of the list, and what they share.

pub(crate) mod alloc_info;
mod allocation_info;
pub(crate) mod answer;
mod committed;
pub(crate) mod device;
mod features;
mod floor;
mod footprints;
mod heap;
mod map;
mod name;
mod placed;
mod query;
mod raytracing;
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
pub(crate) use committed::{
    create_committed_resource, create_committed_resource1, create_committed_resource2, create_committed_resource3,
};
pub(crate) use device::create_device;
pub(crate) use features::check_feature_support;
pub(crate) use footprints::get_copyable_footprints;
pub(crate) use heap::{create_heap, create_heap1};
pub(crate) use map::{map, unmap};
pub(crate) use name::set_name;
pub(crate) use placed::{create_placed_resource, create_placed_resource1, create_placed_resource2};
pub(crate) use query::no_such;
pub(crate) use query::{get_desc, get_gpu_virtual_address, get_heap_desc};
pub(crate) use raytracing::{build_raytracing_acceleration_structure, dispatch_rays};
pub(crate) use release::{release_heap, release_resource};
pub(crate) use reserved::create_reserved_resource;
pub(crate) use video::decode_frame1;
pub(crate) use view::{create_constant_buffer_view, create_shader_resource_view, create_unordered_access_view};
