//! `taut replay`: makes the calls again and compares.

use crate::args::{Common, Replay, ReportForm};
use serde_json::json;
use std::path::Path;
use taut_analyze::render::grouped;
use taut_console::outcome::{Failure, Outcome as Ending, Status};
use taut_console::printing::{print, print_json};
use taut_console::progress;
use taut_console::traces::{open, tell_damage};
use taut_replay::{Divergence, Options, Outcome, ReplayError, ReplayWorld, Replayer};
use taut_traces::{Trace, TraceWriter, WriteOptions};

/// Replays.
pub fn run(replay: &Replay, common: Common) -> Ending {
    let trace = open(&replay.file)?;
    let options = Options { until: replay.until.unwrap_or(u64::MAX), keep_divergences: replay.limit };
    let replayer = Replayer::new(&trace, options);
    if replay.driver.is_some() || replay.rules.is_some() || replay.tight.is_some() || replay.changes.is_some() {
        return super::what_if::run(replay, common, &trace, &replayer);
    }
    let bar = progress::bar(replay.repeat.into(), "replaying", common.quiet);
    let mut first = None;
    for _ in 0..replay.repeat {
        let outcome = match (&replay.output, &first) {
            (Some(output), None) => write(&replayer, &trace, &replay.file, output)?,
            _ => replayer.run().map_err(|error| failure(error, &replay.file))?,
        };
        bar.inc(1);
        let differs = !outcome.is_identical();
        first.get_or_insert(outcome.clone());
        if differs {
            // The first pass that differs is the one to look at.
            first = Some(outcome);
            break;
        }
    }
    bar.finish_and_clear();
    let outcome = first.unwrap_or_default();
    if common.json || replay.report == Some(ReportForm::Json) {
        as_json(&outcome, replay.repeat)?;
    } else {
        print(&as_text(&outcome, replay))?;
    }
    let found = if outcome.is_identical() { Status::Fine } else { Status::Found };
    Ok(found.max(tell_damage(&replay.file, &trace, &outcome.damage)))
}

/// Replays once, and writes what happened to a new trace.
fn write(replayer: &Replayer<'_>, trace: &Trace, file: &Path, output: &Path) -> Result<Outcome, Failure> {
    let header =
        taut_traces::Header { schema: taut_schemas::SchemaTable::current(), world: trace.header().world.clone() };
    let world = ReplayWorld::recorded(&header.world).map_err(|error| failure(error.into(), file))?;
    let writer = TraceWriter::create(output, header, WriteOptions::default())?;
    let outcome = replayer.run_on(world, Some(&writer)).map_err(|error| failure(error, file))?;
    writer.finish()?;
    Ok(outcome)
}

/// A trace that cannot be replayed is corrupt or of another build.
pub fn failure(error: ReplayError, file: &Path) -> Failure {
    let failure = match error {
        ReplayError::Read(error) => error.into(),
        error => Failure::input(error),
    };
    failure.context(file.display().to_string())
}

fn as_json(outcome: &Outcome, repeats: u32) -> Result<(), Failure> {
    print_json(&json!({
        "identical": outcome.is_identical(),
        "calls": outcome.calls,
        "ddi_calls": outcome.ddi_calls,
        "tasks": outcome.tasks,
        "unfinished_calls": outcome.unfinished_calls,
        "repeats": repeats,
        "divergence_count": outcome.divergence_count,
        "divergences": outcome.divergences,
    }))
}

fn as_text(outcome: &Outcome, replay: &Replay) -> String {
    let times = if replay.repeat > 1 { format!(", {} times", replay.repeat) } else { String::new() };
    let tasks = match outcome.tasks {
        0 => String::new(),
        tasks => format!(", the work of {} background tasks done again", grouped(tasks)),
    };
    let mut text = format!(
        "{}: {} calls and {} DDI calls made again{tasks}{times}\n",
        replay.file.display(),
        grouped(outcome.calls),
        grouped(outcome.ddi_calls),
    );
    if outcome.unfinished_calls > 0 {
        text += &format!(
            "{} had not returned when the recording ended; there is nothing to compare them with\n",
            grouped(outcome.unfinished_calls)
        );
    }
    if outcome.is_identical() {
        return text + "identical: every call, DDI call, argument and result\n";
    }
    text += &format!("{} differences; the first {}:\n", grouped(outcome.divergence_count), outcome.divergences.len());
    outcome.divergences.iter().for_each(|divergence| text += &line(divergence));
    if let Some(first) = outcome.divergences.first() {
        text += &format!("look around the first: {}\n", first.next_command(&replay.file.to_string_lossy()));
    }
    text
}

fn line(divergence: &Divergence) -> String {
    let Divergence { stamp, thread, call_index, call, event, field, recorded, live } = divergence;
    let inside = if event == call { String::new() } else { format!(" > {event}") };
    format!(
        "  call {call_index}, stamp {stamp}, thread {thread}: {call}{inside}, {field}: recorded {recorded}, live {live}\n"
    )
}
