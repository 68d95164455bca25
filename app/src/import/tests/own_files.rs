//! The project's own Windows traces in `testdata/etl`, made by the writer from the events below. `BLESS=1` writes them.

use super::memory::DIRECT3D12;
use super::provider_events::{Field, ProviderEvent, number, written};
use super::rows::{DXGI, DXGKRNL, KERNEL_PROCESS, event, windows};
use super::{ImportOptions, import, import_bytes};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashMap;
use taut_analyze::Analysis;
use taut_testkit::testdata;

/// Ticks of 100 ns between frames, at 60 frames per second.
const FRAME: u64 = 166_667;
const FRAMES: u64 = 30;
const PROCESSORS: u16 = 2;
/// Bytes of the file that ends within its second buffer.
const CUT_BYTES: usize = 70_000;
/// D3DKMT_PRESENTFLAGS CrossAdapter.
const CROSS_ADAPTER: u64 = 0x400_0000;
/// The graphics context, and the context's device.
const CONTEXT: u64 = 0xC0;
const DEVICE: u64 = 0xD0;

/// A game of 0.5 s: names, heaps, a chain from before the trace, flips to another adapter, queues, memory, background work.
fn game() -> Vec<ProviderEvent> {
    let mut events = machine();
    events.extend(memory());
    let new = [
        ("pIDXGISwapChain", 0x5C),
        ("OutputWindow", 0x77),
        ("BackbufferCount", 3),
        ("Width", 1920),
        ("Height", 1080),
        ("Format", 28),
        ("SwapEffect", 4),
        ("HybridPresentMode", 1),
        ("ScanoutEligible", 1),
        ("CrossAdapterTierSupport", 4),
        ("CASOFallbackReason", 2),
    ];
    events.push(event(DXGI, (10, 0), 50_000, &new));
    let old = [
        ("pIDXGISwapchain", 0x5D),
        ("OldBackbufferCount", 2),
        ("OldWidth", 640),
        ("OldHeight", 480),
        ("OldFormat", 87),
    ];
    events.push(event(DXGI, (45, 0), 51_000, &old));
    let resized = [
        ("pIDXGISwapChain", 0x5D),
        ("NewBackbufferCount", 2),
        ("NewWidth", 800),
        ("NewHeight", 600),
        ("NewFormat", 87),
    ];
    events.push(event(DXGI, (46, 0), 53_500, &resized));
    (1..=FRAMES).for_each(|number| events.extend(frame(number)));
    events.extend(background_work());
    events.sort_by_key(|event| event.tick);
    events
}

/// The process, and its context on an engine.
fn machine() -> Vec<ProviderEvent> {
    let image = Field::Text("\\Device\\HarddiskVolume3\\games\\level.exe");
    let name = HashMap::from([("ProcessID", number(9_u64)), ("ImageName", image)]);
    vec![
        ProviderEvent::new(KERNEL_PROCESS, (15, 1), (1_000, 1), &name),
        event(DXGKRNL, (27, 2), 1_100, &[("hProcessId", 9), ("hDevice", DEVICE)]),
        event(DXGKRNL, (30, 0), 1_200, &[("hDevice", DEVICE), ("NodeOrdinal", 0), ("hContext", CONTEXT)]),
    ]
}

/// Two heaps with placed textures, a committed buffer, and kernel allocations of three objects.
fn memory() -> Vec<ProviderEvent> {
    let (mut events, mut tick) = (Vec::new(), 2_000);
    let mut push = |id: (u16, u8), fields: &[(&'static str, u64)]| {
        tick += 100;
        events.push(event(DIRECT3D12, id, tick, fields));
    };
    for heap in [0x1000, 0x2000] {
        push((72, 0), &[("pID3D12Heap", heap), ("SizeInBytes", 4 << 20), ("Alignment", 65_536), ("Type", 1)]);
        push((94, 1), &[("pObject", heap), ("NumVirtualAddressInfos", 1), ("NumKMTInfos", 1)]);
        for texture in 0..4 {
            let pointer = heap + 0x10 + texture;
            let place = [
                ("pID3D12Resource", pointer),
                ("Dimension", 3),
                ("Width", 100),
                ("Height", 100),
                ("Depth", 1),
                ("MipLevels", 1),
                ("ArraySize", 1),
                ("Format", 28),
                ("SampleCount", 1),
                ("HeapType", 0),
                ("pHeap", heap),
                ("ImmutableHeapOffset", texture << 16),
                ("PlacedAlignment", 65_536),
                ("PlacedSize", 65_536),
            ];
            push((91, 1), &place);
        }
    }
    let buffer = [
        ("pID3D12Resource", 0x3000),
        ("Dimension", 1),
        ("Width", 100_000),
        ("Height", 1),
        ("Depth", 1),
        ("MipLevels", 1),
        ("ArraySize", 1),
        ("SampleCount", 1),
        ("Layout", 1),
        ("HeapType", 1),
        ("pHeap", 0x3008),
    ];
    push((91, 1), &buffer);
    let implicit = [
        ("pID3D12Heap", 0x3008),
        ("SizeInBytes", 131_072),
        ("Alignment", 65_536),
        ("Type", 2),
        ("pID3D12ConjoinedResource", 0x3000),
    ];
    push((72, 0), &implicit);
    // An object from before the trace.
    push((94, 1), &[("pObject", 0x9000), ("NumVirtualAddressInfos", 2), ("NumKMTInfos", 2)]);
    let name = "pool of textures";
    let fields = [
        ("pObject", number(0x1000_u64)),
        ("CchNewDebugObjectName", number(name.len() as u64)),
        ("NewDebugObjectName", Field::Text(name)),
    ];
    events.push(ProviderEvent::new(DIRECT3D12, (55, 0), (9_000, 1), &HashMap::from(fields)));
    events
}

/// A frame: work on the engine, a flip that the next vertical synchronization displays, and memory in use.
fn frame(number: u64) -> Vec<ProviderEvent> {
    let (start, sequence) = (number * FRAME, number * 10);
    let packet = |sequence, kind| [("hContext", CONTEXT), ("PacketType", kind), ("SubmitSequence", sequence)];
    // Every third frame has twice the work.
    let busy = if number.is_multiple_of(3) { 100_000 } else { 50_000 };
    let mut events = vec![
        event(DXGKRNL, (178, 1), start, &packet(sequence, 0)),
        event(DXGKRNL, (175, 1), start + 500, &[("hContext", CONTEXT), ("uliSubmissionId", sequence)]),
        event(DXGKRNL, (176, 0), start + 500 + busy, &[("hContext", CONTEXT), ("uliCompletionId", sequence)]),
        event(DXGKRNL, (180, 1), start + 600 + busy, &packet(sequence, 0)),
        event(DXGI, (42, 0), start + 1_000, &[("pIDXGISwapChain", 0x5C), ("SyncInterval", 1)]),
        event(DXGKRNL, (168, 0), start + 1_100, &[("FlipInterval", 1)]),
        event(DXGKRNL, (178, 1), start + 1_200, &packet(sequence + 1, 3)),
        event(DXGKRNL, (184, 1), start + 1_300, &[("hWindow", 0x77), ("Flags", CROSS_ADAPTER)]),
        event(DXGI, (43, 0), start + 1_400, &[]),
        event(DXGKRNL, (180, 1), start + 700 + busy, &packet(sequence + 1, 3)),
        event(DXGKRNL, (17, 0), start + 120_000, &[("FlipFenceId", (sequence + 1) << 32)]),
    ];
    let in_use = (200 + (number * 7 % 40)) << 20;
    for (segment, bytes) in [(1, in_use), (3, 64 << 20)] {
        let fields = [("DxgAdapter", 0xA0), ("SegmentId", segment), ("TotalBytesResident", bytes)];
        events.push(event(DXGKRNL, (274, 0), start + 2_000 + segment, &fields));
    }
    let usage = [("NewUsage", in_use / 2), ("ProcessId", 9)];
    events.push(event(DXGKRNL, (367, 0), start + 2_010, &usage));
    events
}

/// A run over some frames, with a pipeline creation.
fn background_work() -> Vec<ProviderEvent> {
    let device = [("pID3D12Device", 1)];
    let lookups = [("NumRequiredLookups", 4), ("NumRequiredHitsInPSDB", 3)];
    let at = |frame: u64| frame * FRAME + 80_000;
    vec![
        event(DIRECT3D12, (132, 0), at(4), &device),
        event(DIRECT3D12, (155, 0), at(5), &[]),
        event(DIRECT3D12, (161, 0), at(6), &lookups),
        event(DIRECT3D12, (156, 0), at(6) + 10, &[]),
        event(DIRECT3D12, (134, 0), at(7), &device),
        event(DIRECT3D12, (133, 0), at(8), &device),
    ]
}

/// The file, the events of each half of the frames on a processor.
fn bytes() -> Vec<u8> {
    let events = game();
    let processor = |event: &ProviderEvent| (event.tick / (FRAME * FRAMES / 2)).min(u64::from(PROCESSORS) - 1) as u16;
    written(PROCESSORS.into(), events.iter().map(|event| (processor(event), event)))
}

#[test]
fn the_projects_own_windows_traces_are_the_writers_files() {
    let bytes = bytes();
    for (name, bytes) in [("game.etl", &bytes[..]), ("cut.etl", &bytes[..CUT_BYTES])] {
        let path = testdata("etl").join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name}: BLESS=1 writes the file");
    }
    let folder = std::fs::read_dir(testdata("etl")).unwrap();
    let size: u64 = folder.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(size <= 300 << 10, "{size} bytes");
}

#[test]
fn the_projects_own_windows_trace_has_a_figure_in_every_section() {
    let path = testdata("etl/game.etl");
    let (trace, imported) = import(&path, ImportOptions::default()).unwrap();
    assert_eq!((imported.is_incomplete(), imported.events), (false, game().len() as u64), "{:?}", imported.damage);
    let analysis = Analysis::new(trace).unwrap();
    let figures = windows(&analysis);
    let present = &figures["presents"][0];
    let found = ["process_name", "path"].map(|key| present[key].as_str());
    assert_eq!(found, [Some("level.exe"), Some("hardware_legacy_flip")], "{present}");
    assert_eq!(["presents", "shown", "cross_adapter"].map(|key| present[key].as_u64()), [Some(FRAMES); 3], "{present}");
    // A third of the frames has 10 ms of work, the others 5 ms.
    assert_eq!(figures["gpu"][0]["busy_ns"], FRAMES / 3 * 10_000_000 + FRAMES / 3 * 2 * 5_000_000);
    assert_eq!((&figures["gpu"][0]["engine"], &figures["queues"][0]["max_queue_depth"]), (&0.into(), &2.into()));
    let chains = figures["swap_chains"].as_array().unwrap();
    let chain = |index: usize| {
        (chains[index]["width"].as_u64(), chains[index]["is_from_before"].as_bool(), chains[index]["resizes"].as_u64())
    };
    assert_eq!([chain(0), chain(1)], [(Some(1920), Some(false), Some(0)), (Some(800), Some(true), Some(1))]);
    assert_eq!(figures["segments"][0]["curve"].as_array().map(Vec::len), Some(FRAMES as usize));
    assert_eq!(figures["background_work"][0]["presents_during_runs"], 4, "frames 5 to 8 begin in the run");
    assert_eq!(figures["object_allocations"]["without_creation"], 1);
    for absent in ["residency", "allocations"] {
        assert_eq!(figures[absent], Value::Null, "{absent}");
    }
    let world = analysis.world().unwrap();
    assert_eq!((world.heaps.len(), world.resources.len()), (2, 9));
}

/// A change of a file's bytes.
#[derive(Debug, Clone, Copy)]
enum Mutation {
    Set {
        at: prop::sample::Index,
        byte: u8,
    },
    /// Copies bytes of the file to another place.
    Copy {
        from: prop::sample::Index,
        to: prop::sample::Index,
        length: usize,
    },
    Cut {
        at: prop::sample::Index,
    },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        8 => (index(), prop_oneof![Just(0), Just(0xFF), any::<u8>()]).prop_map(|(at, byte)| Mutation::Set { at, byte }),
        2 => (index(), index(), 1_usize..300).prop_map(|(from, to, length)| Mutation::Copy { from, to, length }),
        1 => index().prop_map(|at| Mutation::Cut { at }),
    ]
}

/// Buffers without their padding, with BufferSize set: every byte of the file has a meaning.
fn dense(bytes: &[u8]) -> Vec<u8> {
    let buffer = |buffer: &[u8]| {
        let used = u32::from_le_bytes(buffer[0x30..0x34].try_into().unwrap()).next_multiple_of(8);
        [&used.to_le_bytes()[..], &buffer[4..used as usize]].concat()
    };
    bytes.chunks(64 << 10).flat_map(buffer).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_mutated_trace_is_refused_or_imported_and_every_report_reads_it(
        mutations in proptest::collection::vec(mutation(), 1..12),
    ) {
        let mut file = dense(&bytes());
        for mutation in mutations {
            match mutation {
                Mutation::Set { at, byte } => {
                    let at = at.index(file.len());
                    file[at] = byte;
                }
                Mutation::Copy { from, to, length } => {
                    let length = length.min(file.len());
                    let places = file.len() - length + 1;
                    let (from, to) = (from.index(places), to.index(places));
                    file.copy_within(from..from + length, to);
                }
                Mutation::Cut { at } => file.truncate(at.index(file.len()).max(1)),
            }
        }
        let Ok((trace, imported)) = import_bytes(&file, ImportOptions::default()) else { return Ok(()) };
        prop_assert!(imported.events <= imported.file_events);
        let Ok(analysis) = Analysis::new(trace) else { panic!("an imported trace is a trace") };
        for report in taut_analyze::REPORTS {
            if report.not_applicable(&analysis).unwrap().is_none() {
                report.run(&analysis).unwrap();
            }
        }
    }
}
