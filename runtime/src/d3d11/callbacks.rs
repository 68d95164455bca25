//! DDI calls in which the driver may access handle memory and report errors, and the consequences of such errors.

use super::access_log::AccessLog;
use super::context_state::ContextKind;
use crate::context::Context;
use crate::violation::{ObservedValue, record_violation};
use taut_schemas::d3d11_callbacks::{DeviceCallbacks, DisableDeferredStagingResourceDestruction, SetError};
use taut_schemas::{
    D3d11ContextId, DriverHandle, ErrorClass, ErrorVerdict, HResult, HResultCode, HandleMemory, HandleMemoryCall, mark,
    rule,
};

/// Outcome of a DDI call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DdiOutcome {
    /// No error was reported.
    Fine,
    /// The call returns this code, and the driver has changed no state.
    Returned(HResultCode),
    /// The deferred context discards its recording.
    LocalRemoval,
    /// The device is removed.
    Removal,
}

/// A driver's output, and the outcome of the call.
#[derive(Debug)]
#[must_use]
pub(crate) struct DdiResult<T> {
    pub output: T,
    pub outcome: DdiOutcome,
}

impl<T> DdiResult<T> {
    /// The output, if no error was reported.
    ///
    /// # Errors
    /// The code that the API call returns.
    pub fn ok(self) -> HResult<T> {
        match self.outcome {
            DdiOutcome::Fine => Ok(self.output),
            DdiOutcome::Returned(code) => Err(code),
            DdiOutcome::LocalRemoval => Err(HResultCode::E_OUTOFMEMORY),
            DdiOutcome::Removal => Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED),
        }
    }
}

/// Callbacks and handle memory that the driver can reach during one call.
struct CallbackScope<'c, 'a> {
    context: &'c mut Context<'a>,
    memory: &'c mut dyn HandleMemory,
    reported: Vec<SetError>,
    /// True once the driver disabled the deferred destruction of staging resources.
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
    /// Makes a DDI call of a context of kind `kind`, in which the driver may access handle memory and call back.
    pub(crate) fn ddi_on<C: HandleMemoryCall>(
        &mut self,
        memory: &mut dyn HandleMemory,
        kind: ContextKind,
        call: C,
    ) -> DdiResult<C::Output> {
        let driver = self.driver;
        let logs = self.settings.handle_accesses;
        // The log is flushed even if logging is off: no access reaches it then, so it stays empty.
        let mut log = AccessLog { memory, accesses: Vec::new() };
        let (mut reported, mut disabled) = (Vec::new(), false);
        let output = self.traced(&call, |context| {
            let memory: &mut dyn HandleMemory = if logs { &mut log } else { &mut *log.memory };
            let mut callbacks = CallbackScope { context, memory, reported: Vec::new(), disabled: false };
            let output = call.dispatch(driver, &mut callbacks);
            (reported, disabled) = (callbacks.reported, callbacks.disabled);
            output
        });
        // The first object of a context DDI call is the context itself.
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
            if record_violation(self, rule::H_43, ObservedValue { found: 0, min: 0, max: 0 }, text).is_err() {
                return DdiResult { output, outcome: DdiOutcome::Removal };
            }
        }
        let outcome = if reported.is_empty() { DdiOutcome::Fine } else { self.judge::<C>(of, kind, &reported) };
        DdiResult { output, outcome }
    }

    /// Judges the errors reported during a call (rules H-70 to H-77).
    fn judge<C: HandleMemoryCall>(
        &mut self,
        of: D3d11ContextId,
        kind: ContextKind,
        reported: &[SetError],
    ) -> DdiOutcome {
        let class = ErrorClass::from_line(C::ID);
        let mut outcome = DdiOutcome::Fine;
        for error in reported {
            let code = u64::from(error.code.0);
            // A context's core-layer handle is its id; the immediate context's is the device's as well.
            if error.core_layer.0 != of.0 {
                let text = format_args!(
                    "The driver reports {:?} of {} with the core-layer handle 0x{:x}, which is not that of context {}.",
                    error.code,
                    C::NAME,
                    error.core_layer.0,
                    of.0
                );
                let broken = if kind == ContextKind::Deferred { rule::H_71 } else { rule::H_70 };
                if record_violation(
                    self,
                    broken,
                    ObservedValue { found: error.core_layer.0, min: of.0, max: of.0 },
                    text,
                )
                .is_err()
                {
                    return DdiOutcome::Removal;
                }
            }
            // Rule H-76: a second error is not allowed in any class.
            let is_repeated = outcome != DdiOutcome::Fine;
            outcome = match class.verdict(kind == ContextKind::Deferred, error.code) {
                ErrorVerdict::Returned if !is_repeated => DdiOutcome::Returned(error.code),
                ErrorVerdict::LocalRemoval if !is_repeated => DdiOutcome::LocalRemoval,
                ErrorVerdict::Removal => return DdiOutcome::Removal,
                _ => {
                    let (broken, how) = match class {
                        ErrorClass::ByResult => (rule::H_77, "by callback"),
                        _ if is_repeated => (rule::H_76, "after another error"),
                        _ => (ErrorClass::broken_rule(C::ID), "which it must not"),
                    };
                    let text = format_args!("The driver reports {:?} of {}, {how}.", error.code, C::NAME);
                    // Critical in every mode: the device is removed, so the result of the check does not matter.
                    let _ = record_violation(self, broken, ObservedValue { found: code, min: 0, max: 0 }, text);
                    return DdiOutcome::Removal;
                }
            };
        }
        outcome
    }
}
