//! Heaps and resources of a recording, written as the events that Direct3D 12 reports, and imported again.

use super::provider_events::{Field, Fields, ProviderEvent, number, synthetic};
use super::{ImportOptions, import_bytes};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;
use taut_analyze::Analysis;
use taut_analyze::memory::{Backing, ChangeKind, Heap, Resource, World};
use taut_analyze::{Findings, report};
use taut_schemas::{Dimension, ResourceDesc};
use taut_testkit::{Recording, testdata};
use taut_traces::{Clock, Trace};
use taut_workloads::call_log;

/// Microsoft-Windows-Direct3D12.
pub const DIRECT3D12: &str = "5d8087dd-3a9b-4f56-90df-49196cdc4f11";
/// Pointers of implicit heaps begin here.
const FIRST_IMPLICIT_HEAP: u64 = 0x7000_0000_0000;

fn heap_fields(pointer: u64, size_bytes: u64, heap_type: u32) -> Fields<'static> {
    HashMap::from([("pID3D12Heap", number(pointer)), ("SizeInBytes", number(size_bytes)), ("Type", number(heap_type))])
}

fn heap_start(heap: &Heap) -> Fields<'static> {
    let properties = heap.desc.properties;
    let mut fields = heap_fields(heap.id.0, heap.size_bytes, properties.heap_type.0);
    fields.extend([
        ("Alignment", number(heap.desc.alignment_bytes)),
        ("CPUPageProperty", number(properties.cpu_page_property.0)),
        ("MemoryPoolPreference", number(properties.memory_pool.0)),
        ("CreationNodeMask", number(properties.creation_node_mask)),
        ("VisibleNodeMask", number(properties.visible_node_mask)),
        ("Flags", number(heap.desc.flags.0)),
    ]);
    fields
}

fn resource_start(resource: &Resource, implicit_heap: u64) -> Fields<'static> {
    let desc = resource.desc;
    let is_3d = desc.dimension == Dimension::TEXTURE3D;
    let slices = u64::from(desc.depth_or_array_size);
    let (placement, heap, offset) = match resource.backing {
        Backing::Placed { heap, heap_offset_bytes } => (0_u32, heap.0, heap_offset_bytes),
        Backing::Committed { .. } => (1, implicit_heap, 0),
        Backing::Reserved => (3, 0, 0),
        Backing::Unknown => unreachable!("a recording of Direct3D 12 knows the memory of its resources"),
    };
    let allocation = resource.allocation.unwrap();
    HashMap::from([
        ("pID3D12Resource", number(resource.id.0)),
        ("Dimension", number(desc.dimension.0)),
        ("Width", number(desc.width)),
        ("Height", number(desc.height)),
        ("Depth", number(if is_3d { slices } else { 1 })),
        ("MipLevels", number(desc.mip_levels)),
        ("ArraySize", number(if is_3d { 1 } else { slices })),
        ("Format", number(desc.format.0)),
        ("SampleCount", number(desc.sample_count)),
        ("SampleQuality", number(desc.sample_quality)),
        ("Layout", number(desc.layout.0)),
        ("Flags", number(desc.flags.0)),
        ("HeapType", number(placement)),
        ("pHeap", number(heap)),
        ("ImmutableHeapOffset", number(offset)),
        ("PlacedAlignment", number(allocation.alignment_bytes)),
        ("PlacedSize", number(allocation.size_bytes)),
    ])
}

/// The events of a world. The implicit heap of a committed resource comes before the resource, or after it.
fn events(world: &World, heap_first: bool) -> Vec<ProviderEvent> {
    // Names of no object, at the ends of the trace.
    let end = |stamp| ProviderEvent::new(DIRECT3D12, (55, 0), (stamp, 1), &name(0, ""));
    let mut events = vec![end(world.start.stamp)];
    for change in &world.changes {
        let at = (change.moment.stamp, change.moment.thread + 1);
        let mut event = |id, version, fields: &Fields<'_>| {
            events.push(ProviderEvent::new(DIRECT3D12, (id, version), at, fields));
        };
        match change.kind {
            ChangeKind::HeapCreated(index) => {
                event(72, 0, &heap_start(world.heap(index)));
                event(55, 0, &name(world.heap(index).id.0, world.heap_name(index)));
            }
            ChangeKind::HeapReleased(index) => event(73, 0, &heap_fields(world.heap(index).id.0, 0, 0)),
            ChangeKind::ResourceCreated(index) => {
                let resource = world.resource(index);
                let pointer = FIRST_IMPLICIT_HEAP + u64::from(index.0);
                let implicit = match resource.backing {
                    Backing::Committed { implicit_heap_bytes, heap_type } => {
                        let mut fields = heap_fields(pointer, implicit_heap_bytes, heap_type.0);
                        fields.insert("pID3D12ConjoinedResource", number(resource.id.0));
                        Some(fields)
                    }
                    _ => None,
                };
                let start = resource_start(resource, pointer);
                let heap_first = heap_first && implicit.is_some();
                implicit.iter().filter(|_| heap_first).for_each(|fields| event(72, 0, fields));
                event(91, 1, &start);
                implicit.iter().filter(|_| !heap_first).for_each(|fields| event(72, 0, fields));
                event(55, 0, &name(resource.id.0, world.resource_name(index)));
            }
            ChangeKind::ResourceReleased(index) => {
                event(92, 1, &HashMap::from([("pID3D12Resource", number(world.resource(index).id.0))]));
                if let Backing::Committed { .. } = world.resource(index).backing {
                    event(73, 0, &heap_fields(FIRST_IMPLICIT_HEAP + u64::from(index.0), 0, 0));
                }
            }
        }
    }
    events.push(end(world.end.stamp));
    events
}

fn name(object: u64, name: &str) -> Fields<'_> {
    let units = name.encode_utf16().count() as u64;
    HashMap::from([
        ("pObject", number(object)),
        ("CchNewDebugObjectName", number(units)),
        ("NewDebugObjectName", Field::Text(name)),
    ])
}

/// Lines of the call log that are played: the whole log takes a minute.
const LINES: usize = 30_000;

/// A recording of the beginning of a call log.
fn recorded() -> &'static Analysis {
    static RECORDED: OnceLock<Analysis> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut log = call_log::read(&testdata("d3d12ma-tight.jsonl.gz")).unwrap().log;
        log.lines.truncate(LINES);
        let path = folder.path().join("log.taut");
        Recording::under("reference").with_clock(Clock::Logical).record_call_log(&log, &path);
        Analysis::new(Trace::open_in_memory(&path).unwrap()).unwrap()
    })
}

pub fn imported(events: &[ProviderEvent]) -> Analysis {
    let (trace, result) = import_bytes(&synthetic(events), ImportOptions::default()).unwrap();
    assert_eq!((result.damage_count, result.events), (0, events.len() as u64));
    let session = &trace.header().world.workload.parameters["session"];
    assert_eq!(session, "tautline-synthetic", "an import names the session of made-up events");
    Analysis::new(trace).unwrap()
}

/// The figures of the report `alignment`.
fn alignment(analysis: &Analysis) -> Value {
    let findings = Findings::of(analysis, &[report("alignment").unwrap()]).unwrap();
    findings.json().unwrap()["reports"]["alignment"].clone()
}

/// The figures without those that need calls: phases, messages, uses of buffers, lines of the log and the sentence that
/// names one.
fn without_requests(mut figures: Value) -> Value {
    for key in ["phases", "floor_violations", "buffer_uses", "buffer_floors"] {
        figures.as_object_mut().unwrap().remove(key);
    }
    remove_lines(&mut figures);
    figures
}

fn remove_lines(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| {
                !key.ends_with("at_seq")
                    && !key.starts_with("phase")
                    && !["by_phase", "sentence"].contains(&key.as_str())
            });
            members.values_mut().for_each(remove_lines);
        }
        Value::Array(elements) => elements.iter_mut().for_each(remove_lines),
        _ => {}
    }
}

/// The description as the events have it: they lack the requested alignment.
fn described(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { alignment_bytes: 0, ..desc }
}

#[test]
fn heaps_resources_and_placements_of_a_call_log_are_those_of_its_events() {
    let expected = recorded().world().unwrap();
    assert!(expected.heaps.len() > 5 && expected.resources.len() > 50, "the log has heaps and resources");
    let committed = expected.resources.iter().filter(|resource| matches!(resource.backing, Backing::Committed { .. }));
    assert!(committed.count() > 5, "the log has committed resources");
    for heap_first in [true, false] {
        let analysis = imported(&events(expected, heap_first));
        let world = analysis.world().unwrap();
        assert_eq!(world.heaps.len(), expected.heaps.len());
        for (index, (heap, expected_heap)) in world.heaps.iter().zip(&expected.heaps).enumerate() {
            assert_eq!((heap.id, heap.desc), (expected_heap.id, expected_heap.desc));
            assert_eq!((heap.created, heap.released), (expected_heap.created, expected_heap.released));
            assert_eq!(heap.placed, expected_heap.placed, "placements of heap {index}");
            assert_eq!(world.names.get(heap.name), expected.names.get(expected_heap.name));
        }
        assert_eq!(world.resources.len(), expected.resources.len());
        for (resource, expected_resource) in world.resources.iter().zip(&expected.resources) {
            assert_eq!(resource.desc, described(expected_resource.desc));
            assert_eq!(resource.backing, expected_resource.backing);
            assert_eq!(resource.allocation, expected_resource.allocation);
            assert_eq!(resource.requested_bytes, expected_resource.requested_bytes);
            assert_eq!(world.names.get(resource.name), expected.names.get(expected_resource.name));
        }
        let stamps = |world: &World| world.changes.iter().map(|change| change.moment.stamp).collect::<Vec<_>>();
        assert_eq!(stamps(world), stamps(expected));
        assert_eq!(world.gaps, expected.gaps);
        let (found, expected) = (without_requests(alignment(&analysis)), without_requests(alignment(recorded())));
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key], value, "{key}");
        }
    }
}

#[test]
fn figures_that_need_calls_are_null() {
    let analysis = imported(&events(recorded().world().unwrap(), true));
    let figures = alignment(&analysis);
    for key in ["phases", "floor_violations", "buffer_uses", "buffer_floors"] {
        assert_eq!(figures[key], Value::Null, "{key}");
    }
    assert!(figures["peak"]["in_use_bytes"].as_u64().unwrap() > 0);
    assert!(analysis.world().unwrap().is_imported && !recorded().world().unwrap().is_imported);
}

#[test]
fn a_committed_resource_without_the_event_of_its_heap_has_no_size_and_is_in_no_sum() {
    let expected = recorded().world().unwrap();
    let mut events = events(expected, true);
    let is_implicit = |event: &ProviderEvent| matches!(event.id, 72 | 73) && pointer(event) >= FIRST_IMPLICIT_HEAP;
    events.retain(|event| !is_implicit(event));
    let analysis = imported(&events);
    let world = analysis.world().unwrap();
    let committed = world.resources.iter().filter(|one| matches!(one.backing, Backing::Committed { .. }));
    assert!(committed.clone().all(|resource| resource.allocation.is_none()));
    assert_eq!(world.gaps.resources_without_size, committed.count() as u64);
    assert_eq!(alignment(&analysis)["totals"]["committed_bytes"], 0);
}

/// Pointer of a heap's event, the second field.
fn pointer(event: &ProviderEvent) -> u64 {
    u64::from_le_bytes(event.payload[8..16].try_into().unwrap())
}
