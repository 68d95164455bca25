//! What is said of handles.

use crate::d3d11_context_desc::{CreateHandle, HandleAccess, HandleSizes, HandleType, RecordedCommands, ThreadingCaps};
use crate::desc::DriverHandle;
use crate::hresult::HResultCode;
use crate::id::D3d11ContextId;

/// The call in which something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeardIn {
    /// Its thread.
    pub thread: u32,
    /// The stamp at which it began.
    pub began: u64,
    /// The stamp of what was said.
    pub at: u64,
}

/// One thing that was said of handles, when it was over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandleEvent {
    /// GetThreadingCaps was answered.
    CapsTold(ThreadingCaps),
    /// A device was created, and its immediate context with it.
    DeviceCreated {
        /// The immediate context.
        context: D3d11ContextId,
        /// Its handle.
        device: DriverHandle,
        /// Its core-layer handle.
        core_layer: DriverHandle,
    },
    /// CheckDeferredContextHandleSizes was answered.
    SizesPolled {
        /// There was room for them.
        room: bool,
        /// What was told.
        told: HandleSizes,
    },
    /// CalcDeferredContextHandleSize was answered.
    SizeAsked {
        /// Through whose table.
        context: D3d11ContextId,
        /// The type.
        handle_type: HandleType,
        /// Of which object.
        ic_handle: DriverHandle,
        /// The answer.
        size_bytes: u64,
    },
    /// A deferred context was created.
    ContextCreated {
        /// Through whose table.
        by: D3d11ContextId,
        /// The context.
        context: D3d11ContextId,
        /// Its handle.
        device: DriverHandle,
        /// Its core-layer handle.
        core_layer: DriverHandle,
        /// The slots of its table that were filled.
        slots: Vec<u32>,
    },
    /// A deferred context is as if it had been created.
    ContextRecycled(D3d11ContextId),
    /// A deferred context's recording was thrown away.
    Abandoned(D3d11ContextId),
    /// A command that names no handle reached a context that has reported an error.
    RecordedOn(D3d11ContextId),
    /// A context is gone.
    ContextDestroyed(D3d11ContextId),
    /// A handle was created.
    Created {
        /// In which context.
        context: D3d11ContextId,
        /// Of which type.
        handle_type: HandleType,
        /// What was told of it.
        handle: CreateHandle,
        /// It came with a description.
        has_desc: bool,
    },
    /// A handle was destroyed.
    Destroyed {
        /// In which context.
        context: D3d11ContextId,
        /// Of which type.
        handle_type: HandleType,
        /// Which.
        handle: DriverHandle,
    },
    /// A call named handles.
    Used {
        /// On which context.
        context: D3d11ContextId,
        /// Which; null is none.
        handles: Vec<DriverHandle>,
    },
    /// A list was made again in memory of one that was out of use.
    ListRecreated(DriverHandle),
    /// What a list that was just made holds.
    ListHolds {
        /// Its handle of the immediate context.
        list: DriverHandle,
        /// What the driver says of it.
        commands: RecordedCommands,
    },
    /// A list was taken out of use.
    ListOutOfUse(DriverHandle),
    /// A list came back to the context that made it.
    ListReturned(DriverHandle),
    /// A list was executed.
    ListExecuted {
        /// On which context.
        context: D3d11ContextId,
        /// Its handle there.
        list: DriverHandle,
        /// What the driver says was executed.
        commands: RecordedCommands,
    },
    /// An error was reported of a call.
    ErrorReported {
        /// The context whose call it is.
        context: D3d11ContextId,
        /// The call's line.
        line: u16,
        /// With which core-layer handle.
        core_layer: DriverHandle,
        /// The error.
        code: HResultCode,
    },
    /// The driver disabled the deferred destruction of staging resources.
    StagingDestructionDisabled {
        /// In a call on this context.
        context: D3d11ContextId,
    },
    /// The memory behind handles was read or written.
    Accessed {
        /// In a call on this context.
        context: D3d11ContextId,
        /// The call's line.
        line: u16,
        /// The handle that the call made, if it made one.
        made: DriverHandle,
        /// How.
        accesses: Vec<HandleAccess>,
    },
}

impl HandleEvent {
    /// The context whose calls come one after the other, of which this is one (rule H-80); none of what any thread may do.
    pub fn serial(&self, immediate: Option<D3d11ContextId>) -> Option<D3d11ContextId> {
        match self {
            HandleEvent::Used { context, .. }
            | HandleEvent::ListExecuted { context, .. }
            | HandleEvent::ContextRecycled(context)
            | HandleEvent::Abandoned(context)
            | HandleEvent::RecordedOn(context) => Some(*context),
            HandleEvent::Created { context, .. } | HandleEvent::Destroyed { context, .. } => {
                Some(*context).filter(|context| Some(*context) != immediate)
            }
            _ => None,
        }
    }
}
