//! Operations that write a trace or another file.

use crate::failure::Failure;
use crate::trace::read;
use crate::work::{AfterStop, run_until};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{Builder, park_timeout};
use std::time::Duration;
use taut_app::export::ExportForm;
use taut_app::record::{Finished, Plan, RecordOptions, StopRequest, check_replaced};
use taut_app::recover::{Recoverable, check_ended};
use taut_app::replay::{
    PresentDiff, RepeatOptions, Replay, ReplayLimits, TaskComparison, TaskFigures, WhatIf, WhatIfOptions, outcome_json,
};
use taut_app::world::{RulesOptions, WorldOptions, parts};
use taut_app::{Progress, Step};
use taut_capture::Clock;
use taut_console::output::{Kind, Output, Outputs};
use taut_traces::{Trace, WriteOptions};

/// Interval at which progress is measured.
const MEASURE_INTERVAL: Duration = Duration::from_millis(20);

/// Interval of syncs to disk, as in `taut record`.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Progress of an operation on another thread.
#[derive(Default)]
struct Meter {
    done: AtomicU64,
    all: AtomicU64,
}

impl Meter {
    /// Passes the progress to a function of Python, if it has changed.
    fn report(&self, py: Python<'_>, function: Option<&Py<PyAny>>, last: &mut (u64, u64)) -> PyResult<()> {
        let Some(function) = function else { return Ok(()) };
        let now = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        if *last != now {
            *last = now;
            function.call1(py, now)?;
        }
        Ok(())
    }
}

/// Ends the thread that measures, also after a panic of the work.
struct Measuring<'a> {
    is_over: &'a AtomicBool,
    thread: Option<std::thread::Thread>,
}

impl Drop for Measuring<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.iter().for_each(std::thread::Thread::unpark);
    }
}

impl Progress for Meter {
    fn watch(&self, step: Step<'_>, work: &mut dyn FnMut()) {
        let is_over = AtomicBool::new(false);
        let measure = || {
            let done = (step.done)();
            // Work in several passes begins its count again.
            self.done.store(if step.total > 0 { done.min(step.total) } else { done }, Ordering::Relaxed);
        };
        self.all.store(step.total, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let measured = Builder::new().spawn_scoped(scope, || {
                while !is_over.load(Ordering::Relaxed) {
                    measure();
                    park_timeout(MEASURE_INTERVAL);
                }
            });
            // Without a thread, progress is known at the end alone.
            let thread = measured.ok().map(|thread| thread.thread().clone());
            let _measuring = Measuring { is_over: &is_over, thread };
            work();
        });
        measure();
    }
}

/// Writer that fails once the caller was interrupted.
struct Interruptible<'a> {
    output: &'a mut Output,
    is_stopped: &'a AtomicBool,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(io::Error::new(ErrorKind::Other, "interrupted"));
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Runs an operation whose progress `function` receives. The operation gets the meter, and a flag that is set after an
/// interrupt.
fn with_progress<T: Send + 'static>(
    py: Python<'_>,
    function: Option<Py<PyAny>>,
    after: AfterStop,
    work: impl FnOnce(&Meter, &AtomicBool) -> Result<T, Failure> + Send + 'static,
    stop: impl Fn(),
) -> PyResult<T> {
    let shared = Arc::new((Meter::default(), AtomicBool::new(false)));
    let of_work = Arc::clone(&shared);
    let mut last = (0, 0);
    let (meter, is_stopped) = &*shared;
    let result = run_until(
        py,
        move || work(&of_work.0, &of_work.1),
        after,
        || {
            is_stopped.store(true, Ordering::Relaxed);
            stop();
        },
        |py| meter.report(py, function.as_ref(), &mut last),
    )?;
    meter.report(py, function.as_ref(), &mut last)?;
    Ok(result)
}

/// Writes a trace in the format of another tool. Returns JSON text of the path and the size, and the damage.
#[pyfunction]
pub fn export(
    py: Python<'_>,
    path: PathBuf,
    form: &str,
    output: PathBuf,
    force: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let (form, kind) = match form {
        "jsonl" => (ExportForm::Jsonl, Kind::Records),
        "perfetto" => (ExportForm::Perfetto, Kind::Perfetto),
        other => return Err(Failure::option(format!("to={other}: expected jsonl or perfetto")).raise(py)),
    };
    let work = move |meter: &Meter, is_stopped: &AtomicBool| {
        let mut outputs = Outputs::new([path.as_path()], force);
        let mut file = outputs.open(&output, kind)?;
        let source = taut_app::export::Export::new(path.to_string_lossy().into_owned(), read(&path)?)?;
        let damage = source.write(form, &mut Interruptible { output: &mut file, is_stopped }, meter)?;
        let bytes = file.finish()?;
        Ok((json!({"path": output, "bytes": bytes}).to_string(), damage))
    };
    with_progress(py, progress, AfterStop::Waits, work, || ())
}

/// Options of a recording, with the names of `taut record`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RecordArguments {
    workload: String,
    output: Option<PathBuf>,
    driver: Option<String>,
    machine: Option<String>,
    rules: String,
    setting: Vec<String>,
    seed: u64,
    threads: Option<u32>,
    set: Vec<String>,
    clock: String,
    force: bool,
}

impl RecordArguments {
    fn options(&self) -> Result<RecordOptions, Failure> {
        let clock = match self.clock.as_str() {
            "best" => Clock::best(),
            "monotonic" => Clock::monotonic(),
            "logical" => Clock::Logical,
            other => {
                return Err(Failure::option(format!("clock={other}: expected best, monotonic or logical")));
            }
        };
        let rules = RulesOptions { rules: self.rules.clone(), settings: self.setting.clone() };
        Ok(RecordOptions {
            workload: self.workload.clone(),
            world: WorldOptions { driver: self.driver.clone(), rules },
            machine: self.machine.clone(),
            seed: Some(self.seed),
            threads: self.threads,
            parameters: self.set.clone(),
            clock,
        })
    }

    /// Files that the recording reads, which its output must not replace.
    fn inputs(&self) -> Vec<&Path> {
        let values = self.set.iter().filter_map(|set| Some(set.split_once('=')?.1));
        let drivers = self.driver.as_deref().map(parts);
        let drivers = drivers.into_iter().flat_map(|(first, others)| std::iter::once(first).chain(others));
        values.chain(drivers).chain(self.machine.as_deref()).chain([self.workload.as_str()]).map(Path::new).collect()
    }

    fn record(&self, stop: &StopRequest, progress: &dyn Progress) -> Result<Recorded, Failure> {
        let plan = Plan::new(&self.options()?)?;
        let path = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.taut", plan.name())));
        let mut outputs = Outputs::new(self.inputs(), self.force);
        let output = outputs.open(&path, Kind::Trace)?;
        let recording = plan.read(progress)?;
        outputs.add_inputs(recording.files())?;
        let options = WriteOptions { sync_interval: Some(SYNC_INTERVAL), ..WriteOptions::default() };
        let open = |header| {
            if let Some(path) = output.replaces() {
                check_replaced(path, output.name(), &header)?;
            }
            output.recorder(header, options)
        };
        let Finished { recorded, ended } = recording.record(open, stop, progress)?;
        let json = recorded.json(&output.name().to_string_lossy()).to_string();
        let notes = [recorded.no_rundown.clone(), recorded.left_out.clone(), recorded.fault.clone()];
        // The trace of a failed workload is finished too, because it shows which call failed.
        output.finish()?;
        ended?;
        Ok((json, notes.into_iter().flatten().collect()))
    }
}

/// JSON text of a recording, and sentences on the part of the input that the trace lacks.
type Recorded = (String, Vec<String>);

/// Records a workload.
#[pyfunction]
pub fn record(py: Python<'_>, arguments: Bound<'_, PyAny>, progress: Option<Py<PyAny>>) -> PyResult<Recorded> {
    let arguments: RecordArguments = arguments.extract()?;
    let stop = Arc::new(StopRequest::default());
    let request = Arc::clone(&stop);
    with_progress(py, progress, AfterStop::Waits, move |meter, _| arguments.record(&stop, meter), move || request.request())
}

/// Options of a replay, with the names of `taut replay`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReplayArguments {
    file: PathBuf,
    driver: Option<String>,
    machine: Option<String>,
    rules: Option<String>,
    setting: Vec<String>,
    tight: Option<String>,
    change: Vec<String>,
    workers: Option<u32>,
    task_ns: Option<u64>,
    repeat: u32,
    until: Option<u64>,
    output: Option<PathBuf>,
    limit: usize,
    force: bool,
}

impl ReplayArguments {
    fn what_if(&self) -> Result<WhatIfOptions, Failure> {
        let wrong = |option: &str, text: &str, error: &dyn std::fmt::Display| {
            Failure::option(format!("{option}={text}: {error}"))
        };
        let tight = self.tight.as_ref().map(|text| text.parse().map_err(|error| wrong("tight", text, &error)));
        let changes = self.change.iter().map(|text| text.parse().map_err(|error| wrong("change", text, &error)));
        if self.workers == Some(0) {
            return Err(wrong("workers", "0", &"expected 1 or more"));
        }
        Ok(WhatIfOptions {
            driver: self.driver.clone(),
            machine: self.machine.clone(),
            rules: self.rules.clone(),
            settings: self.setting.clone(),
            tight: tight.transpose()?,
            changes: changes.collect::<Result<_, _>>()?,
            workers: self.workers,
            task_ns: self.task_ns,
        })
    }

    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let profiles = [self.driver.as_deref(), self.machine.as_deref()].into_iter().flatten().map(Path::new);
        std::iter::once(self.file.as_path()).chain(profiles)
    }

    fn run(&self, progress: &dyn Progress, is_stopped: &AtomicBool) -> Result<Value, Failure> {
        let mut outputs = Outputs::new(self.inputs(), self.force);
        let output = outputs.open_if(self.output.as_deref(), Kind::Trace)?;
        let trace = read(&self.file)?;
        let limits = ReplayLimits { until: self.until, max_divergences: self.limit };
        let replay = Replay::new(self.file.to_string_lossy().into_owned(), &trace, limits)?;
        let options = self.what_if()?;
        let writer = |header| match &output {
            Some(output) => output.trace_writer(header),
            // Without an output, no trace is started.
            None => taut_traces::TraceWriter::new(io::sink(), header, WriteOptions::default()),
        };
        let start: Option<taut_app::replay::StartTrace<'_>> = output.is_some().then_some(&writer);
        if options.has_changes() {
            if self.repeat != 1 {
                return Err(Failure::option("repeat: a what-if runs once"));
            }
            let what_if = replay.what_if(&options, start, progress)?;
            finish(output, is_stopped)?;
            return self.compared(&what_if, &trace);
        }
        let options = RepeatOptions { repeat: self.repeat, settings: self.setting.clone() };
        let outcome = replay.repeat(&options, start, progress)?;
        finish(output, is_stopped)?;
        Ok(outcome_json(&outcome, self.repeat))
    }

    /// JSON of a what-if, with its presents and tasks compared with the recorded ones.
    fn compared(&self, what_if: &WhatIf, trace: &Trace) -> Result<Value, Failure> {
        let written = self.output.as_ref().filter(|path| path.is_file());
        let not_compared = PresentDiff::not_compared(trace);
        let presents = match written.filter(|_| not_compared.has_any) {
            Some(written) => PresentDiff::compare(read(&self.file)?, read(written)?)?,
            None => not_compared,
        };
        let live = match (what_if.live_tasks, written) {
            (Some(live), _) => Some(live),
            (None, Some(written)) if what_if.tasks.is_some() => Some(TaskFigures::of(read(written)?)?),
            (None, _) => None,
        };
        let compared = live.filter(|_| what_if.tasks.is_some()).map(|live| -> Result<_, Failure> {
            Ok(TaskComparison { recorded: TaskFigures::of(read(&self.file)?)?, live })
        });
        Ok(what_if.json(&presents, compared.transpose()?)?)
    }
}

/// Completes an output, unless the caller was interrupted: then no file is left.
fn finish(output: Option<Output>, is_stopped: &AtomicBool) -> Result<(), Failure> {
    if is_stopped.load(Ordering::Relaxed) {
        return Ok(());
    }
    output.map(Output::finish).transpose()?;
    Ok(())
}

/// Replays a trace: as recorded, or with changes. Returns JSON text.
#[pyfunction]
pub fn replay(py: Python<'_>, arguments: Bound<'_, PyAny>, progress: Option<Py<PyAny>>) -> PyResult<String> {
    let arguments: ReplayArguments = arguments.extract()?;
    let work =
        move |meter: &Meter, is_stopped: &AtomicBool| Ok(arguments.run(meter, is_stopped)?.to_string());
    with_progress(py, progress, AfterStop::Abandons, work, || ())
}

/// Completes a recording that was not ended, in place or in another file. Returns JSON text.
#[pyfunction]
pub fn recover(py: Python<'_>, path: PathBuf, output: Option<PathBuf>, force: bool) -> PyResult<String> {
    let work = move |_: &Meter, _: &AtomicBool| {
        check_ended(&path)?;
        let trace = read(&path)?;
        let name = path.to_string_lossy();
        let recoverable = Recoverable::new(&trace);
        let is_whole = recoverable.is_lossless() || recoverable.damage.is_empty() && recoverable.is_complete();
        if recoverable.is_complete() && output.is_none() {
            recoverable.clear(&path, &name)?;
            return Ok(recoverable.json(&name, is_whole, None).to_string());
        }
        recoverable.check_version(&name)?;
        let mut outputs = Outputs::new(output.iter().map(|_| path.as_path()), force);
        let mut file = match &output {
            Some(output) => outputs.open(output, Kind::Trace)?,
            None => outputs.open_over(&path, Kind::Trace)?,
        };
        let target = file.name().to_string_lossy().into_owned();
        let written = recoverable.write(&mut file)?;
        file.finish()?;
        Ok(recoverable.json(&target, is_whole, Some(written)).to_string())
    };
    with_progress(py, None, AfterStop::Waits, work, || ())
}
