//! Allocations of recorded calls.
#![allow(clippy::unwrap_used)]

use super::command_allocator::CommandAllocator;
use super::command_list::CommandList;
use super::device::Device;
use super::memory::Resource;
use crate::interfaces::{ID3D12CommandAllocator, ID3D12Device, ID3D12GraphicsCommandList, ID3D12Resource};
use crate::run_folder::{RunConfig, RunFolder, Writing};
use crate::unsafe_abi::{Guid, HeapProperties, In, ResourceDesc, allocations, output};
use crate::world::World;
use taut_capture::{Profile, Settings};
use taut_schemas::{AdapterId, d3d12};
use taut_traces::WriteOptions;

const CALLS: u64 = 20_000;

/// World of a recording in a folder that stays until the process ends.
fn recorded_world() -> &'static World {
    let folder = tempfile::tempdir().unwrap().keep();
    let config = RunConfig {
        output: folder.join("x.taut"),
        program: "test".to_owned(),
        drivers: vec![Profile::named("reference").unwrap()],
        machine: None,
        settings: Settings::default(),
        strict: false,
        quiet: true,
        writing: Writing::from(&WriteOptions::default()),
    };
    std::fs::create_dir(folder.join("run")).unwrap();
    let (run, lock) = RunFolder::create(&folder.join("run"), &config).unwrap();
    std::mem::forget(lock);
    Box::leak(Box::new(World::recorded(&run).unwrap()))
}

/// Allocations per call. The first calls register the thread and fill its buffers.
fn per_call(mut call: impl FnMut(u64)) -> f64 {
    (0..CALLS).for_each(&mut call);
    let before = allocations();
    (0..CALLS).for_each(&mut call);
    (allocations() - before) as f64 / CALLS as f64
}

#[test]
fn recorded_calls_and_list_methods_allocate_nothing() {
    let world = recorded_world();
    let create = d3d12::CreateDevice { adapter: AdapterId::FIRST, minimum_feature_level: 0xb000 };
    let id: Guid = <Device as ID3D12Device>::IID;
    let device = output(|out| Device::give(world, create, Some(id), out)).unwrap().class::<Device>().unwrap();
    let id = <CommandAllocator as ID3D12CommandAllocator>::IID;
    let allocator = output(|out| device.create_command_allocator(0, In::to(&id), out)).unwrap();
    let (id, none) = (<CommandList as ID3D12GraphicsCommandList>::IID, crate::unsafe_abi::Interface::NULL);
    let list = output(|out| device.create_command_list(0, 0, allocator, none, In::to(&id), out)).unwrap();
    let list = list.class::<CommandList>().unwrap();
    let properties = HeapProperties { heap_type: 1, ..HeapProperties::default() };
    let desc = ResourceDesc {
        dimension: 1,
        width: 4096,
        height: 1,
        depth_or_array_size: 1,
        mip_levels: 1,
        sample_count: 1,
        layout: 1,
        ..ResourceDesc::default()
    };
    let id = <Resource as ID3D12Resource>::IID;
    let buffer = output(|out| {
        device.create_committed_resource(In::to(&properties), 0, In::to(&desc), 0, In::NULL, In::to(&id), out)
    });
    let buffer = buffer.unwrap().class::<Resource>().unwrap();
    // A few allocations per 10,000 calls are those of the recorder's buffers.
    for (name, per_call) in [
        (
            "GetGPUVirtualAddress",
            per_call(|_| {
                std::hint::black_box(buffer.get_gpu_virtual_address());
            }),
        ),
        (
            "GetDesc",
            per_call(|_| {
                std::hint::black_box(buffer.get_desc());
            }),
        ),
        ("IASetPrimitiveTopology", per_call(|number| list.ia_set_primitive_topology(number as u32 % 4))),
        ("OMSetStencilRef", per_call(|number| list.om_set_stencil_ref(number as u32))),
        (
            "SetGraphicsRootConstantBufferView",
            per_call(|number| list.set_graphics_root_constant_buffer_view(0, number * 256)),
        ),
    ] {
        assert!(per_call < 0.01, "{name}: {per_call} allocations per call");
    }
}
