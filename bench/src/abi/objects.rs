//! Objects of the benchmark: those of a client of the library, and the same of a session of the Rust interface.

use crate::BenchError;
use crate::thread_time::thread_ns;
use std::hint::black_box;
use std::path::Path;
use taut_capture::{Adapters, Clock, Session, SessionThread, Settings, Workload};
use taut_com::{ClientAdapter, ClientAllocator, ClientDevice, ClientFence, ClientList, ClientResource};
use taut_schemas::{
    AdapterId, CommandAllocatorId, CommandListId, CommandListType, DeviceId, FenceFlags, FenceId, HResult, HeapDesc,
    HeapFlags, HeapId, HeapProperties, HeapType, ResourceDesc, ResourceId, d3d12,
};
use taut_traces::WriteOptions;

/// Driver of both sessions: the default of `taut run`.
const DRIVER: &str = "reference";
/// D3D_FEATURE_LEVEL_11_0.
const FEATURE_LEVEL: u32 = 0xb000;
/// D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS.
const ONLY_BUFFERS: HeapFlags = HeapFlags(HeapFlags::DENY_RT_DS_TEXTURES.0 | HeapFlags::DENY_NON_RT_DS_TEXTURES.0);
/// Calls in a round of a case.
pub const CALLS: u32 = 20_000;
/// Heaps created in a round.
const HEAPS: u32 = 500;
/// Size of the heap with the placed resources, and their offset and size.
pub const HEAP_BYTES: u64 = 1 << 20;
pub const PLACED_BYTES: u64 = 64 << 10;

/// Objects of a client of the library.
pub struct Client {
    pub device: ClientDevice,
    pub heap: taut_com::ClientHeap,
    pub resource: ClientResource,
    pub fence: ClientFence,
    pub allocator: ClientAllocator,
    pub list: ClientList,
    pub adapter: ClientAdapter,
}

/// Objects of a session, one for each of [`Client`].
pub struct Direct {
    pub session: Session,
    pub device: DeviceId,
    pub heap: HeapId,
    pub resource: ResourceId,
    pub fence: FenceId,
    pub allocator: CommandAllocatorId,
    pub list: CommandListId,
    pub thread: SessionThread,
}

fn heap_desc(size_bytes: u64) -> HeapDesc {
    let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..HeapProperties::default() };
    HeapDesc { size_bytes, properties, flags: ONLY_BUFFERS, ..HeapDesc::default() }
}

impl Client {
    pub fn new() -> Result<Client, BenchError> {
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
    pub fn commands(&self, call: impl FnMut(u32)) -> HResult<f64> {
        let ns = ns_per_call(CALLS, call);
        self.list.close()?;
        self.list.reset(&self.allocator)?;
        Ok(ns)
    }

    /// Time of the creation and release of heaps.
    pub fn heaps(&self, size_bytes: u64) -> HResult<f64> {
        let mut result = Ok(());
        let ns = ns_per_call(HEAPS, |_| result = result.and(self.device.heap(size_bytes).map(drop)));
        result.map(|()| ns)
    }
}

impl Direct {
    pub fn new(folder: &Path) -> Result<Direct, BenchError> {
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
    pub fn commands(&mut self, mut call: impl FnMut(&mut SessionThread, CommandListId, u32)) -> HResult<f64> {
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
pub fn ns_per_call<R>(calls: u32, mut call: impl FnMut(u32) -> R) -> f64 {
    let begun = thread_ns();
    for number in 0..calls {
        black_box(call(number));
    }
    (thread_ns() - begun) as f64 / f64::from(calls.max(1))
}
