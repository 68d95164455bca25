//! Uses of buffers, and the alignments that these uses require (rule A-17).

use crate::error::AnalyzeError;
use crate::events::{self, EventReader, Source, View};
use crate::memory::{Resource, World};
use crate::reports::figures::figures;
use crate::view;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use taut_schemas::{
    BindsBuffers, BoundBuffer, BufferUse, BuildRaytracingAccelerationStructureDesc, ConstantBufferViewDesc,
    DispatchRaysDesc, GpuVirtualAddress, HResultCode, ObjectId, RaytracingGeometryDesc, ResourceId,
    ShaderResourceViewDesc, UnorderedAccessViewDesc, VideoDecodeCompressedBitstream, VideoDecodeOutputHistogram, d3d12,
    floor_bytes,
};

figures! {
    /// A buffer with a use that requires an alignment.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BufferFloor {
        name: String, Text, same;
        resource: u64, Id, same;
        alignment_bytes: Option<u64>, Bytes, same;
        uses: Vec<&'static str>, List, same;
        floor_bytes: u64, Bytes, same;
    }
}

figures! {
    /// Buffers with the same uses and the same alignment.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BufferUses {
        buffers: u64, Count, same;
        example: String, Text, same;
        alignment_bytes: Option<u64>, Bytes, same;
        uses: Vec<&'static str>, List, "Bindings of a buffer that require an alignment.";
        floor_bytes: u64, Bytes, "Required alignment of a buffer: the maximum over its bindings.";
        is_below_floor: bool, Flag, "The buffers are aligned to less than `floor_bytes`.";
    }
}

/// An event of a buffer.
enum BufferEvent {
    /// GetGPUVirtualAddress returned the buffer's address.
    Address(ResourceId, GpuVirtualAddress),
    Released(ResourceId),
    /// A call uses buffers.
    Bound(Vec<(BoundBuffer, BufferUse)>),
}

view! { struct AddressQuery of start d3d12::GetGPUVirtualAddress { resource: ResourceId, } }
view! { struct AddressResult of stop d3d12::GetGPUVirtualAddress { hr: HResultCode, address: GpuVirtualAddress = output, } }
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

/// Returns the buffers with uses that require an alignment, by handle.
pub(super) fn floors(source: &Source, world: &World) -> Result<Vec<BufferFloor>, AnalyzeError> {
    let binding = [
        ConstantBuffer::event(),
        ShaderResource::event(),
        UnorderedAccess::event(),
        Rays::event(),
        Build::event(),
        Decode::event(),
    ];
    if !events::any(source.trace(), &binding) {
        return Ok(Vec::new());
    }
    let resources: HashMap<ResourceId, &Resource> =
        world.resources.iter().map(|resource| (resource.id, resource)).collect();
    let mut uses: BTreeMap<ResourceId, BTreeSet<BufferUse>> = BTreeMap::new();
    // Live buffers by GPU address. Of several at one address (aliasing), the one queried last comes last.
    let mut at: BTreeMap<u64, Vec<ResourceId>> = BTreeMap::new();
    let mut addresses: HashMap<ResourceId, u64> = HashMap::new();
    for (_, used) in read(source)? {
        match used {
            BufferEvent::Address(resource, address) => {
                let here = at.entry(address.0).or_default();
                here.retain(|known| *known != resource);
                here.push(resource);
                addresses.insert(resource, address.0);
            }
            BufferEvent::Released(resource) => {
                if let Some(here) = addresses.remove(&resource).and_then(|address| at.get_mut(&address)) {
                    here.retain(|known| *known != resource);
                }
            }
            BufferEvent::Bound(bound) => {
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

/// The buffer that contains an address; of several, the one that begins last.
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

fn read(source: &Source) -> Result<Vec<(events::At, BufferEvent)>, AnalyzeError> {
    let mut reader = EventReader::new(source);
    // The result of `bound_buffers` does not depend on the device.
    let device = Default::default();
    let bound = |call: &dyn Fn() -> Vec<(BoundBuffer, BufferUse)>| Some(BufferEvent::Bound(call()));
    reader.returned(|start: AddressQuery, AddressResult { hr, address }| {
        (hr == HResultCode::S_OK && address.0 != 0).then_some(BufferEvent::Address(start.resource, address))
    })?;
    reader.each(|Releasing { resource }| Some(BufferEvent::Released(resource)))?;
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
        Some(BufferEvent::Bound(call.bound_buffers()))
    })?;
    reader.each(move |Decode { compressed_bitstream, histograms }| {
        let call = d3d12::DecodeFrame1 { device, compressed_bitstream, histograms };
        Some(BufferEvent::Bound(call.bound_buffers()))
    })?;
    reader.read()
}

impl BufferUses {
    /// Groups buffers by uses and alignment. Groups below their required alignment come first.
    pub(super) fn of(floors: &[BufferFloor]) -> Vec<BufferUses> {
        let mut groups: BTreeMap<(&[&'static str], Option<u64>), BufferUses> = BTreeMap::new();
        for floor in floors {
            let BufferFloor { name, uses, floor_bytes, alignment_bytes, resource } = floor;
            let example = if name.is_empty() { format!("resource {resource}") } else { name.clone() };
            let entry = groups.entry((uses, *alignment_bytes)).or_insert_with(|| BufferUses {
                uses: uses.clone(),
                floor_bytes: *floor_bytes,
                alignment_bytes: *alignment_bytes,
                buffers: 0,
                is_below_floor: alignment_bytes.is_some_and(|alignment| alignment < *floor_bytes),
                example,
            });
            entry.buffers += 1;
        }
        let mut uses: Vec<BufferUses> = groups.into_values().collect();
        uses.sort_by_key(|uses| (!uses.is_below_floor, std::cmp::Reverse((uses.floor_bytes, uses.buffers))));
        uses
    }
}
