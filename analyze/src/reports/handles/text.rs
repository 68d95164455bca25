//! Text of the handles report.

use super::verdict::RECORD_ACCESSES;
use super::{
    AuditFigures, CommandListFigures, ContextFigures, CostFigures, HandlesFigures, RecreationFigures, SetFigures,
};
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped, percent};
use crate::reports::verdict::{NO_VALUE, listed};

/// Maximum number of context rows.
const SHOWN: usize = 20;
/// Maximum number of cache sets that a sentence names.
const SHOWN_SETS: usize = 4;

pub(super) fn document(figures: &HandlesFigures, head: &Head) -> Document {
    let mut document = Document::new("Handles: memory in each context");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    if head.left_out_events > 0 {
        document.text("The report excludes handles of devices created before the first event of the trace.");
    }
    document.table(peak(figures));
    document.table(contexts(figures));
    document.text(cost(&figures.cost));
    if figures.cost.contexts > 0 {
        document.table(estimate(&figures.cost));
        document.table(allocators(figures));
    }
    document.text(threads(figures));
    let tables = [
        classes(figures),
        recreation(&figures.recreation),
        large(figures),
        fields(figures),
        contended(figures),
        out_of_memory(figures),
        leaked(figures),
    ];
    tables.into_iter().flatten().for_each(|table| document.table(table));
    sentences(figures).into_iter().for_each(|text| document.text(text));
    let broken: Vec<&AuditFigures> = figures.audits.iter().filter(|audit| audit.findings > 0).collect();
    if !broken.is_empty() {
        document.table(findings(&broken));
    }
    document
}

fn peak(figures: &HandlesFigures) -> TextTable {
    let titles = ["Type", "Immediate", "Bytes", "Deferred", "Bytes"];
    let mut table = TextTable::new("Open handles at peak, in immediate and deferred contexts", titles);
    for of_type in &figures.peak.by_type {
        let cells = [
            grouped(of_type.immediate_handles),
            binary_bytes(of_type.immediate_bytes),
            grouped(of_type.deferred_handles),
            binary_bytes(of_type.deferred_bytes),
        ];
        table.row(of_type.handle_type.clone(), cells);
    }
    table
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NO_VALUE.to_owned(), |value| format!("{value:.1}"))
}

fn contexts(figures: &HandlesFigures) -> TextTable {
    let titles = ["Context", "Opened", "Bytes", "Peak", "Bytes", "Command lists", "Opened per list", "Reopened"];
    let mut table = TextTable::new("Handles by context: opened in total, and at the peak of the context", titles);
    for context in figures.contexts.iter().take(SHOWN) {
        let cells = [
            grouped(context.opened),
            binary_bytes(context.opened_bytes),
            grouped(context.peak_handles),
            binary_bytes(context.peak_bytes),
            grouped(context.recordings),
            number(context.opened_per_recording),
            grouped(context.recreated),
        ];
        table.row(format!("{} {}", context.kind, context.context), cells);
    }
    if let Some(more) = figures.contexts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        table.row(format!("and {more} more"), (0..7).map(|_| String::new()));
    }
    table
}

/// Sentence about the cost of several contexts compared to one.
fn cost(cost: &CostFigures) -> String {
    let opened = format!("{} of {}", counted(cost.handles, "handle"), binary_bytes(cost.bytes));
    match cost.contexts {
        0 => "No deferred context opens a handle.".to_owned(),
        1 => format!("One deferred context opens {opened} (each object counts once)."),
        contexts => format!(
            "{} deferred contexts open {opened} in the whole recording (each object counts once per context). One context would open {} of {}: {} contexts cost {} \
             and {} more.",
            grouped(contexts),
            grouped(cost.one_context_handles),
            binary_bytes(cost.one_context_bytes),
            grouped(contexts),
            counted(cost.extra_handles, "handle"),
            binary_bytes(cost.extra_bytes)
        ),
    }
}

/// Sentence about contexts that several threads recorded on.
fn threads(figures: &HandlesFigures) -> String {
    let shared: Vec<&ContextFigures> = figures.contexts.iter().filter(|context| context.thread_changes > 0).collect();
    let Some(busiest) = shared.iter().max_by_key(|context| context.thread_changes) else {
        return "Each command list is recorded by one thread.".to_owned();
    };
    format!(
        "Several threads recorded one command list on {}; most on {} {}: {} and {} from one thread to another. \
         Direct3D 11 contexts are not thread-safe: without synchronization by the application, these calls are a data race.",
        if shared.len() == 1 { "1 context".to_owned() } else { format!("{} contexts", grouped(shared.len() as u64)) },
        busiest.kind,
        busiest.context,
        counted(busiest.threads, "thread"),
        counted(busiest.thread_changes, "change")
    )
}

fn estimate(cost: &CostFigures) -> TextTable {
    let caption = "Estimate for N deferred contexts: recordings of a context remain together; at most, each goes to another context";
    let titles = ["Contexts", "Handles", "Bytes", "Max handles", "Max bytes"];
    let mut table = TextTable::new(caption, titles).by_importance(&["Handles", "Bytes"]);
    for one in &cost.estimate {
        let cells =
            [grouped(one.handles), binary_bytes(one.bytes), grouped(one.max_handles), binary_bytes(one.max_bytes)];
        table.row(one.contexts.to_string(), cells);
    }
    table
}

fn allocators(figures: &HandlesFigures) -> TextTable {
    let caption = "Policies of the allocator of handles: allocated memory at the peak, cache lines accessed in calls";
    let mut table = TextTable::new(caption, ["Policy", "Allocated", "Lines", "Setting"]).words(3);
    for one in &figures.allocators {
        let lines = one.predicted_line_touches.map_or_else(|| NO_VALUE.to_owned(), grouped);
        let setting = if one.is_recorded { "(recorded)".to_owned() } else { format!("--setting {}", one.setting) };
        table.row(one.allocator.to_owned(), [binary_bytes(one.predicted_peak_allocated_bytes), lines, setting]);
    }
    table
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| NO_VALUE.to_owned(), percent)
}

fn classes(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Size class", "Types", "Opened", "Recycled", "Hits", "Waste"];
    let table = TextTable::new("Size classes of handle memory in deferred contexts", titles).words(1);
    let mut table = table.by_importance(&["Opened", "Hits", "Waste"]);
    for class in &figures.size_classes {
        let (types, hits) = (class.handle_types.join(", "), ratio(class.hit_ratio));
        let cells = [types, grouped(class.opened), grouped(class.recycled), hits, ratio(class.waste_ratio)];
        table.row(binary_bytes(class.class_bytes), cells);
    }
    (!figures.size_classes.is_empty()).then_some(table)
}

fn large(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Type", "Size", "Opened", "Bytes", "Cold bytes"];
    let caption = "Handles in deferred contexts larger than two cache lines: candidates for a pointer to the immediate context's data";
    let mut table = TextTable::new(caption, titles);
    for large in &figures.large {
        let cold = large.cold_bytes.map_or_else(|| "not recorded".to_owned(), binary_bytes);
        let cells = [binary_bytes(large.size_bytes), grouped(large.opened), binary_bytes(large.opened_bytes), cold];
        table.row(large.handle_type.clone(), cells);
    }
    (!figures.large.is_empty()).then_some(table)
}

fn contended(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Cache line", "Transfers", "Contexts", "Sharing", "Objects", "Calls"];
    let caption = "Cache lines with the most transfers between contexts";
    let table = TextTable::new(caption, titles).words(2).words(3).words(4).words(5);
    let mut table = table.by_importance(&["Transfers", "Contexts", "Sharing", "Calls"]);
    for line in &figures.contended {
        let mut contexts = line.between.clone();
        contexts.sort_unstable();
        let contexts: Vec<String> = contexts.iter().map(u64::to_string).collect();
        let cells = [
            grouped(line.transfers),
            contexts.join(", "),
            line.sharing.to_owned(),
            line.objects.join(", "),
            line.calls.join(", "),
        ];
        table.row(format!("0x{:x}", line.address), cells);
    }
    (!figures.contended.is_empty()).then_some(table)
}

fn fields(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Field", "Placement", "Size", "Uses", "Even at", "Lines", "Advice", "Then"];
    let caption =
        "Copy or share: fields of the driver's data, uses per opened handle, cache lines accessed in all calls";
    let table = TextTable::new(caption, titles).words(1).words(6);
    let mut table = table.by_importance(&["Placement", "Uses", "Advice", "Then"]);
    for field in figures.fields.iter().take(SHOWN) {
        let then = field.alternatives.iter().find(|one| Some(one.placement) == field.recommended_placement);
        let cells = [
            field.placement.to_owned(),
            binary_bytes(field.field_bytes),
            number(field.uses_per_open),
            number(field.break_even_uses),
            grouped(figures.line_touches.unwrap_or_default()),
            field.recommended_placement.unwrap_or(NO_VALUE).to_owned(),
            then.map_or_else(|| NO_VALUE.to_owned(), |one| grouped(one.predicted_line_touches)),
        ];
        table.row(format!("{}.{}", field.handle_type, field.field), cells);
    }
    (!figures.fields.is_empty()).then_some(table)
}

fn out_of_memory(figures: &HandlesFigures) -> Option<TextTable> {
    let mut table =
        TextTable::new("Calls that failed for lack of handle memory", ["Context", "Call", "Count", "First stamp"])
            .words(1);
    for one in &figures.out_of_memory {
        table.row(one.context.to_string(), [one.call.clone(), grouped(one.times), one.at_stamp.to_string()]);
    }
    (!figures.out_of_memory.is_empty()).then_some(table)
}

fn leaked(figures: &HandlesFigures) -> Option<TextTable> {
    let mut table =
        TextTable::new("Leaks: handles open when their context was destroyed", ["Type", "Handles", "Bytes"]);
    for leak in &figures.leaked {
        table.row(leak.handle_type.clone(), [grouped(leak.handles), binary_bytes(leak.bytes)]);
    }
    (!figures.leaked.is_empty()).then_some(table)
}

/// Sentence on cache sets with more hot lines than ways.
fn cache_sets(sets: &SetFigures) -> String {
    let ways = sets.ways;
    let hold = match sets.conflicting_sets {
        0 => return format!("No cache set has more than {ways} hot lines of one command list."),
        1 => "1 cache set has".to_owned(),
        crowded => format!("{} cache sets have", grouped(crowded)),
    };
    let fullest: Vec<String> = sets.by_set.iter().take(SHOWN_SETS).map(|one| one.set.to_string()).collect();
    let max = grouped(sets.max_hot_lines);
    format!("{hold} more than {ways} hot lines of one command list (max {max}), most often {}.", listed(&fullest))
}

/// Sentence on command lists, and on those that hold memory without need.
fn command_lists(lists: &CommandListFigures) -> String {
    let memory =
        |bytes: u64, objects: u64| format!("{} and {}", binary_bytes(bytes), counted(objects, "pinned object"));
    let mut text = format!(
        "{} created, {}; live ones hold at most {}.",
        counted(lists.created, "command list"),
        counted(lists.executions, "execution"),
        memory(lists.list_bytes.saturating_add(lists.pinned_bytes), lists.pinned_objects)
    );
    if lists.retained > 0 {
        let retained = counted(lists.retained, "command list");
        text += &format!(
            " {retained} executed once and retained while their context finished another one: release them after ExecuteCommandList, \
             they hold {}.",
            binary_bytes(lists.retained_bytes)
        );
    }
    text
}

fn recreation(figures: &RecreationFigures) -> Option<TextTable> {
    let caption = "Objects that consecutive recordings of a context open, by DDI calls and bytes";
    let titles = ["Object", "Opened", "Reopened", "DDI calls", "Bytes", "In each recording"];
    let mut table = TextTable::new(caption, titles).by_importance(&["DDI calls", "Bytes", "Reopened"]);
    for one in &figures.by_object {
        let in_each = if one.in_every_recording { "yes" } else { "no" };
        let cells = [
            grouped(one.opened),
            grouped(one.recreated),
            grouped(one.ddi_calls),
            binary_bytes(one.bytes),
            in_each.to_owned(),
        ];
        table.row(one.object.clone(), cells);
    }
    (!figures.by_object.is_empty()).then_some(table)
}

/// Sentences about accesses (or their absence), leaks and audits.
fn sentences(figures: &HandlesFigures) -> Vec<String> {
    let mut sentences = vec![format!(
        "At peak, handles in deferred contexts beyond the first of each object need {}.",
        binary_bytes(figures.peak.duplicated_bytes)
    )];
    if figures.command_lists.created > 0 {
        sentences.push(command_lists(&figures.command_lists));
    }
    if figures.max_distance_bytes > 0 {
        let distance = binary_bytes(figures.max_distance_bytes);
        sentences.push(format!("Largest distance between a handle and its data in a deferred context: {distance}."));
    }
    match (figures.accesses, &figures.accesses_by_owner, &figures.cache_sets) {
        (Some(accesses), Some(accesses_by_owner), Some(sets)) => {
            let transfers = counted(figures.line_transfers.unwrap_or_default(), "transfer");
            let shared = match figures.shared_lines.unwrap_or_default() {
                0 => "none was written by more than one context".to_owned(),
                1 => "1 was written by more than one context".to_owned(),
                shared => format!("{} were written by more than one context", grouped(shared)),
            };
            let lines = counted(figures.lines.unwrap_or_default(), "cache line");
            sentences
                .push(format!("Of {lines} of {} B, {shared}; {transfers} between contexts.", figures.cache_line_bytes));
            if let (Some(unwritten), Some(ratio)) = (figures.copies.unwritten_bytes, figures.copies.unwritten_ratio) {
                sentences.push(format!(
                    "Deferred contexts opened {}; {} of that ({}) was never written afterwards and could be shared.",
                    binary_bytes(figures.copies.opened_bytes),
                    binary_bytes(unwritten),
                    percent(ratio)
                ));
            }
            sentences.push(format!(
                "Accesses by deferred contexts: {} to memory of the context, {} to data of the immediate context, {} to data that \
                 the immediate context wrote after its creation, {} writes to data of the immediate context, {} to memory of other \
                 deferred contexts.",
                grouped(accesses_by_owner.own_accesses),
                grouped(accesses_by_owner.shared_reads),
                grouped(accesses_by_owner.mutable_accesses),
                grouped(accesses_by_owner.shared_writes),
                grouped(accesses_by_owner.foreign_accesses)
            ));
            sentences.push(cache_sets(sets));
            let nowhere = figures.unattributed_accesses.unwrap_or_default();
            if nowhere > 0 {
                sentences.push(format!("{} of {} accesses belong to no handle.", grouped(nowhere), grouped(accesses)));
            }
        }
        _ => sentences.push(format!(
            "The trace has no accesses to handle memory, so false sharing and cold bytes are unknown. Record \
             accesses with `{RECORD_ACCESSES}`."
        )),
    }
    sentences.push(match figures.leaks {
        None => "The trace destroys no device, so leaks are unknown.".to_owned(),
        Some(0) => "No handle leaked: none was open when its context was destroyed.".to_owned(),
        Some(leaks) => format!("{} leaked: open when the context was destroyed.", counted(leaks, "handle")),
    });
    sentences.push(audits(figures));
    sentences
}

fn audits(figures: &HandlesFigures) -> String {
    let rules = counted(figures.audits.len() as u64, "rule");
    let broken = figures.audits.iter().filter(|audit| !audit.ok).count() as u64;
    let uncertain = figures.audits.iter().filter(|audit| audit.uncertain).count() as u64;
    let mut text = match broken {
        0 => format!("{rules} checked, none broken"),
        1 => format!("{rules} checked, 1 broken"),
        broken => format!("{rules} checked, {} broken", grouped(broken)),
    };
    if uncertain > 0 {
        text += &format!("; {} may be broken, or only look broken because events are missing", grouped(uncertain));
    }
    text + "."
}

fn findings(broken: &[&AuditFigures]) -> TextTable {
    let titles = ["Rule", "Count", "Stamp", "Thread", "Finding"];
    let mut table = TextTable::new("Broken rules", titles).words(4).by_importance(&["Finding"]);
    for audit in broken {
        let sure = if audit.uncertain { " (maybe)" } else { "" };
        for finding in &audit.first_findings {
            let cells = [
                grouped(finding.times),
                finding.at_stamp.to_string(),
                finding.thread.to_string(),
                finding.description.clone(),
            ];
            table.row(format!("{}{sure}", audit.rule), cells);
        }
        let sentences: u64 = audit.first_findings.iter().map(|finding| finding.times).sum();
        if let Some(more) = audit.findings.checked_sub(sentences).filter(|more| *more > 0) {
            let cells = [grouped(more), String::new(), String::new(), "others".to_owned()];
            table.row(format!("{}{sure}", audit.rule), cells);
        }
    }
    table
}
