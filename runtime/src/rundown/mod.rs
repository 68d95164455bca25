//! Rundown: the runtime's state, serialised at one stamp, and its restoration. A recording that starts in mid-stream
//! begins with it. Each type serialises and restores itself.

mod restore;

use crate::context::Drivers;
use crate::d3d11::context_state::ContextState;
use crate::execute::{AdapterState, Machine, RuntimeState};
use crate::executor::Executor;
use crate::kernel::DisplayState;
use crate::records::{RestoreError, RundownError, StateRecords};
use crate::state::{DeviceState, Object};
use crate::submission::SubmissionState;
use crate::win32::SystemState;
use restore::Restoring;
use taut_schemas::{AdapterId, ObjectId, for_each_lock, state};

macro_rules! view {
    ([]
        adapter { $( $(#[doc = $doc:literal])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[doc = $session_doc:literal])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[doc = $context_doc:literal])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        /// Complete state of an adapter between calls.
        pub struct AdapterView<'a> {
            $( $(#[doc = $doc])+ pub $lock: &'a $State, )+
        }

        /// Complete state of a runtime between calls.
        pub struct StateView<'a> {
            pub adapters: Vec<AdapterView<'a>>,
            $( $(#[doc = $session_doc])+ pub $session_lock: &'a $SessionState, )+
            pub contexts: Vec<&'a $ContextState>,
            pub objects: Vec<(ObjectId, &'a Object)>,
        }

        impl RuntimeState {
            /// Borrows the complete state.
            fn view(&self) -> StateView<'_> {
                fn of_adapter(AdapterState { $( $lock ),+ }: &AdapterState) -> AdapterView<'_> {
                    AdapterView { $( $lock ),+ }
                }
                StateView {
                    adapters: self.adapters().iter().map(of_adapter).collect(),
                    $( $session_lock: &self.$session_lock, )+
                    contexts: self.contexts().collect(),
                    objects: self.objects.iter().collect(),
                }
            }
        }
    };
}
for_each_lock!(view);

impl StateView<'_> {
    /// Serialises the state as records, the first of which is a `Rundown`; equal states give equal records. The caller
    /// appends [`StateRecords::end`].
    ///
    /// # Errors
    /// A part of the state has no record type, or a driver cannot serialise its state.
    pub fn rundown(mut self, drivers: &dyn Drivers) -> Result<StateRecords, RundownError> {
        self.objects.sort_unstable_by_key(|(id, _)| *id);
        self.contexts.sort_unstable_by_key(|context| context.id);
        let StateView { adapters, display, system, contexts, objects } = self;
        let mut records = StateRecords::default();
        records.put(&state::Rundown { adapters: adapters.len() as u32, objects: objects.len() as u64 });
        system.save(&mut records);
        display.save(&mut records)?;
        for (AdapterView { device, queue }, adapter) in adapters.into_iter().zip((1..).map(AdapterId)) {
            device.save(&mut records);
            queue.save(drivers.of(adapter), &mut records)?;
        }
        for (id, object) in objects {
            object.save(id, &mut records);
        }
        contexts.iter().for_each(|context| context.save(&mut records));
        Ok(records)
    }
}

impl StateRecords {
    /// Returns the record that ends the rundown, with the time for which all locks were held.
    pub fn end(&self, held_ns: u64) -> state::RundownEnd {
        state::RundownEnd { records: self.len() as u64 - 1, held_ns }
    }
}

impl<'d, X: Executor> Machine<'d, X> {
    /// Serialises the state between two calls.
    ///
    /// # Errors
    /// As [`StateView::rundown`].
    pub fn rundown(&self) -> Result<StateRecords, RundownError> {
        self.state.view().rundown(self.drivers())
    }

    /// Replaces the state by the state in the records, and starts its unfinished work.
    ///
    /// # Errors
    /// The records are no state of a machine with these adapters and drivers. The machine must not be used then.
    pub fn restore(&mut self, records: &StateRecords) -> Result<(), RestoreError> {
        let mut restoring = Restoring::new(&self.settings, self.drivers(), self.adapters().count());
        for (code, row) in records.iter() {
            restoring.record(code, row)?;
        }
        self.state = restoring.finish()?;
        let (state, executor) = self.state_and_executor();
        state.adapters().iter().for_each(|adapter| adapter.queue.begin_work(executor));
        Ok(())
    }
}
