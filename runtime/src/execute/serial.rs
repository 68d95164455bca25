//! Machine that executes inputs one after another without locks, for replay, checks and tests.

use super::{ExecuteWith, RuntimeState};
use crate::context::{Context, Drivers, Tap};
use crate::executor::{Executor, InlineExecutor};
use crate::settings::Settings;
use std::sync::Arc;
use taut_schemas::{AdapterId, Driver, Input, d3d12, machine};

/// Settings, a driver per adapter, the complete state, and an executor for asynchronous work. An input runs on exactly
/// the state that its line locks.
pub struct Machine<'d, X = InlineExecutor> {
    /// Behaviour settings.
    pub settings: Settings,
    /// By adapter; at least one.
    drivers: Vec<Arc<dyn Driver + 'd>>,
    /// Complete state of the runtime.
    pub state: RuntimeState,
    executor: X,
}

impl<'d, X: Executor + Default> Machine<'d, X> {
    /// Creates a machine with one adapter, before the first call.
    pub fn new(settings: Settings, driver: Arc<dyn Driver + 'd>) -> Machine<'d, X> {
        Machine { settings, drivers: vec![driver], state: RuntimeState::default(), executor: X::default() }
    }

    /// Creates a machine with an adapter per driver, before the first call. `None` without drivers.
    pub fn with_adapters(settings: Settings, drivers: Vec<Arc<dyn Driver + 'd>>) -> Option<Machine<'d, X>> {
        let state = RuntimeState::new(drivers.len());
        (!drivers.is_empty()).then(|| Machine { settings, drivers, state, executor: X::default() })
    }
}

impl<'d, X: Executor> Machine<'d, X> {
    /// Returns the machine's adapters.
    pub fn adapters(&self) -> impl Iterator<Item = AdapterId> + use<X> {
        AdapterId::first(self.drivers.len())
    }

    /// Returns the drivers by adapter.
    pub(crate) fn drivers(&self) -> &(dyn Drivers + 'd) {
        &self.drivers
    }

    /// Returns the executor.
    pub fn executor(&mut self) -> &mut X {
        &mut self.executor
    }

    /// Returns the state and the executor.
    pub(crate) fn state_and_executor(&mut self) -> (&RuntimeState, &mut dyn Executor) {
        (&self.state, &mut self.executor)
    }

    /// Returns the driver of an adapter; for an unknown adapter, the driver of the first adapter.
    pub fn driver(&self, adapter: AdapterId) -> &(dyn Driver + 'd) {
        &*self.drivers[adapter.place_among(self.drivers.len())]
    }

    /// Executes an input; `tap` receives the events inside it. An input that ends work gets the work's result.
    pub fn call<C: ExecuteWith>(&mut self, call: &C, tap: &mut dyn Tap) -> C::Output {
        let derived = self.derive_input(call);
        self.call_with(call, derived, tap)
    }

    /// Returns the derived input of a call: the result of work that the call ends, which is available once.
    pub fn derive_input<C: ExecuteWith>(&mut self, call: &C) -> C::DerivedInput {
        let queue = &self.state.adapter(call.adapter()).queue;
        call.derive_input(queue, &mut self.executor)
    }

    /// Returns the input that must follow a call that was just executed. The caller executes it next on the
    /// application's behalf.
    pub fn removal<C: Input>(&mut self, call: &C) -> Option<machine::RemoveDevice> {
        super::removal(&self.state.locked_for(call))
    }

    /// Executes the inputs that must follow the release of a swap chain, if the last call was one. Background tasks that
    /// are left keep a device from being destroyed.
    pub fn release_due(&mut self, tap: &mut dyn Tap) {
        let Some(due) = super::DueReleases::of(&mut self.state.display) else { return };
        let super::DueReleases { d3d11_device, command_queue, device } = due;
        if let Some(release) = d3d11_device {
            let _ = self.call(&release, tap);
        }
        if let Some(release) = command_queue {
            let _ = self.call(&release, tap);
        }
        if let Some(device) = device {
            let _ = self.call(&d3d12::ReleaseDevice { device }, tap);
            let _ = self.call(&d3d12::FinishReleaseDevice { device }, tap);
        }
    }

    /// Executes an input with its derived input.
    pub fn call_with<C: ExecuteWith>(&mut self, call: &C, derived: C::DerivedInput, tap: &mut dyn Tap) -> C::Output {
        let adapter = call.adapter();
        let driver = &*self.drivers[adapter.place_among(self.drivers.len())];
        let mut context = Context {
            settings: &self.settings,
            driver,
            tap,
            executor: Some(&mut self.executor),
            drivers: Some(&self.drivers),
        };
        call.execute_with(&mut context, self.state.locked_for(call), derived)
    }
}
