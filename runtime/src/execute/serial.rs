//! A machine whose inputs are made one after another, under no lock: for replay, checks and tests.

use super::{ExecuteGiven, RuntimeState};
use crate::context::{Context, Drivers, Tap};
use crate::executor::{Executor, InlineExecutor};
use crate::settings::Settings;
use std::sync::Arc;
use taut_schemas::{AdapterId, Driver, Input, machine};

/// Settings, a driver for each adapter, all state, and who does the work that runs beside. An input is made on exactly what
/// its line says it locks.
pub struct Machine<'d, X = InlineExecutor> {
    /// The choices that decide behaviour.
    pub settings: Settings,
    /// By adapter; at least one.
    drivers: Vec<Arc<dyn Driver + 'd>>,
    /// Everything that the runtime remembers.
    pub state: RuntimeState,
    executor: X,
}

impl<'d, X: Executor + Default> Machine<'d, X> {
    /// A machine with one adapter, which has this driver, before the first call.
    pub fn new(settings: Settings, driver: Arc<dyn Driver + 'd>) -> Machine<'d, X> {
        Machine { settings, drivers: vec![driver], state: RuntimeState::default(), executor: X::default() }
    }

    /// A machine with an adapter for each of these drivers, before the first call. `None` if there is no driver.
    pub fn with_adapters(settings: Settings, drivers: Vec<Arc<dyn Driver + 'd>>) -> Option<Machine<'d, X>> {
        let state = RuntimeState::new(drivers.len());
        (!drivers.is_empty()).then(|| Machine { settings, drivers, state, executor: X::default() })
    }
}

impl<'d, X: Executor> Machine<'d, X> {
    /// Its adapters.
    pub fn adapters(&self) -> impl Iterator<Item = AdapterId> + use<X> {
        AdapterId::first(self.drivers.len())
    }

    /// Every adapter's driver.
    pub(crate) fn drivers(&self) -> &(dyn Drivers + 'd) {
        &self.drivers
    }

    /// Who does its work.
    pub fn executor(&mut self) -> &mut X {
        &mut self.executor
    }

    /// What it remembers, and who does its work.
    pub(crate) fn state_and_executor(&mut self) -> (&RuntimeState, &mut dyn Executor) {
        (&self.state, &mut self.executor)
    }

    /// The driver of an adapter; of one that the machine lacks, the first one's.
    pub fn driver(&self, adapter: AdapterId) -> &(dyn Driver + 'd) {
        &*self.drivers[adapter.place_among(self.drivers.len())]
    }

    /// Makes an input; `tap` takes the events inside it. An input that ends work is given the work's result.
    pub fn call<C: ExecuteGiven>(&mut self, call: &C, tap: &mut dyn Tap) -> C::Output {
        let given = self.find_given(call);
        self.call_given(call, given, tap)
    }

    /// What an input that ends work has to be given: the work's result, which is given once.
    pub fn find_given<C: ExecuteGiven>(&mut self, call: &C) -> C::Given {
        let queue = &self.state.adapter(call.adapter()).queue;
        call.find_given(queue, &mut self.executor)
    }

    /// The input that has to follow a call that was just made, if one does: whoever makes calls for an application makes it next.
    pub fn removal<C: Input>(&mut self, call: &C) -> Option<machine::RemoveDevice> {
        super::removal(&self.state.locked_for(call))
    }

    /// The same, with what the input is given.
    pub fn call_given<C: ExecuteGiven>(&mut self, call: &C, given: C::Given, tap: &mut dyn Tap) -> C::Output {
        let adapter = call.adapter();
        let driver = &*self.drivers[adapter.place_among(self.drivers.len())];
        let mut context = Context {
            settings: &self.settings,
            driver,
            tap,
            executor: Some(&mut self.executor),
            drivers: Some(&self.drivers),
        };
        call.execute_given(&mut context, self.state.locked_for(call), given)
    }
}
