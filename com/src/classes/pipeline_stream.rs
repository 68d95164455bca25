//! D3D12_PIPELINE_STATE_STREAM_DESC: subobjects one after another, each with its type in front.

use crate::unsafe_abi::{In, Interface, PipelineStreamDesc, ShaderBytecode};
use taut_schemas::OpaqueStage;

/// D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE.
const ROOT_SIGNATURE: u32 = 0;

/// Stages of the subobject types 1 to 6.
const STAGES: [OpaqueStage; 6] = [
    OpaqueStage::VERTEX,
    OpaqueStage::PIXEL,
    OpaqueStage::DOMAIN,
    OpaqueStage::HULL,
    OpaqueStage::GEOMETRY,
    OpaqueStage::COMPUTE,
];

/// Alignment and size of the structures of the subobject types 7 to 22, in bytes. Mesh shaders have higher types, which
/// need features that no driver model has.
const LAYOUTS: [[usize; 2]; 16] = [
    // Stream output, blend, sample mask, rasterizer, depth-stencil, input layout, strip cut, topology.
    [8, 32],
    [4, 328],
    [4, 4],
    [4, 44],
    [4, 52],
    [8, 16],
    [4, 4],
    [4, 4],
    // Render target formats, depth format, sample, node mask, cached state, flags, depth-stencil 1, view instancing.
    [4, 36],
    [4, 4],
    [4, 8],
    [4, 4],
    [8, 16],
    [4, 4],
    [4, 56],
    [8, 24],
];

/// Alignment of subobjects, in bytes: a pointer's.
const SUBOBJECT_ALIGNMENT: usize = 8;

/// Max size of a stream, in bytes; one with each subobject has less than 1 KiB.
const MAX_BYTES: usize = 1 << 16;

/// Contents of a stream that are recorded.
#[derive(Debug)]
pub struct Stream {
    pub root_signature: Interface,
    pub shaders: Vec<(OpaqueStage, ShaderBytecode)>,
}

/// Reads a stream; `None` for NULL, an unknown type, and a subobject beyond the end.
pub fn read(desc: PipelineStreamDesc) -> Option<Stream> {
    let PipelineStreamDesc { size, subobjects } = desc;
    let mut stream = Stream { root_signature: Interface::NULL, shaders: Vec::new() };
    if subobjects.is_null() || size == 0 || size > MAX_BYTES {
        return None;
    }
    let mut offset = 0;
    while offset < size {
        let subobject = Subobject::read(subobjects, offset, size)?;
        match subobject.kind {
            ROOT_SIGNATURE => stream.root_signature = subobjects.value_at(subobject.offset)?,
            kind => {
                if let Some(stage) = STAGES.get(kind as usize - 1) {
                    stream.shaders.push((*stage, subobjects.value_at(subobject.offset)?));
                }
            }
        }
        offset = subobject.end;
    }
    Some(stream)
}

/// Position of a subobject's structure.
struct Subobject {
    kind: u32,
    offset: usize,
    /// Begin of the next subobject.
    end: usize,
}

impl Subobject {
    fn read(stream: In<u8>, begin: usize, size: usize) -> Option<Subobject> {
        let after_kind = begin.checked_add(size_of::<u32>()).filter(|end| *end <= size)?;
        let kind: u32 = stream.value_at(begin)?;
        let [alignment, bytes] = match kind as usize {
            0 => [size_of::<Interface>(); 2],
            1..=6 => [size_of::<usize>(), size_of::<ShaderBytecode>()],
            other => *LAYOUTS.get(other - 7)?,
        };
        let offset = after_kind.next_multiple_of(alignment);
        let end = offset.checked_add(bytes).filter(|end| *end <= size)?;
        Some(Subobject { kind, offset, end: end.next_multiple_of(SUBOBJECT_ALIGNMENT) })
    }
}
