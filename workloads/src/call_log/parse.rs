//! Parser from a line of JSON to a typed line. Sequence numbers and object ids are checked by the reader.

use super::convert::*;
use super::error::LineFault;
use super::line::{
    AllocationQuery, FeatureQuery, FootprintQuery, HeapCreation, LogCall, LogLine, Place, ResourceCreation, Verdict,
};
use super::name::CallName;
use super::raw::*;
use super::use_line::{BufferUseLine, RayDispatch, StructureBuild};
use serde::Deserialize;
use taut_schemas::{
    AllocationInfos, CpuPageProperty, Feature, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType,
    MemoryPool, MipRegion, ObjectId, ResourceId,
};
use taut_schemas::{MemoryRange, nearest};

/// Parses one line.
pub(super) fn parse_line(line: &[u8]) -> Result<LogLine, LineFault> {
    if line.first() != Some(&b'{') {
        let found = match line {
            [] => "an empty line".to_owned(),
            _ => format!("\"{}\"", line[..line.len().min(16)].escape_ascii()),
        };
        return Err(LineFault::unexpected("", "a line of JSON, an object", found));
    }
    let text = call_of(line).map_err(|error| LineFault::json(&error, line))?;
    let name = CallName::parse(&text).ok_or_else(|| unknown_call(&text))?;
    match name {
        CallName::BeginTest => read(line, |raw: RawBeginTest| Ok(LogCall::BeginTest { name: raw.name })),
        CallName::EndTest => read(line, end_test),
        CallName::CheckFeatureSupport => read(line, feature_query),
        CallName::GetResourceAllocationInfo => read(line, |raw| allocation_query(name, raw)),
        CallName::GetResourceAllocationInfo1
        | CallName::GetResourceAllocationInfo2
        | CallName::GetResourceAllocationInfo3 => read(line, |raw| infos_query(name, raw)),
        CallName::CreateHeap | CallName::CreateHeap1 => read(line, |raw| heap_creation(name, raw)),
        CallName::CreatePlacedResource | CallName::CreatePlacedResource1 | CallName::CreatePlacedResource2 => {
            read(line, |raw| placed_creation(name, raw))
        }
        CallName::CreateCommittedResource
        | CallName::CreateCommittedResource1
        | CallName::CreateCommittedResource2
        | CallName::CreateCommittedResource3 => read(line, |raw| committed_creation(name, raw)),
        CallName::CreateReservedResource => {
            read(line, |raw: RawReserved| resource_creation(name, Place::Reserved, raw.into_parts().1))
        }
        CallName::Map => read(line, map),
        CallName::Unmap => read(line, unmap),
        CallName::ReleaseResource => {
            read(line, |raw: RawRelease| Ok(LogCall::ReleaseResource { resource: ResourceId(raw.obj) }))
        }
        CallName::ReleaseHeap => read(line, |raw: RawRelease| Ok(LogCall::ReleaseHeap { heap: HeapId(raw.obj) })),
        CallName::SetName => {
            read(line, |raw: RawSetName| Ok(LogCall::SetName { object: ObjectId(raw.obj), name: raw.name }))
        }
        CallName::Frame => read(line, |raw: RawFrame| Ok(LogCall::Frame { frame_index: raw.index })),
        CallName::GetCopyableFootprints => read(line, footprint_query),
        CallName::EndCapture => read(line, |raw: RawEndCapture| {
            Ok(LogCall::EndCapture { objects_created: raw.objects_created, objects_live: raw.objects_live })
        }),
        CallName::CreateConstantBufferView
        | CallName::CreateShaderResourceView
        | CallName::CreateUnorderedAccessView
        | CallName::DispatchRays
        | CallName::BuildRaytracingAccelerationStructure
        | CallName::DecodeFrame1 => parse_buffer_use(name, line),
    }
}

/// Parses a line of a call that uses buffers.
fn parse_buffer_use(name: CallName, line: &[u8]) -> Result<LogLine, LineFault> {
    match name {
        CallName::CreateConstantBufferView => {
            read(line, |raw: RawConstantBufferView| uses(name, BufferUseLine::ConstantBufferView(raw.range)))
        }
        CallName::CreateShaderResourceView => read(line, |raw: RawShaderResourceView| {
            uses(name, BufferUseLine::ShaderResourceView(raw.obj.map(ResourceId), raw.desc))
        }),
        CallName::CreateUnorderedAccessView => read(line, |raw: RawUnorderedAccessView| {
            let (viewed, counter) = (raw.obj.map(ResourceId), raw.counter.map(ResourceId));
            uses(name, BufferUseLine::UnorderedAccessView(viewed, counter, raw.desc))
        }),
        CallName::DispatchRays => read(line, |raw: RawDispatchRays| {
            let RawDispatchRays { ray_generation, miss, hit_group, callable, width, height, depth, .. } = raw;
            let rays = RayDispatch { ray_generation, miss, hit_group, callable, size: (width, height, depth) };
            uses(name, BufferUseLine::DispatchRays(rays))
        }),
        CallName::BuildRaytracingAccelerationStructure => read(line, |raw: RawBuild| {
            let RawBuild { structure_type, dest, source, scratch, instances, .. } = raw;
            let RawBuild { micromap_input, micromap_descs, geometries, .. } = raw;
            let build = StructureBuild {
                structure_type,
                dest,
                source,
                scratch,
                instances,
                micromap_input,
                micromap_descs,
                geometries,
            };
            uses(name, BufferUseLine::BuildStructure(build))
        }),
        CallName::DecodeFrame1 => {
            read(line, |raw: RawDecode| uses(name, BufferUseLine::DecodeFrame(raw.bitstream, raw.histograms)))
        }
        _ => Err(unknown_call(name.as_str())),
    }
}

fn read<'a, R: RawLine + Deserialize<'a>>(
    line: &'a [u8],
    make: impl FnOnce(R) -> Result<LogCall, LineFault>,
) -> Result<LogLine, LineFault> {
    let raw: R = serde_json::from_slice(line).map_err(|error| LineFault::json(&error, line))?;
    let (seq, thread, test) = raw.head();
    Ok(LogLine { seq, thread, test, call: make(raw)? })
}

fn uses(name: CallName, line: BufferUseLine) -> Result<LogCall, LineFault> {
    Ok(LogCall::UseBuffers(name, Box::new(line)))
}

fn footprint_query(raw: RawFootprints) -> Result<LogCall, LineFault> {
    Ok(LogCall::GetCopyableFootprints(Box::new(FootprintQuery {
        desc: resource_desc(CallName::GetCopyableFootprints, &raw.desc)?,
        first_subresource: raw.first_subresource,
        num_subresources: raw.num_subresources,
        base_offset_bytes: raw.base_offset,
        total_bytes: Some(raw.total),
    })))
}

fn unknown_call(text: &str) -> LineFault {
    let expected = match nearest(text, CallName::ALL.iter().map(|name| name.as_str())) {
        Some(name) => format!("the name of a call (did you mean \"{name}\"?)"),
        None => "the name of a call".to_owned(),
    };
    let found: String = text.chars().take(64).collect();
    LineFault::unexpected("call", expected, format!("\"{}\"", found.escape_debug()))
}

fn end_test(raw: RawEndTest) -> Result<LogCall, LineFault> {
    let result = match raw.result {
        RawVerdict::Pass => Verdict::Pass,
        RawVerdict::Fail => Verdict::Fail,
    };
    Ok(LogCall::EndTest { result })
}

fn feature_query(raw: RawFeature) -> Result<LogCall, LineFault> {
    let data_in = hex("in", &raw.data_in)?;
    let data_out = raw.bytes.map(|bytes| hex("bytes", &bytes)).transpose()?;
    expect_count("in", "bytes", raw.size.into(), data_in.len())?;
    if let Some(data_out) = &data_out {
        expect_count("bytes", "bytes", raw.size.into(), data_out.len())?;
    }
    if data_out.is_some() != (raw.hr == 0) {
        let (expected, found) = if raw.hr == 0 { ("bytes", "null") } else { ("null", "bytes") };
        return Err(LineFault::unexpected("bytes", format!("{expected} beside hr {}", raw.hr), found));
    }
    let (feature, hr) = (Feature(raw.feature), HResultCode(raw.hr));
    Ok(LogCall::CheckFeatureSupport(Box::new(FeatureQuery { feature, data_in, hr, data_out })))
}

fn allocation_query(name: CallName, raw: RawQuery) -> Result<LogCall, LineFault> {
    expect_count("descs", "descriptions", raw.count, raw.descs.len())?;
    let descs = raw.descs.iter().map(|desc| resource_desc(name, desc)).collect::<Result<_, _>>()?;
    Ok(LogCall::GetResourceAllocationInfo(Box::new(AllocationQuery {
        name,
        visible_mask: raw.visible_mask,
        descs,
        mip_regions: Vec::new(),
        castable_formats: Vec::new(),
        want_infos: false,
        answer: AllocationInfos { size_bytes: raw.size, alignment_bytes: raw.alignment, infos: Vec::new() },
    })))
}

fn infos_query(name: CallName, raw: RawInfosQuery) -> Result<LogCall, LineFault> {
    expect_count("descs", "descriptions", raw.count, raw.descs.len())?;
    let castable_formats = match (raw.castable_formats, name.takes_castable_formats()) {
        (Some(lists), true) => lists,
        (None, false) => Vec::new(),
        (None, true) => return Err(missing("castable_formats", name)),
        (Some(_), false) => return Err(surplus("castable_formats", name)),
    };
    if name.takes_castable_formats() {
        expect_count("castable_formats", "lists of formats", raw.count, castable_formats.len())?;
    }
    let want_infos = raw.infos.is_some();
    let infos = raw.infos.unwrap_or_default();
    if want_infos {
        expect_count("infos", "infos", raw.count, infos.len())?;
    }
    let mip_regions = if name.takes_desc1() { raw.descs.iter().map(mip_region).collect() } else { Vec::new() };
    let descs = raw.descs.iter().map(|desc| resource_desc(name, desc)).collect::<Result<_, _>>()?;
    let infos = infos.iter().map(placed_info).collect();
    Ok(LogCall::GetResourceAllocationInfo(Box::new(AllocationQuery {
        name,
        visible_mask: raw.visible_mask,
        descs,
        mip_regions,
        castable_formats: castable_formats.iter().map(|list| formats(list)).collect(),
        want_infos,
        answer: AllocationInfos { size_bytes: raw.size, alignment_bytes: raw.alignment, infos },
    })))
}

fn heap_creation(name: CallName, raw: RawHeap) -> Result<LogCall, LineFault> {
    let protected_session = flag("protected", raw.protected)?;
    expect_no_object(raw.hr, raw.obj)?;
    let properties = HeapProperties {
        heap_type: HeapType(raw.heap_type),
        cpu_page_property: CpuPageProperty(raw.cpu_page_property),
        memory_pool: MemoryPool(raw.memory_pool),
        creation_node_mask: raw.creation_node_mask,
        visible_node_mask: raw.visible_node_mask,
    };
    let flags = HeapFlags(raw.flags);
    let desc = HeapDesc { size_bytes: raw.size, properties, alignment_bytes: raw.alignment, flags };
    let (hr, heap) = (HResultCode(raw.hr), raw.obj.map(HeapId));
    Ok(LogCall::CreateHeap(Box::new(HeapCreation { name, desc, protected_session, hr, heap })))
}

fn placed_creation(name: CallName, raw: RawPlaced) -> Result<LogCall, LineFault> {
    let ((heap, offset_bytes), tail) = raw.into_parts();
    resource_creation(name, Place::Placed { heap: HeapId(heap), offset_bytes }, tail)
}

fn committed_creation(name: CallName, raw: RawCommitted) -> Result<LogCall, LineFault> {
    let ((heap_type, page, pool, creation_node_mask, visible_node_mask, flags, protected), tail) = raw.into_parts();
    let properties = HeapProperties {
        heap_type: HeapType(heap_type),
        cpu_page_property: CpuPageProperty(page),
        memory_pool: MemoryPool(pool),
        creation_node_mask,
        visible_node_mask,
    };
    let (flags, protected_session) = (HeapFlags(flags), flag("protected", protected)?);
    resource_creation(name, Place::Committed { properties, flags, protected_session }, tail)
}

fn resource_creation(name: CallName, place: Place, tail: RawTail) -> Result<LogCall, LineFault> {
    let initial_state = match (tail.initial_state, tail.initial_layout, name.takes_layout()) {
        (Some(state), None, false) | (None, Some(state), true) => state,
        (_, None, true) => return Err(missing("initial_layout", name)),
        (None, _, false) => return Err(missing("initial_state", name)),
        (Some(_), Some(_), true) => return Err(surplus("initial_state", name)),
        (Some(_), Some(_), false) => return Err(surplus("initial_layout", name)),
    };
    expect_no_object(tail.hr, tail.obj)?;
    if tail.info.is_some() && tail.hr != 0 {
        return Err(LineFault::unexpected("info", format!("none with hr {}", tail.hr), "one"));
    }
    if !tail.castable_formats.is_empty() && !name.takes_castable_formats() {
        let expected = format!("none, for {}", name.as_str());
        return Err(LineFault::unexpected("castable_formats", expected, format!("{:?}", tail.castable_formats)));
    }
    Ok(LogCall::CreateResource(Box::new(ResourceCreation {
        name,
        place,
        desc: resource_desc(name, &tail.desc)?,
        mip_region: if name.takes_desc1() { mip_region(&tail.desc) } else { MipRegion::default() },
        initial_state,
        clear_value: tail.clear.map(|clear| clear_value(&clear)).transpose()?,
        castable_formats: formats(&tail.castable_formats),
        hr: HResultCode(tail.hr),
        resource: tail.obj.map(ResourceId),
        info: tail.info.as_ref().map(info),
    })))
}

fn map(raw: RawMap) -> Result<LogCall, LineFault> {
    let (resource, hr) = (ResourceId(raw.obj), HResultCode(raw.hr));
    Ok(LogCall::Map {
        resource,
        subresource: raw.subresource,
        read_range: raw.read_range.map(|(begin, end)| MemoryRange { begin, end }),
        hr,
    })
}

fn unmap(raw: RawUnmap) -> Result<LogCall, LineFault> {
    let resource = ResourceId(raw.obj);
    Ok(LogCall::Unmap {
        resource,
        subresource: raw.subresource,
        written_range: raw.written_range.map(|(begin, end)| MemoryRange { begin, end }),
    })
}

fn expect_no_object(hr: u32, object: Option<u64>) -> Result<(), LineFault> {
    match object {
        Some(object) if hr != 0 => {
            Err(LineFault::unexpected("obj", format!("null beside hr {hr}"), ObjectId(object).0))
        }
        _ => Ok(()),
    }
}
