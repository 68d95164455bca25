//! Environment of a call besides its arguments and locks: settings, drivers, and the receiver of its events.

use crate::executor::Executor;
use crate::revision::Revision;
use crate::settings::Settings;
use std::fmt;
use std::sync::Arc;
use taut_schemas::DriverCall;
use taut_schemas::{
    AdapterId, Call, Driver, Encoder, EventCode, Field, HResult, HResultCode, Mark, MessageId, MessageSeverity,
    ObjectId, Opcode, mark,
};

/// Receiver of the events inside an API call as they happen: starts and stops of DDI calls, and marks.
pub trait Tap {
    /// Receives an event with this code; `payload` writes its row.
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>));
}

/// Tap that discards all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullTap;

impl Tap for NullTap {
    fn event(&mut self, _: EventCode, _: &dyn Fn(&mut Encoder<'_>)) {}
}

/// Environment of a call besides its arguments and locks.
pub struct Context<'a> {
    /// Behaviour settings.
    pub settings: &'a Settings,
    /// Driver of the call's adapter.
    pub driver: &'a dyn Driver,
    /// Receiver of the events inside the call.
    pub tap: &'a mut dyn Tap,
    /// Executor that is notified of new work; `None` if threads take work from the state.
    pub executor: Option<&'a mut dyn Executor>,
    /// Drivers of all adapters; `None` with one adapter.
    pub drivers: Option<&'a dyn Drivers>,
}

/// Drivers of a machine's adapters.
pub trait Drivers {
    /// Returns the driver of an adapter; for an unknown adapter, that of the first one.
    fn of(&self, adapter: AdapterId) -> &dyn Driver;
}

impl<'d> Drivers for Vec<Arc<dyn Driver + 'd>> {
    fn of(&self, adapter: AdapterId) -> &dyn Driver {
        &*self[adapter.place_among(self.len())]
    }
}

impl Drivers for Vec<Box<dyn Driver>> {
    fn of(&self, adapter: AdapterId) -> &dyn Driver {
        &*self[adapter.place_among(self.len())]
    }
}

impl<'a> Context<'a> {
    /// Creates a context without an executor.
    pub fn new(settings: &'a Settings, driver: &'a dyn Driver, tap: &'a mut dyn Tap) -> Context<'a> {
        Context { settings, driver, tap, executor: None, drivers: None }
    }
}

impl Context<'_> {
    /// Makes a DDI call without callbacks, recorded by the tap.
    pub fn ddi<C: DriverCall>(&mut self, call: C) -> C::Output {
        let driver = self.driver;
        self.traced(&call, |_| call.dispatch(driver))
    }

    /// Updates the runtime's state for a destroyed object, and notifies the driver. From revision 1 on, the state is
    /// updated before the driver is called, because the driver may panic.
    pub(crate) fn destroy<C: DriverCall>(&mut self, call: C, update: impl FnOnce()) {
        if self.settings.revision >= Revision::STATE_FIRST {
            update();
            self.ddi(call);
        } else {
            self.ddi(call);
            update();
        }
    }

    /// Returns the driver of another adapter than the call's.
    pub(crate) fn driver_of(&self, adapter: AdapterId) -> &dyn Driver {
        self.drivers.map_or(self.driver, |drivers| drivers.of(adapter))
    }

    /// Makes a DDI call of another adapter's driver.
    pub(crate) fn ddi_of<C: DriverCall>(&mut self, adapter: AdapterId, call: C) -> C::Output {
        let (drivers, driver) = (self.drivers, self.driver);
        let driver = drivers.map_or(driver, |drivers| drivers.of(adapter));
        self.traced(&call, |_| call.dispatch(driver))
    }

    /// Makes a call and records its start and stop.
    pub(crate) fn traced<C: Call>(&mut self, call: &C, make: impl FnOnce(&mut Self) -> C::Output) -> C::Output {
        self.tap.event(EventCode::new(C::ID, Opcode::Start), &|encoder| call.encode(encoder));
        let output = make(self);
        self.tap.event(EventCode::new(C::ID, Opcode::Stop), &|encoder| output.encode(encoder));
        output
    }

    /// Emits a debug-layer message. `object` is null for an object that does not exist yet.
    pub fn message(
        &mut self,
        severity: MessageSeverity,
        message_id: MessageId,
        object: ObjectId,
        description: fmt::Arguments<'_>,
    ) {
        self.mark(&mark::DebugMessage { severity, message_id, object, description: description.to_string() });
    }

    /// Emits a debug-layer error about an object that does not exist yet.
    pub fn error(&mut self, message_id: MessageId, description: fmt::Arguments<'_>) {
        self.message(MessageSeverity::ERROR, message_id, ObjectId::NULL, description);
    }

    /// Emits a debug-layer error about an object, and returns the error code.
    pub(crate) fn refuse<T>(
        &mut self,
        code: HResultCode,
        object: impl Into<ObjectId>,
        description: fmt::Arguments<'_>,
    ) -> HResult<T> {
        self.message(MessageSeverity::ERROR, MessageId::UNKNOWN, object.into(), description);
        Err(code)
    }

    /// Records that the driver broke a rule. Consequences in strict mode are up to the caller.
    pub fn violation(&mut self, violation: &mark::DriverViolation) {
        self.mark(violation);
    }

    /// Records an event that is not a call.
    pub(crate) fn mark<M: Mark>(&mut self, mark: &M) {
        self.tap.event(EventCode::new(M::ID, Opcode::Info), &|encoder| mark.encode(encoder));
    }
}

/// Emits an error that a handle names no live object of its kind, and returns E_HANDLE.
pub(crate) fn no_such_object<T>(context: &mut Context<'_>, kind: &str, id: ObjectId) -> HResult<T> {
    let text = format_args!("There is no {kind} {}.", id.0);
    context.message(MessageSeverity::ERROR, MessageId::UNKNOWN, id, text);
    Err(HResultCode::E_HANDLE)
}
