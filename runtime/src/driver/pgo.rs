//! A driver that really optimises: it counts what draws execute and which constants they have, specialises shaders for
//! constants that do not change, and keeps a variant for as long as it gains.
//!
//! | step | DDI call | file |
//! |---|---|---|
//! | compile | CreatePipelineState | `pipeline` |
//! | select, sample constants | ExecuteCommandLists | `selection`, `submission` |
//! | run | what the graphics processor does | `batch` |
//! | count, judge variants, decide | CollectMeasurements | `measure`, `windows`, `installed`, `decision` |
//! | profile variants again, tell materials apart, refuse by estimate | CollectMeasurements | `candidate`, `sight`, `split` |
//! | decide where nothing is measured: on a thread of its own, when command lists are closed | RunDriverThread, CloseCommandList | `elsewhere`, `own_lock` |
//! | specialise | a background task | `work` |
//! | install, tell tools | ProcessBackgroundWork | `task`, `report` |
//! | be written down, read | – | `saved` |
//! | be told how much of this to do, say whether more is desired | SetBackgroundProcessingMode | `mode`, `forecast` |
//!
//! All that it keeps from call to call is one [`Optimiser`](optimiser::Optimiser), which the runtime holds. Decisions
//! follow from what it was told, in the order in which it was told; there is no clock and no randomness in them.

mod base;
mod batch;
mod candidate;
mod code;
mod decision;
mod elsewhere;
mod forecast;
mod installed;
mod measure;
mod mode;
mod optimiser;
mod own_lock;
mod pipeline;
mod report;
mod runs;
mod saved;
mod selection;
mod shared;
mod shared_code;
mod sight;
mod split;
mod submission;
mod task;
#[cfg(test)]
mod tests;
mod threshold;
mod tuning;
mod windows;
mod work;

pub use shared_code::SharedCode;

use super::background_profile::Background;
use super::faults::Faults;
use super::profile::Profile;
use optimiser::with;
use own_lock::OwnLock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::sync::Arc;
use taut_schemas::{
    BackgroundWork, Callbacks, FurtherMeasurements, GpuWork, HResult, Product, Selection, TaskBeginning, WorkVerdict,
    d3d12_ddi,
};

/// The driver's side of pipeline states, submissions and background processing.
pub(crate) struct Tuner<'a> {
    /// None: pipeline states run generic, and nothing is measured.
    background: Option<&'a Background>,
    faults: &'a Faults,
}

impl<'a> Tuner<'a> {
    /// The one that a profile describes.
    pub fn of(profile: &'a Profile) -> Self {
        Tuner { background: profile.background.as_ref(), faults: &profile.faults }
    }

    /// SetBackgroundProcessingMode, whichever version; 0062 has no use for the answer.
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

    /// CreatePipelineState.
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

    /// DestroyPipelineState.
    pub fn destroy_pipeline_state(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::DestroyPipelineState) {
        with(callbacks, |optimiser| optimiser.destroy(call.pipeline_state));
    }

    /// ExecuteCommandLists.
    pub fn execute_command_lists(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ExecuteCommandLists,
    ) -> Vec<Selection> {
        submission::execute(self.background, self.faults, callbacks, call)
    }

    /// The driver reads its counters.
    pub fn collect_measurements(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CollectMeasurements) {
        if let Some(settings) = self.background {
            let touched = measure::collect(settings, self.faults, callbacks, call);
            match settings.decides_elsewhere() {
                true => elsewhere::leave(settings, callbacks, touched),
                false => measure::decide(settings, self.faults, callbacks, &touched),
            }
        }
    }

    /// A task has ended.
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
        let made = product.downcast::<work::Made>().ok();
        let pipeline_state = with(callbacks, |optimiser| optimiser.pipeline_state_of(call.context));
        let variant = with(callbacks, |optimiser| optimiser.finish(call.context, made.as_deref()));
        report::tell(callbacks);
        own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
        if let Some(settings) = self.background.filter(|settings| settings.queues_from_tasks > 0) {
            measure::decide(settings, self.faults, callbacks, &pipeline_state.into_iter().collect());
        }
        WorkVerdict { variant }
    }

    /// A task begins: whether there is anything to do.
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

    /// A command list was closed.
    pub fn close_command_list(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CloseCommandList) {
        if let Some(settings) = self.background {
            elsewhere::some(settings, self.faults, callbacks, &call.pipeline_states);
        }
    }

    /// The driver's own thread goes on.
    pub fn run_driver_thread(&self, callbacks: &mut dyn Callbacks) {
        if let Some(settings) = self.background {
            elsewhere::all(settings, self.faults, callbacks);
        }
    }

    fn lock(&self, callbacks: &mut dyn Callbacks) -> Option<OwnLock> {
        self.background.map(|settings| OwnLock::take(settings, callbacks))
    }

    /// A task is not going to run.
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
            Some(made) => {
                with(callbacks, |optimiser| optimiser.finish(call.context, Some(&made)));
                report::tell(callbacks);
            }
        }
    }

    /// What it keeps, which the runtime holds, and what else a driver remembers.
    ///
    /// # Errors
    /// It is not this driver's.
    pub fn save(beside: &impl Serialize, kept: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String> {
        saved::save(beside, kept)
    }

    /// The rest, and what the runtime is to hold for it.
    ///
    /// # Errors
    /// It cannot be what [`Tuner::save`] gave.
    pub fn restore<T: DeserializeOwned>(saved: &[u8]) -> Result<(T, Option<Box<dyn Any + Send>>), String> {
        saved::restore(saved)
    }

    /// Background work that was written down.
    ///
    /// # Errors
    /// It is no such work.
    pub fn restore_work(work: &[u8]) -> Result<Arc<dyn BackgroundWork>, String> {
        saved::work(work)
    }

    /// Work of the graphics processor that was written down.
    ///
    /// # Errors
    /// It is no such work.
    pub fn restore_gpu_work(work: &[u8]) -> Result<Arc<dyn GpuWork>, String> {
        saved::batch(work)
    }

    /// DestroyDevice. All tasks have ended.
    pub fn destroy_device(&self, callbacks: &mut dyn Callbacks) {
        *callbacks.kept() = None;
    }
}
