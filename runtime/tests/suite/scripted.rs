//! Scripted driver that queues tasks whenever a mode is set.

use std::sync::{Arc, Mutex};
use taut_runtime::{Profile, driver};
use taut_schemas::{
    BackgroundWork, Callbacks, CompileOutcome, Driver, DriverLayer, FurtherMeasurements, HResult, Product, TaskId,
    WorkProduct, WorkVerdict, d3d12_callbacks, d3d12_ddi,
};

/// Script of the driver, and the calls that it has received.
#[derive(Default)]
pub struct Script {
    /// Number of tasks queued inside each SetBackgroundProcessingMode.
    pub queue_in_mode: u32,
    /// Number of tasks queued inside each ProcessBackgroundWork, until it is used up.
    pub queue_in_task: u32,
    pub has_callback: bool,
    pub has_cancel: bool,
    /// Answer of SetBackgroundProcessingMode; `None` leaves FurtherMeasurementsDesired unwritten.
    pub further: Option<bool>,
    /// Results of its QueueProcessingWork calls.
    pub queued: Vec<HResult<TaskId>>,
    /// Received modes and actions.
    pub modes: Vec<d3d12_ddi::SetBackgroundProcessingMode0063>,
    /// Tasks whose callback, and whose cancel callback, was called.
    pub done: Vec<TaskId>,
    pub cancelled: Vec<TaskId>,
    /// Order of all these calls.
    pub log: Vec<String>,
}

/// Scripted driver. The mutex of its script is not held during calls to the runtime.
#[derive(Clone)]
pub struct Scripted {
    pub script: Arc<Mutex<Script>>,
    below: Arc<dyn Driver>,
}

impl Scripted {
    pub fn over(name: &str) -> Scripted {
        let script = Script { has_callback: true, has_cancel: true, further: Some(true), ..Script::default() };
        let below = Arc::from(driver(&Profile::named(name).unwrap()));
        Scripted { script: Arc::new(Mutex::new(script)), below }
    }

    pub fn change(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.script.lock().unwrap());
    }

    pub fn look<T>(&self, look: impl FnOnce(&Script) -> T) -> T {
        look(&self.script.lock().unwrap())
    }

    fn queue(&self, callbacks: &mut dyn Callbacks, count: u32) {
        for _ in 0..count {
            let (has_callback, has_cancel) = self.look(|script| (script.has_callback, script.has_cancel));
            let call = d3d12_callbacks::QueueProcessingWork { has_callback, has_cancel, ..Default::default() };
            let queued = callbacks.queue_processing_work(&call, Arc::new(Nothing));
            self.change(|script| {
                script.log.push(format!("queued {queued:?}"));
                script.queued.push(queued);
            });
        }
    }
}

/// Work without a product.
struct Nothing;

impl BackgroundWork for Nothing {
    fn run(&self) -> WorkProduct {
        WorkProduct { outcome: CompileOutcome::default(), product: Arc::new(()) }
    }
}

impl DriverLayer for Scripted {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.below
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Scripted {
    fn set_background_processing_mode_0063(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::SetBackgroundProcessingMode0063,
    ) -> Option<FurtherMeasurements> {
        let count = self.look(|script| script.queue_in_mode);
        self.change(|script| script.modes.push(call.clone()));
        self.queue(callbacks, count);
        self.look(|script| script.further).map(|desired| FurtherMeasurements { desired })
    }

    fn process_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ProcessBackgroundWork,
        _: Product,
    ) -> WorkVerdict {
        let count = self.look(|script| script.queue_in_task.min(1));
        self.change(|script| {
            script.queue_in_task -= count;
            script.done.push(call.task);
            script.log.push(format!("done {}", call.task.0));
        });
        self.queue(callbacks, count);
        WorkVerdict::default()
    }

    fn cancel_background_work(&self, _: &mut dyn Callbacks, call: &d3d12_ddi::CancelBackgroundWork) {
        self.change(|script| {
            script.cancelled.push(call.task);
            script.log.push(format!("cancelled {}", call.task.0));
        });
    }

    fn destroy_device(&self, _: &mut dyn Callbacks, _: &d3d12_ddi::DestroyDevice) {
        self.change(|script| script.log.push("destroyed".to_owned()));
    }
}
