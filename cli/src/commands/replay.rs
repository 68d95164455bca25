//! `taut replay`: makes the calls again and compares.

use crate::args::{Common, Replay, ReportForm};
use crate::world::change_settings;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use taut_console::outcome::{Failure, Outcome as Ending, Status};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::printing::{escaped, folded, tell};
use taut_console::progress;
use taut_console::traces::{name, open, tell_damage};
use taut_replay::{Divergence, Options, Outcome, ReplayError, ReplayWorld, Replayer};
use taut_schemas::counted;
use taut_traces::{Trace, World};

/// Passes that take longer are announced.
const LONG: Duration = Duration::from_secs(60);

/// Replays.
pub fn run(replay: &Replay, common: Common) -> Ending {
    let mut outputs = outputs(replay, common);
    if !replay.placing.place.is_empty() {
        let picture = outputs.open_if(replay.placing.picture.as_deref(), Kind::Picture)?;
        return super::place::run(replay, common, &outputs, picture);
    }
    let output = outputs.open_if(replay.output.as_deref(), Kind::Trace)?;
    let changes = outputs.open_if(replay.changes.as_deref(), Kind::Changes)?;
    let trace = open(&replay.file)?;
    let options =
        Options { until: replay.until.unwrap_or(u64::MAX), keep_divergences: replay.limit, ..Options::default() };
    let replayer = Replayer::new(&trace, options);
    replayer.check_inputs().map_err(|error| failure(error, &replay.file))?;
    if let Some(sweep) = &replay.sweep.sweep {
        let picture = outputs.open_if(replay.placing.picture.as_deref(), Kind::Picture)?;
        return super::sweep::run(replay, sweep, common, (&trace, &replayer), (&outputs, picture));
    }
    if replay.driver.is_some()
        || replay.rules.is_some()
        || !replay.setting.iter().all(|setting| tells_more(setting))
        || replay.tight.is_some()
        || replay.changes.is_some()
        || !replay.changed.change.is_empty()
        || replay.tasks.is_given()
    {
        return super::what_if::run(replay, common, (&trace, &replayer), (&outputs, output, changes));
    }
    let events = trace.summary().events;
    // Every pass reads every event.
    let all = events.saturating_mul(replay.repeat.into());
    let outcome = progress::beside(
        all,
        "replaying",
        common.quiet,
        || trace.records_read(),
        || repeat(replay, common, (&replayer, &trace), output),
    )?;
    if common.json || replay.report == Some(ReportForm::Json) {
        as_json(&outcome, replay.repeat, &outputs)?;
    } else {
        outputs.tell(&folded(&as_text(&outcome, replay)))?;
    }
    let found = if outcome.is_identical() { Status::Fine } else { Status::Found };
    Ok(found.max(tell_damage(&replay.file, &trace, &outcome.damage)))
}

/// Replays as often as asked for; gives the first outcome, or the first that differs: that is the one to look at.
fn repeat(
    replay: &Replay,
    common: Common,
    (replayer, trace): (&Replayer<'_>, &Trace),
    output: Option<Output>,
) -> Result<Outcome, Failure> {
    let began = Instant::now();
    let mut first = match output {
        Some(output) => write(replayer, trace, replay, output)?,
        None => {
            let world = world_of(replay, trace)?;
            let world = ReplayWorld::recorded(&world).map_err(|error| failure(error.into(), &replay.file))?;
            replayer.run_on(world, None).map_err(|error| failure(error, &replay.file))?
        }
    };
    if let Some(warning) = warning(began.elapsed(), replay.repeat).filter(|_| first.is_identical() && !common.quiet) {
        tell(warning);
    }
    for _ in 1..replay.repeat {
        if !first.is_identical() {
            break;
        }
        let outcome = replayer.run().map_err(|error| failure(error, &replay.file))?;
        if !outcome.is_identical() {
            first = outcome;
        }
    }
    Ok(first)
}

/// What is said when the first pass took so long that the rest will take minutes.
fn warning(first: Duration, repeat: u32) -> Option<String> {
    let left = first.saturating_mul(repeat.saturating_sub(1));
    let minutes = counted(left.as_secs().div_ceil(60), "minute");
    let told = || format!("the first pass took {:.1} s; the rest will take about {minutes}", first.as_secs_f64());
    (left > LONG).then(told)
}

/// Whether all that a setting changes is that accesses to the memory behind handles are told, too.
fn tells_more(setting: &str) -> bool {
    setting == "handle_accesses=true"
}

/// The recorded world, with the settings that tell more.
fn world_of(replay: &Replay, trace: &Trace) -> Result<World, Failure> {
    let mut world = trace.header().world.clone();
    change_settings(&mut world, &replay.setting)?;
    Ok(world)
}

/// Replays once, and writes what happened to a new trace.
fn write(replayer: &Replayer<'_>, trace: &Trace, replay: &Replay, output: Output) -> Result<Outcome, Failure> {
    let world = World { providers: None, ..world_of(replay, trace)? };
    let identity = trace.header().identity.of_replay("taut", env!("CARGO_PKG_VERSION"), &world);
    let header = taut_traces::Header { identity, schema: taut_schemas::SchemaTable::current(), world };
    let file = &replay.file;
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
    let more = replay.placing.more.iter().map(std::path::PathBuf::as_path);
    Outputs::new([replay.file.as_path()].into_iter().chain(more).chain(driver), common.force)
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
        "not_compared": outcome.not_compared,
        "not_recorded": outcome.not_recorded,
        "states_restored": outcome.states_restored,
        "states_compared": outcome.states_compared,
        "calls_before_state": outcome.calls_before_state,
        "repeats": repeats,
        "divergence_count": outcome.divergence_count,
        "divergences": outcome.divergences,
    }))
}

fn as_text(outcome: &Outcome, replay: &Replay) -> String {
    let times = if replay.repeat > 1 { format!(", {} times", replay.repeat) } else { String::new() };
    let tasks = match outcome.tasks {
        0 => String::new(),
        tasks => format!(", the work of {} done again", counted(tasks, "background task")),
    };
    let mut text = format!(
        "{}: {} and {} made again{tasks}{times}\n",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_takes_minutes_is_announced() {
        assert_eq!(warning(Duration::from_secs(3), 20), None);
        assert_eq!(warning(Duration::from_secs(300), 1), None);
        let said = warning(Duration::from_secs(3), 41).unwrap_or_default();
        assert_eq!(said, "the first pass took 3.0 s; the rest will take about 2 minutes");
        assert!(warning(Duration::MAX, u32::MAX).is_some());
    }
}
