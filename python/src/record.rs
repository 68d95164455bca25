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
use taut_app::record::{Finished, Plan, RecordOptions, StopRequest, check_replaced};
use taut_app::world::{RulesOptions, WorldOptions, parts};
use taut_capture::Clock;
use taut_console::output::{Kind, Outputs};
use taut_traces::WriteOptions;

/// Interval of syncs to disk, as in `taut record`.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

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

    fn record(&self, phase: &Phase, stop: &StopRequest, progress: &dyn Progress) -> Result<Recorded, Failure> {
        let plan = Plan::new(&self.options()?)?;
        let path = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.taut", plan.name())));
        let mut outputs = Outputs::new(self.inputs(), self.force);
        let output = outputs.open(&path, Kind::Trace)?;
        let recording = plan.read(progress)?;
        outputs.add_inputs(recording.files())?;
        if !phase.begin_recording() {
            return Err(Failure::other("interrupted"));
        }
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
