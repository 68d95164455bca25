//! Rows of the documentation's table: for each provider, the figures that its events give and those that they cannot give.

use super::memory::{DIRECT3D12, imported};
use super::provider_events::{Field, ProviderEvent, number};
use serde_json::Value;
use std::collections::HashMap;
use taut_analyze::memory::Backing;
use taut_analyze::{Analysis, Findings, report};

const DIRECT3D11: &str = "db6f6ddb-ac77-4e88-8253-819df9bbf140";
pub const DXGI: &str = "ca11c036-0102-4a2d-a6ad-f03cfed5d3c9";
pub const DXGKRNL: &str = "802ec45a-1e99-4b83-9920-87c98277ba9d";
pub const KERNEL_PROCESS: &str = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716";

/// An event of thread 1 with numbers.
pub fn event(provider: &str, key: (u16, u8), tick: u64, fields: &[(&'static str, u64)]) -> ProviderEvent {
    let fields = fields.iter().map(|(name, value)| (*name, number(*value)));
    ProviderEvent::new(provider, key, (tick, 1), &fields.collect::<HashMap<_, _>>())
}

/// Figures of the report `windows`.
pub fn windows(analysis: &Analysis) -> Value {
    let findings = Findings::of(analysis, &[report("windows").unwrap()]).unwrap();
    findings.json().unwrap()["reports"]["windows"].clone()
}

/// Reason for which a report does not apply.
fn reason(analysis: &Analysis, name: &str) -> String {
    report(name).unwrap().not_applicable(analysis).unwrap().unwrap()
}

fn missing(figures: &Value) -> Vec<&str> {
    figures["missing"].as_array().unwrap().iter().map(|one| one["figure"].as_str().unwrap()).collect()
}

#[test]
fn resources_of_direct3d_11_have_texel_bytes_and_no_size_and_are_in_no_sum() {
    let texture = [
        ("pID3D11Resource", 0x10),
        ("Dimension", 3),
        ("Width", 64),
        ("Height", 32),
        ("Depth", 1),
        ("MipLevels", 1),
        ("ArraySize", 2),
        // DXGI_FORMAT_R8G8B8A8_UNORM: 4 bytes.
        ("Format", 28),
        ("SampleCount", 1),
    ];
    let stop = [("pID3D11Resource", 0x10)];
    let analysis = imported(&[event(DIRECT3D11, (12, 0), 10, &texture), event(DIRECT3D11, (13, 0), 20, &stop)]);
    let world = analysis.world().unwrap();
    let [resource] = &world.resources[..] else { panic!("{} resources", world.resources.len()) };
    assert_eq!((resource.backing, resource.allocation), (Backing::Unknown, None));
    assert_eq!(resource.requested_bytes, 64 * 32 * 2 * 4);
    assert!(resource.released.is_some());
    assert!(reason(&analysis, "alignment").contains("state no sizes of resources"));
    // Beside a heap of Direct3D 12, the report applies and leaves the resource out.
    let heap = event(DIRECT3D12, (72, 0), 5, &[("pID3D12Heap", 0x99), ("SizeInBytes", 65_536), ("Type", 1)]);
    let analysis = imported(&[heap, event(DIRECT3D11, (12, 0), 10, &texture)]);
    let findings = Findings::of(&analysis, &[report("alignment").unwrap()]).unwrap().json().unwrap();
    let totals = &findings["reports"]["alignment"]["totals"];
    assert_eq!((&totals["heap_bytes"], &totals["resources"]), (&65_536.into(), &0.into()));
    assert_eq!(totals["requested_bytes"], 0);
    assert_eq!(findings["reports"]["alignment"]["gaps"]["resources_without_size"], 1);
}

#[test]
fn allocations_of_the_kernel_show_no_waste_and_the_report_says_what_to_capture() {
    let allocation = [("hVidMmGlobalAlloc", 7), ("allocSize", 65_536), ("ulAlignment", 4096)];
    let resident = [("DxgAdapter", 1), ("SegmentId", 2), ("TotalBytesResident", 500)];
    let analysis = imported(&[
        event(DXGKRNL, (33, 4), 10, &allocation),
        event(DXGKRNL, (274, 0), 11, &resident),
        event(DXGKRNL, (338, 0), 12, &[("NumAllocations", 3)]),
        event(DXGKRNL, (339, 0), 14, &[("Status", 0xC000_0017), ("NumBytesToTrim", 64)]),
        event(DXGKRNL, (73, 0), 15, &[("hAllocationHandle", 7), ("uiSegmentId", 2)]),
        event(DXGKRNL, (74, 0), 16, &[("hGlobalAllocationHandle", 7)]),
    ]);
    let figures = windows(&analysis);
    assert_eq!(figures["allocations"]["by_alignment"][0]["size_bytes"], 65_536);
    assert_eq!(figures["segments"][0]["max_bytes"], 500);
    assert_eq!(figures["segments"][0]["curve"][0]["in_use_bytes"], 500);
    let residency = &figures["residency"];
    assert_eq!((&residency["residency_requests"], &residency["refused"]), (&1.into(), &1.into()), "{residency}");
    assert_eq!((&residency["page_ins"][0]["segment"], &residency["evictions"]), (&2.into(), &1.into()));
    let why = reason(&analysis, "alignment");
    assert!(why.contains("Microsoft-Windows-Direct3D12") && why.contains("have rounded the sizes"), "{why}");
    assert!(missing(&figures).contains(&"heaps, resources and placements (report `alignment`)"));
}

#[test]
fn swap_chains_have_the_numbers_of_windows_and_no_copies() {
    let chain = [
        ("pIDXGISwapChain", 1),
        ("OutputWindow", 77),
        ("BackbufferCount", 2),
        ("Width", 640),
        ("Height", 480),
        ("Format", 28),
        ("SwapEffect", 4),
        ("HybridPresentMode", 3),
        ("CrossAdapterTierSupport", 2),
        ("CASOFallbackReason", 5),
    ];
    let resize = [("pIDXGISwapChain", 1), ("NewBackbufferCount", 3), ("NewWidth", 800), ("NewHeight", 600)];
    let analysis = imported(&[
        event(DXGI, (10, 0), 10, &chain),
        event(DXGI, (46, 0), 20, &resize),
        event(DXGI, (11, 0), 30, &[("pIDXGISwapChain", 1)]),
    ]);
    let figures = windows(&analysis);
    let chain = &figures["swap_chains"][0];
    let numbers = ["buffers", "width", "height", "hybrid_present_mode", "cross_adapter_tier", "fallback_reason"];
    assert_eq!(numbers.map(|key| chain[key].as_u64()), [3, 800, 600, 0, 0, 0].map(Some), "{chain}");
    assert_eq!((&chain["window"], &chain["swap_effect"], &chain["resizes"]), (&77.into(), &4.into(), &1.into()));
    assert_eq!(chain["copied_bytes_per_frame"], Value::Null);
    assert_eq!(figures["presents"], Value::Null, "a swap chain alone presents nothing");
    assert!(reason(&analysis, "present").contains("windows"));
}

#[test]
fn a_swap_chain_from_before_the_trace_has_the_buffers_that_its_resize_begins_with() {
    let old = [
        ("pIDXGISwapchain", 1),
        ("OldBackbufferCount", 2),
        ("OldWidth", 640),
        ("OldHeight", 480),
        ("OldFormat", 28),
        ("HybridPresentMode", 1),
        ("ScanoutEligible", 1),
        ("CrossAdapterTierSupport", 4),
    ];
    // DXGI_ERROR_INVALID_CALL: the buffers stay as they are.
    let failed = [("pIDXGISwapChain", 1), ("ReturnValue", 0x887A_0001), ("NewBackbufferCount", 9), ("NewWidth", 9)];
    let figures = windows(&imported(&[event(DXGI, (45, 0), 10, &old), event(DXGI, (46, 0), 14, &failed)]));
    let chain = &figures["swap_chains"][0];
    let numbers = ["buffers", "width", "height", "format", "hybrid_present_mode", "cross_adapter_tier", "resizes"];
    assert_eq!(numbers.map(|key| chain[key].as_u64()), [2, 640, 480, 28, 1, 4, 0].map(Some), "{chain}");
    let flags = ["is_from_before", "is_scanout_eligible"];
    assert_eq!(flags.map(|key| chain[key].as_bool()), [Some(true); 2], "{chain}");
    assert_eq!(chain["resize_ns"], 400, "4 ticks of 100 ns");
    for absent in ["window", "swap_effect", "copied_bytes_per_frame"] {
        assert_eq!(chain[absent], Value::Null, "{absent}");
    }
    // Without the begin of the call, nothing is known of the chain.
    let figures = windows(&imported(&[event(DXGI, (46, 0), 14, &[("pIDXGISwapChain", 1)])]));
    assert_eq!(figures["swap_chains"], Value::Null);
    assert!(missing(&figures).contains(&"swap_chains"));
}

#[test]
fn events_of_allocations_count_those_of_the_kernel_and_the_objects_from_before_the_trace() {
    let of = |object, ranges, allocations| {
        [("pObject", object), ("NumVirtualAddressInfos", ranges), ("NumKMTInfos", allocations)]
    };
    let heap = [("pID3D12Heap", 0x99), ("SizeInBytes", 65_536), ("Type", 1)];
    let analysis = imported(&[
        event(DIRECT3D12, (94, 1), 4, &of(0x99, 9, 9)),
        event(DIRECT3D12, (72, 0), 5, &heap),
        event(DIRECT3D12, (94, 1), 6, &of(0x99, 1, 2)),
        event(DIRECT3D12, (94, 1), 7, &of(0x1000, 3, 4)),
    ]);
    let figures = windows(&analysis);
    let sums = &figures["object_allocations"];
    let numbers = ["objects", "address_ranges", "kernel_allocations", "without_creation"];
    assert_eq!(numbers.map(|key| sums[key].as_u64()), [2, 4, 6, 1].map(Some), "{sums}");
    // The events state no size: the object from before the trace is in no sum.
    let world = analysis.world().unwrap();
    assert_eq!((world.heaps.len(), world.resources.len()), (1, 0));
    let figures = windows(&imported(&[event(DIRECT3D12, (72, 0), 5, &heap)]));
    assert_eq!(figures["object_allocations"], Value::Null);
    assert!(missing(&figures).contains(&"object_allocations"));
}

#[test]
fn presents_of_dxgi_alone_have_an_unknown_path_no_display_and_no_adapter() {
    let present = |tick| event(DXGI, (42, 0), tick, &[("pIDXGISwapChain", 4)]);
    let stop = |tick| event(DXGI, (43, 0), tick, &[]);
    let figures = windows(&imported(&[present(10), stop(11), present(200), stop(201)]));
    let group = &figures["presents"][0];
    assert_eq!((&group["path"], &group["presents"]), (&"unknown".into(), &2.into()), "{group}");
    assert_eq!(figures["unknown_path_ratio"], 1.0);
    for absent in ["shown", "cross_adapter", "process_name"] {
        assert_eq!(group[absent], Value::Null, "{absent}");
    }
    assert_eq!(figures["cross_adapter_ratio"], Value::Null);
    let missing = missing(&figures);
    for absent in ["presents", "presents.shown", "presents.cross_adapter"] {
        assert!(missing.contains(&absent), "{absent}: {missing:?}");
    }
}

#[test]
fn queues_have_depth_and_waits_and_nothing_of_the_work_in_them() {
    let packet = |tick, sequence: u64| {
        event(DXGKRNL, (178, 1), tick, &[("hContext", 5), ("PacketType", 0), ("SubmitSequence", sequence)])
    };
    let analysis = imported(&[
        packet(10, 1),
        packet(12, 2),
        event(DXGKRNL, (244, 2), 13, &[("hContext", 5), ("SubmitSequence", 3)]),
        event(DXGKRNL, (180, 1), 20, &[("hContext", 5), ("SubmitSequence", 1)]),
        packet(30, 4),
    ]);
    let figures = windows(&analysis);
    let queue = &figures["queues"][0];
    let numbers = ["process", "queued_packets", "queue_waits", "max_queue_depth", "mean_queued_ns"];
    assert_eq!(numbers.map(|key| queue[key].as_u64()), [9, 4, 1, 3, 1_000].map(Some), "{queue}");
    assert_eq!((&queue["engine"], &figures["gpu"]), (&Value::Null, &Value::Null));
    assert!(missing(&figures).contains(&"gpu"));
}

#[test]
fn background_work_has_run_times_and_no_identity() {
    let device = [("pID3D12Device", 1)];
    let present = [("pIDXGISwapChain", 4)];
    let work = [
        event(DIRECT3D12, (132, 0), 10, &device),
        event(DIRECT3D12, (155, 0), 12, &[]),
        event(DIRECT3D12, (156, 0), 14, &[]),
        event(DIRECT3D12, (157, 0), 15, &[]),
        event(DIRECT3D12, (158, 0), 18, &[]),
        event(DIRECT3D12, (161, 0), 19, &[("NumRequiredLookups", 4), ("NumRequiredHitsInPSDB", 3)]),
        event(DIRECT3D12, (134, 0), 25, &device),
        event(DIRECT3D12, (133, 0), 30, &device),
    ];
    let analysis = imported(&work);
    let figures = windows(&analysis);
    let thread = &figures["background_work"][0];
    assert_eq!((&thread["runs"], &thread["total_ns"]), (&1.into(), &2_000.into()), "{thread}");
    assert_eq!((&thread["work_infos"], &thread["unpaired"]), (&1.into(), &0.into()), "{thread}");
    assert_eq!(thread["presents_during_runs"], Value::Null, "without events of presents");
    let pipelines = &figures["pipelines"];
    let numbers = ["created", "total_ns", "cache_lookups", "cache_hits"];
    assert_eq!(numbers.map(|key| pipelines[key].as_u64()), [2, 500, 4, 3].map(Some), "{pipelines}");
    assert!(reason(&analysis, "pgo").contains("no identity"));
    let alone = windows(&imported(&[event(DIRECT3D12, (134, 0), 25, &device)]));
    let thread = &alone["background_work"][0];
    assert_eq!((&thread["runs"], &thread["work_infos"]), (&0.into(), &1.into()), "{thread}");
    assert!(!missing(&alone).contains(&"background_work"));
    let mut with_presents = work.to_vec();
    for (start, stop) in [(5, 6), (20, 21), (40, 41)] {
        with_presents.push(event(DXGI, (42, 0), start, &present));
        with_presents.push(event(DXGI, (43, 0), stop, &[]));
    }
    with_presents.sort_by_key(|event| event.tick);
    let figures = windows(&imported(&with_presents));
    assert_eq!(figures["background_work"][0]["presents_during_runs"], 1, "of three presents, one is within the run");
}

#[test]
fn events_of_processes_name_the_process_in_tables_and_reports() {
    let image = "\\Device\\HarddiskVolume3\\games\\level.exe";
    for key in [(1, 0), (1, 3), (15, 0), (15, 1)] {
        let fields = HashMap::from([("ProcessID", number(9_u64)), ("ImageName", Field::Text(image))]);
        let name = ProviderEvent::new(KERNEL_PROCESS, key, (1, 1), &fields);
        let present = event(DXGI, (42, 0), 5, &[("pIDXGISwapChain", 4)]);
        let figures = windows(&imported(&[name, present, event(DXGI, (43, 0), 6, &[])]));
        assert_eq!(figures["presents"][0]["process_name"], "level.exe", "{key:?}");
        assert!(!missing(&figures).contains(&"process_name"), "{key:?}");
    }
    let figures = windows(&imported(&[event(DXGI, (42, 0), 5, &[]), event(DXGI, (43, 0), 6, &[])]));
    assert_eq!(figures["presents"][0]["process_name"], Value::Null);
    assert!(missing(&figures).contains(&"process_name"));
}
