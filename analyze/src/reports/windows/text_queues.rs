//! Text of queues, swap chains, residency and allocations of objects.

use super::figures::{ObjectAllocationFigures, QueueFigures, ResidencyFigures, SwapChainFigures};
use super::text_cells::{ROWS, known, process};
use crate::render::{TextTable, binary_bytes, counted, grouped, span};
use crate::reports::verdict::NO_VALUE;

pub(super) fn queues(groups: &[QueueFigures]) -> TextTable {
    let titles = ["Process", "Engine", "Packets", "Waits", "Max depth", "Mean time"];
    let mut table = TextTable::new("Queues of the engines", titles);
    for group in groups.iter().take(ROWS) {
        let cells = [
            known(group.engine, |engine| engine.to_string()),
            grouped(group.queued_packets),
            grouped(group.queue_waits),
            grouped(group.max_queue_depth),
            known(group.mean_queued_ns, span),
        ];
        table.row(process(group.process, group.process_name.as_ref()), cells);
    }
    table
}

pub(super) fn swap_chains(chains: &[SwapChainFigures]) -> TextTable {
    let titles = [
        "Process",
        "Buffers",
        "Size",
        "DXGI format",
        "Swap effect",
        "Hybrid mode",
        "Tier",
        "Fallback",
        "Resizes",
        "Resize time",
        "Created",
    ];
    let caption = "Swap chains, with the numbers of Windows; no event states copies and bytes of a frame";
    let importance = ["Buffers", "Size", "Created", "Resizes", "Resize time"];
    let mut table = TextTable::new(caption, titles).words(titles.len() - 1).by_importance(&importance);
    for chain in chains.iter().take(ROWS) {
        let number = |value: Option<u64>| known(value, |value| value.to_string());
        let size = chain.width.zip(chain.height);
        let cells = [
            number(chain.buffers),
            size.map_or_else(|| NO_VALUE.to_owned(), |(width, height)| format!("{width} x {height}")),
            number(chain.format),
            number(chain.swap_effect),
            number(chain.hybrid_present_mode),
            number(chain.cross_adapter_tier),
            number(chain.fallback_reason),
            grouped(chain.resizes),
            known(chain.resize_ns, span),
            if chain.is_from_before { "before the trace" } else { "in the trace" }.to_owned(),
        ];
        table.row(process(chain.process, chain.process_name.as_ref()), cells);
    }
    table
}

pub(super) fn residency(residency: &ResidencyFigures) -> String {
    let page_ins = residency.page_ins.iter().map(|segment| segment.page_ins).sum();
    format!(
        "Residency: {} for {} took {}, at most {}; the kernel refused {} and requested to trim {}. {} moved into a segment and {} out of one.",
        counted(residency.residency_requests, "request"),
        counted(residency.requested_allocations, "allocation"),
        known(residency.total_ns, span),
        known(residency.max_ns, span),
        grouped(residency.refused),
        binary_bytes(residency.trim_bytes),
        counted(page_ins, "allocation"),
        grouped(residency.evictions),
    )
}

pub(super) fn object_allocations(sums: &ObjectAllocationFigures) -> String {
    let gap = match sums.without_creation {
        0 => String::new(),
        count => format!(
            " {} of them {} neither created nor listed in the trace: sums of bytes leave them out.",
            grouped(count),
            if count == 1 { "is" } else { "are" },
        ),
    };
    format!(
        "Objects of Direct3D 12 with an event of their allocations: {}, with {} and {}.{gap}",
        grouped(sums.objects),
        counted(sums.address_ranges, "address range"),
        counted(sums.kernel_allocations, "kernel allocation"),
    )
}
