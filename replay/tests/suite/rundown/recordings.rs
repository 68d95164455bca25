//! Sources of recordings: every bundled workload under every kind of driver that it needs, and files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::{MachineProfile, Settings};
use taut_testkit::{Recording, testdata};
use taut_traces::{Mode, Trace, TraceWriter, WriteOptions};
use taut_workloads::scene::{self, drawing};
use taut_workloads::{self as workloads, Parameter, Parameters, ScenarioFile, WORKLOADS, Workload};
use taut_workloads::{call_log, present_log};

/// Driver for sources without one of their own, and driver for drawn scenes.
const DRIVER: &str = "reference";
const DRAWING_DRIVER: &str = "d3d11on12-like";

/// Drivers with handles per context: one with several sizes, and one without command lists.
const CONTEXT_DRIVERS: &[&str] = &["multi-size", "d3d10umd-like"];

/// Drivers that optimise differently from the reference: own threads, recording-time work, second levels, counters.
const OPTIMISING_DRIVERS: &[&str] =
    &["pgo-0062", "pgo-threads", "pgo-recording", "pgo-levels", "pgo-counters", "pgo-tuning"];

/// Source of a recording.
#[derive(Clone)]
pub enum Source {
    /// Bundled workload under this driver.
    Workload(&'static Workload, &'static str),
    /// Call log of an allocator.
    CallLog(PathBuf),
    /// Log of real presents, on this machine with these drivers.
    Presents(PathBuf, &'static str, &'static str),
    /// Scenario file under this driver.
    Scenario(PathBuf, &'static str),
    /// Scene as resources, or drawn in deferred contexts under this driver.
    Scene(PathBuf),
    Drawing(PathBuf, &'static str),
}

fn parameters(known: &[Parameter], overrides: &[(&str, &str)]) -> Parameters {
    let overrides = overrides.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Parameters::new(known, overrides).expect("parameters")
}

impl Source {
    /// Returns a bundled workload under its default driver.
    pub fn named(name: &str) -> Source {
        let workload = WORKLOADS.iter().find(|known| known.name == name).expect("a bundled workload");
        Source::Workload(workload, workload.driver)
    }

    /// Returns all sources.
    pub fn all() -> Vec<Source> {
        let mut all: Vec<Source> =
            WORKLOADS.iter().map(|workload| Source::Workload(workload, workload.driver)).collect();
        for driver in CONTEXT_DRIVERS {
            all.extend(
                ["deferred-contexts", "context-churn"].map(Source::named).into_iter().map(|of| of.under(driver)),
            );
            all.push(Source::Drawing(testdata("scenes/courtyard/courtyard.gltf"), driver));
        }
        for scene in ["courtyard", "orchard"] {
            let path = testdata(&format!("scenes/{scene}/{scene}.gltf"));
            all.extend([Source::Scene(path.clone()), Source::Drawing(path, DRAWING_DRIVER)]);
        }
        let presents = |log: &str, machine, drivers| Source::Presents(testdata("presents").join(log), machine, drivers);
        all.extend(["test_case_0.csv", "test_case_3.csv"].map(|log| presents(log, "desktop", "dgpu")));
        all.push(presents("test_case_5.csv", "hybrid-laptop", "igpu-tier1+dgpu"));
        let mut scenarios: Vec<PathBuf> = std::fs::read_dir(testdata("scenarios"))
            .expect("the scenarios")
            .map(|file| file.expect("a file").path())
            .collect();
        scenarios.sort();
        all.extend(scenarios.into_iter().map(|path| {
            // Under other drivers, none of its tasks leads to another.
            let driver = if path.ends_with("followed.toml") { "pgo-threads" } else { DRIVER };
            Source::Scenario(path, driver)
        }));
        all.extend(OPTIMISING_DRIVERS.iter().map(|driver| Source::named("game-session").under(driver)));
        all.extend(["buffer-uses.jsonl", "d3d12ma-tight.jsonl.gz"].map(|log| Source::CallLog(testdata(log))));
        all
    }

    /// Returns the sources whose names contain `TAUT_SOURCE`; all if that is not set.
    pub fn selected() -> Vec<Source> {
        let selected = std::env::var("TAUT_SOURCE").unwrap_or_default();
        Source::all().into_iter().filter(|source| source.name().contains(&selected)).collect()
    }

    /// Returns the source under another driver.
    pub fn under(self, driver: &'static str) -> Source {
        match self {
            Source::Workload(workload, _) => Source::Workload(workload, driver),
            other => other,
        }
    }

    /// Returns the name of the source.
    pub fn name(&self) -> String {
        let stem = |path: &Path| path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        match self {
            Source::Workload(workload, driver) => format!("{} ({driver})", workload.name),
            Source::Presents(path, machine, _) => format!("{} on {machine}", stem(path)),
            Source::Drawing(path, driver) => format!("{}, drawn ({driver})", stem(path)),
            Source::Scenario(path, driver) => format!("{} ({driver})", stem(path)),
            Source::CallLog(path) | Source::Scene(path) => stem(path),
        }
    }

    /// True if it takes much longer than the others.
    pub fn is_long(&self) -> bool {
        match self {
            Source::CallLog(path) => path.extension().is_some_and(|extension| extension == "gz"),
            // Similar sources are among the bundled workloads.
            Source::Scenario(path, _) => !path.ends_with("two-threads.toml") && !path.ends_with("followed.toml"),
            Source::Workload(workload, driver) => {
                workload.name == "game-session" && OPTIMISING_DRIVERS.contains(driver)
            }
            _ => false,
        }
    }

    /// Records the source.
    pub fn recorded(&self, folder: &Path) -> Trace {
        self.recorded_with(folder, |_, _| ())
    }

    /// Records the source while another thread runs `concurrently` until the recording ends.
    pub fn recorded_with(&self, folder: &Path, concurrently: impl FnOnce(&Session, &AtomicBool) + Send) -> Trace {
        let path = folder.join("whole.taut");
        let mut adapters = Adapters::named(self.driver()).expect("bundled drivers");
        if let Some(machine) = self.machine() {
            adapters = adapters.of(MachineProfile::named(machine).expect("a bundled machine"));
        }
        let session = Recording::new(adapters).with_workload(&self.name(), Default::default()).session(&path);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| concurrently(&session, &is_over));
            self.play(&session);
            is_over.store(true, Ordering::Relaxed);
        });
        session.finish().expect("a trace");
        Trace::open(&path).expect("a trace")
    }

    /// Returns the retained part of a recording that keeps only its last segments: the source is played `times` times
    /// and then, after a rundown, once more.
    pub fn the_last(&self, folder: &Path, max_bytes: u64, times: u32) -> Trace {
        let path = folder.join("last.taut");
        let (max_bytes, mode, buffer_bytes) = (Some(max_bytes), Mode::Ring, 16 << 10);
        let options = WriteOptions { max_bytes, mode, buffer_bytes, ..WriteOptions::default() };
        let header_workload = taut_traces::Workload { name: self.name(), ..taut_traces::Workload::default() };
        let adapters = Adapters::named(self.driver()).expect("bundled drivers");
        let open = |header| TraceWriter::record(&path, header, options);
        let session =
            Session::record(open, adapters, Settings::default(), header_workload, Clock::best()).expect("a session");
        (0..times).for_each(|_| self.play(&session));
        session.rundown().expect("a rundown");
        self.play(&session);
        session.finish().expect("a trace");
        Trace::open(&path).expect("a trace")
    }

    /// Name of the source's driver.
    pub fn driver(&self) -> &'static str {
        match self {
            Source::Workload(_, driver)
            | Source::Presents(.., driver)
            | Source::Scenario(_, driver)
            | Source::Drawing(_, driver) => driver,
            _ => DRIVER,
        }
    }

    fn machine(&self) -> Option<&'static str> {
        match self {
            Source::Workload(workload, _) => workloads::machine(workload.name),
            Source::Presents(_, machine, _) => Some(machine),
            _ => None,
        }
    }

    fn play(&self, session: &Session) {
        match self {
            Source::Workload(workload, _) => {
                let overrides = parameters(workload.parameters, &[workload.short, &[("threads", "4")]].concat());
                workloads::run(workload.name, session, &overrides).expect("a run");
            }
            Source::CallLog(path) => {
                let log = call_log::read(path).expect("a log").log;
                let driver = taut_runtime::driver(Adapters::named(DRIVER).expect("a driver").first());
                let plan = call_log::plan(&log, &Settings::default(), &*driver);
                call_log::run(&log, &plan, session).expect("a run");
            }
            Source::Presents(path, ..) => {
                let text = std::fs::read_to_string(path).expect("a log");
                let log = present_log::PresentLog::parse(&text, "presents").expect("a log").log;
                let overrides = parameters(present_log::PARAMETERS, &[]);
                let plan = present_log::plan(&log, &overrides);
                present_log::run(&log, &plan, session, &overrides).expect("a run");
            }
            Source::Scenario(path, _) => {
                ScenarioFile::read(path).expect("a scenario").run(session).expect("a run");
            }
            Source::Scene(path) => {
                let scene = scene::read(path).expect("a scene");
                scene::run(&scene, session, &parameters(scene::PARAMETERS, &[])).expect("a run");
            }
            Source::Drawing(path, _) => {
                let drawing = drawing::Drawing::read(path).expect("a scene");
                drawing::run(&drawing, session, &parameters(drawing::PARAMETERS, &[])).expect("a run");
            }
        }
    }
}
