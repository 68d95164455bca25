//! Figures that the events of a trace do not provide, and the keywords that would provide them.

use super::figures::MissingFigures;
use crate::events::{any_codes, lines_of};
use taut_schemas::windows::{DIRECT3D11, DIRECT3D12, DXGI, DXGKRNL, KERNEL_PROCESS};
use taut_traces::Trace;

/// A figure and the events that it needs, any of which suffices.
struct Need {
    figure: &'static str,
    provider: &'static str,
    uuid: &'static str,
    ids: &'static [u16],
    keyword: &'static str,
}

const KERNEL: &str = "Microsoft-Windows-DxgKrnl";
const D3D12: &str = "Microsoft-Windows-Direct3D12";

/// Ids of the events are those of `taut_schemas::windows`.
const NEEDS: &[Need] = &[
    need("presents", KERNEL, DXGKRNL, &[166, 168, 184, 251, 252], "Base (0x1), Present (0x8000000)"),
    need("presents.shown", KERNEL, DXGKRNL, &[17, 273], "Base (0x1), Present (0x8000000)"),
    need("presents.cross_adapter", KERNEL, DXGKRNL, &[184], "Base (0x1), Present (0x8000000)"),
    need("presents by swap chain", "Microsoft-Windows-DXGI", DXGI, &[42, 55], "Events (0x2)"),
    need(
        "process_name",
        "Microsoft-Windows-Kernel-Process",
        KERNEL_PROCESS,
        &[1, 15],
        "WINEVENT_KEYWORD_PROCESS (0x10)",
    ),
    need("gpu", KERNEL, DXGKRNL, &[175, 176], "Base (0x1)"),
    need("gpu.engine", KERNEL, DXGKRNL, &[30, 32], "Resource (0x40) with rundown"),
    need("segments", KERNEL, DXGKRNL, &[274], "Base (0x1)"),
    need("process_memory", KERNEL, DXGKRNL, &[367, 371], "References (0x4)"),
    need("allocations", KERNEL, DXGKRNL, &[33, 34, 35], "Resource (0x40)"),
    need("allocations that existed before the trace", KERNEL, DXGKRNL, &[35], "Resource (0x40) with rundown"),
    need(
        "heaps, resources and placements (report `alignment`)",
        D3D12,
        DIRECT3D12,
        &[72, 73, 74, 91, 92, 93],
        "Resources (0x4), ObjectLifetime (0x80)",
    ),
    need(
        "resources of Direct3D 11, without sizes",
        "Microsoft-Windows-Direct3D11",
        DIRECT3D11,
        &[6, 9, 12, 15],
        "Resources (0x4)",
    ),
    need("swap_chains", "Microsoft-Windows-DXGI", DXGI, &[10, 12], "Objects (0x1), Events (0x2)"),
    need("queues", KERNEL, DXGKRNL, &[178, 180], "Base (0x1)"),
    need("residency", KERNEL, DXGKRNL, &[73, 74, 338], "Base (0x1), References (0x4)"),
    need("object_allocations", D3D12, DIRECT3D12, &[94], "Resources (0x4)"),
    need("background_work", D3D12, DIRECT3D12, &[132, 133, 134], "Markers (0x8)"),
    need("pipelines", D3D12, DIRECT3D12, &[155, 157], "APIs"),
];

const fn need(
    figure: &'static str,
    provider: &'static str,
    uuid: &'static str,
    ids: &'static [u16],
    keyword: &'static str,
) -> Need {
    Need { figure, provider, uuid, ids, keyword }
}

/// The figures that the trace lacks events for.
pub(super) fn missing(trace: &Trace) -> Vec<MissingFigures> {
    let schema = &trace.header().schema;
    let is_absent = |need: &&Need| {
        let codes: Vec<_> = lines_of(schema, need.uuid, need.ids).map(|line| line.code).collect();
        !any_codes(trace, &codes)
    };
    let figure = |need: &Need| MissingFigures { figure: need.figure, provider: need.provider, keyword: need.keyword };
    NEEDS.iter().filter(is_absent).map(figure).collect()
}
