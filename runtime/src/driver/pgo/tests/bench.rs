//! Test bench of a driver with callbacks whose handling of tasks a test selects.

use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use crate::driver::model::driver;
use crate::driver::pgo::optimiser::Optimiser;
use crate::driver::profile::Profile;
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode as Mode, BackgroundWork, Bytes, CallbackCall, Callbacks, CommandQueueId, DrawCommand,
    DrawRun, Driver, GpuWork, HResult, HResultCode, MeasurementsAction as Action, PipelineStateId, Selection, TaskId,
    VariantChange, VariantId, WorkProduct, d3d12_callbacks, d3d12_ddi,
};
use taut_shaders::{Bundled, Material, Word};

/// Handling of queued work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// The work waits until the test runs it.
    Wait,
    /// The work is cancelled before QueueProcessingWork returns.
    Cancel,
    /// QueueProcessingWork fails.
    Refuse,
}

/// A work item that the driver has queued.
pub(super) struct QueuedItem {
    pub call: d3d12_callbacks::QueueProcessingWork,
    pub work: Option<Arc<dyn BackgroundWork>>,
    /// Last submission measured before the item was queued.
    pub collected: u64,
}

/// Callbacks in place of the runtime.
pub(super) struct Fake {
    driver: Arc<dyn Driver>,
    driver_state: Option<Box<dyn Any + Send>>,
    submitted: Option<Arc<dyn GpuWork>>,
    pub queued: Vec<QueuedItem>,
    pub policy: Policy,
    /// Reports of the driver on its variants.
    pub reports: Vec<(VariantId, VariantChange)>,
    collected: u64,
    /// Driver locks that are held.
    pub locks: Vec<u32>,
    /// Maximum number of driver locks held at once.
    pub max_locks: usize,
    pub woken: bool,
}

impl d3d12_callbacks::DeviceCallbacks for Fake {
    fn queue_processing_work(
        &mut self,
        call: &d3d12_callbacks::QueueProcessingWork,
        work: Arc<dyn BackgroundWork>,
    ) -> HResult<TaskId> {
        if self.policy == Policy::Refuse {
            return Err(HResultCode::E_OUTOFMEMORY);
        }
        let work = (self.policy == Policy::Wait).then_some(work);
        let cancelled = work.is_none();
        self.queued.push(QueuedItem { call: call.clone(), work, collected: self.collected });
        let (task, context) = (TaskId(self.queued.len() as u64), call.context);
        if cancelled {
            let driver = Arc::clone(&self.driver);
            d3d12_ddi::CancelBackgroundWork { task, context }.dispatch(&*driver, self, ());
        }
        Ok(task)
    }

    fn report_variant(&mut self, call: &d3d12_callbacks::ReportVariant) {
        self.reports.push((call.variant, call.change));
    }

    fn take_driver_lock(&mut self, call: &d3d12_callbacks::TakeDriverLock) -> HResult<()> {
        self.locks.push(call.lock);
        self.max_locks = self.max_locks.max(self.locks.len());
        if self.locks.len() > 1 { Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) } else { Ok(()) }
    }

    fn release_driver_lock(&mut self, call: &d3d12_callbacks::ReleaseDriverLock) {
        self.locks.retain(|lock| *lock != call.lock);
    }

    fn wake_driver_thread(&mut self, _: &d3d12_callbacks::WakeDriverThread) {
        self.woken = true;
    }
}

impl Callbacks for Fake {
    fn driver_state(&mut self) -> &mut Option<Box<dyn Any + Send>> {
        &mut self.driver_state
    }

    fn submit(&mut self, work: Arc<dyn GpuWork>) {
        self.submitted = Some(work);
    }
}

/// A draw: pipeline state, lanes, constants.
pub(super) type Draw = (u64, u32, Vec<Word>);

/// Result of a submission.
pub(super) struct Submitted {
    pub number: u64,
    pub selections: Vec<Selection>,
    pub work: Arc<dyn GpuWork>,
}

pub(super) struct DriverBench {
    pub fake: Fake,
    submissions: u64,
}

/// Settings with thresholds that a few draws reach.
pub(super) fn quick() -> Background {
    Background {
        n_min: 8,
        stable_windows: 2,
        window_executions: 4,
        sampling_interval: 1,
        first_tier_cost: 0,
        measured_draws: 2,
        ..Background::default()
    }
}

pub(super) fn material(name: &str) -> Material {
    Bundled::named(name).unwrap().material().unwrap()
}

impl DriverBench {
    pub fn of(background: Option<Background>, faults: Faults) -> Self {
        let profile = Profile { background, faults, ..Profile::named("legacy").unwrap() };
        let driver = Arc::from(driver(&profile));
        let (driver_state, submitted) = (None, None);
        let (queued, reports) = (Vec::new(), Vec::new());
        let (policy, collected, locks, max_locks, woken) = (Policy::Wait, 0, Vec::new(), 0, false);
        let fake =
            Fake { driver, driver_state, submitted, queued, policy, reports, collected, locks, max_locks, woken };
        DriverBench { fake, submissions: 0 }
    }

    pub fn new(background: Background) -> Self {
        DriverBench::of(Some(background), Faults::default())
    }

    /// Creates a bench with the pipeline state 1 of a bundled shader.
    pub fn with(background: Background, faults: Faults, name: &str) -> (Self, Material) {
        let (mut bench, material) = (DriverBench::of(Some(background), faults), material(name));
        bench.create(1, &material);
        (bench, material)
    }

    pub fn driver(&self) -> Arc<dyn Driver> {
        Arc::clone(&self.fake.driver)
    }

    pub fn create_of(&mut self, id: u64, shader: Vec<u8>) -> HResult<()> {
        let call = d3d12_ddi::CreatePipelineState { pipeline_state: PipelineStateId(id), shader: Bytes(shader) };
        call.dispatch(&*self.driver(), &mut self.fake, ())
    }

    pub fn create(&mut self, id: u64, material: &Material) {
        self.create_of(id, serde_json::to_vec(&material.shader).unwrap()).unwrap();
    }

    pub fn destroy(&mut self, id: u64) {
        let call = d3d12_ddi::DestroyPipelineState { pipeline_state: PipelineStateId(id) };
        call.dispatch(&*self.driver(), &mut self.fake, ());
    }

    /// Submits draws without measuring them.
    pub fn submit(&mut self, draws: &[Draw]) -> Submitted {
        self.submissions += 1;
        let mut next_constant = 0;
        let commands = draws.iter().map(|(id, lane_count, constants)| {
            let (num_constants, first_constant) = (constants.len() as u32, next_constant);
            next_constant += num_constants;
            DrawCommand { pipeline_state: PipelineStateId(*id), lane_count: *lane_count, num_constants, first_constant }
        });
        let call = d3d12_ddi::ExecuteCommandLists {
            command_queue: CommandQueueId(1),
            submission: self.submissions,
            draws: commands.collect(),
            constants: draws.iter().flat_map(|(_, _, constants)| constants).map(|word| word.0).collect(),
        };
        let selections = call.dispatch(&*self.driver(), &mut self.fake, ());
        let work = self.fake.submitted.take().unwrap();
        Submitted { number: self.submissions, selections, work }
    }

    /// Completes a submission, and has the driver measure it.
    pub fn complete(&mut self, submitted: &Submitted) -> Vec<DrawRun> {
        let runs = submitted.work.run();
        assert_eq!(runs.len(), submitted.selections.len());
        for (run, selection) in runs.iter().zip(&submitted.selections) {
            assert_eq!(run.variant, selection.variant);
            assert_eq!(run.output_hash, run.generic_output_hash, "variants never change output");
        }
        let (command_queue, submission) = (CommandQueueId(1), submitted.number);
        self.fake.collected = self.fake.collected.max(submission);
        let call = d3d12_ddi::CollectMeasurements { command_queue, submission, runs: runs.clone() };
        call.dispatch(&*self.driver(), &mut self.fake, ());
        runs
    }

    pub fn draw(&mut self, draws: &[Draw]) -> Vec<DrawRun> {
        let submitted = self.submit(draws);
        self.complete(&submitted)
    }

    /// Submits a draw `times` times, one per submission.
    pub fn repeat(&mut self, times: u32, draw: &Draw) {
        (0..times).for_each(|_| drop(self.draw(std::slice::from_ref(draw))));
    }

    pub fn set(&mut self, mode: Mode, measurements_action: Action) -> bool {
        let call = d3d12_ddi::SetBackgroundProcessingMode0063 { mode, measurements_action };
        call.dispatch(&*self.driver(), &mut self.fake, ()).unwrap().desired
    }

    /// Runs one task, if it still waits.
    pub fn run(&mut self, nth: usize) -> VariantId {
        let Some(work) = self.fake.queued[nth].work.take() else { return VariantId::NULL };
        let WorkProduct { outcome, product } = work.run();
        let (task, context) = (TaskId(nth as u64 + 1), self.fake.queued[nth].call.context);
        let call = d3d12_ddi::ProcessBackgroundWork { task, context, outcome };
        call.dispatch(&*self.driver(), &mut self.fake, product).variant
    }

    pub fn cancel(&mut self, nth: usize) {
        if self.fake.queued[nth].work.take().is_some() {
            let (task, context) = (TaskId(nth as u64 + 1), self.fake.queued[nth].call.context);
            d3d12_ddi::CancelBackgroundWork { task, context }.dispatch(&*self.driver(), &mut self.fake, ());
        }
    }

    /// Runs all waiting tasks.
    pub fn run_all(&mut self) -> Vec<VariantId> {
        (0..self.fake.queued.len()).map(|nth| self.run(nth)).filter(|id| *id != VariantId::NULL).collect()
    }

    /// Returns all queued specialisations.
    pub fn specialisations(&self) -> BTreeSet<(u64, Vec<u32>, Vec<u32>)> {
        let calls = self.fake.queued.iter().map(|queued| &queued.call);
        calls.map(|call| (call.pipeline_state.0, call.slots.clone(), call.words.clone())).collect()
    }

    pub fn driver_state(&mut self) -> &mut Optimiser {
        self.fake.driver_state.as_mut().unwrap().downcast_mut().unwrap()
    }
}
