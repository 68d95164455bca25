//! Optimising driver: it counts executions and constants of draws, specialises shaders for constants that do not
//! change, and keeps a variant for as long as it gains.
//!
//! | step | DDI call | file |
//! |---|---|---|
//! | compile | CreatePipelineState | `pipeline` |
//! | select, sample constants | ExecuteCommandLists | `selection`, `submission` |
//! | run | GPU work | `batch` |
//! | count, judge variants, decide | CollectMeasurements | `measure`, `windows`, `installed`, `decision` |
//! | profile variants, split by material, reject by estimate | CollectMeasurements | `candidate`, `constant_profile`, `split` |
//! | decide on a driver thread or with a closed list | RunDriverThread, CloseCommandList | `deferred_decision`, `own_lock` |
//! | specialise | a background task | `work` |
//! | install, report to tools | ProcessBackgroundWork | `task`, `report` |
//! | serialise, restore | – | `saved` |
//! | set the mode, report whether further measurements are desired | SetBackgroundProcessingMode | `mode`, `forecast` |
//!
//! All state between calls is one [`Optimiser`](optimiser::Optimiser), which the runtime holds. Decisions depend only
//! on the order of the DDI calls; no clock and no randomness is involved.

mod base;
mod batch;
mod batch_work;
mod candidate;
mod code;
mod constant_profile;
mod decision;
mod deferred_decision;
mod forecast;
mod installed;
mod machine_code;
mod measure;
mod mode;
mod optimiser;
mod own_lock;
mod pipeline;
mod recent;
mod report;
mod runs;
mod saved;
mod selection;
mod shared;
mod shared_code;
mod split;
mod submission;
mod task;
#[cfg(test)]
mod tests;
mod threshold;
mod tuning;
mod unread_draws;
mod variant_task;
mod windows;
mod work;

pub use shared_code::SharedCode;

use super::background_profile::Background;
use super::faults::Faults;
use super::profile::Profile;
use optimiser::with;
use own_lock::DriverLockGuard;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::sync::Arc;
use taut_schemas::{
    BackgroundWork, Callbacks, FurtherMeasurements, GpuWork, HResult, Product, Selection, TaskBeginning, WorkVerdict,
    d3d12_ddi,
};

/// Pipeline-state, submission and background-processing functions of the driver.
pub(crate) struct Tuner<'a> {
    /// `None`: pipeline states run generic code, and nothing is measured.
    background: Option<&'a Background>,
    faults: &'a Faults,
}

impl<'a> Tuner<'a> {
    /// Creates the functions for a profile.
    pub fn new(profile: &'a Profile) -> Self {
        Tuner { background: profile.background.as_ref(), faults: &profile.faults }
    }

    /// Implements SetBackgroundProcessingMode of both versions; 0062 ignores the result.
    pub fn set_mode(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::SetBackgroundProcessingMode0063,
    ) -> Option<FurtherMeasurements> {
        let desired = self
            .background
            .is_some_and(|settings| mode::set(settings, self.faults, callbacks, call.mode, call.measurements_action));
        (!self.faults.leaves_further_unwritten).then_some(FurtherMeasurements { desired })
    }

    /// Implements CreatePipelineState.
    pub fn create_pipeline_state(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::CreatePipelineState,
    ) -> HResult<()> {
        let pipeline = pipeline::Pipeline::new(&call.shader)?;
        with(callbacks, |optimiser| {
            optimiser.pipelines.insert(call.pipeline_state, pipeline);
        });
        Ok(())
    }

    /// Implements DestroyPipelineState.
    pub fn destroy_pipeline_state(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::DestroyPipelineState) {
        with(callbacks, |optimiser| optimiser.destroy(call.pipeline_state));
    }

    /// Implements ExecuteCommandLists.
    pub fn execute_command_lists(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ExecuteCommandLists,
    ) -> Vec<Selection> {
        submission::execute(self.background, self.faults, callbacks, call)
    }

    /// Reads the driver's counters after a submission has completed.
    pub fn collect_measurements(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CollectMeasurements) {
        if let Some(settings) = self.background {
            let touched = measure::collect(settings, self.faults, callbacks, call);
            match settings.decides_elsewhere() {
                true => deferred_decision::defer(settings, callbacks, touched),
                false => measure::decide(settings, self.faults, callbacks, &touched),
            }
        }
    }

    /// Handles a finished task: installs its product or discards it.
    pub fn process_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ProcessBackgroundWork,
        product: Product,
    ) -> WorkVerdict {
        let own_lock = self.lock(callbacks);
        if let Some(policy) = product.downcast_ref::<tuning::Policy>().copied() {
            with(callbacks, |optimiser| optimiser.finish_tuning(call.context, Some(policy)));
            own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
            return WorkVerdict::default();
        }
        let built = product.downcast::<work::SpecialisationProduct>().ok();
        let pipeline_state = with(callbacks, |optimiser| optimiser.pipeline_state_of(call.context));
        let variant = with(callbacks, |optimiser| optimiser.finish(call.context, built.as_deref()));
        report::send_reports(callbacks);
        own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
        // `decide` takes the lock itself, so it must be free here.
        if let Some(settings) = self.background.filter(|settings| settings.queues_from_tasks > 0) {
            measure::decide(settings, self.faults, callbacks, &pipeline_state.into_iter().collect());
        }
        WorkVerdict { variant }
    }

    /// Returns whether a task that begins still has work to do.
    pub fn begin_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::BeginBackgroundWork,
    ) -> TaskBeginning {
        let own_lock = self.lock(callbacks);
        let has_work = with(callbacks, |optimiser| optimiser.is_wanted(call.context));
        own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
        TaskBeginning { has_work }
    }

    /// Handles a closed command list.
    pub fn close_command_list(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CloseCommandList) {
        if let Some(settings) = self.background {
            deferred_decision::decide_for(settings, self.faults, callbacks, &call.pipeline_states);
        }
    }

    /// Runs the driver's own thread once.
    pub fn run_driver_thread(&self, callbacks: &mut dyn Callbacks) {
        if let Some(settings) = self.background {
            deferred_decision::decide_for_all(settings, self.faults, callbacks);
        }
    }

    fn lock(&self, callbacks: &mut dyn Callbacks) -> Option<DriverLockGuard> {
        self.background.map(|settings| DriverLockGuard::take(settings, callbacks))
    }

    /// Handles a cancelled task.
    pub fn cancel_background_work(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CancelBackgroundWork) {
        if self.faults.forgets_cancelled {
            return;
        }
        let wanted = self.faults.works_when_cancelled;
        let work = with(callbacks, |optimiser| optimiser.work_of(call.context).filter(|_| wanted));
        match work.map(|work| work.make()) {
            None => {
                let own_lock = self.lock(callbacks);
                with(callbacks, |optimiser| optimiser.cancel(call.context));
                own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
            }
            Some(built) => {
                with(callbacks, |optimiser| optimiser.finish(call.context, Some(&built)));
                report::send_reports(callbacks);
            }
        }
    }

    /// Serialises the state that the runtime holds, and `other_state`, the driver's other state.
    ///
    /// # Errors
    /// The state is not of this driver.
    pub fn save(other_state: &impl Serialize, driver_state: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String> {
        saved::save(other_state, driver_state)
    }

    /// Restores the driver's other state, and the state that the runtime is to hold.
    ///
    /// # Errors
    /// The data was not written by [`Tuner::save`].
    pub fn restore<T: DeserializeOwned>(saved: &[u8]) -> Result<(T, Option<Box<dyn Any + Send>>), String> {
        saved::restore(saved)
    }

    /// Restores serialised background work.
    ///
    /// # Errors
    /// The data is no background work.
    pub fn restore_work(work: &[u8]) -> Result<Arc<dyn BackgroundWork>, String> {
        saved::work(work)
    }

    /// Restores serialised GPU work.
    ///
    /// # Errors
    /// The data is no GPU work.
    pub fn restore_gpu_work(work: &[u8]) -> Result<Arc<dyn GpuWork>, String> {
        saved::batch(work)
    }

    /// Implements DestroyDevice. All tasks have ended.
    pub fn destroy_device(&self, callbacks: &mut dyn Callbacks) {
        *callbacks.driver_state() = None;
    }
}
