//! Storage for mapped memory: the next Map reads what the last one wrote, until the memory is freed.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use taut_capture::{
    Clock, CpuRange, Memory, NotMapped, Pages, Profile, Session, Settings, Unrecorded, Workload, WriteOptions,
};
use taut_schemas::format::Format;
use taut_schemas::{
    CommandListId, CommandListType, CommandQueueDesc, CpuAccessFlags, CpuAddress, DeviceId, Dimension, HResult,
    HResultCode, HeapDesc, HeapId, HeapProperties, HeapType, MapFlags, MapType, ResourceDesc, ResourceId,
    Texture2dDesc, Usage, d3d11, d3d12,
};

const DEVICE: DeviceId = DeviceId(1);
const UPLOAD: HeapProperties = HeapProperties {
    heap_type: HeapType::UPLOAD,
    cpu_page_property: taut_schemas::CpuPageProperty(0),
    memory_pool: taut_schemas::MemoryPool(0),
    creation_node_mask: 0,
    visible_node_mask: 0,
};

fn begun() -> (Session<Unrecorded>, Arc<Pages>) {
    let memory = Arc::new(Pages::default());
    let profile = Profile::named("reference").unwrap();
    let session = Session::unrecorded(&profile, Settings::default(), Clock::Logical);
    let session = session.with_memory(Arc::clone(&memory));
    session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
    (session, memory)
}

fn committed(session: &Session<Unrecorded>, desc: ResourceDesc) -> ResourceId {
    let create = d3d12::CreateCommittedResource { device: DEVICE, heap_properties: UPLOAD, desc, ..Default::default() };
    session.call(create).unwrap()
}

fn heap(session: &Session<Unrecorded>) -> HeapId {
    let desc = HeapDesc { size_bytes: 1 << 18, properties: UPLOAD, ..Default::default() };
    session.call(d3d12::CreateHeap { device: DEVICE, desc }).unwrap()
}

fn placed(session: &Session<Unrecorded>, heap: HeapId, heap_offset_bytes: u64, width: u64) -> ResourceId {
    let desc = ResourceDesc::buffer(width);
    let create = d3d12::CreatePlacedResource { device: DEVICE, heap, heap_offset_bytes, desc, ..Default::default() };
    session.call(create).unwrap()
}

fn map(session: &Session<Unrecorded>, resource: ResourceId) -> CpuRange {
    session.map(d3d12::Map { resource, ..Default::default() }).unwrap()
}

fn unmap(session: &Session<Unrecorded>, resource: ResourceId) -> HResult<()> {
    session.unmap(d3d12::Unmap { resource, ..Default::default() })
}

fn read(memory: &Pages, address: CpuAddress, size_bytes: usize) -> Result<Vec<u8>, NotMapped> {
    let mut bytes = vec![0xee; size_bytes];
    memory.read(address, &mut bytes).map(|()| bytes)
}

fn open_list(session: &Session<Unrecorded>) -> CommandListId {
    let (device, list_type) = (DEVICE, CommandListType::DIRECT);
    let command_allocator = session.call(d3d12::CreateCommandAllocator { device, list_type }).unwrap();
    let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
    session.call(create).unwrap()
}

/// Executes the commands that `record` records, and waits for their end.
fn execute(session: &Session<Unrecorded>, record: impl FnOnce(CommandListId)) {
    let (device, list_type) = (DEVICE, CommandListType::DIRECT);
    let command_list = open_list(session);
    record(command_list);
    session.call(d3d12::CloseCommandList { command_list }).unwrap();
    let desc = CommandQueueDesc { list_type, ..Default::default() };
    let command_queue = session.call(d3d12::CreateCommandQueue { device, desc }).unwrap();
    let fence = session.call(d3d12::CreateFence { device, ..Default::default() }).unwrap();
    let command_lists = vec![command_list];
    session.call(d3d12::ExecuteCommandLists { command_queue, command_lists }).unwrap();
    session.call(d3d12::CommandQueueSignal { command_queue, fence, value: 1 }).unwrap();
    let begin = std::time::Instant::now();
    while session.call(d3d12::GetCompletedValue { fence }).unwrap().value < 1 {
        assert!(begin.elapsed().as_secs() < 60, "the fence completes");
        std::thread::yield_now();
    }
}

#[test]
fn copies_are_executed_before_their_fence_completes() {
    let (session, memory) = begun();
    let [first, second] = [(), ()].map(|()| committed(&session, ResourceDesc::buffer(70_000)));
    let (from, to) = (map(&session, first), map(&session, second));
    let bytes: Vec<u8> = (0..70_000_u32).map(|index| (index % 251) as u8).collect();
    memory.write(from.address, &bytes).unwrap();
    let copy = |command_list, dst_offset_bytes, src_offset_bytes, num_bytes| d3d12::CopyBufferRegion {
        command_list,
        dst_buffer: second,
        dst_offset_bytes,
        src_buffer: first,
        src_offset_bytes,
        num_bytes,
    };
    execute(&session, |command_list| session.call(copy(command_list, 100, 7, 69_000)).unwrap());
    for (dst_offset_bytes, src_offset_bytes) in [(69_999, 0), (0, u64::MAX)] {
        let command_list = open_list(&session);
        let copied = session.call(copy(command_list, dst_offset_bytes, src_offset_bytes, 2));
        let closed = session.call(d3d12::CloseCommandList { command_list });
        assert_eq!([copied, closed].map(Result::unwrap_err), [HResultCode::E_INVALIDARG; 2]);
    }
    let found = read(&memory, to.address, 70_000).unwrap();
    assert_eq!(found[100..69_100], bytes[7..69_007]);
    assert!(found[..100].iter().chain(&found[69_100..]).all(|byte| *byte == 0));
}

#[test]
fn two_maps_of_the_same_memory_share_bytes_until_the_last_unmap() {
    let (session, memory) = begun();
    let resource = committed(&session, ResourceDesc::buffer(100_000));
    let (first, second) = (map(&session, resource), map(&session, resource));
    assert_eq!(first, second);
    assert!(first.size_bytes >= 100_000);
    let far = CpuAddress(first.address.0 + 70_000);
    memory.write(far, b"written").unwrap();
    assert_eq!(read(&memory, far, 7).unwrap(), b"written");
    assert_eq!(read(&memory, first.address, 3).unwrap(), [0; 3], "what nobody wrote is 0");
    unmap(&session, resource).unwrap();
    assert_eq!(read(&memory, far, 7).unwrap(), b"written");
    unmap(&session, resource).unwrap();
    assert_eq!(read(&memory, far, 7), Err(NotMapped { address: far, size_bytes: 7 }));
    assert!(unmap(&session, resource).is_err());
    // The resource keeps its bytes across Unmap.
    assert_eq!(map(&session, resource), first);
    assert_eq!(read(&memory, far, 7).unwrap(), b"written");
    session.call(d3d12::ReleaseResource { resource }).unwrap();
    assert!(memory.write(far, b"too late").is_err() && memory.size_bytes() == 0);
    // A resource that reuses the address must not see the old bytes.
    let next = committed(&session, ResourceDesc::buffer(100_000));
    assert_eq!(map(&session, next), first);
    assert_eq!(read(&memory, far, 7).unwrap(), [0; 7]);
}

#[test]
fn resources_of_one_heap_share_its_bytes_while_its_memory_lives() {
    let (session, memory) = begun();
    let heap = heap(&session);
    let (whole, part) = (placed(&session, heap, 0, 1 << 17), placed(&session, heap, 1 << 16, 256));
    let (of_whole, of_part) = (map(&session, whole), map(&session, part));
    assert_eq!(of_part.address.0 - of_whole.address.0, 1 << 16);
    memory.write(of_part.address, &[1, 2, 3]).unwrap();
    assert_eq!(read(&memory, CpuAddress(of_whole.address.0 + (1 << 16)), 3).unwrap(), [1, 2, 3]);
    let beyond = CpuAddress(of_whole.address.0 + of_whole.size_bytes - 1);
    assert!(read(&memory, beyond, 1).is_ok() && read(&memory, beyond, 2).is_err());
    // Releasing a placed resource does not free the heap's memory.
    session.call(d3d12::ReleaseResource { resource: part }).unwrap();
    let second = placed(&session, heap, 1 << 16, 256);
    assert_eq!(map(&session, second), of_part);
    assert_eq!(read(&memory, of_part.address, 3).unwrap(), [1, 2, 3]);
    session.call(d3d12::ReleaseHeap { heap }).unwrap();
    session.call(d3d12::ReleaseResource { resource: whole }).unwrap();
    assert_ne!(memory.size_bytes(), 0, "a resource still lies there");
    session.call(d3d12::ReleaseResource { resource: second }).unwrap();
    assert_eq!((memory.size_bytes(), read(&memory, of_part.address, 3).is_ok()), (0, false));
}

#[test]
fn a_texture_without_a_pointer_has_no_bytes() {
    let (session, memory) = begun();
    let properties = HeapProperties {
        heap_type: HeapType::CUSTOM,
        cpu_page_property: taut_schemas::CpuPageProperty::WRITE_COMBINE,
        memory_pool: taut_schemas::MemoryPool::L0,
        ..Default::default()
    };
    let desc = ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width: 64,
        height: 64,
        depth_or_array_size: 1,
        mip_levels: 1,
        sample_count: 1,
        format: Format::R8G8B8A8_UNORM,
        ..Default::default()
    };
    let create =
        d3d12::CreateCommittedResource { device: DEVICE, heap_properties: properties, desc, ..Default::default() };
    let resource = session.call(create).unwrap();
    assert_eq!(map(&session, resource), CpuRange::default());
    assert!(memory.write(CpuAddress(0), &[1]).is_err());
    unmap(&session, resource).unwrap();
}

#[test]
fn staging_textures_have_bytes_as_well() {
    let (session, memory) = begun();
    let created = session.call(d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() }).unwrap();
    let (device, context) = (created.device, created.immediate_context);
    let desc = Texture2dDesc {
        width: 64,
        height: 16,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        usage: Usage::STAGING,
        cpu_access_flags: CpuAccessFlags::READ | CpuAccessFlags::WRITE,
        ..Default::default()
    };
    let resource = session.call(d3d11::CreateTexture2D { device, desc, initial_data: false }).unwrap();
    let (map_type, map_flags) = (MapType::READ_WRITE, MapFlags::NONE);
    let map = d3d11::Map { context, resource, subresource: 0, map_type, map_flags };
    let unmap = d3d11::Unmap { context, resource, subresource: 0 };
    let data = session.map(map.clone()).unwrap();
    let last = CpuAddress(data.base_address.0 + data.size_bytes - 1);
    memory.write(last, &[7]).unwrap();
    session.unmap(unmap.clone()).unwrap();
    assert!(read(&memory, last, 1).is_err());
    assert_eq!(session.map(map).unwrap(), data);
    assert_eq!(read(&memory, last, 1).unwrap(), [7]);
    session.unmap(unmap).unwrap();
    session.call(d3d11::Release { object: resource.into() }).unwrap();
    assert_eq!(memory.size_bytes(), 0);
}

/// Tests that storage does not affect the trace.
#[test]
fn a_trace_is_the_same_with_and_without_storage_for_mapped_memory() {
    fn recorded(file: &Path, memory: Option<Arc<Pages>>) -> Vec<u8> {
        let profile = Profile::named("reference").unwrap();
        let (workload, options) = (Workload::default(), WriteOptions::default());
        let session = Session::create(file, &profile, Settings::default(), workload, Clock::Logical, options).unwrap();
        let session = match &memory {
            Some(memory) => session.with_memory(Arc::clone(memory)),
            None => session,
        };
        session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
        let create = d3d12::CreateCommittedResource { device: DEVICE, heap_properties: UPLOAD, ..Default::default() };
        for width in [16, 70_000] {
            let create = d3d12::CreateCommittedResource { desc: ResourceDesc::buffer(width), ..create.clone() };
            let resource = session.call(create).unwrap();
            let (map, unmap) =
                (d3d12::Map { resource, ..Default::default() }, d3d12::Unmap { resource, ..Default::default() });
            match &memory {
                Some(memory) => {
                    let range = session.map(map).unwrap();
                    memory.write(range.address, &[1; 16]).unwrap();
                    session.unmap(unmap).unwrap();
                }
                None => {
                    session.call(map).unwrap();
                    session.call(unmap).unwrap();
                }
            }
            session.call(d3d12::ReleaseResource { resource }).unwrap();
        }
        session.finish().unwrap();
        std::fs::read(file).unwrap()
    }
    let folder = tempfile::tempdir().unwrap();
    let without = recorded(&folder.path().join("without.taut"), None);
    assert_eq!(recorded(&folder.path().join("with.taut"), Some(Arc::default())), without);
}

/// Operation on a range of memory.
#[derive(Debug, Clone)]
enum Step {
    Map(u64, u64),
    Unmap(usize),
    Release(u64),
    Write(u64, Vec<u8>),
    Read(u64, usize),
}

/// Number of pages in the range of the operations.
const PAGES: u64 = 6;
const PAGE_BYTES: u64 = 4096;
const BYTES: u64 = PAGES * PAGE_BYTES;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..BYTES, 1..BYTES).prop_map(|(at, size_bytes)| Step::Map(at, size_bytes.min(BYTES - at))),
        any::<usize>().prop_map(Step::Unmap),
        (0..PAGES).prop_map(Step::Release),
        (0..BYTES, prop::collection::vec(any::<u8>(), 1..9000)).prop_map(|(at, bytes)| Step::Write(at, bytes)),
        (0..BYTES, 0..9000_usize).prop_map(|(at, len)| Step::Read(at, len)),
    ]
}

proptest! {
    /// Tests that pages behave like an array of bytes of which some are mapped.
    #[test]
    fn pages_are_a_plain_run_of_bytes(steps in prop::collection::vec(step(), 1..60)) {
        let base = 1 << 62;
        let range = |at, size_bytes| CpuRange { address: CpuAddress(base + at), size_bytes };
        let (memory, mut bytes, mut maps) = (Pages::default(), vec![0; BYTES as usize], Vec::new());
        for step in steps {
            let is_mapped = |maps: &[(u64, u64)], at: u64, len: usize| {
                maps.iter().any(|(first, size_bytes)| *first <= at && at + len as u64 <= first + size_bytes)
            };
            match step {
                Step::Map(at, size_bytes) => {
                    memory.map(range(at, size_bytes));
                    maps.push((at, size_bytes));
                }
                Step::Unmap(which) if !maps.is_empty() => {
                    let (at, size_bytes) = maps.swap_remove(which % maps.len());
                    memory.unmap(range(at, size_bytes));
                }
                Step::Unmap(_) => {}
                Step::Release(page) => {
                    let first = page * PAGE_BYTES;
                    memory.release(range(first, PAGE_BYTES));
                    maps.retain(|(at, _)| !(first..first + PAGE_BYTES).contains(at));
                    bytes[first as usize..(first + PAGE_BYTES) as usize].fill(0);
                }
                Step::Write(at, written) => {
                    let is_written = memory.write(CpuAddress(base + at), &written).is_ok();
                    prop_assert_eq!(is_written, is_mapped(&maps, at, written.len()));
                    if is_written {
                        bytes[at as usize..at as usize + written.len()].copy_from_slice(&written);
                    }
                }
                Step::Read(at, len) => match read(&memory, CpuAddress(base + at), len) {
                    Ok(found) => prop_assert_eq!(&found[..], &bytes[at as usize..at as usize + len]),
                    Err(_) => prop_assert!(!is_mapped(&maps, at, len)),
                },
            }
        }
    }
}
