//! Text of the windows report.

use super::figures::{
    AllocationFigures, GpuFigures, MissingFigures, PipelineFigures, PresentGroupFigures, ProcessMemoryFigures,
    SegmentFigures, UndecodedFigures, WindowsFigures, WorkFigures,
};
use super::text_cells::{ROWS, known, process};
use super::text_queues;
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped, percent, span};

pub(super) fn document(figures: &WindowsFigures, head: &Head) -> Document {
    let mut document = Document::new("Windows trace: presents, engines and memory, and what the trace lacks");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    document.text(machine(figures));
    document.text(losses(figures));
    if let Some(groups) = figures.presents.as_ref().filter(|groups| !groups.is_empty()) {
        document.table(presents(groups));
    }
    document.text(pairs(figures));
    if let Some(groups) = figures.gpu.as_ref().filter(|groups| !groups.is_empty()) {
        document.table(gpu(groups));
    }
    if let Some(groups) = figures.queues.as_ref().filter(|groups| !groups.is_empty()) {
        document.table(text_queues::queues(groups));
    }
    if let Some(chains) = figures.swap_chains.as_ref().filter(|chains| !chains.is_empty()) {
        document.table(text_queues::swap_chains(chains));
    }
    figures.residency.iter().for_each(|residency| document.text(text_queues::residency(residency)));
    if let Some(segments) = figures.segments.as_ref().filter(|segments| !segments.is_empty()) {
        document.table(memory(segments));
    }
    if let Some(processes) = figures.process_memory.as_ref().filter(|processes| !processes.is_empty()) {
        document.table(process_memory(processes));
    }
    if let Some(sums) = &figures.allocations {
        allocations(&mut document, sums);
    }
    figures.object_allocations.iter().for_each(|sums| document.text(text_queues::object_allocations(sums)));
    if let Some(threads) = figures.background_work.as_ref().filter(|threads| !threads.is_empty()) {
        document.table(work(threads));
    }
    figures.pipelines.iter().for_each(|sums| document.text(pipelines(sums)));
    if !figures.undecoded.is_empty() {
        document.table(undecoded(&figures.undecoded));
    }
    if !figures.missing.is_empty() {
        document.table(missing(&figures.missing));
    }
    document
}

fn machine(figures: &WindowsFigures) -> String {
    let unknown = || "unknown".to_owned();
    format!(
        "Windows build {}, {}, session {}; {} of {} events on {} of {}, in {}.",
        figures.windows_build.map_or_else(unknown, |build| build.to_string()),
        figures.processors.map_or_else(|| "unknown processors".to_owned(), |number| counted(number, "processor")),
        figures.session.as_deref().unwrap_or("unknown"),
        grouped(figures.events),
        grouped(figures.file_events),
        counted(figures.streams, "thread"),
        if figures.processes == 1 {
            "1 process".to_owned()
        } else {
            format!("{} processes", grouped(figures.processes))
        },
        figures.span_ns.map_or_else(|| "an unknown time".to_owned(), span),
    )
}

fn losses(figures: &WindowsFigures) -> String {
    match (figures.lost_events, figures.lost_buffers) {
        (Some(0), Some(0)) => "Windows lost no event and no buffer.".to_owned(),
        (Some(events), Some(buffers)) => {
            format!("Windows lost {} and {}.", counted(events, "event"), counted(buffers, "buffer"))
        }
        _ => "The losses of Windows are unknown.".to_owned(),
    }
}

fn milliseconds(value: Option<f64>) -> String {
    known(value, |ms| format!("{ms:.2} ms"))
}

fn presents(groups: &[PresentGroupFigures]) -> TextTable {
    let titles = ["Process", "Path", "Presents", "Shown", "Cross-adapter", "p50", "p99"];
    let mut table = TextTable::new("Presents by process and path, with the time between them", titles).words(1);
    for group in groups.iter().take(ROWS) {
        let cells = [
            group.path.to_owned(),
            grouped(group.presents),
            known(group.shown, grouped),
            known(group.cross_adapter, grouped),
            milliseconds(group.interval_ms_p50),
            milliseconds(group.interval_ms_p99),
        ];
        table.row(process(group.process, group.process_name.as_ref()), cells);
    }
    table
}

fn pairs(figures: &WindowsFigures) -> String {
    let Some(pairs) = &figures.pairs else { return "The trace has no events of presents.".to_owned() };
    format!(
        "Unpaired: {} of presents, and the start of {}. In progress at the first display, so that their own is unknown: {}. Tokens of the compositor: {} started, {} ended, {} of no present. {}; {} of them displayed a flip from before the trace.",
        counted(pairs.ends_without_start, "end"),
        counted(pairs.starts_without_end, "present"),
        counted(pairs.untracked, "present"),
        grouped(pairs.tokens_started),
        grouped(pairs.tokens_ended),
        grouped(pairs.tokens_without_present),
        counted(pairs.vertical_syncs, "vertical synchronization"),
        grouped(pairs.syncs_of_unknown_flips),
    )
}

fn gpu(groups: &[GpuFigures]) -> TextTable {
    let mut table = TextTable::new("Packets at engines", ["Process", "Engine", "Packets", "Busy", "Share"]);
    for group in groups.iter().take(ROWS) {
        let cells = [
            known(group.engine, |engine| engine.to_string()),
            grouped(group.packets),
            known(group.busy_ns, span),
            known(group.busy_ratio, percent),
        ];
        table.row(process(group.process, group.process_name.as_ref()), cells);
    }
    table
}

fn memory(segments: &[SegmentFigures]) -> TextTable {
    let mut table = TextTable::new("Memory in use by segment", ["Segment", "Adapter address", "Min", "Max", "Last"]);
    for one in segments.iter().take(ROWS) {
        let bytes = [one.min_bytes, one.max_bytes, one.last_bytes].map(binary_bytes);
        table.row(one.segment.to_string(), std::iter::once(format!("{:#x}", one.adapter)).chain(bytes));
    }
    table
}

fn process_memory(processes: &[ProcessMemoryFigures]) -> TextTable {
    let titles = ["Process", "Segment group", "Max in use", "Max committed"];
    let mut table = TextTable::new("Memory by process", titles);
    for one in processes.iter().take(ROWS) {
        let group =
            if one.segment_group == 0 { "local".to_owned() } else { format!("non-local {}", one.segment_group) };
        let cells = [group, known(one.max_usage_bytes, binary_bytes), known(one.max_commitment_bytes, binary_bytes)];
        table.row(process(one.process, one.process_name.as_ref()), cells);
    }
    table
}

fn allocations(document: &mut Document, sums: &AllocationFigures) {
    document.text(format!(
        "{} began and {} ended, {} of which began before the trace. Driver and kernel have rounded their sizes: the trace does not show waste.",
        counted(sums.started, "allocation"),
        grouped(sums.destroyed),
        grouped(sums.from_before),
    ));
    let mut table = TextTable::new("Allocations by alignment", ["Alignment", "Allocations", "Size"]);
    for class in sums.by_alignment.iter().take(ROWS) {
        table.row(binary_bytes(class.alignment_bytes), [grouped(class.allocations), binary_bytes(class.size_bytes)]);
    }
    if !sums.by_alignment.is_empty() {
        document.table(table);
    }
}

fn work(threads: &[WorkFigures]) -> TextTable {
    let titles = ["Process", "Thread", "Runs", "Total", "Max", "Presents during runs", "Unpaired"];
    let mut table = TextTable::new("Background work of Direct3D 12", titles);
    for one in threads.iter().take(ROWS) {
        let cells = [
            one.thread.to_string(),
            grouped(one.runs),
            known(one.total_ns, span),
            known(one.max_ns, span),
            known(one.presents_during_runs, grouped),
            grouped(one.unpaired),
        ];
        table.row(process(one.process, one.process_name.as_ref()), cells);
    }
    table
}

fn pipelines(sums: &PipelineFigures) -> String {
    let lookups = match sums.cache_lookups.zip(sums.cache_hits) {
        Some((lookups, hits)) => format!("{} of {} hit a cache", grouped(hits), counted(lookups, "look-up")),
        None => "look-ups in caches are unknown".to_owned(),
    };
    format!(
        "{} took {}, at most {}; {lookups}.",
        counted(sums.created, "pipeline creation"),
        known(sums.total_ns, span),
        known(sums.max_ns, span),
    )
}

fn undecoded(kinds: &[UndecodedFigures]) -> TextTable {
    let mut table = TextTable::new("Events without a description", ["Provider", "Event id", "Version", "Events"]);
    for kind in kinds.iter().take(ROWS) {
        table.row(&kind.provider, [kind.id.to_string(), kind.version.to_string(), grouped(kind.events)]);
    }
    table
}

fn missing(figures: &[MissingFigures]) -> TextTable {
    let titles = ["Missing", "Provider to capture", "Keyword"];
    let mut table = TextTable::new("Figures that the trace has no events for", titles).words(1).words(2);
    for one in figures {
        table.row(one.figure, [one.provider.to_owned(), one.keyword.to_owned()]);
    }
    table
}
