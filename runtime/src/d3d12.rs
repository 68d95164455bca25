//! The API side: one function per call of the list, and what they share.

pub(crate) mod alloc_info;
mod allocation_info;
mod answer;
mod committed;
pub(crate) mod device;
mod features;
mod heap;
mod map;
mod name;
mod placed;
mod query;
mod release;
mod reserved;
mod resource;
mod translate;
mod validation;

pub(crate) use allocation_info::{
    get_resource_allocation_info, get_resource_allocation_info1, get_resource_allocation_info2,
    get_resource_allocation_info3,
};
pub(crate) use committed::{
    create_committed_resource, create_committed_resource1, create_committed_resource2, create_committed_resource3,
};
pub(crate) use device::create_device;
pub(crate) use features::check_feature_support;
pub(crate) use heap::{create_heap, create_heap1};
pub(crate) use map::{map, unmap};
pub(crate) use name::set_name;
pub(crate) use placed::{create_placed_resource, create_placed_resource1, create_placed_resource2};
pub(crate) use query::{get_desc, get_gpu_virtual_address, get_heap_desc};
pub(crate) use release::{release_heap, release_resource};
pub(crate) use reserved::create_reserved_resource;
