//! Text of the handles report.

use super::verdict::RECORD_ACCESSES;
use super::{AuditFigures, ContextFigures, CostFigures, HandlesFigures, SetFigures};
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped, percent};
use crate::reports::verdict::NO_VALUE;

/// Maximum number of context rows.
const SHOWN: usize = 20;

pub(super) fn document(figures: &HandlesFigures, head: &Head) -> Document {
    let mut document = Document::new("Handles: what they take in each context");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    if head.left_out_events > 0 {
        document.text("Handles of devices that were there before are neither counted nor judged.");
    }
    document.table(peak(figures));
    document.table(contexts(figures));
    document.text(cost(&figures.cost));
    if figures.cost.contexts > 0 {
        document.table(estimate(&figures.cost));
    }
    document.text(threads(figures));
    let tables = [classes(figures), large(figures), contended(figures), out_of_memory(figures), leaked(figures)];
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
    let mut table = TextTable::new("Handles that live when they take most", titles);
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
    let titles = ["Context", "Opened", "Bytes", "At most", "Bytes", "Recordings", "Opened in each", "Reopened"];
    let mut table = TextTable::new("Handles created and opened in each context", titles);
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
        1 => format!("One deferred context opens {opened}, each object counted once."),
        contexts => format!(
            "{} deferred contexts open {opened}, each object counted once in each; one context would open {} of {}: {} contexts cost {} \
             and {} more than one.",
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
        return "No thread went on with what another had recorded on a context.".to_owned();
    };
    format!(
        "{} recorded on by several threads within one recording; {} {} by {}, which took turns at least {}. Direct3D 11 leaves it to \
         the application to order such calls: what is not ordered is a race, and the next run may record something else.",
        if shared.len() == 1 {
            "1 context was".to_owned()
        } else {
            format!("{} contexts were", grouped(shared.len() as u64))
        },
        busiest.kind,
        busiest.context,
        counted(busiest.threads, "thread"),
        counted(busiest.thread_changes, "time")
    )
}

fn estimate(cost: &CostFigures) -> TextTable {
    let caption = "Estimate: the lists distributed round-robin over this number of contexts";
    let mut table = TextTable::new(caption, ["Contexts", "Handles", "Bytes"]);
    for distributed in &cost.estimate {
        table.row(distributed.contexts.to_string(), [grouped(distributed.handles), binary_bytes(distributed.bytes)]);
    }
    table
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| NO_VALUE.to_owned(), percent)
}

fn classes(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Size class", "Types", "Opened", "Recycled", "Hits", "Waste"];
    let table = TextTable::new("Size classes of the memory of deferred contexts' handles", titles).words(1);
    let mut table = table.by_importance(&["Opened", "Hits", "Waste"]);
    for class in &figures.size_classes {
        let (types, hits) = (class.handle_types.join(", "), ratio(class.hit_ratio));
        let cells = [types, grouped(class.opened), grouped(class.recycled), hits, ratio(class.waste_ratio)];
        table.row(binary_bytes(class.class_bytes), cells);
    }
    (!figures.size_classes.is_empty()).then_some(table)
}

fn large(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Type", "Size", "Opened", "Bytes", "Rarely accessed"];
    let caption = "Handles of deferred contexts of more than two lines: candidates for data behind the immediate context's handle";
    let mut table = TextTable::new(caption, titles);
    for large in &figures.large {
        let cold = large.cold_bytes.map_or_else(|| "unknown how hot".to_owned(), binary_bytes);
        let cells = [binary_bytes(large.size_bytes), grouped(large.opened), binary_bytes(large.opened_bytes), cold];
        table.row(large.handle_type.clone(), cells);
    }
    (!figures.large.is_empty()).then_some(table)
}

fn contended(figures: &HandlesFigures) -> Option<TextTable> {
    let titles = ["Line", "Moves", "Between contexts", "Objects", "Calls"];
    let caption = "False sharing: cache lines that moved most from one context to another";
    let table = TextTable::new(caption, titles).words(2).words(3).words(4);
    let mut table = table.by_importance(&["Moves", "Between contexts", "Calls"]);
    for line in &figures.contended {
        let contexts: Vec<String> = line.between.iter().map(u64::to_string).collect();
        let cells = [grouped(line.transfers), contexts.join(", "), line.objects.join(", "), line.calls.join(", ")];
        table.row(format!("0x{:x}", line.address), cells);
    }
    (!figures.contended.is_empty()).then_some(table)
}

fn out_of_memory(figures: &HandlesFigures) -> Option<TextTable> {
    let mut table = TextTable::new("Where memory ran out", ["Context", "Call", "Times", "First at stamp"]).words(1);
    for one in &figures.out_of_memory {
        table.row(one.context.to_string(), [one.call.clone(), grouped(one.times), one.at_stamp.to_string()]);
    }
    (!figures.out_of_memory.is_empty()).then_some(table)
}

fn leaked(figures: &HandlesFigures) -> Option<TextTable> {
    let mut table = TextTable::new("Handles that lived when their context was destroyed", ["Type", "Handles", "Bytes"]);
    for leak in &figures.leaked {
        table.row(leak.handle_type.clone(), [grouped(leak.handles), binary_bytes(leak.bytes)]);
    }
    (!figures.leaked.is_empty()).then_some(table)
}

/// Sentence on cache sets with more hot handles than ways.
fn cache_sets(sets: &SetFigures) -> String {
    let ways = sets.ways;
    let hold = match sets.conflicting_sets {
        0 => return format!("No cache set holds more than {ways} hot handles of a recording."),
        1 => "1 cache set holds".to_owned(),
        crowded => format!("{} cache sets hold", grouped(crowded)),
    };
    format!("{hold} more than {ways} hot handles of a recording, max {}.", grouped(sets.max_hot_handles))
}

/// Sentences about accesses (or their absence), leaks and audits.
fn sentences(figures: &HandlesFigures) -> Vec<String> {
    let mut sentences = vec![format!(
        "Duplicated handles of deferred contexts have {} at peak.",
        binary_bytes(figures.peak.duplicated_bytes)
    )];
    if figures.max_distance_bytes > 0 {
        let distance = binary_bytes(figures.max_distance_bytes);
        sentences
            .push(format!("Max distance between a handle and the data that a deferred context opened: {distance}."));
    }
    match (figures.accesses, &figures.accesses_by_owner, &figures.cache_sets) {
        (Some(accesses), Some(accesses_by_owner), Some(sets)) => {
            let transfers = counted(figures.line_transfers.unwrap_or_default(), "time");
            let shared = match figures.shared_lines.unwrap_or_default() {
                0 => "none is written by more than one context".to_owned(),
                1 => "1 is written by more than one context".to_owned(),
                shared => format!("{} are written by more than one context", grouped(shared)),
            };
            let lines = counted(figures.lines.unwrap_or_default(), "cache line");
            sentences.push(format!(
                "Of {lines} of {} B, {shared}; lines moved {transfers} between contexts.",
                figures.cache_line_bytes
            ));
            if let (Some(unwritten), Some(ratio)) = (figures.copies.unwritten_bytes, figures.copies.unwritten_ratio) {
                sentences.push(format!(
                    "Of {} opened in deferred contexts {} ({}) were not written since: they could be shared.",
                    binary_bytes(figures.copies.opened_bytes),
                    binary_bytes(unwritten),
                    percent(ratio)
                ));
            }
            sentences.push(format!(
                "Accesses in calls on deferred contexts: {} to the context's own memory, {} to data of the immediate context's \
                 handles, {} to data that the immediate context wrote after their creation, {} to other deferred contexts.",
                grouped(accesses_by_owner.own_accesses),
                grouped(accesses_by_owner.shared_reads),
                grouped(accesses_by_owner.mutable_accesses),
                grouped(accesses_by_owner.foreign_accesses)
            ));
            sentences.push(cache_sets(sets));
            let nowhere = figures.unattributed_accesses.unwrap_or_default();
            if nowhere > 0 {
                sentences.push(format!(
                    "{} of {} accesses are outside of all handles.",
                    grouped(nowhere),
                    grouped(accesses)
                ));
            }
        }
        _ => sentences.push(format!(
            "The trace has no accesses to the memory of handles: shared lines and cold bytes are unknown. To record \
             them: `{RECORD_ACCESSES}`."
        )),
    }
    sentences.push(match figures.leaks {
        None => "No device is destroyed in this trace.".to_owned(),
        Some(0) => "No handle lived when its context was destroyed.".to_owned(),
        Some(leaks) => format!("{} lived when the context was destroyed.", counted(leaks, "handle")),
    });
    sentences.push(audits(figures));
    sentences
}

fn audits(figures: &HandlesFigures) -> String {
    let rules = counted(figures.audits.len() as u64, "rule");
    let broken = figures.audits.iter().filter(|audit| !audit.ok).count() as u64;
    let uncertain = figures.audits.iter().filter(|audit| audit.uncertain).count() as u64;
    let mut text = match broken {
        0 => format!("{rules} of handles checked, none broken"),
        1 => format!("{rules} of handles checked, 1 broken"),
        broken => format!("{rules} of handles checked, {} broken", grouped(broken)),
    };
    if uncertain > 0 {
        text += &format!("; {} may be, if it is not because records are missing", grouped(uncertain));
    }
    text + "."
}

fn findings(broken: &[&AuditFigures]) -> TextTable {
    let titles = ["Rule", "Times", "Stamp", "Thread", "What was found"];
    let mut table = TextTable::new("Rules that are broken", titles).words(4).by_importance(&["What was found"]);
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
