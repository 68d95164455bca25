//! Typed lines of a log. Ids are the log's own numbers for its objects: 1, 2, 3 in order of creation.

use super::name::CallName;
use super::submission_line::SubmissionLine;
use super::use_line::BufferUseLine;
use taut_schemas::{
    AllocationInfo, AllocationInfos, ClearValue, Feature, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties,
    MemoryRange, MipRegion, ObjectId, PhaseEdge, ResourceDesc, ResourceId, format::Format,
};

/// Line after the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Sequence number of the line: 0, 1, 2, ...
    pub seq: u64,
    /// Application thread, numbered by first logged call; 0 is the main thread.
    pub thread: u32,
    /// Application test, an index into the header's tests.
    pub test: u32,
    pub call: LogCall,
}

/// Call or event of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogCall {
    /// A test begins.
    BeginTest { name: String },
    /// A test ends.
    EndTest {
        /// Result of the test itself.
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
        resource: ResourceId,
        subresource: u32,
        /// pReadRange.
        read_range: Option<MemoryRange>,
        /// Return value of the call.
        hr: HResultCode,
    },
    /// Unmap.
    Unmap {
        resource: ResourceId,
        subresource: u32,
        /// pWrittenRange.
        written_range: Option<MemoryRange>,
    },
    /// The Release of a resource that returned 0.
    ReleaseResource { resource: ResourceId },
    /// The Release of a heap that returned 0.
    ReleaseHeap { heap: HeapId },
    /// SetName.
    SetName {
        /// Heap or resource that is named.
        object: ObjectId,
        name: String,
    },
    /// A frame begins.
    Frame { frame_index: u64 },
    /// GetCopyableFootprints.
    GetCopyableFootprints(Box<FootprintQuery>),
    /// Call that uses buffers.
    UseBuffers(CallName, Box<BufferUseLine>),
    /// Call of a queue, a command list or a fence, or a present. The format d3d12-calls has none.
    Submission(Box<SubmissionLine>),
    /// The state at the beginning of a capture of some frames begins or ends. The format d3d12-calls has none.
    StateBlock { edge: PhaseEdge, frame_number: u64 },
    /// Last line of the log.
    EndCapture {
        /// Number of heaps and resources created.
        objects_created: u64,
        /// Number of these that were not released.
        objects_live: u64,
    },
}

impl LogCall {
    /// Name of the call in the format d3d12-calls, if that has the call.
    pub fn name(&self) -> Option<CallName> {
        Some(match self {
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
            LogCall::Submission(_) | LogCall::StateBlock { .. } => return None,
        })
    }

    /// Name of the call.
    pub fn as_str(&self) -> &'static str {
        match (self, self.name()) {
            (LogCall::Submission(line), _) => line.call.as_str(),
            (_, Some(name)) => name.as_str(),
            (_, None) => "StateBlock",
        }
    }
}

/// Result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The test finished and succeeded.
    Pass,
    /// The test failed; it may have stopped early.
    Fail,
}

impl Verdict {
    /// Spelling in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
        }
    }
}

/// CheckFeatureSupport call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureQuery {
    pub feature: Feature,
    /// pFeatureSupportData before the call.
    pub data_in: Vec<u8>,
    /// Return value of the call.
    pub hr: HResultCode,
    /// pFeatureSupportData after a successful call.
    pub data_out: Option<Vec<u8>>,
}

/// GetResourceAllocationInfo, 1, 2 or 3 call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocationQuery {
    /// Variant of the call.
    pub name: CallName,
    /// visibleMask.
    pub visible_mask: u32,
    /// Descriptions without their mip regions.
    pub descs: Vec<ResourceDesc>,
    /// Mip region of each description, for calls that take `D3D12_RESOURCE_DESC1`.
    pub mip_regions: Vec<MipRegion>,
    /// Castable formats of each description, for GetResourceAllocationInfo3.
    pub castable_formats: Vec<Vec<Format>>,
    /// True if pResourceAllocationInfo1 was not null.
    pub want_infos: bool,
    /// Return value of the call, without infos if the call requested none.
    pub answer: AllocationInfos,
}

/// GetCopyableFootprints call.
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
    /// pTotalBytes after the call, if it was not null.
    pub total_bytes: Option<u64>,
}

/// CreateHeap or CreateHeap1 call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapCreation {
    /// Variant of the call.
    pub name: CallName,
    pub desc: HeapDesc,
    /// True if a protected session was passed.
    pub protected_session: bool,
    /// Return value of the call.
    pub hr: HResultCode,
    /// Created heap, if the call created one.
    pub heap: Option<HeapId>,
}

/// Kind of allocation of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Placed in a heap.
    Placed {
        heap: HeapId,
        /// HeapOffset.
        offset_bytes: u64,
    },
    /// Committed, with an implicit heap.
    Committed {
        /// pHeapProperties.
        properties: HeapProperties,
        /// HeapFlags.
        flags: HeapFlags,
        /// True if a protected session was passed.
        protected_session: bool,
    },
    /// Reserved: address space without memory.
    Reserved,
}

/// Call that creates a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceCreation {
    /// Name of the call.
    pub name: CallName,
    /// Kind of allocation.
    pub place: Place,
    /// Description without its mip region.
    pub desc: ResourceDesc,
    /// Mip region, for calls that take `D3D12_RESOURCE_DESC1`.
    pub mip_region: MipRegion,
    /// D3D12_RESOURCE_STATES, or D3D12_BARRIER_LAYOUT for calls that take one.
    pub initial_state: u32,
    /// pOptimizedClearValue.
    pub clear_value: Option<ClearValue>,
    /// pCastableFormats.
    pub castable_formats: Vec<Format>,
    /// Return value of the call.
    pub hr: HResultCode,
    /// Created resource, if the call created one.
    pub resource: Option<ResourceId>,
    /// Size and alignment that the log's recorder queried for the description, if it did; not a call of the application.
    pub info: Option<AllocationInfo>,
}

impl ResourceCreation {
    /// Heap of a placed resource.
    pub fn heap(&self) -> Option<HeapId> {
        match self.place {
            Place::Placed { heap, .. } => Some(heap),
            Place::Committed { .. } | Place::Reserved => None,
        }
    }
}

impl LogLine {
    /// Object that the line created.
    pub fn created(&self) -> Option<ObjectId> {
        match &self.call {
            LogCall::CreateHeap(creation) => creation.heap.map(ObjectId::from),
            LogCall::CreateResource(creation) => creation.resource.map(ObjectId::from),
            _ => None,
        }
    }
}
