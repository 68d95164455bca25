//! Background processing of a recording with several values of a key of the driver's profile.

use super::{Replay, WhatIfOptions, api_support};
use crate::charts::sweep::{Line, chart};
use crate::{Error, Progress};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_analyze::{Analysis, Findings, report};
use taut_replay::{Changes, TaskModel};
use taut_runtime::Profile;
use taut_traces::{Damage, World};

/// A key and the values to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    pub key: String,
    /// Values in ascending order, each once.
    pub values: Vec<u64>,
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Sweep, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err(format!("expected KEY=VALUE,VALUE such as n_min=50,100, found {text}"));
        };
        let number = |value: &str| {
            value
                .trim()
                .parse::<u64>()
                .map_err(|_| format!("{key}: expected numbers with commas between, found {value:?}"))
        };
        let values: BTreeSet<u64> = values.split(',').map(number).collect::<Result<_, String>>()?;
        Ok(Sweep { key: key.to_owned(), values: values.into_iter().collect() })
    }
}

/// Result of one value.
pub struct SweepResult {
    pub value: u64,
    /// Figures of the report `pgo`.
    pub pgo: Value,
    damage: Vec<Damage>,
}

/// Results of a sweep, in order of value.
pub struct SweepOutcome {
    pub key: String,
    /// Model of background tasks.
    pub model: TaskModel,
    pub results: Vec<SweepResult>,
    /// Sampled executions that a pipeline state's stable windows take; `None` without a driver that optimises.
    pub(super) stable_samples: Option<u64>,
}

impl Replay<'_> {
    /// Replays with each value, in parallel on all cores.
    ///
    /// # Errors
    /// No driver has the key, or the trace cannot be replayed.
    pub fn sweep(
        &self,
        options: &WhatIfOptions,
        sweep: &Sweep,
        progress: &dyn Progress,
    ) -> Result<SweepOutcome, Error> {
        let recorded = &self.trace.header().world;
        let world = options.world(recorded)?;
        api_support::check(self.trace, recorded, &world)?;
        let worlds: Vec<World> =
            sweep.values.iter().map(|value| with(&world, &sweep.key, *value)).collect::<Result<_, _>>()?;
        let model = self.replayer.task_model(&world, options.workers, options.task_ns);
        let model = model.map_err(|error| self.error(error))?;
        let changes = options.changes(&world, Some(model))?;
        let try_one = |at: usize| self.try_value(&worlds[at], &changes, sweep.values[at]);
        let passes = 2 * worlds.len() as u64;
        let results = self.watched(passes, progress, || on_every_core(worlds.len(), try_one));
        let results = results.into_iter().collect::<Result<_, Error>>()?;
        Ok(SweepOutcome { key: sweep.key.clone(), model, results, stable_samples: stable_samples(&world) })
    }

    /// Replays with one value into an unnamed temporary file, and runs the report `pgo` on it.
    fn try_value(&self, world: &World, changes: &Changes, value: u64) -> Result<SweepResult, Error> {
        let (outcome, trace) = self.changed_in_scratch(world, changes.clone())?;
        let analysis = Analysis::new(trace)?;
        let findings = Findings::of(&analysis, &[report("pgo")?])?;
        Ok(SweepResult { value, pgo: findings.reports()["pgo"].take(), damage: outcome.replayed.damage })
    }
}

/// Sampled executions of the stable windows of the first driver with background processing.
fn stable_samples(world: &World) -> Option<u64> {
    let profiles = world.adapters.iter().map(|adapter| serde_json::from_value::<Profile>(adapter.profile.clone()));
    let background = profiles.filter_map(|profile| profile.ok()?.background).next()?;
    Some(u64::from(background.stable_windows) * u64::from(background.window_executions))
}

/// Sets the key to another value in every driver with background processing.
fn with(world: &World, key: &str, value: u64) -> Result<World, Error> {
    let mut world = world.clone();
    let mut refused = None;
    let mut changed = 0;
    for adapter in &mut world.adapters {
        let profile: Profile = serde_json::from_value(adapter.profile.clone()).map_err(Error::input)?;
        match profile.with_background(key, value) {
            Ok(profile) => {
                adapter.profile = serde_json::to_value(profile).map_err(Error::input)?;
                changed += 1;
            }
            Err(error) => refused = Some((profile.background.is_some(), error)),
        }
    }
    match refused {
        // A driver without background processing is no error if another driver has it.
        Some((optimises, error)) if optimises || changed == 0 => Err(Error::usage(format!("--sweep: {error}"))),
        _ => Ok(world),
    }
}

/// Runs `count` items of work in parallel on all cores, and returns their results in order. The calling thread takes
/// part, so that the work is done even if the system cannot create another thread.
fn on_every_core<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                break;
            }
            let result = (at, work(at));
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..cores.min(count) {
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

impl SweepResult {
    /// Figure of the report `pgo` as a count; 0 if it has none.
    pub fn count(&self, pointer: &str) -> u64 {
        self.pgo.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
    }

    /// Figure of the report `pgo` as a ratio.
    pub fn share(&self, pointer: &str) -> Option<f64> {
        self.pgo.pointer(pointer).and_then(Value::as_f64)
    }

    /// True if the run is fit to measure.
    pub fn is_fit(&self) -> bool {
        self.pgo["fit_to_measure"] == true
    }

    /// Share of the finished tasks whose results were discarded; `None` if no task finished.
    pub fn wasted_ratio(&self) -> Option<f64> {
        let all = self.count("/tasks_finished");
        (all > 0).then(|| self.count("/discarded") as f64 / all as f64)
    }
}

/// Figures of each value: key in the output, and JSON pointer in the report.
const REPORTED_FIGURES: [(&str, &str); 9] = [
    ("fit_to_measure", "/fit_to_measure"),
    ("unfit", "/unfit/cause"),
    ("variants", "/variants"),
    ("tasks_finished", "/tasks_finished"),
    ("variant_draw_ratio", "/variant_draw_ratio"),
    ("saving_ratio", "/saving_ratio"),
    ("discarded", "/discarded"),
    ("discarded_ns", "/waste/discarded_ns"),
    ("concurrent_tasks_ratio", "/overlap/mean_ratio"),
];

/// Figures of a report `pgo` that the output has for each value.
pub(super) fn figures_json(pgo: &Value) -> Value {
    let figure = |(key, pointer): (&str, &str)| (key.to_owned(), pgo.pointer(pointer).cloned().unwrap_or_default());
    Value::Object(REPORTED_FIGURES.into_iter().map(figure).collect())
}

fn as_json(setting: &SweepResult) -> Value {
    let mut figures = figures_json(&setting.pgo);
    figures["value"] = json!(setting.value);
    figures["wasted_ratio"] = json!(setting.wasted_ratio());
    figures
}

impl SweepOutcome {
    /// Damage of the trace, as every pass found it.
    pub fn damage(&self) -> &[Damage] {
        self.results.first().map_or(&[][..], |result| &result.damage)
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        let figures = self.results.iter().map(as_json).collect::<Vec<Value>>();
        json!({ "key": self.key, "task_model": self.model, "settings": figures, "no_effect": self.no_effect() })
    }

    /// The results as a chart in SVG.
    pub fn chart(&self) -> String {
        let line = |name, class, share: &dyn Fn(&SweepResult) -> Option<f64>| Line {
            name,
            class,
            shares: self.results.iter().map(share).collect(),
        };
        let lines = [
            line("instructions saved", "saved", &|result| result.share("/saving_ratio")),
            line("draws with a variant", "served", &|result| result.share("/variant_draw_ratio")),
            line("discarded results", "wasted", &|result| result.wasted_ratio()),
            line("frame time with a task", "concurrent", &|result| result.share("/overlap/mean_ratio")),
        ];
        let values: Vec<(u64, bool)> = self.results.iter().map(|result| (result.value, result.is_fit())).collect();
        chart(&self.key, &values, &lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_every_core_comes_back_in_its_order() {
        assert_eq!(on_every_core(100, |at| at * 2), (0..100).map(|at| at * 2).collect::<Vec<_>>());
        assert!(on_every_core(0, |at| at).is_empty());
    }

    #[test]
    fn a_sweep_is_a_key_and_numbers_each_once_and_in_order() {
        let sweep = "n_min=400, 50,100,50".parse();
        assert_eq!(sweep, Ok(Sweep { key: "n_min".to_owned(), values: vec![50, 100, 400] }));
        for wrong in ["n_min", "n_min=", "n_min=5,", "n_min=a", "n_min=-1", "n_min=1.5"] {
            assert!(wrong.parse::<Sweep>().is_err_and(|error| error.contains("expected")), "{wrong}");
        }
    }
}
