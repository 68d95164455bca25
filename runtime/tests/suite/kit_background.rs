//! Drivers that break rules of background processing which no profile breaks.

use std::any::Any;
use std::sync::Arc;
use taut_conformance::{self as conformance, Status};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{
    BackgroundProcessingMode as Mode, BackgroundWork, CallbackCall, Callbacks, DrawRun, Driver, DriverLayer,
    FurtherMeasurements, GpuWork, HResult, MeasurementsAction as Action, Product, Selection, TaskId, VariantId,
    WorkVerdict, d3d12_callbacks, d3d12_ddi,
};

/// Fault of a driver.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Optimises in every mode.
    IgnoresModes,
    /// Waits for its thresholds although results are to be committed.
    IgnoresCommits,
    /// Builds variants with other outputs.
    ChangesOutputs,
    /// Installs variants for destroyed pipeline states.
    InstallsInTheDead,
    /// Uses the last built variant for any constants.
    IgnoresGuards,
}

struct ModifiedAnswers {
    below: Box<dyn Driver>,
    wrong: Wrong,
}

impl DriverLayer for ModifiedAnswers {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.below
    }
}

impl d3d12_ddi::DeviceFuncsLayer for ModifiedAnswers {
    fn set_background_processing_mode_0063(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::SetBackgroundProcessingMode0063,
    ) -> Option<FurtherMeasurements> {
        let mut call = call.clone();
        match self.wrong {
            Wrong::IgnoresModes => call.mode = Mode::ALLOW_INTRUSIVE_MEASUREMENTS,
            Wrong::IgnoresCommits => call.measurements_action = Action::KEEP_ALL,
            _ => {}
        }
        call.dispatch(self.below(), callbacks, ())
    }

    fn execute_command_lists(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ExecuteCommandLists,
    ) -> Vec<Selection> {
        let changes = self.wrong == Wrong::ChangesOutputs;
        let mut selections = call.dispatch(self.below(), &mut Between { below: callbacks, changes }, ());
        if self.wrong == Wrong::IgnoresGuards {
            for selection in selections.iter_mut().filter(|selection| selection.guard_missed) {
                *selection = Selection { variant: VariantId(1), ..*selection };
            }
        }
        selections
    }

    fn process_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ProcessBackgroundWork,
        product: Product,
    ) -> WorkVerdict {
        let verdict = call.dispatch(self.below(), callbacks, product);
        if self.wrong == Wrong::InstallsInTheDead { WorkVerdict { variant: VariantId(call.task.0) } } else { verdict }
    }
}

/// Callbacks that modify submitted work.
struct Between<'c> {
    below: &'c mut dyn Callbacks,
    changes: bool,
}

impl d3d12_callbacks::DeviceCallbacks for Between<'_> {
    fn queue_processing_work(
        &mut self,
        call: &d3d12_callbacks::QueueProcessingWork,
        work: Arc<dyn BackgroundWork>,
    ) -> HResult<TaskId> {
        self.below.queue_processing_work(call, work)
    }

    fn report_variant(&mut self, call: &d3d12_callbacks::ReportVariant) {
        self.below.report_variant(call);
    }

    fn take_driver_lock(&mut self, call: &d3d12_callbacks::TakeDriverLock) -> HResult<()> {
        self.below.take_driver_lock(call)
    }

    fn release_driver_lock(&mut self, call: &d3d12_callbacks::ReleaseDriverLock) {
        self.below.release_driver_lock(call);
    }

    fn wake_driver_thread(&mut self, call: &d3d12_callbacks::WakeDriverThread) {
        self.below.wake_driver_thread(call);
    }
}

impl Callbacks for Between<'_> {
    fn driver_state(&mut self) -> &mut Option<Box<dyn Any + Send>> {
        self.below.driver_state()
    }
    fn submit(&mut self, work: Arc<dyn GpuWork>) {
        self.below.submit(if self.changes { Arc::new(Changed(work)) } else { work });
    }
}

/// GPU work whose variants have other outputs.
struct Changed(Arc<dyn GpuWork>);

impl GpuWork for Changed {
    fn run(&self) -> Vec<DrawRun> {
        let mut runs = self.0.run();
        for run in runs.iter_mut().filter(|run| run.variant != VariantId::NULL) {
            run.output_hash ^= 1;
        }
        runs
    }
}

fn fails(wrong: Wrong, id: &str) {
    let driver = ModifiedAnswers { below: driver(&Profile::named("reference").unwrap()), wrong };
    let outcome = conformance::check(id).unwrap().run(&driver, &Settings::default());
    assert_eq!(outcome.status, Status::Fail, "{outcome:?}");
    let case = outcome.first_failure.unwrap();
    assert!(case.allocation.is_none() && case.what.len() > 20);
}

#[test]
fn b25_a_driver_that_goes_on_optimising_is_found() {
    fails(Wrong::IgnoresModes, "B-25");
}

#[test]
fn b38_a_driver_that_waits_for_its_thresholds_is_found() {
    fails(Wrong::IgnoresCommits, "B-38");
}

#[test]
fn b59_a_driver_whose_variants_change_outputs_is_found() {
    fails(Wrong::ChangesOutputs, "B-59");
}

#[test]
fn b70_a_driver_that_installs_in_dead_pipeline_states_is_found() {
    fails(Wrong::InstallsInTheDead, "B-70");
}

#[test]
fn b73_a_driver_that_ignores_guards_is_found() {
    fails(Wrong::IgnoresGuards, "B-73");
}
