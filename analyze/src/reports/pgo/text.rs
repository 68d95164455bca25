//! Text of the pgo report.

use super::audits::AUDITS;
use super::{AuditFigures, PassFigures, PgoFigures, PipelineFigures, VariantFigures, VariantTime, text_sums};
use crate::background::Pass;
use crate::render::{Document, TextTable, counted, grouped, percent, span};
use crate::reports::verdict::listed;

/// Maximum number of table rows.
const ROWS: usize = 24;
/// Maximum number of pipeline states that a sentence names.
const NAMED: usize = 12;

pub(super) fn document(figures: &PgoFigures, recorded: &[Pass], when: &dyn Fn(u64) -> String) -> Document {
    let mut document = Document::new("Background processing: how far the driver's optimisation came, and what it cost");
    if !figures.whole {
        document.text("The trace is not whole: the figures are of what it holds.");
    }
    if let Some(text) = requesting(&figures.pipelines) {
        document.text(text);
    }
    if let Some(table) = text_sums::distributions(figures) {
        document.table(table);
    }
    document.table(text_sums::sums(figures, recorded));
    if figures.mode_calls > 0 {
        document.table(by_pass(figures));
        if figures.by_pass.len() > ROWS {
            let more = passes((figures.by_pass.len() - ROWS) as u64);
            document.text(format!("Between these {more} more; `taut query` has them in the table `passes`."));
        }
    }
    if !figures.pipelines.is_empty() {
        document.table(pipelines(&figures.pipelines));
    }
    if !figures.by_variant.is_empty() {
        document.table(by_variant(&figures.by_variant));
        if figures.by_variant.len() > ROWS {
            let more = counted((figures.by_variant.len() - ROWS) as u64, "specialisation");
            document.text(format!("{more} more; `taut query` has them in the table `variants`."));
        }
        document.text(waste(figures));
    }
    document.table(audits(figures));
    for audit in figures.audits.iter().filter(|audit| audit.findings > 0) {
        document.text(findings(audit, when));
    }
    document
}

fn passes(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "pass" } else { "passes" })
}

/// Sentence with the pipeline states for which the driver still requests measurements.
fn requesting(pipelines: &[PipelineFigures]) -> Option<String> {
    let mut all: Vec<&PipelineFigures> = pipelines.iter().filter(|one| one.requests_measurements).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.draws));
    let mut names: Vec<String> = all.iter().take(NAMED).map(|one| one.name.clone()).collect();
    if all.len() > NAMED {
        names.push(format!("{} more", all.len() - NAMED));
    }
    (!all.is_empty()).then(|| format!("Pipeline states that still request measurements: {}.", listed(&names)))
}

fn by_pass(figures: &PgoFigures) -> TextTable {
    let titles = [
        "Pass",
        "More?",
        "Mode",
        "Action",
        "Started",
        "Finished",
        "Cancelled",
        "Counters",
        "Found",
        "Draws",
        "Frames",
        "Variants",
        "Saved",
    ];
    let table = TextTable::new("Passes", titles).words(1).words(2).words(3);
    let mut table = table.by_importance(&["More?", "Mode", "Saved", "Variants", "Frames"]);
    let passes = figures.by_pass.as_slice();
    // The first and the last passes are shown: measurements are usually taken in the last ones.
    let ends =
        if passes.len() > ROWS { [&passes[..ROWS / 2], &passes[passes.len() - ROWS / 2..]] } else { [passes, &[]] };
    for pass in ends.into_iter().flatten() {
        table.row(pass.pass.to_string(), pass_cells(pass));
    }
    table
}

fn pass_cells(pass: &PassFigures) -> [String; 12] {
    let answer = match pass.further_desired {
        None => "–",
        Some(true) => "yes",
        Some(false) => "no",
    };
    [
        answer.to_owned(),
        pass.mode.clone(),
        if pass.pass == 0 { "–".to_owned() } else { pass.action.clone() },
        grouped(pass.tasks_started),
        grouped(pass.tasks_finished),
        grouped(pass.tasks_cancelled),
        optional(pass.counter_ratio, percent),
        grouped(pass.opportunities),
        grouped(pass.draws),
        grouped(pass.presents),
        grouped(pass.variants),
        optional(pass.saving_ratio, percent),
    ]
}

fn optional<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

fn pipelines(pipelines: &[PipelineFigures]) -> TextTable {
    let titles = [
        "Pipeline state",
        "Draws",
        "By variants",
        "Before",
        "After",
        "Saved",
        "Specialised constants",
        "Guard misses",
        "Variants",
    ];
    let caption = "Instructions executed by draws that used variants";
    let mut table = TextTable::new(caption, titles).by_importance(&["Draws", "Saved", "By variants", "Variants"]);
    let mut by_draws: Vec<&PipelineFigures> = pipelines.iter().collect();
    by_draws.sort_by_key(|one| std::cmp::Reverse(one.generic_executed));
    for one in by_draws.into_iter().take(ROWS) {
        let cells = [
            grouped(one.draws),
            optional(one.variant_draw_ratio, percent),
            grouped(one.instructions_before),
            grouped(one.instructions_after),
            optional(one.served_saving_ratio, percent),
            optional(one.specialised_slots, |slots| slots.to_string()),
            grouped(one.guard_misses),
            grouped(one.variants),
        ];
        table.row(&one.name, cells);
    }
    table
}

fn by_variant(variants: &[VariantFigures]) -> TextTable {
    let titles = [
        "Pipeline state",
        "Outcome",
        "Variant",
        "Guard slots",
        "Length",
        "Compiled in",
        "Break-even",
        "Draws using it",
        "In time",
        "Saved",
    ];
    let table = TextTable::new("Specialisations found, with their outcome", titles).words(1);
    let mut table = table.by_importance(&["Outcome", "Saved", "Draws using it"]);
    for one in variants.iter().take(ROWS) {
        let length = one.length_before.zip(one.length_after).map(|(before, after)| format!("{before} → {after}"));
        let cells = [
            match one.outcome {
                "nothing_folded" => "no-op".to_owned(),
                outcome => outcome.replace('_', " "),
            },
            optional(one.variant, grouped),
            optional(one.guard.as_ref(), |guard| grouped(guard.len() as u64)),
            optional(length, |length| length),
            optional(one.compile_ns, span),
            optional(one.break_even_draws, |draws| counted(draws, "draw")),
            grouped(one.variant_draws),
            optional(one.time.as_ref(), time_saved),
            optional(one.served_saving_ratio, percent),
        ];
        table.row(&one.name, cells);
    }
    table
}

/// Saving of machine time, with a mark if the instruction counts disagree.
fn time_saved(time: &VariantTime) -> String {
    let mark = if time.time_disagrees == Some(true) { " (!)" } else { "" };
    optional(time.time_saving_ratio, percent) + mark
}

/// Sentence on discarded work.
fn waste(figures: &PgoFigures) -> String {
    let waste = &figures.waste;
    if waste.discarded_results == 0 {
        return "No work was discarded.".to_owned();
    }
    let is_timed = figures.run_time.max_ns.is_some();
    let within = |ns: u64| if is_timed { format!(", in {}", span(ns)) } else { String::new() };
    let mut text = format!(
        "Discarded work: {}, {} of code{}",
        counted(waste.discarded_results, "result"),
        counted(waste.discarded_instructions, "instruction"),
        within(waste.discarded_ns)
    );
    if waste.started_after_destruction > 0 {
        text += &format!(
            "; of those {} begun after the pipeline state was gone, {}{}",
            grouped(waste.started_after_destruction),
            counted(waste.started_after_destruction_instructions, "instruction"),
            within(waste.started_after_destruction_ns)
        );
    }
    text + "."
}

fn audits(figures: &PgoFigures) -> TextTable {
    let caption = format!(
        "Audits: {} broken, {}",
        counted(figures.audits_failed, "rule"),
        match figures.advice_not_followed {
            1 => "1 lint warning".to_owned(),
            count => format!("{count} lint warnings"),
        }
    );
    let mut table = TextTable::new(caption, ["Audit", "", "Cases", "Findings", "What is checked"]).words(1).words(4);
    table = table.by_importance(&["What is checked", "Findings"]);
    for (audit, about) in figures.audits.iter().zip(AUDITS) {
        let verdict = match (audit.ok, audit.lint, audit.uncertain) {
            (true, _, true) => "uncertain",
            (true, ..) => "ok",
            (false, true, _) => "advice",
            (false, false, _) => "broken",
        };
        let meaning = format!("{} ({})", about.meaning, about.numbers());
        table.row(&audit.name, [verdict.to_owned(), grouped(audit.checked), grouped(audit.findings), meaning]);
    }
    table
}

fn findings(audit: &AuditFigures, when: &dyn Fn(u64) -> String) -> String {
    let mut text = format!("{}: ", audit.name);
    let first = audit.first_findings.iter().map(|found| format!("{} ({})", found.description, when(found.at_stamp)));
    text += &first.collect::<Vec<_>>().join(" ");
    let more = audit.findings - audit.first_findings.len() as u64;
    if more > 0 {
        text += &format!(" And {} more.", grouped(more));
    }
    if audit.uncertain {
        text += " Records are missing, which may be why: this does not count as broken.";
    }
    text
}
