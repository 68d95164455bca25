//! `taut replay`: re-executes the calls of a trace and compares the results.

use super::what_if::WhatIfOutputs;
use crate::args::{Common, Replay};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use std::path::Path;
use taut_app::replay::{self, RepeatOptions, ReplayLimits, outcome_json};
use taut_console::outcome::{Outcome as Ending, Status};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::printing::{escaped, folded};
use taut_console::traces::{name, open, report_damage};
use taut_replay::{Divergence, Outcome};
use taut_schemas::counted;

/// Replays a trace, as recorded or as a what-if.
pub fn run(replay: &Replay, common: Common) -> Ending {
    let mut outputs = outputs(replay, common);
    if !replay.placement_policy.place.is_empty() {
        let picture = outputs.open_if(replay.placement_policy.picture.as_deref(), Kind::Picture)?;
        return super::place::run(replay, common, &outputs, picture);
    }
    let output = outputs.open_if(replay.output.as_deref(), Kind::Trace)?;
    let changes = outputs.open_if(replay.changes.as_deref(), Kind::Changes)?;
    let trace = open(&replay.file)?;
    let limits = ReplayLimits { until: replay.until, max_divergences: replay.limit };
    let replayed = replay::Replay::new(name(&replay.file), &trace, limits).map_err(failure)?;
    if let Some(sweep) = &replay.sweep.sweep {
        let picture = outputs.open_if(replay.placement_policy.picture.as_deref(), Kind::Picture)?;
        let outcome = super::sweep::run(replay, sweep, &replayed, common)?;
        super::sweep::print(replay, &outcome, &outputs, picture, common)?;
        return Ok(Status::Fine.max(report_damage(&replay.file, &trace, outcome.damage())));
    }
    let options = replay.what_if_options();
    if options.has_changes() || replay.changes.is_some() {
        let what_if = super::what_if::run(&replayed, &options, output.as_ref(), common)?;
        let has_trace = output.is_some();
        output.map(Output::finish).transpose()?;
        let written = WhatIfOutputs { has_trace, changes, outputs: &outputs };
        super::what_if::print(replay, &trace, &what_if, written, common)?;
        return Ok(Status::Fine.max(report_damage(&replay.file, &trace, &what_if.outcome.replayed.damage)));
    }
    let options = RepeatOptions { repeat: replay.repeat, settings: replay.setting.clone() };
    let progress = ProgressBar { quiet: common.quiet };
    let outcome = match &output {
        Some(output) => replayed.repeat(&options, Some(&|header| output.trace_writer(header)), &progress),
        None => replayed.repeat(&options, None, &progress),
    };
    let outcome = outcome.map_err(failure)?;
    output.map(Output::finish).transpose()?;
    if replay.is_json(common) {
        outputs.print_json_message(&outcome_json(&outcome, replay.repeat))?;
    } else {
        outputs.print_message(&folded(&as_text(&outcome, replay)))?;
    }
    let found = if outcome.is_identical() { Status::Fine } else { Status::Found };
    Ok(found.max(report_damage(&replay.file, &trace, &outcome.damage)))
}

/// Outputs of a replay, which must not be its inputs.
fn outputs(replay: &Replay, common: Common) -> Outputs {
    let profiles = [replay.driver.as_deref(), replay.machine.as_deref()].into_iter().flatten().map(Path::new);
    let more = replay.placement_policy.more.iter().map(std::path::PathBuf::as_path);
    Outputs::new([replay.file.as_path()].into_iter().chain(more).chain(profiles), common.force)
}

fn as_text(outcome: &Outcome, replay: &Replay) -> String {
    let times = if replay.repeat > 1 { format!(", {} times", replay.repeat) } else { String::new() };
    let tasks = match outcome.tasks {
        0 => String::new(),
        tasks => format!(", the work of {} done again", counted(tasks, "background task")),
    };
    let mut text = format!(
        "{}: {} and {} replayed{tasks}{times}\n",
        name(&replay.file),
        counted(outcome.calls, "call"),
        counted(outcome.ddi_calls, "DDI call"),
    );
    if outcome.states_restored > 0 {
        text += &format!(
            "went on from {} of what the runtime remembered; {} before the first left out\n",
            counted(outcome.states_restored, "rundown"),
            counted(outcome.calls_before_state, "call"),
        );
    }
    if outcome.states_compared > 0 {
        text += &format!("{} compared with what the replay remembers\n", counted(outcome.states_compared, "rundown"));
    }
    if outcome.unfinished_calls > 0 {
        text += &format!(
            "{} had not returned when the recording ended; there is nothing to compare with\n",
            counted(outcome.unfinished_calls, "call")
        );
    }
    if outcome.not_compared > 0 {
        text += &format!(
            "{} not compared: the build that recorded had none of their kind\n",
            counted(outcome.not_compared, "event")
        );
    }
    if outcome.not_recorded > 0 {
        text +=
            &format!("{} not compared: their providers were not recorded\n", counted(outcome.not_recorded, "event"));
    }
    if outcome.is_identical() {
        let what = if outcome.not_recorded > 0 {
            "everything that was recorded"
        } else {
            "every call, DDI call, argument and result"
        };
        return text + &format!("identical: {what}\n");
    }
    let shown = match outcome.divergences.len() {
        shown if shown as u64 == outcome.divergence_count => ":".to_owned(),
        1 => "; the first:".to_owned(),
        shown => format!("; the first {shown}:"),
    };
    text += &format!("{}{shown}\n", counted(outcome.divergence_count, "difference"));
    outcome.divergences.iter().for_each(|divergence| text += &line(divergence));
    if let Some(first) = outcome.divergences.first() {
        text += &format!("look around the first: {}\n", first.next_command(&escaped(&replay.file.to_string_lossy())));
    }
    text
}

fn line(divergence: &Divergence) -> String {
    let Divergence { stamp, thread, call_index, call, event, field, recorded, live } = divergence;
    let inside = if event == call { String::new() } else { format!(" > {event}") };
    format!(
        "  call {call_index}, stamp {stamp}, thread {thread}: {call}{inside}, {field}: recorded {}, live {}\n",
        escaped(&recorded.to_string()),
        escaped(&live.to_string()),
    )
}
