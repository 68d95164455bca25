//! DDI calls in which the driver may reach the memory behind its handles and report errors, and what follows from those.

use super::access_log::AccessLog;
use super::context_state::ContextKind;
use crate::context::Context;
use crate::violation::say;
use taut_schemas::d3d11_callbacks::{DeviceCallbacks, DisableDeferredStagingResourceDestruction, SetError};
use taut_schemas::{
    D3d11ContextId, DriverHandle, ErrorClass, ErrorVerdict, HResult, HResultCode, HandleMemory, HandleMemoryCall, mark,
    rule,
};

/// What became of a DDI call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing was reported.
    Fine,
    /// The call answers this code; the driver has done nothing.
    Returned(HResultCode),
    /// The deferred context throws away what it has recorded.
    LocalRemoval,
    /// The device is gone.
    Removal,
}

/// What a driver answered, and what it reported.
#[derive(Debug)]
#[must_use]
pub(crate) struct Told<T> {
    pub output: T,
    pub fate: Fate,
}

impl<T> Told<T> {
    /// The answer, if nothing was reported.
    ///
    /// # Errors
    /// What the call is to return.
    pub fn ok(self) -> HResult<T> {
        match self.fate {
            Fate::Fine => Ok(self.output),
            Fate::Returned(code) => Err(code),
            Fate::LocalRemoval => Err(HResultCode::E_OUTOFMEMORY),
            Fate::Removal => Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED),
        }
    }
}

/// What the driver may do during one call.
struct CallbackScope<'c, 'a> {
    context: &'c mut Context<'a>,
    memory: &'c mut dyn HandleMemory,
    reported: Vec<SetError>,
    /// The deferred destruction of staging resources was disabled.
    disabled: bool,
}

impl HandleMemory for CallbackScope<'_, '_> {
    fn read(&mut self, address: u64, bytes: &mut [u8]) {
        self.memory.read(address, bytes);
    }

    fn handle_at(&self, address: u64) -> Option<DriverHandle> {
        self.memory.handle_at(address)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        self.memory.write(address, bytes);
    }
}

impl DeviceCallbacks for CallbackScope<'_, '_> {
    fn set_error(&mut self, call: &SetError) {
        self.context.traced(call, |_| ());
        self.reported.push(call.clone());
    }

    fn disable_deferred_staging_resource_destruction(&mut self, call: &DisableDeferredStagingResourceDestruction) {
        self.context.traced(call, |_| ());
        self.disabled = true;
    }
}

impl Context<'_> {
    /// Makes a DDI call, of a context of this kind, in which the driver may reach the memory behind its handles and call back.
    pub(crate) fn ddi_on<C: HandleMemoryCall>(
        &mut self,
        memory: &mut dyn HandleMemory,
        kind: ContextKind,
        call: C,
    ) -> Told<C::Output> {
        let driver = self.driver;
        let logs = self.settings.handle_accesses;
        let mut log = AccessLog { memory, accesses: Vec::new() };
        let (mut reported, mut disabled) = (Vec::new(), false);
        let output = self.traced(&call, |context| {
            let memory: &mut dyn HandleMemory = if logs { &mut log } else { &mut *log.memory };
            let mut callbacks = CallbackScope { context, memory, reported: Vec::new(), disabled: false };
            let output = call.dispatch(driver, &mut callbacks);
            (reported, disabled) = (callbacks.reported, callbacks.disabled);
            output
        });
        let mut of = None;
        call.visit_objects(&mut |object| of = of.or(Some(D3d11ContextId(object.0))));
        let of = of.unwrap_or_default();
        if !log.accesses.is_empty() {
            let accesses = log.accesses;
            self.mark(&mark::HandleAccesses { context: of, accesses });
        }
        if disabled && kind == ContextKind::Deferred {
            let text = format_args!(
                "The driver disables the deferred destruction of staging resources in {} of context {}, a deferred one.",
                C::NAME,
                of.0
            );
            if say(self, rule::H_43, (0, 0, 0), text).is_err() {
                return Told { output, fate: Fate::Removal };
            }
        }
        let fate = if reported.is_empty() { Fate::Fine } else { self.judge::<C>((of, kind), &reported) };
        Told { output, fate }
    }

    /// What follows from the errors that were reported of a call (rules H-70 to H-77).
    fn judge<C: HandleMemoryCall>(&mut self, (of, kind): (D3d11ContextId, ContextKind), reported: &[SetError]) -> Fate {
        let class = ErrorClass::of(C::ID);
        let mut fate = Fate::Fine;
        for error in reported {
            let code = u64::from(error.code.0);
            // Each context's core-layer handle is its number: of the immediate context that of the device as well.
            if error.core_layer.0 != of.0 {
                let text = format_args!(
                    "The driver reports {:?} of {} with the core-layer handle 0x{:x}, which is not that of context {}.",
                    error.code,
                    C::NAME,
                    error.core_layer.0,
                    of.0
                );
                let broken = if kind == ContextKind::Deferred { rule::H_71 } else { rule::H_70 };
                if say(self, broken, (error.core_layer.0, of.0, of.0), text).is_err() {
                    return Fate::Removal;
                }
            }
            let again = fate != Fate::Fine;
            fate = match class.verdict(kind == ContextKind::Deferred, error.code) {
                ErrorVerdict::Returned if !again => Fate::Returned(error.code),
                ErrorVerdict::LocalRemoval if !again => Fate::LocalRemoval,
                ErrorVerdict::Removal => return Fate::Removal,
                _ => {
                    let (broken, how) = match class {
                        ErrorClass::ByResult => (rule::H_77, "by callback"),
                        _ if again => (rule::H_76, "after another error"),
                        _ => (ErrorClass::broken_rule(C::ID), "which it must not"),
                    };
                    let text = format_args!("The driver reports {:?} of {}, {how}.", error.code, C::NAME);
                    // Critical whatever the mode: the device is removed.
                    let _ = say(self, broken, (code, 0, 0), text);
                    return Fate::Removal;
                }
            };
        }
        fate
    }
}
