//! `taut replay --sweep`: what a recording's background processing would come to with other values of a driver's key.

use super::replay::failure;
use super::what_if::changed_world;
use crate::args::{Common, Replay, ReportForm};
use crate::sweep_options::Sweep;
use crate::sweep_picture::{Line, picture};
use crate::task_options;
use serde_json::{Value, json};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_analyze::render::{counted, grouped, percent};
use taut_analyze::{Analysis, Findings, report};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Output, Outputs};
use taut_console::printing::table;
use taut_console::progress;
use taut_console::traces::{name, scratch, tell_damage};
use taut_replay::{Changes, Replayer, TaskModel};
use taut_runtime::Profile;
use taut_schemas::SchemaTable;
use taut_traces::{Damage, Header, Trace, TraceWriter, World, WriteOptions};

/// What one value comes to.
struct Setting {
    value: u64,
    /// The figures of the report `pgo`.
    pgo: Value,
    damage: Vec<Damage>,
}

/// Tries the values, as many at a time as there are cores.
pub fn run(
    replay: &Replay,
    sweep: &Sweep,
    common: Common,
    (trace, replayer): (&Trace, &Replayer<'_>),
    (outputs, picture): (&Outputs, Option<Output>),
) -> Outcome {
    let recorded = &trace.header().world;
    let world = changed_world(replay, recorded)?;
    let worlds: Vec<World> =
        sweep.values.iter().map(|value| with(&world, &sweep.key, *value)).collect::<Result<_, _>>()?;
    let model = replayer.task_model(&world, replay.tasks.workers, replay.tasks.task_ns);
    let model = model.map_err(|error| failure(error, &replay.file))?;
    let changes = Changes::new(replay.tight.unwrap_or_default(), &replay.changed.change).with_tasks(Some(model));
    let passes = trace.summary().events.saturating_mul(2 * worlds.len() as u64);
    let try_one = |at: usize| tried(replay, (replayer, &worlds[at], &changes), sweep.values[at]);
    let settings = progress::beside(
        passes,
        "replaying",
        common.quiet,
        || trace.records_read(),
        || on_every_core(worlds.len(), try_one),
    );
    let settings: Vec<Setting> = settings.into_iter().collect::<Result<_, Failure>>()?;
    if let Some(picture) = picture {
        picture.finish_with_text(&drawn(sweep, &settings))?;
    }
    if common.json || replay.report == Some(ReportForm::Json) {
        let told = settings.iter().map(as_json).collect::<Vec<Value>>();
        outputs.tell_json(&json!({ "key": sweep.key, "task_model": model, "settings": told }))?;
    } else {
        outputs.tell(&as_text(replay, sweep, &model, &settings))?;
    }
    let damage = settings.first().map_or(&[][..], |setting| &setting.damage);
    Ok(Status::Fine.max(tell_damage(&replay.file, trace, damage)))
}

/// The world with another value of the key in every driver that optimises.
fn with(world: &World, key: &str, value: u64) -> Result<World, Failure> {
    let mut world = world.clone();
    let mut refused = None;
    let mut changed = 0;
    for adapter in &mut world.adapters {
        let profile: Profile = serde_json::from_value(adapter.profile.clone()).map_err(Failure::input)?;
        match profile.with_background(key, value) {
            Ok(profile) => {
                adapter.profile = serde_json::to_value(profile).map_err(Failure::input)?;
                changed += 1;
            }
            Err(error) => refused = Some((profile.background.is_some(), error)),
        }
    }
    match refused {
        // A driver that optimises nothing may stand beside one that does.
        Some((optimises, error)) if optimises || changed == 0 => Err(Failure::usage(format!("--sweep: {error}"))),
        _ => Ok(world),
    }
}

/// Does so many pieces of work, each on a thread of its own, on as many at once as there are cores.
fn on_every_core<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..cores.min(count) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let result = (at, work(at));
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(result);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Replays with one value, into a file that nobody sees, and asks the report of it.
fn tried(
    replay: &Replay,
    (replayer, world, changes): (&Replayer<'_>, &World, &Changes),
    value: u64,
) -> Result<Setting, Failure> {
    let (file, label) = (scratch()?, name(&replay.file));
    let kept = file.try_clone().map_err(Failure::io)?;
    let identity = taut_traces::Identity::derived("taut", env!("CARGO_PKG_VERSION"), world);
    let header = Header { identity, schema: SchemaTable::current(), world: world.clone() };
    let writer = TraceWriter::to_file(file, &label, header, WriteOptions::default())?;
    let outcome =
        replayer.what_if(world, changes.clone(), Some(&writer)).map_err(|error| failure(error, &replay.file))?;
    writer.finish()?;
    let trace = Trace::from_file(&kept, &label).map_err(Failure::input)?;
    let analysis = Analysis::new(trace).map_err(Failure::input)?;
    let findings = Findings::of(&analysis, &[report("pgo").map_err(Failure::input)?]).map_err(Failure::input)?;
    Ok(Setting { value, pgo: findings.reports()["pgo"].take(), damage: outcome.replayed.damage })
}

impl Setting {
    fn count(&self, pointer: &str) -> u64 {
        self.pgo.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
    }

    fn share(&self, pointer: &str) -> Option<f64> {
        self.pgo.pointer(pointer).and_then(Value::as_f64)
    }

    fn is_fit(&self) -> bool {
        self.pgo["fit_to_measure"] == true
    }

    /// Of the tasks that ended, the share whose results nobody took.
    fn wasted_ratio(&self) -> Option<f64> {
        let all = self.count("/tasks_finished");
        (all > 0).then(|| self.count("/abandoned") as f64 / all as f64)
    }
}

/// What is told of each setting, beside its value.
const TOLD: [(&str, &str); 9] = [
    ("fit_to_measure", "/fit_to_measure"),
    ("unfit", "/unfit/cause"),
    ("variants", "/variants"),
    ("tasks_finished", "/tasks_finished"),
    ("served_ratio", "/served_ratio"),
    ("saving_ratio", "/saving_ratio"),
    ("abandoned", "/abandoned"),
    ("abandoned_ns", "/waste/abandoned_ns"),
    ("beside_tasks_ratio", "/overlap/mean_ratio"),
];

fn as_json(setting: &Setting) -> Value {
    let mut told = json!({ "value": setting.value, "wasted_ratio": setting.wasted_ratio() });
    for (key, pointer) in TOLD {
        told[key] = setting.pgo.pointer(pointer).cloned().unwrap_or(Value::Null);
    }
    told
}

fn as_text(replay: &Replay, sweep: &Sweep, model: &TaskModel, settings: &[Setting]) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "\u{2013}".to_owned(), percent);
    let rows = settings.iter().map(|setting| {
        let unfit = setting.pgo.pointer("/unfit/cause").and_then(Value::as_str).unwrap_or("\u{2013}");
        [
            grouped(setting.value),
            if setting.is_fit() { "yes".to_owned() } else { unfit.replace('_', " ") },
            grouped(setting.count("/variants")),
            grouped(setting.count("/tasks_finished")),
            share(setting.share("/served_ratio")),
            share(setting.share("/saving_ratio")),
            share(setting.wasted_ratio()),
            share(setting.share("/overlap/mean_ratio")),
        ]
    });
    let heading = [&*sweep.key, "fit", "variants", "tasks", "served", "saved", "wasted", "beside tasks"];
    format!(
        "{}: {} of {} tried, each on the recorded calls; {}\n\n{}\n\
         served: share of draws; saved: of instructions; wasted: share of tasks whose results nobody took; beside tasks: share of a frame in which a task ran, on average\n",
        name(&replay.file),
        counted(settings.len() as u64, "value"),
        sweep.key,
        task_options::model_in_words(model),
        table(&heading, &[0, 2, 3, 4, 5, 6, 7], rows),
    )
}

fn drawn(sweep: &Sweep, settings: &[Setting]) -> String {
    let line = |name, class, share: &dyn Fn(&Setting) -> Option<f64>| Line {
        name,
        class,
        shares: settings.iter().map(share).collect(),
    };
    let lines = [
        line("saved", "saved", &|setting| setting.share("/saving_ratio")),
        line("served", "served", &|setting| setting.share("/served_ratio")),
        line("wasted", "wasted", &|setting| setting.wasted_ratio()),
        line("beside tasks", "beside", &|setting| setting.share("/overlap/mean_ratio")),
    ];
    let values: Vec<(u64, bool)> = settings.iter().map(|setting| (setting.value, setting.is_fit())).collect();
    picture(&sweep.key, &values, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_every_core_comes_back_in_its_order() {
        assert_eq!(on_every_core(100, |at| at * 2), (0..100).map(|at| at * 2).collect::<Vec<_>>());
        assert!(on_every_core(0, |at| at).is_empty());
    }
}
