//! Text of the pgo report.

use super::audits::AUDITS;
use super::fit::tolerance;
use super::{
    AuditFigures, Distribution, FrameCost, InterferenceFigures, PassFigures, PgoFigures, PipelineFigures,
    ProcessorFigures, TimeFigures, VariantFigures, VariantTime,
};
use crate::background::Pass;
use crate::render::{Document, TextTable, counted, grouped, percent, span};

/// Maximum number of table rows.
const ROWS: usize = 24;

pub(super) fn document(figures: &PgoFigures, recorded: &[Pass]) -> Document {
    let mut document = Document::new("Background processing: how far the driver's optimisation came, and what it cost");
    let unwritten = recorded.iter().filter(|pass| pass.queried && pass.further_desired.is_none()).count() as u64;
    document.text(fit(figures));
    document.text(asked(figures, unwritten));
    document.text(tasks(figures));
    if figures.draws > 0 {
        document.text(draws(figures));
    }
    if let Some(time) = figures.time.as_ref().filter(|time| time.timed_draws > 0) {
        document.text(machine_time(time));
    }
    if let FrameCost { p50_instructions: Some(p50), p95_instructions: Some(p95), max_instructions: Some(max), .. } =
        figures.frame_cost
    {
        document.text(format!(
            "Half of {} executed at most {} instructions, 95 of 100 at most {}, the dearest {}.",
            counted(figures.frame_cost.drawn_frames, "frame"),
            grouped(p50),
            grouped(p95),
            grouped(max)
        ));
    }
    if figures.tasks_started > 0 {
        document.text(times(figures));
        document.text(concurrent_tasks(figures));
        let is_timed = figures.frame_time.max_ns.is_some();
        if is_timed && figures.interference.len() > 1 {
            document.table(interference(figures));
        }
        if is_timed && figures.by_processor.len() > 1 {
            document.table(by_processor(figures));
        }
    }
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
        document.text(findings(audit));
    }
    document
}

fn passes(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "pass" } else { "passes" })
}

/// Sentence on whether measurements are comparable, with the reason if not.
fn fit(figures: &PgoFigures) -> String {
    let measured = &figures.measured;
    match &figures.unfit {
        None => format!(
            "Fit to measure: after the driver's last answer {} of the same work cost the same within {}, and nothing came into \
             use or went out of it.",
            counted(measured.frames_same_work, "frame"),
            tolerance(&figures.fit_settings)
        ),
        Some(unfit) => {
            let by = if unfit.call.is_empty() { String::new() } else { format!(", {}", unfit.call) };
            format!("Not fit to measure: {} (stamp {}{by}). {}", unfit.description, unfit.at_stamp, unfit.advice)
        }
    }
}

/// Sentences on mode calls, the driver's answers, and the definition of a pass.
fn asked(figures: &PgoFigures, unwritten: u64) -> String {
    let mut text = format!(
        "{} set the mode, {} played. The driver {} whether it desires further measurements.",
        match figures.mode_calls {
            1 => "1 call".to_owned(),
            count => format!("{} calls", grouped(count)),
        },
        match figures.presents {
            1 => "1 frame was".to_owned(),
            count => format!("{} frames were", grouped(count)),
        },
        match figures.driver_answers {
            0 => "never said".to_owned(),
            count => format!("said {}", counted(count, "time")),
        }
    );
    if unwritten > 0 {
        text += &format!(" Asked {} more, it left its answer unwritten.", counted(unwritten, "time"));
    }
    text += " A pass is the time from one SetBackgroundProcessingMode to the next.";
    if !figures.whole {
        text += " The trace is not whole: the figures are of what it holds.";
    }
    text
}

fn tasks(figures: &PgoFigures) -> String {
    let mut text = format!(
        "The driver found {} for a background task{}; {} queued, {} started, {} finished, {} cancelled. It took {} into use \
         and abandoned {}.",
        match figures.opportunities {
            1 => "an occasion".to_owned(),
            count => format!("{} occasions", grouped(count)),
        },
        match figures.preexisting_tasks {
            0 => String::new(),
            1 => ", and 1 more task was there before".to_owned(),
            count => format!(", and {} more tasks were there before", grouped(count)),
        },
        grouped(figures.tasks_queued),
        grouped(figures.tasks_started),
        grouped(figures.tasks_finished),
        grouped(figures.tasks_cancelled),
        counted(figures.variants, "variant"),
        counted(figures.discarded, "result"),
    );
    if figures.tuning_tasks > 0 {
        text += &format!(" {} made no variant, but tuned how draws are run.", counted(figures.tuning_tasks, "task"));
    }
    if figures.refused_by_estimate > 0 {
        let refused = grouped(figures.refused_by_estimate);
        text += &format!(" Of {refused} more the texts promised too little: they were not compiled.");
    }
    if figures.tasks_failed > 0 {
        text += &format!(" {} failed, which removes the device.", counted(figures.tasks_failed, "task"));
    }
    if figures.tasks_left > 0 {
        text += &format!(" {} had not ended when the recording did.", counted(figures.tasks_left, "task"));
    }
    text
}

fn draws(figures: &PgoFigures) -> String {
    let mut text = format!(
        "{} executed {} instructions, where the generic shaders take {}",
        counted(figures.draws, "draw"),
        grouped(figures.executed),
        grouped(figures.generic_executed)
    );
    text += &match figures.saving_ratio {
        Some(saved) if saved < 0.0 => format!(": {} more.", percent(-saved)),
        Some(saved) => format!(": {} saved.", percent(saved)),
        None => ".".to_owned(),
    };
    if figures.counted_draws > 0 {
        let (draws, ratio) = (counted(figures.counted_draws, "draw"), figures.counter_ratio.unwrap_or_default());
        text += &format!(" The code of {draws} had counters in it, which executed {} more.", percent(ratio));
    }
    if let Some(saved) = figures.tuned_saving_ratio {
        let tasks = counted(figures.tuning_tasks, "task");
        text += &format!(
            " Of what reading constants and launching groups takes, {tasks} saved {}: {} instructions instead of {}.",
            percent(saved),
            grouped(figures.tuned_executed),
            grouped(figures.untuned_executed)
        );
    }
    text += &format!(
        " Variants served {} of the draws; before {} the guard of a variant did not hold.",
        percent(figures.variant_draw_ratio.unwrap_or_default()),
        counted(figures.guard_misses, "draw")
    );
    text
}

/// Sentences on machine time, next to the instruction counts.
fn machine_time(time: &TimeFigures) -> String {
    let formatted = |ratio: Option<f64>| match ratio {
        Some(saved) if saved < 0.0 => format!("{} more", percent(-saved)),
        saved => format!("{} less", percent(saved.unwrap_or_default())),
    };
    let mut text = format!(
        "Machine time, by the shortest runs of the code of {}: {} where the generic shaders take {}, {}; counted, {}.",
        counted(time.timed_draws, "draw"),
        span(time.time_after_ns),
        span(time.time_before_ns),
        formatted(time.time_saving_ratio),
        formatted(time.counted_saving_ratio)
    );
    text += &match time.disagreeing_variants {
        0 => " For no variant do time and counts disagree.".to_owned(),
        1 => " For 1 variant time and counts disagree.".to_owned(),
        count => format!(" For {} variants time and counts disagree.", grouped(count)),
    };
    if let Some(ratio) = time.counting_time_ratio {
        text += &format!(" With counters in it, code takes {} more time.", percent(ratio));
    }
    match time.pinned_ratio {
        Some(pinned) if pinned < 1.0 => {
            text += &format!(" Only {} of the runs were kept on one processor.", percent(pinned));
        }
        _ => {}
    }
    text
}

fn times(figures: &PgoFigures) -> String {
    let formatted = |times: &Distribution| match (times.p50_ns, times.p95_ns, times.max_ns) {
        (Some(p50), Some(p95), Some(max)) => {
            format!("{} for half of them, {} for 95 of 100, {} at most", span(p50), span(p95), span(max))
        }
        _ => "not known".to_owned(),
    };
    let mut text = String::new();
    if figures.queue_wait.max_ns.or(figures.run_time.max_ns).is_none() {
        return "How long tasks waited and ran is not known: the clock tells no time, or the trace not both ends."
            .to_owned();
    }
    if figures.queue_wait.count > 0 {
        text += &format!("Tasks waited in the queue: {}. ", formatted(&figures.queue_wait));
    }
    if figures.run_time.count > 0 {
        text += &format!("They ran: {}.", formatted(&figures.run_time));
    }
    text.trim_end().to_owned()
}

fn concurrent_tasks(figures: &PgoFigures) -> String {
    let (concurrency, overlap) = (&figures.concurrency, &figures.overlap);
    let mut text = format!(
        "At most {} ran at idle priority at once and {} above it; while any ran, {:.2} on average.",
        grouped(concurrency.max_idle_tasks),
        grouped(concurrency.max_boosted_tasks),
        concurrency.mean_tasks.unwrap_or_default()
    );
    if let (Some(mean), Some(worst), Some(frame)) = (overlap.mean_ratio, overlap.worst_ratio, overlap.worst_frame) {
        text += &format!(
            " Beside {} of {} a task ran: for {} of a frame on average, {} of the worst, frame {frame}{}.",
            grouped(overlap.frames_with_tasks),
            counted(overlap.frames, "frame"),
            percent(mean),
            percent(worst),
            overlap.worst_command_queue.map_or_else(String::new, |queue| format!(" of command queue {queue}"))
        );
    }
    if figures.priorities_refused > 0 {
        text += &format!(
            " The operating system refused the priority of {}, which ran at another than is told here.",
            counted(figures.priorities_refused, "task")
        );
    }
    text
}

/// Table of frame times by concurrent work.
fn interference(figures: &PgoFigures) -> TextTable {
    let titles = ["Beside the frame", "Frames", "Half of them", "95 of 100", "At most"];
    let mut table = TextTable::new("How long frames took, by what ran beside them", titles);
    for InterferenceFigures { concurrent_work, frame_time } in &figures.interference {
        table.row(concurrent_work.words().to_owned(), time_cells(frame_time));
    }
    table
}

/// Table of frame times by processors of the tasks.
fn by_processor(figures: &PgoFigures) -> TextTable {
    let titles = ["Beside the frame", "Frames", "Half of them", "95 of 100", "At most"];
    let mut table = TextTable::new("How long frames took, by the processors of the tasks beside them", titles);
    for ProcessorFigures { tasks_on, frame_time } in &figures.by_processor {
        table.row(tasks_on.words().to_owned(), time_cells(frame_time));
    }
    table
}

fn time_cells(frame_time: &Distribution) -> [String; 4] {
    let Distribution { count, p50_ns, p95_ns, max_ns } = frame_time;
    let [p50, p95, max] = [p50_ns, p95_ns, max_ns].map(|ns| optional(*ns, span));
    [grouped(*count), p50, p95, max]
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
        "Folded slots",
        "Guard misses",
        "Variants",
    ];
    let caption = "Instructions executed for the draws that variants served";
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
        "Became",
        "Variant",
        "Guard slots",
        "Length",
        "Compiled in",
        "Pays after",
        "Draws served",
        "In time",
        "Saved",
    ];
    let table = TextTable::new("Specialisations found, and what became of them", titles).words(1);
    let mut table = table.by_importance(&["Became", "Saved", "Draws served"]);
    for one in variants.iter().take(ROWS) {
        let length = one.length_before.zip(one.length_after).map(|(before, after)| format!("{before} → {after}"));
        let cells = [
            one.outcome.replace('_', " "),
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
        return "No result was made in vain.".to_owned();
    }
    let is_timed = figures.run_time.max_ns.is_some();
    let within = |ns: u64| if is_timed { format!(", in {}", span(ns)) } else { String::new() };
    let mut text = format!(
        "Made in vain: {}, {} of text{}",
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
        "Audits: {} broken, {} not followed",
        counted(figures.audits_failed, "rule"),
        match figures.advice_not_followed {
            1 => "1 piece of advice".to_owned(),
            count => format!("{count} pieces of advice"),
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

fn findings(audit: &AuditFigures) -> String {
    let mut text = format!("{}: ", audit.name);
    let first = audit.first_findings.iter().map(|found| format!("{} (stamp {})", found.description, found.at_stamp));
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
