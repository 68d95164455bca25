//! A log's lines, typed. Ids are the log's own numbers for its objects: 1, 2, 3 in order of creation.

use super::name::CallName;
use super::use_line::BufferUseLine;
use taut_schemas::{
    AllocationInfo, AllocationInfos, ClearValue, Feature, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties,
    MemoryRange, MipRegion, ObjectId, ResourceDesc, ResourceId, format::Format,
};

/// One line after the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Number of the line, from 0, dense.
    pub seq: u64,
    /// The application's thread, numbered by first logged call; 0 is the main thread.
    pub thread: u32,
    /// The application's test, an index into the header's tests.
    pub test: u32,
    /// What happened.
    pub call: LogCall,
}

/// What a line tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogCall {
    /// A test begins.
    BeginTest {
        /// The test's name.
        name: String,
    },
    /// A test ends.
    EndTest {
        /// The test's own verdict.
        result: Verdict,
    },
    /// CheckFeatureSupport.
    CheckFeatureSupport(Box<FeatureQuery>),
    /// GetResourceAllocationInfo, 1, 2 and 3.
    GetResourceAllocationInfo(Box<AllocationQuery>),
    /// CreateHeap and 1.
    CreateHeap(Box<HeapCreation>),
    /// CreatePlacedResource and 1, 2; CreateCommittedResource and 1, 2, 3; CreateReservedResource.
    CreateResource(Box<ResourceCreation>),
    /// Map.
    Map {
        /// The resource mapped.
        resource: ResourceId,
        /// Subresource.
        subresource: u32,
        /// pReadRange.
        read_range: Option<MemoryRange>,
        /// What the call returned.
        hr: HResultCode,
    },
    /// Unmap.
    Unmap {
        /// The resource unmapped.
        resource: ResourceId,
        /// Subresource.
        subresource: u32,
        /// pWrittenRange.
        written_range: Option<MemoryRange>,
    },
    /// The Release that returned 0.
    ReleaseResource {
        /// The resource released.
        resource: ResourceId,
    },
    /// The Release that returned 0.
    ReleaseHeap {
        /// The heap released.
        heap: HeapId,
    },
    /// SetName.
    SetName {
        /// The heap or resource named.
        object: ObjectId,
        /// Its name.
        name: String,
    },
    /// A frame begins.
    Frame {
        /// Number of the frame.
        frame_index: u64,
    },
    /// GetCopyableFootprints.
    GetCopyableFootprints(Box<FootprintQuery>),
    /// Buffers are bound to something.
    UseBuffers(CallName, Box<BufferUseLine>),
    /// The log's last line.
    EndCapture {
        /// Heaps and resources created.
        objects_created: u64,
        /// Those not released.
        objects_live: u64,
    },
}

impl LogCall {
    /// The call's name.
    pub fn name(&self) -> CallName {
        match self {
            LogCall::BeginTest { .. } => CallName::BeginTest,
            LogCall::EndTest { .. } => CallName::EndTest,
            LogCall::CheckFeatureSupport(_) => CallName::CheckFeatureSupport,
            LogCall::GetResourceAllocationInfo(query) => query.name,
            LogCall::CreateHeap(creation) => creation.name,
            LogCall::CreateResource(creation) => creation.name,
            LogCall::Map { .. } => CallName::Map,
            LogCall::Unmap { .. } => CallName::Unmap,
            LogCall::ReleaseResource { .. } => CallName::ReleaseResource,
            LogCall::ReleaseHeap { .. } => CallName::ReleaseHeap,
            LogCall::SetName { .. } => CallName::SetName,
            LogCall::Frame { .. } => CallName::Frame,
            LogCall::GetCopyableFootprints(_) => CallName::GetCopyableFootprints,
            LogCall::UseBuffers(name, _) => *name,
            LogCall::EndCapture { .. } => CallName::EndCapture,
        }
    }
}

/// A test's own verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It ran to its end and was content.
    Pass,
    /// It was not; it may have stopped early.
    Fail,
}

impl Verdict {
    /// As the log spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
        }
    }
}

/// A CheckFeatureSupport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureQuery {
    /// Feature asked for.
    pub feature: Feature,
    /// pFeatureSupportData before the call.
    pub data_in: Vec<u8>,
    /// What the call returned.
    pub hr: HResultCode,
    /// pFeatureSupportData after a successful call.
    pub data_out: Option<Vec<u8>>,
}

/// A GetResourceAllocationInfo, 1, 2 or 3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocationQuery {
    /// Which of the four.
    pub name: CallName,
    /// visibleMask.
    pub visible_mask: u32,
    /// The descriptions, but for their mip regions.
    pub descs: Vec<ResourceDesc>,
    /// The mip region of each description, of the calls that take `D3D12_RESOURCE_DESC1`.
    pub mip_regions: Vec<MipRegion>,
    /// The castable formats of each description, of GetResourceAllocationInfo3.
    pub castable_formats: Vec<Vec<Format>>,
    /// Whether pResourceAllocationInfo1 was given.
    pub want_infos: bool,
    /// What the call returned; no infos where none were asked for.
    pub answer: AllocationInfos,
}

/// A GetCopyableFootprints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FootprintQuery {
    /// pResourceDesc.
    pub desc: ResourceDesc,
    /// FirstSubresource.
    pub first_subresource: u32,
    /// NumSubresources.
    pub num_subresources: u32,
    /// BaseOffset.
    pub base_offset_bytes: u64,
    /// pTotalBytes, as it was answered.
    pub total_bytes: u64,
}

/// A CreateHeap or 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapCreation {
    /// Which of the two.
    pub name: CallName,
    /// The heap.
    pub desc: HeapDesc,
    /// Whether a protected session was given.
    pub protected_session: bool,
    /// What the call returned.
    pub hr: HResultCode,
    /// The heap created, if one was.
    pub heap: Option<HeapId>,
}

/// Where a resource lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a heap.
    Placed {
        /// The heap.
        heap: HeapId,
        /// HeapOffset.
        offset_bytes: u64,
    },
    /// In a heap of its own.
    Committed {
        /// pHeapProperties.
        properties: HeapProperties,
        /// HeapFlags.
        flags: HeapFlags,
        /// Whether a protected session was given.
        protected_session: bool,
    },
    /// In address space alone.
    Reserved,
}

/// The creation of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceCreation {
    /// Which call.
    pub name: CallName,
    /// Where the resource lies.
    pub place: Place,
    /// The description, but for its mip region.
    pub desc: ResourceDesc,
    /// The mip region, of the calls that take `D3D12_RESOURCE_DESC1`.
    pub mip_region: MipRegion,
    /// A D3D12_RESOURCE_STATES; of the calls that take one, a D3D12_BARRIER_LAYOUT.
    pub initial_state: u32,
    /// pOptimizedClearValue.
    pub clear_value: Option<ClearValue>,
    /// pCastableFormats.
    pub castable_formats: Vec<Format>,
    /// What the call returned.
    pub hr: HResultCode,
    /// The resource created, if one was.
    pub resource: Option<ResourceId>,
    /// The size and alignment that the recorder was told for the description. Not the application's doing.
    pub info: Option<AllocationInfo>,
}

impl ResourceCreation {
    /// The heap it is placed in, if it is.
    pub fn heap(&self) -> Option<HeapId> {
        match self.place {
            Place::Placed { heap, .. } => Some(heap),
            Place::Committed { .. } | Place::Reserved => None,
        }
    }
}

impl LogLine {
    /// The object that the line created.
    pub fn created(&self) -> Option<ObjectId> {
        match &self.call {
            LogCall::CreateHeap(creation) => creation.heap.map(ObjectId::from),
            LogCall::CreateResource(creation) => creation.resource.map(ObjectId::from),
            _ => None,
        }
    }
}
