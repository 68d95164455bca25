//! Description of a workload, and the trait of workloads that generate their calls.

use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::steps::Steps;
use taut_capture::Callers;
use taut_runtime::Profile;

/// Static description of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one sentence.
    pub description: &'static str,
    /// Bundled driver that is used by default.
    pub driver: &'static str,
    /// Parameters; every workload has `seed` and `threads`.
    pub parameters: &'static [Parameter],
    /// Calls that may fail, because the workload demonstrates their errors. A failure of any other call ends the workload,
    /// except for calls on objects that another thread may release or change concurrently.
    pub refused: &'static [&'static str],
    /// Parameter values for a short run, for tests and demonstrations; empty if the default run is short.
    pub short: &'static [(&'static str, &'static str)],
}

impl Workload {
    /// True if the workload can run on a driver. If the workload's default driver has handles per context, the driver must
    /// have them as well, and must have no faults.
    pub fn suits(&self, profile: &Profile) -> bool {
        let own = Profile::named(self.driver).is_some_and(|own| own.contexts.is_some());
        !own || profile.contexts.is_some() && profile.fails.is_empty()
    }
}

/// Workload that generates its calls.
pub trait Scenario {
    /// Static description.
    const WORKLOAD: Workload;

    /// Bundled machine that is used by default; `None` if the workload needs only a driver.
    const MACHINE: Option<&'static str> = None;

    /// Makes the calls.
    ///
    /// # Errors
    /// A required call failed, or the system cannot create a thread.
    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError>;

    /// Returns the number of steps of a run.
    fn steps(parameters: &Parameters) -> Steps;
}
