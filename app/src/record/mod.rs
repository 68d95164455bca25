//! Recording of a workload: a bundled one, or a file of another program.
//!
//! A recording has three steps, between which the caller opens files: [`Plan::new`] checks the options, [`Plan::read`]
//! reads the input, [`Recording::record`] makes the calls.

mod call_log;
mod capture;
mod drawing;
mod dump;
mod generated;
mod options;
mod presents;
mod recorded;
mod replaced;
mod scenario;
mod scene;
mod source;
mod stop;
mod upload;
mod writing;

pub use options::RecordOptions;
pub use recorded::{Ended, Finished, Recorded, Summary};
pub use replaced::check_replaced;
pub use stop::StopRequest;
pub use writing::{
    CLOCKS, ClockChoice, MODES, Named, ON_FULL, SPARE_BUFFERS, buffer_size, check_writing, default_writing,
    flush_interval, max_size, providers, snapshot_trigger,
};

use crate::progress::watched;
use crate::{Error, Progress, Step};
use source::Source;
use std::path::Path;
use taut_capture::{Adapters, Clock, Session, Stop};
use taut_runtime::Settings;
use taut_traces::{Header, TraceWriter, Workload, WriteError};
use taut_workloads::WorkloadError;

/// World of a recording.
struct RecordWorld {
    adapters: Adapters,
    settings: Settings,
    clock: Clock,
}

/// A recording whose options were checked.
pub struct Plan {
    source: Source,
    name: String,
    world: RecordWorld,
}

impl Plan {
    /// Finds the workload, its parameters, the drivers and the machine.
    ///
    /// # Errors
    /// An option is wrong, or a profile cannot be read.
    pub fn new(options: &RecordOptions) -> Result<Plan, Error> {
        let found = source::find(options)?;
        let (adapters, settings) = options.world.adapters(found.machine, found.default_driver)?;
        let source = found.source.ok_or_else(|| source::unknown(&options.workload))?;
        let source = source.check(options)?;
        source.check_drivers(&adapters)?;
        Ok(Plan { name: source.name(), source, world: RecordWorld { adapters, settings, clock: options.clock } })
    }

    /// Name of the workload, from which a default name of the trace can be made.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the input, if the workload is a file.
    ///
    /// # Errors
    /// The input cannot be read, or is of another kind.
    pub fn read(self, progress: &dyn Progress) -> Result<Recording, Error> {
        Ok(Recording { calls: self.source.read(&self.world, progress)?, world: self.world })
    }
}

/// A recording whose input was read.
pub struct Recording {
    calls: Box<dyn Calls>,
    world: RecordWorld,
}

/// Number of steps of a recording.
struct Steps {
    /// 0 if it is unknown.
    total: u64,
    name: &'static str,
}

/// Calls of a recording.
trait Calls: Sync {
    /// Files that the input names; the caller must not overwrite them.
    fn files(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// Workload in the header of the trace.
    fn workload(&self) -> Workload;

    fn steps(&self) -> Steps;

    /// Number of steps done.
    fn done(&self, stop: &Stop) -> u64 {
        stop.steps_done()
    }

    /// Makes the calls.
    ///
    /// # Errors
    /// A call fails that the workload depends on. The trace is whole, and has the failed call.
    fn run(&self, session: &Session) -> Result<Summary, WorkloadError>;

    /// Classifies an error of the calls, other than an interrupt.
    fn error(&self, error: WorkloadError) -> Error;

    /// Summary of calls that failed.
    fn summary(&self) -> Summary {
        Summary::Generated
    }

    /// Part of the input that was not recorded, in words.
    fn left_out(&self) -> Option<String> {
        None
    }

    /// Returns the message of an error in the input, after which nothing was recorded.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Returns how the recording ended: after all calls, or early because of `stop` or of an error in `result`.
    fn ended(&self, stop: &Stop, result: Result<(), WorkloadError>) -> Result<Ended, Error> {
        match result {
            Ok(()) => Ok(Ended::Complete),
            Err(WorkloadError::Interrupted) => Ok(Ended::early(stop)),
            Err(error) => Err(self.error(error)),
        }
    }
}

impl Recording {
    /// Files that the input names; the caller must not overwrite them.
    pub fn files(&self) -> Vec<&Path> {
        self.calls.files()
    }

    /// Records the calls with the writer that `open` creates for the header. `stop` ends the recording early.
    ///
    /// # Errors
    /// The trace could not be written to its end. An error of the workload is part of the value, because the trace is
    /// whole then.
    pub fn record(
        &self,
        open: impl FnOnce(Header) -> Result<TraceWriter, WriteError>,
        stop: &StopRequest,
        progress: &dyn Progress,
    ) -> Result<Finished, Error> {
        let RecordWorld { adapters, settings, clock } = &self.world;
        let workload = self.calls.workload();
        let session = Session::record(open, adapters.clone(), settings.clone(), workload, *clock)?;
        stop.pass_to(session.stop());
        let watched_stop = session.stop();
        let Steps { total, name } = self.calls.steps();
        let step = Step { total, name, done: &|| self.calls.done(&watched_stop) };
        let ran = watched(progress, step, || self.calls.run(&session));
        let written = session.finish()?;
        let (summary, ran) = match ran {
            Ok(summary) => (summary, Ok(())),
            Err(error) => (self.calls.summary(), Err(error)),
        };
        let recorded = Recorded {
            drivers: adapters.names(),
            written,
            summary,
            no_rundown: session.no_rundown().map(str::to_owned),
            left_out: self.calls.left_out(),
            fault: self.calls.fault(),
        };
        Ok(Finished { recorded, ended: self.calls.ended(&watched_stop, ran) })
    }
}
