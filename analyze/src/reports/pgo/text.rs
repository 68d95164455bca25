//! Text of the pgo report.

use super::audits::AUDITS;
use super::{AuditFigures, PassFigures, PgoFigures, PipelineFigures, VariantFigures, VariantTime, text_sums};
use crate::background::Pass;
use crate::render::{Document, TextTable, counted, grouped, percent, span};
use crate::reports::verdict::listed;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of table rows.
const ROWS: usize = 24;
/// Maximum number of pipeline states that a sentence names.
const NAMED: usize = 12;

pub(super) fn document(figures: &PgoFigures, recorded: &[Pass], when: &dyn Fn(u64) -> String) -> Document {
    let mut document = Document::new("Background processing: progress, gain and cost of the driver's optimisation");
    if !figures.whole {
        document.text("The trace is incomplete: the figures cover the records that remain.");
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
            document.text(format!("{more} between these are not shown; the table `passes` of `taut query` has all."));
        }
    }
    let names = PipelineNames::new(figures);
    if !figures.pipelines.is_empty() {
        document.table(pipelines(&figures.pipelines, &names));
    }
    if !figures.by_variant.is_empty() {
        document.table(by_variant(&figures.by_variant, &names));
        if figures.by_variant.len() > ROWS {
            let more = counted((figures.by_variant.len() - ROWS) as u64, "specialisation");
            document.text(format!("{more} more are not shown; the table `variants` of `taut query` has all."));
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
    // Pipeline states of one name are one entry with their number.
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for one in &all {
        match groups.iter_mut().find(|(name, _)| *name == one.name) {
            Some((_, count)) => *count += 1,
            None => groups.push((one.name.as_str(), 1)),
        }
    }
    let text = |(name, count): &(&str, usize)| match count {
        1 => (*name).to_owned(),
        count => format!("{name} ×{count}"),
    };
    let mut names: Vec<String> = groups.iter().take(NAMED).map(text).collect();
    if groups.len() > NAMED {
        let more: usize = groups.iter().skip(NAMED).map(|(_, count)| count).sum();
        names.push(format!("{more} more"));
    }
    (!all.is_empty()).then(|| format!("Pipeline states that still request measurements: {}.", listed(&names)))
}

fn by_pass(figures: &PgoFigures) -> TextTable {
    let titles = [
        "Pass",
        "Further measurements",
        "Mode",
        "Action",
        "Tasks requested",
        "Tasks started",
        "Tasks finished",
        "Tasks cancelled",
        "Counter cost",
        "Draws",
        "Frames",
        "Variants",
        "Saved",
    ];
    let caption = "Passes, with the driver's answer and the share of instructions saved";
    let table = TextTable::new(caption, titles).words(1).words(2).words(3);
    let mut table = table.by_importance(&["Further measurements", "Action", "Mode", "Saved"]);
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
        Some(true) => "desired",
        Some(false) => "not desired",
    };
    [
        answer.to_owned(),
        pass.mode.clone(),
        if pass.pass == 0 { "–".to_owned() } else { pass.action.clone() },
        grouped(pass.opportunities),
        grouped(pass.tasks_started),
        grouped(pass.tasks_finished),
        grouped(pass.tasks_cancelled),
        optional(pass.counter_ratio, percent),
        grouped(pass.draws),
        grouped(pass.presents),
        grouped(pass.variants),
        optional(pass.saving_ratio, percent),
    ]
}

fn optional<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

/// Names of pipeline states in tables; names of several pipeline states are followed by the handle.
struct PipelineNames<'f> {
    /// Pipeline states by name.
    by_name: BTreeMap<&'f str, BTreeSet<u64>>,
}

impl<'f> PipelineNames<'f> {
    fn new(figures: &'f PgoFigures) -> PipelineNames<'f> {
        let mut by_name: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        let drawn = figures.pipelines.iter().map(|one| (one.name.as_str(), one.pipeline_state));
        let specialised = figures.by_variant.iter().map(|one| (one.name.as_str(), one.pipeline_state));
        for (name, id) in drawn.chain(specialised) {
            by_name.entry(name).or_default().insert(id);
        }
        PipelineNames { by_name }
    }

    fn text(&self, name: &str, pipeline_state: u64) -> String {
        match self.by_name.get(name).is_some_and(|ids| ids.len() > 1) {
            true => format!("{name} ({pipeline_state})"),
            false => name.to_owned(),
        }
    }
}

fn pipelines(pipelines: &[PipelineFigures], names: &PipelineNames<'_>) -> TextTable {
    let titles = [
        "Pipeline state",
        "Draws",
        "Draws with variant",
        "Generic",
        "Executed",
        "Saved",
        "Specialised constants",
        "Guard misses",
        "Variants",
    ];
    let caption = "Instructions executed by draws with a variant, against the generic shader";
    let mut table =
        TextTable::new(caption, titles).by_importance(&["Draws", "Saved", "Draws with variant", "Variants"]);
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
        table.row(names.text(&one.name, one.pipeline_state), cells);
    }
    table
}

/// Outcome of a specialisation, in words.
fn outcome(outcome: &str) -> String {
    match outcome {
        "misses" => "guard misses".to_owned(),
        "loses" => "slower".to_owned(),
        "pipeline_dead" => "pipeline state destroyed".to_owned(),
        "nothing_to_do" => "no work".to_owned(),
        "nothing_folded" => "no-op".to_owned(),
        "same_guard" => "duplicate guard".to_owned(),
        "not_judged" => "undecided".to_owned(),
        "estimated" => "estimate too low".to_owned(),
        other => other.replace('_', " "),
    }
}

fn by_variant(variants: &[VariantFigures], names: &PipelineNames<'_>) -> TextTable {
    let titles = [
        "Pipeline state",
        "Outcome",
        "Variant",
        "Guard slots",
        "Shader length",
        "Compile time",
        "Break-even",
        "Draws with variant",
        "Time saved",
        "Instructions saved",
    ];
    let table = TextTable::new("Specialisations found by the driver, with their outcome", titles).words(1);
    let mut table = table.by_importance(&["Outcome", "Instructions saved", "Draws with variant"]);
    for one in variants.iter().take(ROWS) {
        let length = one.length_before.zip(one.length_after).map(|(before, after)| format!("{before} → {after}"));
        let cells = [
            outcome(one.outcome),
            optional(one.variant, grouped),
            optional(one.guard.as_ref(), |guard| grouped(guard.len() as u64)),
            optional(length, |length| length),
            optional(one.compile_ns, span),
            optional(one.break_even_draws, |draws| counted(draws, "draw")),
            grouped(one.variant_draws),
            optional(one.time.as_ref(), time_saved),
            optional(one.served_saving_ratio, percent),
        ];
        table.row(names.text(&one.name, one.pipeline_state), cells);
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
            "; {} of tasks that started after the destruction of the pipeline state: {}{}",
            counted(waste.started_after_destruction, "result"),
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
    let mut table = TextTable::new(caption, ["Audit", "Result", "Cases", "Findings", "Rule"]).words(1).words(4);
    table = table.by_importance(&["Rule", "Findings"]);
    for (audit, about) in figures.audits.iter().zip(AUDITS) {
        let verdict = match (audit.ok, audit.lint, audit.uncertain) {
            (true, _, true) => "uncertain",
            (true, ..) => "ok",
            (false, true, _) => "lint warning",
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
        text += &format!(" {} more.", grouped(more));
    }
    if audit.uncertain {
        text += " Records are missing and may explain the findings: the rule does not count as broken.";
    }
    text
}
