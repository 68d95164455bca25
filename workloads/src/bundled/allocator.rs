//! Device of a workload, and the calls that allocate on it: heaps, placed and committed resources.

use super::check_interrupted::check_interrupted;
use super::error::WorkloadError;
use super::refusal::required;
use super::renderer::create_device;
use taut_capture::Caller;
use taut_schemas::{
    AllocationInfo, AllocationInfos, Bytes, ClearValue, DeviceId, Feature, HResultCode, HeapDesc, HeapFlags, HeapId,
    HeapProperties, HeapType, ObjectId, ResourceDesc, ResourceFlags, ResourceId, d3d12,
};

/// Features that are queried, with the sizes of their structs in bytes.
const FEATURES: [(Feature, usize); 5] = [
    (Feature::D3D12_OPTIONS, 60),
    (Feature::ARCHITECTURE, 16),
    (Feature::D3D12_OPTIONS4, 12),
    (Feature::D3D12_OPTIONS16, 8),
    (Feature::D3D12_TIGHT_ALIGNMENT, 4),
];
/// Maximum alignment in bytes for which a heap has the default alignment; above it a heap needs 4 MiB.
const DEFAULT_ALIGNMENT_BYTES: u64 = 64 << 10;
/// Alignment of heaps with MSAA resources, in bytes.
const MSAA_ALIGNMENT_BYTES: u64 = 4 << 20;

/// D3D12_RESOURCE_STATE_GENERIC_READ, which resources in upload heaps require.
pub(crate) const GENERIC_READ: u32 = 0xac3;

/// Heap type and flags. Each kind allows one category of resources, as heap tier 1 requires.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeapKind {
    pub heap_type: HeapType,
    pub flags: HeapFlags,
}

impl HeapKind {
    /// Buffers that the CPU writes.
    pub(crate) const UPLOAD: HeapKind = HeapKind { heap_type: HeapType::UPLOAD, flags: ONLY_BUFFERS };
    /// Buffers.
    pub(crate) const BUFFERS: HeapKind = HeapKind { heap_type: HeapType::DEFAULT, flags: ONLY_BUFFERS };
    /// Textures that are neither render targets nor depth-stencils.
    pub(crate) const TEXTURES: HeapKind = HeapKind {
        heap_type: HeapType::DEFAULT,
        flags: HeapFlags(HeapFlags::DENY_BUFFERS.0 | HeapFlags::DENY_RT_DS_TEXTURES.0),
    };
    /// Render targets and depth-stencils.
    pub(crate) const TARGETS: HeapKind = HeapKind {
        heap_type: HeapType::DEFAULT,
        flags: HeapFlags(HeapFlags::DENY_BUFFERS.0 | HeapFlags::DENY_NON_RT_DS_TEXTURES.0),
    };
}

const ONLY_BUFFERS: HeapFlags = HeapFlags(HeapFlags::DENY_RT_DS_TEXTURES.0 | HeapFlags::DENY_NON_RT_DS_TEXTURES.0);

/// Device with the calls that allocate on it.
#[derive(Debug, Clone)]
pub(crate) struct Allocator {
    device: DeviceId,
    tight_alignment: bool,
}

/// Place of a resource in a heap.
pub(crate) struct HeapOffset {
    pub heap: HeapId,
    pub heap_offset_bytes: u64,
}

/// Description of a committed resource.
pub(crate) struct CommittedDesc {
    pub desc: ResourceDesc,
    pub initial_state: u32,
    pub clear_value: Option<ClearValue>,
}

impl Allocator {
    /// Creates the device and queries its features.
    pub(crate) fn set_up<C: Caller>(caller: &mut C) -> Result<Allocator, WorkloadError> {
        let device = create_device(caller)?;
        let mut tight_alignment = false;
        for (feature, size_bytes) in FEATURES {
            let query = d3d12::CheckFeatureSupport { device, feature, data: Bytes(vec![0; size_bytes]) };
            // A runtime older than a feature fails the call; the feature is then unsupported.
            if let Ok(data) = caller.call(query)
                && feature == Feature::D3D12_TIGHT_ALIGNMENT
            {
                tight_alignment = data.0.iter().any(|byte| *byte != 0);
            }
        }
        Ok(Allocator { device, tight_alignment })
    }

    /// Device of the allocator.
    pub(crate) fn device(&self) -> DeviceId {
        self.device
    }

    /// Disables the tight flag unless `wanted` is true.
    pub(crate) fn with_tight(self, wanted: bool) -> Allocator {
        Allocator { tight_alignment: self.tight_alignment && wanted, ..self }
    }

    /// Adds the tight flag to a description if the device supports it.
    pub(crate) fn tight(&self, mut desc: ResourceDesc) -> ResourceDesc {
        if self.tight_alignment {
            desc.flags = desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT;
        }
        desc
    }

    /// Queries the offsets of consecutive resources.
    pub(crate) fn infos<C: Caller>(
        &self,
        caller: &mut C,
        descs: Vec<ResourceDesc>,
    ) -> Result<AllocationInfos, WorkloadError> {
        let (device, visible_mask, want_infos) = (self.device, 0, true);
        let infos = caller.call(d3d12::GetResourceAllocationInfo1 { device, visible_mask, descs, want_infos });
        // UINT64_MAX is the error value of GetResourceAllocationInfo.
        let refused = infos.size_bytes == u64::MAX;
        required("GetResourceAllocationInfo1", if refused { Err(HResultCode::E_INVALIDARG) } else { Ok(infos) })
    }

    /// Queries size and alignment of one resource.
    pub(crate) fn info<C: Caller>(&self, caller: &mut C, desc: ResourceDesc) -> Result<AllocationInfo, WorkloadError> {
        check_interrupted(caller)?;
        let (device, visible_mask) = (self.device, 0);
        let info = caller.call(d3d12::GetResourceAllocationInfo { device, visible_mask, descs: vec![desc] });
        let refused = info.size_bytes == u64::MAX;
        required("GetResourceAllocationInfo", if refused { Err(HResultCode::E_INVALIDARG) } else { Ok(info) })
    }

    /// Queries size and alignment of a resource; `None` if the driver rejects it.
    pub(crate) fn accepted<C: Caller>(&self, caller: &mut C, desc: ResourceDesc) -> Option<AllocationInfo> {
        let (device, visible_mask) = (self.device, 0);
        let info = caller.call(d3d12::GetResourceAllocationInfo { device, visible_mask, descs: vec![desc] });
        (info.size_bytes != u64::MAX).then_some(info)
    }

    /// Creates a heap for resources of this alignment.
    pub(crate) fn heap<C: Caller>(
        &self,
        caller: &mut C,
        kind: HeapKind,
        size_bytes: u64,
        alignment_bytes: u64,
    ) -> Result<HeapId, WorkloadError> {
        let properties = HeapProperties { heap_type: kind.heap_type, ..HeapProperties::default() };
        let coarse = alignment_bytes > DEFAULT_ALIGNMENT_BYTES;
        let alignment_bytes = if coarse { MSAA_ALIGNMENT_BYTES } else { 0 };
        let desc = HeapDesc { size_bytes, properties, alignment_bytes, flags: kind.flags };
        required("CreateHeap", caller.call(d3d12::CreateHeap { device: self.device, desc }))
    }

    /// Creates and names a placed resource.
    pub(crate) fn place<C: Caller>(
        &self,
        caller: &mut C,
        offset: HeapOffset,
        desc: ResourceDesc,
        initial_state: u32,
        name: String,
    ) -> Result<ResourceId, WorkloadError> {
        let HeapOffset { heap, heap_offset_bytes } = offset;
        check_interrupted(caller)?;
        let (device, clear_value) = (self.device, None);
        let create = d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, initial_state, clear_value };
        let resource = required("CreatePlacedResource", caller.call(create))?;
        self.name(caller, resource.into(), name)?;
        Ok(resource)
    }

    /// Queries the offsets of consecutive resources, then creates a heap of their total size and the resources in it,
    /// with names from `label`. Creates nothing without descriptions.
    pub(crate) fn place_all<C: Caller>(
        &self,
        caller: &mut C,
        kind: HeapKind,
        initial_state: u32,
        label: &str,
        descs: Vec<ResourceDesc>,
    ) -> Result<(Option<HeapId>, Vec<ResourceId>), WorkloadError> {
        if descs.is_empty() {
            return Ok((None, Vec::new()));
        }
        let infos = self.infos(caller, descs.clone())?;
        let heap = self.heap(caller, kind, infos.size_bytes, infos.alignment_bytes)?;
        self.name(caller, heap.into(), format!("{label} heap"))?;
        let mut placed = Vec::with_capacity(descs.len());
        for (index, (desc, info)) in descs.into_iter().zip(infos.infos).enumerate() {
            let name = format!("{label} {index}");
            placed.push(self.place(
                caller,
                HeapOffset { heap, heap_offset_bytes: info.offset_bytes },
                desc,
                initial_state,
                name,
            )?);
        }
        Ok((Some(heap), placed))
    }

    /// Creates and names a committed resource.
    pub(crate) fn commit<C: Caller>(
        &self,
        caller: &mut C,
        heap_type: HeapType,
        resource: CommittedDesc,
        name: String,
    ) -> Result<ResourceId, WorkloadError> {
        let CommittedDesc { desc, initial_state, clear_value } = resource;
        check_interrupted(caller)?;
        let create = d3d12::CreateCommittedResource {
            device: self.device,
            heap_properties: HeapProperties { heap_type, ..HeapProperties::default() },
            heap_flags: HeapFlags::NONE,
            desc,
            initial_state,
            clear_value,
        };
        let resource = required("CreateCommittedResource", caller.call(create))?;
        self.name(caller, resource.into(), name)?;
        Ok(resource)
    }

    /// Sets the name of an object.
    pub(crate) fn name<C: Caller>(&self, caller: &mut C, object: ObjectId, name: String) -> Result<(), WorkloadError> {
        required("SetName", caller.call(d3d12::SetName { object, name }))
    }

    /// Releases a resource.
    pub(crate) fn release<C: Caller>(&self, caller: &mut C, resource: ResourceId) -> Result<(), WorkloadError> {
        required("ReleaseResource", caller.call(d3d12::ReleaseResource { resource }))
    }

    /// Queries the address of a buffer, as for binding it.
    pub(crate) fn address<C: Caller>(&self, caller: &mut C, resource: ResourceId) -> Result<(), WorkloadError> {
        required("GetGPUVirtualAddress", caller.call(d3d12::GetGPUVirtualAddress { resource })).map(drop)
    }

    /// Releases a heap.
    pub(crate) fn release_heap<C: Caller>(&self, caller: &mut C, heap: HeapId) -> Result<(), WorkloadError> {
        required("ReleaseHeap", caller.call(d3d12::ReleaseHeap { heap }))
    }
}
