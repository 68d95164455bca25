//! The program of the benchmark: in one process a client of the library, and the same calls through the Rust interface of a
//! recorded session.

use super::threads;
use crate::BenchError;
use crate::pairs::Pairs;
use crate::thread_time::thread_ns;
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::Path;
use taut_capture::{Adapters, Clock, Session, SessionThread, Settings, Workload};
use taut_com::{ClientAdapter, ClientAllocator, ClientDevice, ClientFence, ClientList, ClientResource};
use taut_schemas::{
    AdapterId, CommandAllocatorId, CommandListId, CommandListType, DeviceId, FenceFlags, FenceId, GpuVirtualAddress,
    HResult, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType, ResourceDesc, ResourceId, d3d12,
};
use taut_traces::WriteOptions;

/// Driver of both sessions: the default of `taut run`.
const DRIVER: &str = "reference";
/// D3D_FEATURE_LEVEL_11_0.
const FEATURE_LEVEL: u32 = 0xb000;
/// D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS.
const ONLY_BUFFERS: HeapFlags = HeapFlags(HeapFlags::DENY_RT_DS_TEXTURES.0 | HeapFlags::DENY_NON_RT_DS_TEXTURES.0);
/// Calls in a round of a case.
const CALLS: u32 = 20_000;
/// Heaps created in a round.
const HEAPS: u32 = 500;
/// Size of the heap with the placed resources, and their offset and size.
pub const HEAP_BYTES: u64 = 1 << 20;
pub const PLACED_BYTES: u64 = 64 << 10;
/// Sizes of the compared heaps.
const LARGE_HEAP_BYTES: u64 = 1 << 30;
const SMALL_HEAP_BYTES: u64 = 64 << 10;
/// Large heaps that are alive while the resident memory is read.
const LIVE_HEAPS: usize = 8;

/// Offset and size of the copy within a placed resource.
const HALF: u64 = PLACED_BYTES / 2;
const COPIED: u64 = 256;

const DIRECT: &str = "the same through SessionThread::call";
const LINE: &str = "its line called directly";

/// Objects of a client of the library.
pub struct Client {
    pub device: ClientDevice,
    pub heap: taut_com::ClientHeap,
    resource: ClientResource,
    fence: ClientFence,
    allocator: ClientAllocator,
    list: ClientList,
    adapter: ClientAdapter,
}

/// The same objects of a session.
pub struct Direct {
    pub session: Session,
    pub device: DeviceId,
    pub heap: HeapId,
    resource: ResourceId,
    fence: FenceId,
    allocator: CommandAllocatorId,
    list: CommandListId,
    thread: SessionThread,
}

fn heap_desc(size_bytes: u64) -> HeapDesc {
    let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..HeapProperties::default() };
    HeapDesc { size_bytes, properties, flags: ONLY_BUFFERS, ..HeapDesc::default() }
}

impl Client {
    fn new() -> Result<Client, BenchError> {
        let failed = |source| BenchError::System { what: "the library".to_owned(), source };
        let device = taut_com::client_device().map_err(failed)?;
        let adapter = taut_com::client_adapter().map_err(failed)?;
        Client::with(device, adapter).map_err(BenchError::Device)
    }

    fn with(device: ClientDevice, adapter: ClientAdapter) -> HResult<Client> {
        let heap = device.heap(HEAP_BYTES)?;
        let resource = device.placed_buffer(&heap, 0, PLACED_BYTES)?;
        let (fence, allocator) = (device.fence()?, device.allocator()?);
        let list = device.list(&allocator)?;
        Ok(Client { device, heap, resource, fence, allocator, list, adapter })
    }

    /// Time of commands in a list of their own.
    fn commands(&self, call: impl FnMut(u32)) -> HResult<f64> {
        let ns = ns_per_call(CALLS, call);
        self.list.close()?;
        self.list.reset(&self.allocator)?;
        Ok(ns)
    }

    /// Time of the creation and release of heaps.
    fn heaps(&self, size_bytes: u64) -> HResult<f64> {
        let mut result = Ok(());
        let ns = ns_per_call(HEAPS, |_| result = result.and(self.device.heap(size_bytes).map(drop)));
        result.map(|()| ns)
    }
}

impl Direct {
    fn new(folder: &Path) -> Result<Direct, BenchError> {
        let adapters = Adapters::named(DRIVER).ok_or(BenchError::MissingDriver)?;
        let (path, workload) = (folder.join("direct.taut"), Workload::of_program("bench abi"));
        // As the library records: events survive the end of the process.
        let options = WriteOptions::default();
        let session = Session::create(path, &adapters, Settings::default(), workload, Clock::best(), options)?;
        let thread = session.thread(1);
        Direct::with(session, thread).map_err(BenchError::Device)
    }

    fn with(session: Session, mut thread: SessionThread) -> HResult<Direct> {
        let create = d3d12::CreateDevice { minimum_feature_level: FEATURE_LEVEL, adapter: AdapterId::FIRST };
        let device = thread.call(create)?;
        let heap = thread.call(d3d12::CreateHeap { device, desc: heap_desc(HEAP_BYTES) })?;
        let resource = thread.call(placed_buffer(device, heap, 0))?;
        let fence = thread.call(d3d12::CreateFence { device, initial_value: 0, flags: FenceFlags(0) })?;
        let list_type = CommandListType(0);
        let allocator = thread.call(d3d12::CreateCommandAllocator { device, list_type })?;
        let create = d3d12::CreateCommandList { device, list_type, command_allocator: allocator, ..Default::default() };
        let list = thread.call(create)?;
        Ok(Direct { session, device, heap, resource, fence, allocator, list, thread })
    }

    /// Time of commands in a list of their own.
    fn commands(&mut self, mut call: impl FnMut(&mut SessionThread, CommandListId, u32)) -> HResult<f64> {
        let (list, thread) = (self.list, &mut self.thread);
        let ns = ns_per_call(CALLS, |number| call(thread, list, number));
        thread.call(d3d12::CloseCommandList { command_list: list })?;
        let (command_allocator, initial_state) = (self.allocator, Default::default());
        thread.call(d3d12::ResetCommandList { command_list: list, command_allocator, initial_state })?;
        Ok(ns)
    }
}

/// The call that creates a buffer in a heap.
pub fn placed_buffer(device: DeviceId, heap: HeapId, heap_offset_bytes: u64) -> d3d12::CreatePlacedResource {
    let desc = ResourceDesc::buffer(PLACED_BYTES);
    d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, initial_state: 0, clear_value: None }
}

/// Processor time of a call, in nanoseconds: another program's work does not count.
fn ns_per_call<R>(calls: u32, mut call: impl FnMut(u32) -> R) -> f64 {
    let begun = thread_ns();
    for number in 0..calls {
        black_box(call(number));
    }
    (thread_ns() - begun) as f64 / f64::from(calls.max(1))
}

type Measured = HResult<f64>;

/// A case: names, target, the measured part and its floor.
struct Case {
    pairs: Pairs,
    of: fn(&Client) -> Measured,
    floor: fn(&Client, &mut Direct) -> Measured,
}

fn case(
    name: &'static str,
    floor_name: &'static str,
    target: Option<&'static str>,
    of: fn(&Client) -> Measured,
    floor: fn(&Client, &mut Direct) -> Measured,
) -> Case {
    Case { pairs: Pairs::new(name, floor_name, target), of, floor }
}

/// Calls of objects.
fn call_cases() -> Vec<Case> {
    let call = Some("at most 1.15");
    vec![
        case(
            "GetGPUVirtualAddress, recorded",
            DIRECT,
            call,
            |client| Ok(addresses(client)),
            |_, direct| {
                let (thread, resource) = (&mut direct.thread, direct.resource);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetGPUVirtualAddress { resource })))
            },
        ),
        case(
            "GetDesc of a resource, recorded",
            DIRECT,
            call,
            |client| Ok(ns_per_call(CALLS, |_| client.resource.width())),
            |_, direct| {
                let (thread, resource) = (&mut direct.thread, direct.resource);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetDesc { resource })))
            },
        ),
        case(
            "GetCompletedValue, recorded",
            DIRECT,
            call,
            |client| Ok(ns_per_call(CALLS, |_| client.fence.completed_value())),
            |_, direct| {
                let (thread, fence) = (&mut direct.thread, direct.fence);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetCompletedValue { fence })))
            },
        ),
        case(
            "QueryState of the memory budget, a constant that is not recorded",
            "GetGPUVirtualAddress, recorded",
            None,
            |client| Ok(ns_per_call(CALLS, |_| client.adapter.budget())),
            |client, _| Ok(addresses(client)),
        ),
    ]
}

/// Commands of a list.
fn list_cases() -> Vec<Case> {
    let command = Some("at most 1.2");
    vec![
        case(
            "IASetPrimitiveTopology, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.set_topology(number % 4)),
            |_, direct| {
                direct.commands(|thread, command_list, number| {
                    let _ = thread.call(d3d12::IASetPrimitiveTopology { command_list, primitive_topology: number % 4 });
                })
            },
        ),
        case(
            "SetGraphicsRootConstantBufferView, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.set_constant_buffer(u64::from(number) * 256)),
            |_, direct| {
                direct.commands(|thread, command_list, number| {
                    let buffer_location = GpuVirtualAddress(u64::from(number) * 256);
                    let set = d3d12::SetGraphicsRootConstantBufferView {
                        command_list,
                        root_parameter_index: 0,
                        buffer_location,
                    };
                    let _ = thread.call(set);
                })
            },
        ),
        case(
            "CopyBufferRegion, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.copy(&client.resource, HALF, u64::from(number), COPIED)),
            |_, direct| {
                let buffer = direct.resource;
                direct.commands(|thread, command_list, number| {
                    let _ = thread.call(d3d12::CopyBufferRegion {
                        command_list,
                        dst_buffer: buffer,
                        dst_offset_bytes: HALF,
                        src_buffer: buffer,
                        src_offset_bytes: number.into(),
                        num_bytes: COPIED,
                    });
                })
            },
        ),
    ]
}

/// Heaps of different sizes.
fn heap_case() -> Case {
    case(
        "CreateHeap of 1 GiB and Release, not touched",
        "the same of 64 KiB",
        Some("at most 2"),
        |client| client.heaps(LARGE_HEAP_BYTES),
        |client, _| client.heaps(SMALL_HEAP_BYTES),
    )
}

fn addresses(client: &Client) -> f64 {
    ns_per_call(CALLS, |_| client.resource.address())
}

/// Measures all cases in interleaved rounds; the first round is a warm-up and does not count. `folder` gets the trace of the
/// session. Returns the figures with their text, for the process that started this one.
///
/// # Errors
/// The library cannot be loaded or refuses an object, or the trace cannot be written.
pub fn measure(folder: &Path, rounds: u32) -> Result<Value, BenchError> {
    let (client, mut direct) = (Client::new()?, Direct::new(folder)?);
    let mut cases: Vec<Case> = call_cases().into_iter().chain(list_cases()).chain([heap_case()]).collect();
    let mut threads = threads::cases();
    for round in 0..=rounds {
        // The order alternates, because the second part may find warm caches or a hotter, slower processor.
        let floor_first = round % 2 == 0;
        for Case { pairs, of, floor } in &mut cases {
            let first = floor_first.then(|| floor(&client, &mut direct)).transpose().map_err(BenchError::Device)?;
            let ns = of(&client).map_err(BenchError::Device)?;
            let floor_ns = first.map_or_else(|| floor(&client, &mut direct), Ok).map_err(BenchError::Device)?;
            if round > 0 {
                pairs.add(ns, floor_ns, false);
            }
        }
        for case in &mut threads {
            case.round(&client, &direct, floor_first, round > 0)?;
        }
    }
    let resident_bytes = resident_of_heaps(&client)?;
    let Direct { session, thread, .. } = direct;
    drop(thread);
    session.finish()?;
    let mut pairs: Vec<Pairs> = cases.into_iter().map(|case| case.pairs).collect();
    let scaling = threads::scaling(&threads);
    pairs.extend(threads.into_iter().map(|case| case.pairs));
    let text: String = pairs.iter().map(Pairs::text).collect();
    let cases: Vec<Value> = pairs.iter().map(Pairs::json).collect();
    Ok(json!({
        "text": text,
        "cases": cases,
        "resident_bytes": resident_bytes,
        "scaling": scaling.map(|[client, _]| client),
        "direct_scaling": scaling.map(|[_, direct]| direct),
    }))
}

/// Growth of the process's resident memory by large heaps that are not touched; `None` if the system does not report it.
fn resident_of_heaps(client: &Client) -> Result<Option<u64>, BenchError> {
    let before = resident_bytes();
    let heaps: HResult<Vec<_>> = (0..LIVE_HEAPS).map(|_| client.device.heap(LARGE_HEAP_BYTES)).collect();
    let heaps = heaps.map_err(BenchError::Device)?;
    let after = resident_bytes();
    drop(heaps);
    Ok(before.zip(after).map(|(before, after)| after.saturating_sub(before)))
}

fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}
