//! Expectations from public test suites (testdata/d3d12-conformance.json), under rules 1.618.

use super::descs::{INVALID, aligned, tightened};
use super::world::{DEVICE, World};
use serde_json::Value;
use std::collections::BTreeSet;
use taut_runtime::placement::expanded_alignment;
use taut_schemas::format::Format;
use taut_schemas::{
    AllocationInfo, ClearValue, CpuPageProperty, Dimension, HResultCode, HeapDesc, HeapFlags, HeapProperties, HeapType,
    MemoryPool, MessageId, ResourceDesc, ResourceFlags, TextureLayout, d3d12,
};

/// Cases that are not run, with the reason.
const LEFT_OUT: &[(&[u64], &str)] =
    &[(&[310, 311, 312, 313], "superseded: since Agility SDK 606 a block-compressed texture need not be whole blocks")];

/// Cases that some drivers need not meet: (ids, exempt drivers, reason).
const LET_OFF: &[(&[u64], &[&str], &str)] = &[
    (&[171], &["reference", "large-pages"], "by tiles the texture is not small, so 64 KiB is legal as well"),
    (&[264, 265], &["peer"], "pool L1 is for adapters without unified memory"),
];

struct Case(Value);

impl Case {
    fn id(&self) -> u64 {
        self.0["id"].as_u64().unwrap()
    }

    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    fn expected(&self, key: &str) -> &Value {
        &self.0["expected"][key]
    }

    fn desc(&self) -> ResourceDesc {
        desc(&self.0["desc"])
    }

    fn is_left_out(&self) -> bool {
        LEFT_OUT.iter().any(|(ids, _)| ids.contains(&self.id()))
    }

    fn lets_off(&self, driver: &str) -> bool {
        LET_OFF.iter().any(|(ids, drivers, _)| ids.contains(&self.id()) && drivers.contains(&driver))
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/d3d12-conformance.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let Value::Array(cases) = file["cases"].clone() else { panic!("no cases") };
    cases.into_iter().map(Case).collect()
}

fn desc(value: &Value) -> ResourceDesc {
    let number = |key: &str| value[key].as_u64().unwrap();
    let text = |key: &str| value[key].as_str().unwrap();
    ResourceDesc {
        dimension: Dimension::parse(text("dimension")).unwrap(),
        alignment_bytes: number("alignment"),
        width: number("width"),
        height: number("height") as u32,
        depth_or_array_size: number("depth_or_array") as u16,
        mip_levels: number("mips") as u16,
        format: Format::parse(text("format")).unwrap(),
        sample_count: number("sample_count") as u32,
        sample_quality: 0,
        layout: TextureLayout::parse(text("layout")).unwrap(),
        flags: ResourceFlags(number("flags") as u32),
    }
}

fn heap_desc(value: &Value) -> HeapDesc {
    let text = |key: &str| value[key].as_str().unwrap_or("UNKNOWN");
    let flag = |name: &str| match name {
        "NONE" | "ALLOW_ALL_BUFFERS_AND_TEXTURES" => HeapFlags::NONE,
        "ALLOW_ONLY_BUFFERS" => HeapFlags(0xc0),
        "ALLOW_ONLY_NON_RT_DS_TEXTURES" => HeapFlags(0x44),
        "ALLOW_ONLY_RT_DS_TEXTURES" => HeapFlags(0x84),
        other => HeapFlags::parse(other).unwrap(),
    };
    HeapDesc {
        size_bytes: value["size"].as_u64().unwrap_or(0),
        properties: HeapProperties {
            heap_type: HeapType::parse(text("type")).unwrap(),
            cpu_page_property: CpuPageProperty::parse(text("cpu_page_property")).unwrap(),
            memory_pool: MemoryPool::parse(text("memory_pool")).unwrap(),
            ..Default::default()
        },
        alignment_bytes: value["alignment"].as_u64().unwrap(),
        flags: text("flags").split('|').map(flag).fold(HeapFlags::NONE, |flags, flag| flags | flag),
    }
}

fn code(name: &str) -> HResultCode {
    match name {
        "E_INVALIDARG" => HResultCode::E_INVALIDARG,
        // Every bundled driver with tight alignment has GPU upload heaps.
        "S_OK" | "S_OK if GPU_UPLOAD supported else E_INVALIDARG" => HResultCode::S_OK,
        other => panic!("{other}"),
    }
}

fn outcome<T>(result: Result<T, HResultCode>) -> HResultCode {
    result.err().unwrap_or(HResultCode::S_OK)
}

#[test]
fn every_case_holds_on_every_driver_it_speaks_of() {
    let mut run = BTreeSet::new();
    let (mut left_out, mut failures) = (0, Vec::new());
    let cases = cases();
    for driver in ["reference", "peer", "large-pages"] {
        for case in &cases {
            if case.is_left_out() {
                left_out += 1;
            } else if !case.lets_off(driver) {
                let mut world = World::new(driver);
                if let Err(why) = check(&mut world, case) {
                    failures.push(format!("{} on {driver}: {why}", case.id()));
                }
                run.insert(case.id());
            }
        }
    }
    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(run.len() + left_out / 3, cases.len(), "every case is run somewhere or listed");
}

fn check(world: &mut World, case: &Case) -> Result<(), String> {
    match case.text("call") {
        "GetResourceAllocationInfo" if case.0["input"].is_string() => message(world, case),
        "GetResourceAllocationInfo" | "GetResourceAllocationInfo1" => allocation_info(world, case),
        "GetResourceAllocationInfo3+CreateCommittedResource3" => castable(world, case),
        "CreateHeap" => heap(world, case),
        "CreateCommittedResource" | "CreatePlacedResource" | "GetCopyableFootprints" if case.0["input"].is_string() => {
            message(world, case)
        }
        "CreateCommittedResource" => committed(world, case),
        "CreatePlacedResource" => placed(world, case),
        "CreatePlacedResource via Dawn" => small_alignment(world, case, "desc_alignment"),
        "D3D12MA CreateResource x2 in one pool" if case.0["pool"].is_string() => second_offset(world, case),
        "D3D12MA CreateResource x2 in one pool" => small_alignment(world, case, "offset_multiple_of"),
        "expand" => expand(case),
        other => Err(format!("unknown call {other}")),
    }
}

fn holds(what: bool, why: impl std::fmt::Debug) -> Result<(), String> {
    if what { Ok(()) } else { Err(format!("{why:?}")) }
}

fn allocation_info(world: &mut World, case: &Case) -> Result<(), String> {
    let descs: Vec<ResourceDesc> = match (&case.0["desc"], &case.0["descs"]) {
        (Value::Null, Value::Null) => Vec::new(),
        (Value::Null, descs) => descs.as_array().unwrap().iter().map(desc).collect(),
        (one, _) => vec![desc(one)],
    };
    let info = world.infos(&descs);
    let query = d3d12::GetResourceAllocationInfo1 {
        device: DEVICE,
        visible_mask: 0,
        descs: descs.clone(),
        want_infos: info.size_bytes != INVALID,
    };
    let infos = world.call(&query);
    holds((infos.size_bytes, infos.alignment_bytes) == (info.size_bytes, info.alignment_bytes), &infos)?;
    let mut end = 0_u64;
    for (place, desc) in infos.infos.iter().zip(&descs) {
        let alone = world.info(*desc);
        holds((place.size_bytes, place.alignment_bytes) == (alone.size_bytes, alone.alignment_bytes), place)?;
        holds(place.offset_bytes == end.next_multiple_of(place.alignment_bytes), place)?;
        end = place.offset_bytes + place.size_bytes;
    }
    let AllocationInfo { size_bytes: size, alignment_bytes: alignment } = info;
    for (key, value) in case.0["expected"].as_object().unwrap() {
        let number = value.as_u64();
        let holds_here = match (key.as_str(), value.as_str().unwrap_or_default()) {
            ("size", "0xffffffffffffffff") => size == INVALID,
            ("size", _) => number == Some(size),
            ("alignment", _) => number == Some(alignment),
            ("alignment_min", _) => number.unwrap() <= alignment,
            ("alignment_max", _) => alignment <= number.unwrap(),
            ("alignment_rule", rule) => alignment >= rule.trim_start_matches(">=").parse().unwrap(),
            ("size_rule", "size == align_up(size, alignment)") => size.is_multiple_of(alignment),
            ("size_rule", "size == align_up(width, alignment)") => size == descs[0].width.next_multiple_of(alignment),
            ("size_rule", "size>0 and size % alignment == 0") => size > 0 && size.is_multiple_of(alignment),
            ("size_rule", rule) if rule.contains("size != UINT64_MAX") => {
                size != INVALID && size.is_multiple_of(alignment)
            }
            // Checked above for every case.
            ("size_rule", rule) if rule.starts_with("same totals") => true,
            ("info_rule", _) => true,
            _ => return Err(format!("unknown expectation {key}: {value}")),
        };
        holds(holds_here, (key, value, info))?;
    }
    Ok(())
}

fn castable(world: &mut World, case: &Case) -> Result<(), String> {
    let names = case.0["castable_formats"].as_array().unwrap();
    let formats: Vec<Format> = names.iter().map(|name| Format::parse(name.as_str().unwrap()).unwrap()).collect();
    let info = world.call(&d3d12::GetResourceAllocationInfo3 {
        device: DEVICE,
        descs: vec![case.desc()],
        num_castable_formats: vec![formats.len() as u32],
        castable_formats: formats.clone(),
        ..Default::default()
    });
    let valid = case.expected("size") == "valid";
    holds((info.size_bytes != INVALID) == valid, &info)?;
    let created = world.call(&d3d12::CreateCommittedResource3 {
        device: DEVICE,
        heap_properties: HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() },
        desc: case.desc(),
        castable_formats: formats,
        ..Default::default()
    });
    holds(outcome(created) == code(case.expected("hr").as_str().unwrap()), created)
}

fn heap(world: &mut World, case: &Case) -> Result<(), String> {
    let desc = heap_desc(&case.0["heap"]);
    let created = world.try_heap(desc);
    holds(outcome(created) == code(case.expected("hr").as_str().unwrap()), created)?;
    if let (Ok(heap), "equals input") = (created, case.expected("getdesc").as_str().unwrap_or_default()) {
        let answered = world.call(&d3d12::GetHeapDesc { heap }).unwrap();
        holds(answered == desc, answered)?;
    }
    Ok(())
}

fn committed(world: &mut World, case: &Case) -> Result<(), String> {
    let heap_type = HeapType::parse(case.text("heap_type")).unwrap();
    let clear = case.text("note").starts_with("clear value must be NULL");
    let created = world.call(&d3d12::CreateCommittedResource {
        device: DEVICE,
        heap_properties: HeapProperties { heap_type, ..Default::default() },
        desc: case.desc(),
        clear_value: clear.then(ClearValue::default),
        ..Default::default()
    });
    holds(outcome(created) == code(case.expected("hr").as_str().unwrap()), created)?;
    let Ok(resource) = created else { return Ok(()) };
    let answered = world.desc_of(resource);
    let bound = |key: &str, or: u64| case.expected(key).as_u64().unwrap_or(or);
    holds(bound("desc_mips", answered.mip_levels.into()) == u64::from(answered.mip_levels), answered)?;
    holds(bound("desc_alignment", answered.alignment_bytes) == answered.alignment_bytes, answered)?;
    holds(answered.alignment_bytes >= bound("desc_alignment_min", 0), answered)?;
    // Large pages are exempt from the maximum alignment.
    holds(answered.alignment_bytes <= bound("desc_alignment_max", INVALID), answered)?;
    holds(answered.flags.contains(ResourceFlags(bound("desc_flags_has", 0) as u32)), answered)?;
    let is_texture = answered.dimension != Dimension::BUFFER;
    holds((world.address_of(resource) == 0) == is_texture, answered)
}

fn placed(world: &mut World, case: &Case) -> Result<(), String> {
    let mut desc = case.desc();
    let info = world.info(desc);
    // The case of small textures needs ten allocations; one is enough for the others.
    let suballocated = case.text("offset") == "i*SizeInBytes, i=0..9";
    let heap = match &case.0["heap"] {
        // "heap: size=total, alignment 4 MiB"; with space before the resource, so that end and beginning differ.
        Value::Null => HeapDesc {
            size_bytes: 2 * info.size_bytes,
            alignment_bytes: 4 << 20,
            properties: HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() },
            flags: HeapFlags::NONE,
        },
        heap if suballocated => HeapDesc { size_bytes: 10 * info.size_bytes, ..heap_desc(heap) },
        heap => heap_desc(heap),
    };
    let offsets: Vec<u64> = match (&case.0["offset"], case.text("offset")) {
        (offset, _) if offset.is_u64() => vec![offset.as_u64().unwrap()],
        (_, "info[i].Offset") => vec![0],
        (_, "heap.size - info[i].SizeInBytes") => vec![heap.size_bytes - info.size_bytes],
        _ if suballocated => (0..10).map(|at| at * info.size_bytes).collect(),
        (offset, _) => return Err(format!("unknown offset {offset}")),
    };
    if case.text("note").starts_with("desc.Alignment set to info[i].Alignment") {
        desc.alignment_bytes = info.alignment_bytes;
    }
    let clear = case.text("note").starts_with("clear value also passed");
    let properties = heap.properties;
    let heap = world.try_heap(HeapDesc { properties, ..heap }).unwrap();
    let whole = world.placed(heap, 0, super::descs::tight_buffer(1));
    let base = whole.map_or(0, |resource| world.address_of(resource));
    for heap_offset_bytes in offsets {
        let created = world.call(&d3d12::CreatePlacedResource {
            device: DEVICE,
            heap,
            heap_offset_bytes,
            desc,
            clear_value: clear.then(ClearValue::default),
            ..Default::default()
        });
        holds(outcome(created) == code(case.expected("hr").as_str().unwrap()), created)?;
        let Ok(resource) = created else { continue };
        if case.expected("desc_alignment_rule").is_string() {
            let answered = world.desc_of(resource);
            holds(answered.alignment_bytes == info.alignment_bytes, answered)?;
        }
        let address = world.address_of(resource);
        holds(case.expected("va_rule").is_null() || address == base + heap_offset_bytes, address)?;
        holds(case.expected("gpu_va").is_null() || address == 0, address)?;
    }
    Ok(())
}

/// Returns the offset of the second of two equal resources in an allocator's block; a pool uses tight alignment by
/// default.
fn second_offset(world: &mut World, case: &Case) -> Result<(), String> {
    let desc = match case.text("pool") {
        "tight" => tightened(case.desc()),
        "POOL_FLAG_DONT_USE_TIGHT_ALIGNMENT" => case.desc(),
        other => return Err(format!("unknown pool {other}")),
    };
    let query =
        d3d12::GetResourceAllocationInfo1 { device: DEVICE, visible_mask: 0, descs: vec![desc; 2], want_infos: true };
    let infos = world.call(&query).infos;
    let multiple = case.expected("second_offset_multiple_of").as_u64().unwrap();
    holds(infos[1].offset_bytes > 0 && infos[1].offset_bytes.is_multiple_of(multiple), infos)
}

/// Checks that a small resource may request the smaller alignment, and a large one may not.
fn small_alignment(world: &mut World, case: &Case, key: &str) -> Result<(), String> {
    let desc = case.desc();
    let multiple = case.expected(key).as_u64().unwrap();
    let legal = [4096, 65536, 4 << 20]
        .into_iter()
        .find(|requested| world.info(aligned(*requested, desc)).size_bytes != INVALID);
    holds(legal == Some(multiple), legal)
}

fn expand(case: &Case) -> Result<(), String> {
    let input = &case.0["input"];
    let number = |key: &str| input[key].as_u64().unwrap();
    let dimension = if input["case"].as_str().unwrap().starts_with("buffer") { 1 } else { 3 };
    let desc = ResourceDesc {
        dimension: Dimension(dimension),
        alignment_bytes: number("in_alignment"),
        flags: ResourceFlags(number("flags") as u32),
        layout: TextureLayout(number("layout") as u32),
        sample_count: number("samples") as u32,
        ..Default::default()
    };
    let expanded = expanded_alignment(&desc, number("tight_supported") != 0, number("as_committed") != 0);
    holds(Some(expanded) == case.expected("alignment").as_u64(), expanded)
}

/// Checks quoted messages of the native debug layer.
fn message(world: &mut World, case: &Case) -> Result<(), String> {
    use super::descs::{TIGHT, buffer, texture, tight_buffer};
    let expected = case.expected("debug_message").as_str().unwrap();
    let swizzled = ResourceDesc {
        layout: TextureLayout::_64KB_STANDARD_SWIZZLE,
        flags: TIGHT,
        ..texture(Format::R8_UNORM, 16, 16)
    };
    match case.text("input") {
        "USE_TIGHT_ALIGNMENT + ALLOW_CROSS_ADAPTER" => {
            let _ = world.info(ResourceDesc { flags: TIGHT | ResourceFlags::ALLOW_CROSS_ADAPTER, ..buffer(16) });
        }
        input if input.contains("64KB_STANDARD_SWIZZLE") => {
            let _ = world.info(swizzled);
        }
        "USE_TIGHT_ALIGNMENT with Alignment 8" => {
            let heap = world.heap(65536, 0, HeapType::DEFAULT, HeapFlags::NONE);
            let _ = world.placed(heap, 0, aligned(8, tight_buffer(16)));
        }
        "USE_TIGHT_ALIGNMENT with Alignment 16" => {
            let desc = aligned(16, tight_buffer(16));
            let query =
                d3d12::GetCopyableFootprints { device: DEVICE, desc, num_subresources: 1, ..Default::default() };
            holds(world.call(&query).total_bytes == INVALID, desc)?;
        }
        "heap flags DENY_* set" => {
            let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
            let _ = world.call(&d3d12::CreateCommittedResource {
                device: DEVICE,
                heap_properties,
                heap_flags: HeapFlags::DENY_BUFFERS,
                desc: buffer(16),
                ..Default::default()
            });
        }
        other => return Err(format!("unknown input {other}")),
    }
    let ids = world.message_ids();
    let named = |id: &MessageId| expected.contains(&format!("#{}: {id:?}", id.0));
    holds(ids.len() == 1 && ids.iter().all(named), ids)
}
