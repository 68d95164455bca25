//! What a call is given besides its arguments and its locks: the settings, the driver, and where its events go.

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

/// Takes the events inside an API call, as they happen: starts and stops of DDI calls, and marks.
pub trait Tap {
    /// An event with this code; `payload` writes its row.
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>));
}

/// A tap that takes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Tap for Silent {
    fn event(&mut self, _: EventCode, _: &dyn Fn(&mut Encoder<'_>)) {}
}

/// What a call is given besides its arguments and its locks.
pub struct Context<'a> {
    /// The choices that decide behaviour.
    pub settings: &'a Settings,
    /// The driver.
    pub driver: &'a dyn Driver,
    /// Where the events inside the call go.
    pub tap: &'a mut dyn Tap,
    /// Who is told of work that is handed out, to begin it; none where threads find it in the state.
    pub executor: Option<&'a mut dyn Executor>,
    /// The drivers of all adapters; none where there is one adapter.
    pub drivers: Option<&'a dyn Drivers>,
}

/// The drivers of a machine's adapters.
pub trait Drivers {
    /// The driver of an adapter; of one that the machine lacks, the first one's.
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
    /// A context in which nobody is told of work.
    pub fn new(settings: &'a Settings, driver: &'a dyn Driver, tap: &'a mut dyn Tap) -> Context<'a> {
        Context { settings, driver, tap, executor: None, drivers: None }
    }
}

impl Context<'_> {
    /// Makes a DDI call in which the driver cannot call back, its start and stop shown to the tap.
    pub fn ddi<C: DriverCall>(&mut self, call: C) -> C::Output {
        let driver = self.driver;
        self.traced(&call, |_| call.dispatch(driver))
    }

    /// Keeps the books of what is destroyed, and tells the driver, which may panic there: last, but for the first revision.
    pub(crate) fn destroy<C: DriverCall>(&mut self, call: C, books: impl FnOnce()) {
        if self.settings.revision >= Revision::BOOKS_FIRST {
            books();
            self.ddi(call);
        } else {
            self.ddi(call);
            books();
        }
    }

    /// The driver of another adapter than the call's.
    pub(crate) fn driver_of(&self, adapter: AdapterId) -> &dyn Driver {
        self.drivers.map_or(self.driver, |drivers| drivers.of(adapter))
    }

    /// Makes a DDI call of another adapter's driver.
    pub(crate) fn ddi_of<C: DriverCall>(&mut self, adapter: AdapterId, call: C) -> C::Output {
        let (drivers, driver) = (self.drivers, self.driver);
        let driver = drivers.map_or(driver, |drivers| drivers.of(adapter));
        self.traced(&call, |_| call.dispatch(driver))
    }

    /// Makes a call, its start and stop shown to the tap.
    pub(crate) fn traced<C: Call>(&mut self, call: &C, make: impl FnOnce(&mut Self) -> C::Output) -> C::Output {
        self.tap.event(EventCode::new(C::ID, Opcode::Start), &|encoder| call.encode(encoder));
        let output = make(self);
        self.tap.event(EventCode::new(C::ID, Opcode::Stop), &|encoder| output.encode(encoder));
        output
    }

    /// Issues a message of the debug layer. `object` is null for what does not exist yet.
    pub fn message(
        &mut self,
        severity: MessageSeverity,
        message_id: MessageId,
        object: ObjectId,
        description: fmt::Arguments<'_>,
    ) {
        self.mark(&mark::DebugMessage { severity, message_id, object, description: description.to_string() });
    }

    /// Issues an error of the debug layer about something that does not exist yet.
    pub fn error(&mut self, message_id: MessageId, description: fmt::Arguments<'_>) {
        self.message(MessageSeverity::ERROR, message_id, ObjectId::NULL, description);
    }

    /// Issues an error of the debug layer about an object, and gives the code to return.
    pub(crate) fn refuse<T>(
        &mut self,
        code: HResultCode,
        object: impl Into<ObjectId>,
        description: fmt::Arguments<'_>,
    ) -> HResult<T> {
        self.message(MessageSeverity::ERROR, MessageId::UNKNOWN, object.into(), description);
        Err(code)
    }

    /// Records that the driver broke a rule. What follows from it in strict mode is the caller's to do.
    pub fn violation(&mut self, violation: &mark::DriverViolation) {
        self.mark(violation);
    }

    /// Records something that is not a call.
    pub(crate) fn mark<M: Mark>(&mut self, mark: &M) {
        self.tap.event(EventCode::new(M::ID, Opcode::Info), &|encoder| mark.encode(encoder));
    }
}

/// Says that a handle names no live object of its kind, and gives E_HANDLE.
pub(crate) fn no_such<T>(context: &mut Context<'_>, kind: &str, id: ObjectId) -> HResult<T> {
    let text = format_args!("There is no {kind} {}.", id.0);
    context.message(MessageSeverity::ERROR, MessageId::UNKNOWN, id, text);
    Err(HResultCode::E_HANDLE)
}
