//! `taut replay`: makes the calls again and compares.

use crate::args::{Common, Replay, ReportForm};
use serde_json::json;
use std::path::Path;
use taut_analyze::render::grouped;
use taut_console::outcome::{Failure, Outcome as Ending, Status};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::progress;
use taut_console::traces::{name, open, tell_damage};
use taut_replay::{Divergence, Options, Outcome, ReplayError, ReplayWorld, Replayer};
use taut_traces::Trace;

/// Replays.
pub fn run(replay: &Replay, common: Common) -> Ending {
    let mut outputs = outputs(replay, common);
    let mut output = outputs.open_if(replay.output.as_deref(), Kind::Trace)?;
    let changes = outputs.open_if(replay.changes.as_deref(), Kind::Changes)?;
    let trace = open(&replay.file)?;
    let options = Options { until: replay.until.unwrap_or(u64::MAX), keep_divergences: replay.limit };
    let replayer = Replayer::new(&trace, options);
    if replay.driver.is_some() || replay.rules.is_some() || replay.tight.is_some() || replay.changes.is_some() {
        return super::what_if::run(replay, common, (&trace, &replayer), (&outputs, output, changes));
    }
    let bar = progress::bar(replay.repeat.into(), "replaying", common.quiet);
    let mut first = None;
    for _ in 0..replay.repeat {
        let outcome = match output.take() {
            Some(output) => write(&replayer, &trace, &replay.file, output)?,
            None => replayer.run().map_err(|error| failure(error, &replay.file))?,
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
        as_json(&outcome, replay.repeat, &outputs)?;
    } else {
        outputs.tell(&as_text(&outcome, replay))?;
    }
    let found = if outcome.is_identical() { Status::Fine } else { Status::Found };
    Ok(found.max(tell_damage(&replay.file, &trace, &outcome.damage)))
}

/// Replays once, and writes what happened to a new trace.
fn write(replayer: &Replayer<'_>, trace: &Trace, file: &Path, output: Output) -> Result<Outcome, Failure> {
    let header =
        taut_traces::Header { schema: taut_schemas::SchemaTable::current(), world: trace.header().world.clone() };
    let world = ReplayWorld::recorded(&header.world).map_err(|error| failure(error.into(), file))?;
    let writer = output.trace_writer(header)?;
    let outcome = replayer.run_on(world, Some(&writer)).map_err(|error| failure(error, file))?;
    writer.finish()?;
    output.finish()?;
    Ok(outcome)
}

/// What a replay may write: not what it reads.
fn outputs(replay: &Replay, common: Common) -> Outputs {
    let driver = replay.driver.as_deref().map(Path::new);
    Outputs::new([replay.file.as_path()].into_iter().chain(driver), common.force)
}

/// A trace that cannot be replayed is corrupt or of another build.
pub fn failure(error: ReplayError, file: &Path) -> Failure {
    let failure = match error {
        ReplayError::Read(error) => error.into(),
        error => Failure::input(error),
    };
    failure.context(name(file))
}

fn as_json(outcome: &Outcome, repeats: u32, outputs: &Outputs) -> Result<(), Failure> {
    outputs.tell_json(&json!({
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
        name(&replay.file),
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
