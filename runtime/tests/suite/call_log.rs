//! Replays the recorded calls of a real allocator (testdata/d3d12ma-tight.jsonl.gz) on the driver model `peer`.

use super::world::DEVICE;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use taut_runtime::{Execute, Machine, NullTap, Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AllocationInfo1, Bytes, CpuPageProperty, Dimension, Feature, HResult, HeapDesc, HeapFlags, HeapId, HeapProperties,
    HeapType, MemoryPool, MemoryRange, MipRegion, ResourceDesc, ResourceFlags, ResourceId, TextureLayout, d3d12,
};

struct Replay {
    machine: Machine<'static>,
    /// Descriptions whose answers have been compared.
    seen: HashSet<(ResourceDesc, Vec<Format>)>,
    textures: u64,
}

impl Replay {
    fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.machine.call(call, &mut NullTap)
    }

    /// Compares the answer about a description with the log's, once per description.
    fn compare(&mut self, description: (ResourceDesc, Vec<Format>), size_bytes: u64, alignment_bytes: u64) {
        if !self.seen.contains(&description) {
            let (desc, formats) = &description;
            let info = self.call(&d3d12::GetResourceAllocationInfo3 {
                device: DEVICE,
                descs: vec![*desc],
                num_castable_formats: vec![formats.len() as u32],
                castable_formats: formats.clone(),
                ..Default::default()
            });
            assert_eq!((info.size_bytes, info.alignment_bytes), (size_bytes, alignment_bytes), "{desc:?}");
            self.seen.insert(description);
        }
    }
}

fn number(line: &Value, key: &str) -> u64 {
    line[key].as_u64().unwrap_or_else(|| panic!("{key} in {line}"))
}

fn word(line: &Value, key: &str) -> u32 {
    number(line, key) as u32
}

fn desc(value: &Value) -> ResourceDesc {
    ResourceDesc {
        dimension: Dimension(word(value, "dimension")),
        alignment_bytes: number(value, "alignment"),
        width: number(value, "width"),
        height: word(value, "height"),
        depth_or_array_size: number(value, "depth_or_array") as u16,
        mip_levels: number(value, "mips") as u16,
        format: Format(word(value, "format")),
        sample_count: word(value, "sample_count"),
        sample_quality: word(value, "sample_quality"),
        layout: TextureLayout(word(value, "layout")),
        flags: ResourceFlags(word(value, "flags")),
    }
}

fn formats(line: &Value) -> Vec<Format> {
    let formats = line["castable_formats"].as_array().map(Vec::as_slice).unwrap_or_default();
    formats.iter().map(|format| Format(format.as_u64().unwrap() as u32)).collect()
}

fn properties(line: &Value) -> HeapProperties {
    HeapProperties {
        heap_type: HeapType(word(line, "heap_type")),
        cpu_page_property: CpuPageProperty(word(line, "cpu_page_property")),
        memory_pool: MemoryPool(word(line, "memory_pool")),
        creation_node_mask: word(line, "creation_node_mask"),
        visible_node_mask: word(line, "visible_node_mask"),
    }
}

fn range(value: &Value) -> Option<MemoryRange> {
    let [begin, end] = value.as_array()?.as_slice() else { panic!("{value}") };
    Some(MemoryRange { begin: begin.as_u64().unwrap(), end: end.as_u64().unwrap() })
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn every_logged_call_returns_the_logged_result() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/d3d12ma-tight.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    let mut replay = Replay {
        machine: Machine::new(
            Settings { strict: true, ..Settings::default() },
            Arc::from(driver(&Profile::named("peer").unwrap())),
        ),
        seen: HashSet::new(),
        textures: 0,
    };
    assert_eq!(replay.call(&d3d12::CreateDevice::default()), Ok(DEVICE));
    for line in lines.skip(1) {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        step(&mut replay, &line, line["call"].as_str().unwrap());
    }
    assert_eq!(replay.seen.len(), 5595);
    assert_eq!(replay.textures, 277);
    assert!(replay.machine.state.objects.is_empty());
}

fn step(replay: &mut Replay, line: &Value, name: &str) {
    let device = DEVICE;
    match name {
        "BeginTest" | "EndTest" | "EndCapture" => {}
        "CheckFeatureSupport" => {
            let feature = Feature(word(line, "feature"));
            let data = Bytes(unhex(line["in"].as_str().unwrap()));
            let answer = replay.call(&d3d12::CheckFeatureSupport { device, feature, data }).unwrap();
            assert_eq!(answer.0, unhex(line["bytes"].as_str().unwrap()), "{line}");
        }
        "CreateHeap1" => {
            let desc = HeapDesc {
                size_bytes: number(line, "size"),
                properties: properties(line),
                alignment_bytes: number(line, "alignment"),
                flags: HeapFlags(word(line, "flags")),
            };
            let heap = replay.call(&d3d12::CreateHeap1 { device, desc, protected_session: false });
            assert_eq!(heap, Ok(HeapId(number(line, "obj"))), "{line}");
        }
        "Map" => {
            let (resource, subresource) = (ResourceId(number(line, "obj")), word(line, "subresource"));
            let read_range = range(&line["read_range"]);
            assert!(replay.call(&d3d12::Map { resource, subresource, read_range }).is_ok(), "{line}");
        }
        "Unmap" => {
            let (resource, subresource) = (ResourceId(number(line, "obj")), word(line, "subresource"));
            let written_range = range(&line["written_range"]);
            assert!(replay.call(&d3d12::Unmap { resource, subresource, written_range }).is_ok(), "{line}");
        }
        "ReleaseResource" => {
            let resource = ResourceId(number(line, "obj"));
            assert_eq!(replay.call(&d3d12::ReleaseResource { resource }), Ok(()), "{line}");
        }
        "ReleaseHeap" => {
            let heap = HeapId(number(line, "obj"));
            assert_eq!(replay.call(&d3d12::ReleaseHeap { heap }), Ok(()), "{line}");
        }
        query if query.starts_with("GetResourceAllocationInfo") => query_allocation(replay, line),
        _ => create(replay, line, name),
    }
}

fn query_allocation(replay: &mut Replay, line: &Value) {
    let desc = desc(&line["descs"][0]);
    let formats = formats(&Value::from_iter([("castable_formats", line["castable_formats"][0].clone())]));
    let (size, alignment) = (number(line, "size"), number(line, "alignment"));
    assert_eq!(number(line, "count"), 1);
    let info = replay.call(&d3d12::GetResourceAllocationInfo3 {
        device: DEVICE,
        visible_mask: word(line, "visible_mask"),
        descs: vec![desc],
        mip_regions: vec![MipRegion::default()],
        num_castable_formats: vec![formats.len() as u32],
        castable_formats: formats.clone(),
        want_infos: line["infos"].is_array(),
    });
    assert_eq!((info.size_bytes, info.alignment_bytes), (size, alignment), "{line}");
    for (found, logged) in info.infos.iter().zip(line["infos"].as_array().into_iter().flatten()) {
        let logged = AllocationInfo1 {
            offset_bytes: number(logged, "offset"),
            alignment_bytes: number(logged, "alignment"),
            size_bytes: number(logged, "size"),
        };
        assert_eq!(*found, logged, "{line}");
    }
    replay.compare((desc, formats), size, alignment);
}

fn create(replay: &mut Replay, line: &Value, name: &str) {
    let desc = desc(&line["desc"]);
    let created = create_call(replay, line, name, desc);
    assert_eq!(created, Ok(ResourceId(number(line, "obj"))), "{line}");
    let info = &line["info"];
    replay.compare((desc, formats(line)), number(info, "size"), number(info, "alignment"));
    replay.textures += u64::from(desc.dimension != Dimension::BUFFER);
}

fn create_call(replay: &mut Replay, line: &Value, name: &str, desc: ResourceDesc) -> HResult<ResourceId> {
    let device = DEVICE;
    let castable_formats = formats(line);
    let (heap, heap_offset_bytes) = (line["heap"].as_u64().map(HeapId).unwrap_or_default(), &line["offset"]);
    let heap_offset_bytes = heap_offset_bytes.as_u64().unwrap_or_default();
    match name {
        "CreatePlacedResource" => {
            let initial_state = word(line, "initial_state");
            let clear_value = None;
            replay.call(&d3d12::CreatePlacedResource {
                device,
                heap,
                heap_offset_bytes,
                desc,
                initial_state,
                clear_value,
            })
        }
        "CreatePlacedResource1" => {
            replay.call(&d3d12::CreatePlacedResource1 { device, heap, heap_offset_bytes, desc, ..Default::default() })
        }
        "CreatePlacedResource2" => replay.call(&d3d12::CreatePlacedResource2 {
            device,
            heap,
            heap_offset_bytes,
            desc,
            castable_formats,
            ..Default::default()
        }),
        _ => {
            let (heap_properties, heap_flags) = (properties(line), HeapFlags(word(line, "heap_flags")));
            match name {
                "CreateCommittedResource1" => replay.call(&d3d12::CreateCommittedResource1 {
                    device,
                    heap_properties,
                    heap_flags,
                    desc,
                    ..Default::default()
                }),
                "CreateCommittedResource2" => replay.call(&d3d12::CreateCommittedResource2 {
                    device,
                    heap_properties,
                    heap_flags,
                    desc,
                    ..Default::default()
                }),
                "CreateCommittedResource3" => replay.call(&d3d12::CreateCommittedResource3 {
                    device,
                    heap_properties,
                    heap_flags,
                    desc,
                    castable_formats,
                    ..Default::default()
                }),
                other => panic!("{other}"),
            }
        }
    }
}
