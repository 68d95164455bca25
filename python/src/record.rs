//! Recording of a workload.

use crate::failure::Failure;
use crate::progress::with_progress;
use crate::work::AfterStop;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use taut_app::Progress;
use taut_app::record::{
    self as recording, CLOCKS, Finished, MODES, Named, ON_FULL, Plan, RecordOptions, SPARE_BUFFERS, StopRequest,
    check_replaced,
};
use taut_app::world::{RulesOptions, WorldOptions, parts};
use taut_console::output::{Kind, Outputs};
use taut_traces::WriteOptions;

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
    sync_interval: f64,
    buffer_size: u64,
    buffers: u32,
    on_full: String,
    mode: String,
    max_size: Option<u64>,
    max_time: Option<f64>,
    flush_interval: Option<f64>,
    providers: Vec<String>,
    snapshot_on: Option<String>,
    force: bool,
}

impl RecordArguments {
    fn options(&self) -> Result<RecordOptions, Failure> {
        let clock = Named::find(&CLOCKS, "clock", &self.clock)?.clock();
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

    fn writing(&self) -> Result<WriteOptions, Failure> {
        let wrong = |option: &'static str| move |why: String| Failure::option(format!("{option}: {why}"));
        let time = |option, seconds: f64| {
            Duration::try_from_secs_f64(seconds).map_err(|error| wrong(option)(format!("{seconds}: {error}")))
        };
        let optional = |option, seconds: Option<f64>| seconds.map(|seconds| time(option, seconds)).transpose();
        if !SPARE_BUFFERS.contains(&self.buffers) {
            return Err(wrong("buffers")(format!("expected 1 to {}", SPARE_BUFFERS.end())));
        }
        let flush = optional("flush_interval", self.flush_interval)?.map(recording::flush_interval).transpose();
        let sync = time("sync_interval", self.sync_interval)?;
        Ok(WriteOptions {
            mode: Named::find(&MODES, "mode", &self.mode)?,
            buffer_bytes: recording::buffer_size(self.buffer_size).map_err(wrong("buffer_size"))? as usize,
            spare_buffers: self.buffers as usize,
            on_full: Named::find(&ON_FULL, "behaviour", &self.on_full)?,
            sync_interval: Some(sync).filter(|interval| !interval.is_zero()),
            max_bytes: self.max_size.map(recording::max_size).transpose().map_err(wrong("max_size"))?,
            max_time: optional("max_time", self.max_time)?,
            flush_interval: flush.map_err(wrong("flush_interval"))?,
            providers: recording::providers(self.providers.iter().map(String::as_str)).map_err(wrong("providers"))?,
            snapshot_on: self
                .snapshot_on
                .as_deref()
                .map(recording::snapshot_trigger)
                .transpose()
                .map_err(wrong("snapshot_on"))?,
            ..recording::default_writing()
        })
    }

    /// Files that the recording reads, which its output must not replace.
    fn inputs(&self) -> Vec<&Path> {
        let values = self.set.iter().filter_map(|set| Some(set.split_once('=')?.1));
        let drivers = self.driver.as_deref().map(parts);
        let drivers = drivers.into_iter().flat_map(|(first, others)| std::iter::once(first).chain(others));
        values.chain(drivers).chain(self.machine.as_deref()).chain([self.workload.as_str()]).map(Path::new).collect()
    }

    fn record(&self, phase: &Phase, stop: &StopRequest, progress: &dyn Progress) -> Result<Recorded, Failure> {
        let options = self.writing()?;
        let plan = Plan::new(&self.options()?)?;
        let path = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.taut", plan.name())));
        recording::check_writing(&options, &path)?;
        let mut outputs = Outputs::new(self.inputs(), self.force);
        let output = outputs.open(&path, Kind::Trace)?;
        let recording = plan.read(progress)?;
        outputs.add_inputs(recording.files())?;
        if !phase.begin_recording() {
            return Err(Failure::other("interrupted"));
        }
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

/// Phase of a recording. Until the input is read, there is no trace to complete.
#[derive(Default)]
struct Phase(AtomicU8);

impl Phase {
    const READING: u8 = 0;
    const RECORDING: u8 = 1;
    const ABANDONED: u8 = 2;

    fn change(&self, to: u8) -> bool {
        self.0.compare_exchange(Self::READING, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Begins the recording. False if it was interrupted before.
    fn begin_recording(&self) -> bool {
        self.change(Self::RECORDING)
    }

    /// Reaction to an interrupt.
    fn interrupt(&self) -> AfterStop {
        if self.change(Self::ABANDONED) { AfterStop::Abandons } else { AfterStop::Waits }
    }
}

/// JSON text of a recording, and sentences on the part of the input that the trace lacks.
type Recorded = (String, Vec<String>);

/// Records a workload. After an interrupt, the trace is complete; before the calls begin, there is none.
#[pyfunction]
pub fn record(py: Python<'_>, arguments: Bound<'_, PyAny>, progress: Option<Py<PyAny>>) -> PyResult<Recorded> {
    let arguments: RecordArguments = arguments.extract()?;
    let shared = Arc::new((Phase::default(), StopRequest::default()));
    let of_work = Arc::clone(&shared);
    with_progress(
        py,
        progress,
        move |meter, _| arguments.record(&of_work.0, &of_work.1, meter),
        move || {
            let (phase, stop) = &*shared;
            stop.request();
            phase.interrupt()
        },
    )
}
