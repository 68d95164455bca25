//! What buffers are bound as, and the alignment that they have to keep for it (rule A-17).

use crate::columns::View;
use crate::error::AnalyzeError;
use crate::event_reader::{self, EventReader};
use crate::source::Source;
use crate::view;
use crate::world::{Resource, World};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use taut_schemas::{
    BindsBuffers, BoundBuffer, BufferUse, BuildRaytracingAccelerationStructureDesc, ConstantBufferViewDesc,
    DispatchRaysDesc, GpuVirtualAddress, HResultCode, ObjectId, RaytracingGeometryDesc, ResourceId,
    ShaderResourceViewDesc, UnorderedAccessViewDesc, VideoDecodeCompressedBitstream, VideoDecodeOutputHistogram, d3d12,
    floor_bytes,
};

/// A buffer that is bound as something that asks for an alignment of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BufferFloor {
    /// Its handle.
    pub resource: u64,
    /// Its name; empty if it has none.
    pub name: String,
    /// What it is bound as.
    pub uses: Vec<&'static str>,
    /// The alignment that it has to keep, in bytes: the largest that one of its uses needs.
    pub floor_bytes: u64,
    /// The alignment that it has; null if the trace does not tell.
    pub alignment_bytes: Option<u64>,
}

/// Buffers that are bound as the same and aligned alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BufferUses {
    /// What they are bound as.
    pub uses: Vec<&'static str>,
    /// The alignment that they have to keep, in bytes.
    pub floor_bytes: u64,
    /// The alignment that they have; null if the trace does not tell.
    pub alignment_bytes: Option<u64>,
    /// How many they are.
    pub buffers: u64,
    /// They are aligned to less than they have to be.
    pub is_below_floor: bool,
    /// Name of the first of them.
    pub first: String,
}

/// What happens to addresses and buffers.
enum Used {
    /// A buffer's address was told.
    Address(ResourceId, GpuVirtualAddress),
    /// It is gone.
    Released(ResourceId),
    /// A call binds them.
    Bound(Vec<(BoundBuffer, BufferUse)>),
}

view! { struct Asked of start d3d12::GetGPUVirtualAddress { resource: ResourceId, } }
view! { struct Told of stop d3d12::GetGPUVirtualAddress { hr: HResultCode, address: GpuVirtualAddress = output, } }
view! { struct Releasing of start d3d12::ReleaseResource { resource: ResourceId, } }
view! { struct ConstantBuffer of start d3d12::CreateConstantBufferView { desc: Option<ConstantBufferViewDesc>, } }
view! {
    struct ShaderResource of start d3d12::CreateShaderResourceView {
        resource: ResourceId,
        desc: Option<ShaderResourceViewDesc>,
    }
}
view! {
    struct UnorderedAccess of start d3d12::CreateUnorderedAccessView {
        resource: ResourceId,
        desc: Option<UnorderedAccessViewDesc>,
    }
}
view! { struct Rays of start d3d12::DispatchRays { desc: DispatchRaysDesc, } }
view! {
    struct Build of start d3d12::BuildRaytracingAccelerationStructure {
        desc: BuildRaytracingAccelerationStructureDesc,
        geometry_descs: Vec<RaytracingGeometryDesc>,
    }
}
view! {
    struct Decode of start d3d12::DecodeFrame1 {
        compressed_bitstream: VideoDecodeCompressedBitstream,
        histograms: Vec<VideoDecodeOutputHistogram>,
    }
}

/// The buffers that the trace binds as something that asks for an alignment, in order of their handles.
pub(super) fn floors(source: &Source, world: &World) -> Result<Vec<BufferFloor>, AnalyzeError> {
    let binding = [
        ConstantBuffer::event(),
        ShaderResource::event(),
        UnorderedAccess::event(),
        Rays::event(),
        Build::event(),
        Decode::event(),
    ];
    if !event_reader::any(source.trace(), &binding) {
        return Ok(Vec::new());
    }
    let resources: HashMap<ResourceId, &Resource> =
        world.resources.iter().map(|resource| (resource.id, resource)).collect();
    let mut uses: BTreeMap<ResourceId, BTreeSet<BufferUse>> = BTreeMap::new();
    // By address: the buffers that lie there now, the one whose address was asked for last behind the others.
    let mut at: BTreeMap<u64, Vec<ResourceId>> = BTreeMap::new();
    let mut addresses: HashMap<ResourceId, u64> = HashMap::new();
    for (_, used) in read(source)? {
        match used {
            Used::Address(resource, address) => {
                let here = at.entry(address.0).or_default();
                here.retain(|known| *known != resource);
                here.push(resource);
                addresses.insert(resource, address.0);
            }
            Used::Released(resource) => {
                if let Some(here) = addresses.remove(&resource).and_then(|address| at.get_mut(&address)) {
                    here.retain(|known| *known != resource);
                }
            }
            Used::Bound(bound) => {
                for (buffer, usage) in bound {
                    let resource = match buffer {
                        BoundBuffer::Resource(resource) => Some(resource),
                        BoundBuffer::Address(address) => covering(&at, &resources, address.0),
                    };
                    if let Some(resource) = resource.filter(|id| resources.get(id).is_some_and(|one| one.is_buffer())) {
                        uses.entry(resource).or_default().insert(usage);
                    }
                }
            }
        }
    }
    Ok(uses.into_iter().filter_map(|(id, uses)| Some(floor(world, resources.get(&id)?, &uses))).collect())
}

/// The buffer that an address lies in: of several the one that begins last.
fn covering(
    at: &BTreeMap<u64, Vec<ResourceId>>,
    resources: &HashMap<ResourceId, &Resource>,
    address: u64,
) -> Option<ResourceId> {
    let mut before = at.range(..=address).rev();
    before.find_map(|(start, here)| {
        let covers = |id: &&ResourceId| resources.get(id).is_some_and(|one| address - start < one.desc.width);
        here.iter().rev().find(covers).copied()
    })
}

fn floor(world: &World, resource: &Resource, uses: &BTreeSet<BufferUse>) -> BufferFloor {
    BufferFloor {
        resource: ObjectId::from(resource.id).0,
        name: world.names.get(resource.name).to_owned(),
        uses: uses.iter().map(|usage| usage.name()).collect(),
        floor_bytes: floor_bytes(uses.iter().copied()),
        alignment_bytes: resource.allocation.map(|allocation| allocation.alignment_bytes),
    }
}

fn read(source: &Source) -> Result<Vec<(event_reader::At, Used)>, AnalyzeError> {
    let mut reader = EventReader::new(source);
    let device = Default::default();
    let bound = |call: &dyn Fn() -> Vec<(BoundBuffer, BufferUse)>| Some(Used::Bound(call()));
    reader.returned(|start: Asked, Told { hr, address }| {
        (hr == HResultCode::S_OK && address.0 != 0).then_some(Used::Address(start.resource, address))
    })?;
    reader.each(|Releasing { resource }| Some(Used::Released(resource)))?;
    reader.each(move |ConstantBuffer { desc }| {
        bound(&|| d3d12::CreateConstantBufferView { device, desc }.bound_buffers())
    })?;
    reader.each(move |ShaderResource { resource, desc }| {
        bound(&|| d3d12::CreateShaderResourceView { device, resource, desc }.bound_buffers())
    })?;
    reader.each(move |UnorderedAccess { resource, desc }| {
        let counter_resource = ResourceId::NULL;
        bound(&|| d3d12::CreateUnorderedAccessView { device, resource, counter_resource, desc }.bound_buffers())
    })?;
    reader.each(move |Rays { desc }| bound(&|| d3d12::DispatchRays { device, desc }.bound_buffers()))?;
    reader.each(move |Build { desc, geometry_descs }| {
        let call = d3d12::BuildRaytracingAccelerationStructure { device, desc, geometry_descs };
        Some(Used::Bound(call.bound_buffers()))
    })?;
    reader.each(move |Decode { compressed_bitstream, histograms }| {
        let call = d3d12::DecodeFrame1 { device, compressed_bitstream, histograms };
        Some(Used::Bound(call.bound_buffers()))
    })?;
    reader.read()
}

impl BufferUses {
    /// Those that are bound as the same and aligned alike together; those below their floor first.
    pub(super) fn of(floors: &[BufferFloor]) -> Vec<BufferUses> {
        let mut alike: BTreeMap<(&[&'static str], Option<u64>), BufferUses> = BTreeMap::new();
        for floor in floors {
            let BufferFloor { name, uses, floor_bytes, alignment_bytes, resource } = floor;
            let first = if name.is_empty() { format!("resource {resource}") } else { name.clone() };
            let entry = alike.entry((uses, *alignment_bytes)).or_insert_with(|| BufferUses {
                uses: uses.clone(),
                floor_bytes: *floor_bytes,
                alignment_bytes: *alignment_bytes,
                buffers: 0,
                is_below_floor: alignment_bytes.is_some_and(|alignment| alignment < *floor_bytes),
                first,
            });
            entry.buffers += 1;
        }
        let mut uses: Vec<BufferUses> = alike.into_values().collect();
        uses.sort_by_key(|uses| (!uses.is_below_floor, std::cmp::Reverse((uses.floor_bytes, uses.buffers))));
        uses
    }
}
