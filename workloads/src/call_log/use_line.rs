//! Lines that use buffers (version 2): views, raytracing, video decoding. A buffer is named by its id and an offset,
//! because addresses differ between machines.

use serde::Deserialize;
use taut_schemas::ResourceId;

/// Position in a buffer: `[obj, offset]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "(u64, u64)")]
pub struct BufferPlace {
    pub buffer: ResourceId,
    /// Offset in the buffer, in bytes.
    pub offset_bytes: u64,
}

impl From<(u64, u64)> for BufferPlace {
    fn from(parts: (u64, u64)) -> BufferPlace {
        let (buffer, offset_bytes) = parts;
        BufferPlace { buffer: ResourceId(buffer), offset_bytes }
    }
}

/// Part of a buffer: `[obj, offset, size]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "(u64, u64, u64)")]
pub struct BufferRange {
    /// Start of the part.
    pub place: BufferPlace,
    /// Size in bytes.
    pub size_bytes: u64,
}

impl From<(u64, u64, u64)> for BufferRange {
    fn from(parts: (u64, u64, u64)) -> BufferRange {
        let (buffer, offset, size_bytes) = parts;
        BufferRange { place: (buffer, offset).into(), size_bytes }
    }
}

/// Shader table: `[obj, offset, size, stride]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "(u64, u64, u64, u64)")]
pub struct ShaderTable {
    /// Range of its records.
    pub range: BufferRange,
    /// Distance between records, in bytes.
    pub stride_bytes: u64,
}

impl From<(u64, u64, u64, u64)> for ShaderTable {
    fn from(parts: (u64, u64, u64, u64)) -> ShaderTable {
        let (buffer, offset, size, stride_bytes) = parts;
        ShaderTable { range: (buffer, offset, size).into(), stride_bytes }
    }
}

/// Description of a view, with the union's member for buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a view's description, an object")]
#[allow(missing_docs)]
pub struct ViewDesc {
    pub format: u32,
    pub view_dimension: u32,
    pub first_element: u64,
    pub num_elements: u32,
    pub structure_stride: u32,
    #[serde(default)]
    pub counter_offset: u64,
    pub flags: u32,
}

/// Geometry of a bottom-level structure; the positions of its union's members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a geometry, an object")]
#[allow(missing_docs)]
pub struct Geometry {
    #[serde(rename = "type")]
    pub geometry_type: u32,
    pub transform: Option<BufferPlace>,
    pub indices: Option<BufferPlace>,
    pub vertices: Option<BufferPlace>,
    pub aabbs: Option<BufferPlace>,
    pub micromap_indices: Option<BufferPlace>,
    pub micromaps: Option<BufferPlace>,
}

/// Build of an acceleration structure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct StructureBuild {
    pub structure_type: u32,
    pub dest: BufferPlace,
    pub source: Option<BufferPlace>,
    pub scratch: Option<BufferPlace>,
    pub instances: Option<BufferPlace>,
    pub micromap_input: Option<BufferPlace>,
    pub micromap_descs: Option<BufferPlace>,
    pub geometries: Vec<Geometry>,
}

/// Dispatch of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RayDispatch {
    pub ray_generation: BufferRange,
    pub miss: Option<ShaderTable>,
    pub hit_group: Option<ShaderTable>,
    pub callable: Option<ShaderTable>,
    pub size: (u32, u32, u32),
}

/// Line that uses buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BufferUseLine {
    /// CreateConstantBufferView; null creates a null descriptor.
    ConstantBufferView(Option<BufferRange>),
    /// CreateShaderResourceView of a buffer or a texture.
    ShaderResourceView(Option<ResourceId>, Option<ViewDesc>),
    /// CreateUnorderedAccessView: the resource, its counter, the description.
    UnorderedAccessView(Option<ResourceId>, Option<ResourceId>, Option<ViewDesc>),
    /// DispatchRays.
    DispatchRays(RayDispatch),
    /// BuildRaytracingAccelerationStructure.
    BuildStructure(StructureBuild),
    /// DecodeFrame1: the bitstream, and the positions of the histograms.
    DecodeFrame(BufferRange, Vec<BufferPlace>),
}

impl BufferUseLine {
    /// Resources that the line names as a whole, with the name of the field.
    pub fn resources(&self) -> Vec<(&'static str, ResourceId)> {
        let named = |field, resource: &Option<ResourceId>| resource.map(|resource| (field, resource));
        match self {
            BufferUseLine::ShaderResourceView(resource, _) => named("obj", resource).into_iter().collect(),
            BufferUseLine::UnorderedAccessView(resource, counter, _) => {
                named("obj", resource).into_iter().chain(named("counter", counter)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Parts of buffers that the line uses, with the name of the field; a position without a size counts as one byte.
    pub fn ranges(&self) -> Vec<(&'static str, BufferRange)> {
        let place = |field, place: Option<BufferPlace>| Some((field, BufferRange { place: place?, size_bytes: 1 }));
        let table = |field, table: Option<ShaderTable>| Some((field, table?.range));
        match self {
            BufferUseLine::ConstantBufferView(range) => range.map(|range| ("range", range)).into_iter().collect(),
            BufferUseLine::ShaderResourceView(..) | BufferUseLine::UnorderedAccessView(..) => Vec::new(),
            BufferUseLine::DispatchRays(rays) => {
                let tables =
                    [table("miss", rays.miss), table("hit_group", rays.hit_group), table("callable", rays.callable)];
                std::iter::once(("ray_generation", rays.ray_generation)).chain(tables.into_iter().flatten()).collect()
            }
            BufferUseLine::BuildStructure(build) => {
                let own = [
                    place("dest", Some(build.dest)),
                    place("source", build.source),
                    place("scratch", build.scratch),
                    place("instances", build.instances),
                    place("micromap_input", build.micromap_input),
                    place("micromap_descs", build.micromap_descs),
                ];
                let inputs = build.geometries.iter().flat_map(|geometry| {
                    [
                        place("transform", geometry.transform),
                        place("indices", geometry.indices),
                        place("vertices", geometry.vertices),
                        place("aabbs", geometry.aabbs),
                        place("micromap_indices", geometry.micromap_indices),
                        place("micromaps", geometry.micromaps),
                    ]
                });
                own.into_iter().chain(inputs).flatten().collect()
            }
            BufferUseLine::DecodeFrame(bitstream, histograms) => {
                let histograms = histograms.iter().filter_map(|histogram| place("histograms", Some(*histogram)));
                std::iter::once(("bitstream", *bitstream)).chain(histograms).collect()
            }
        }
    }
}
