//! Events of handles.

use crate::d3d11_context_desc::{CreateHandle, HandleAccess, HandleSizes, HandleType, RecordedCommands, ThreadingCaps};
use crate::desc::DriverHandle;
use crate::hresult::HResultCode;
use crate::id::D3d11ContextId;

/// The call from which an event comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallSpan {
    pub thread: u32,
    /// Stamp of the call's start.
    pub began: u64,
    /// Stamp of the event.
    pub at: u64,
}

/// An event of handles, emitted once it is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandleEvent {
    /// Result of GetThreadingCaps.
    CapsReturned(ThreadingCaps),
    /// A device was created, with its immediate context.
    DeviceCreated {
        context: D3d11ContextId,
        /// Handle of the context.
        device: DriverHandle,
        /// Core-layer handle of the context.
        core_layer: DriverHandle,
    },
    /// Result of CheckDeferredContextHandleSizes.
    SizesPolled {
        /// True if the call had space for the sizes.
        room: bool,
        /// Result of the call.
        sizes: HandleSizes,
    },
    /// Result of CalcDeferredContextHandleSize.
    SizeQueried {
        /// The context whose function table was called.
        context: D3d11ContextId,
        handle_type: HandleType,
        /// The object's handle of the immediate context.
        ic_handle: DriverHandle,
        /// Result of the call, in bytes.
        size_bytes: u64,
    },
    /// Result of CalcPrivateDeviceSize or CalcPrivateDeferredContextSize: the size of the memory of the context that the
    /// thread creates next.
    ContextSizeQueried { size_bytes: u64 },
    /// A deferred context was created.
    ContextCreated {
        /// The context whose function table was called.
        by: D3d11ContextId,
        context: D3d11ContextId,
        /// Handle of the context.
        device: DriverHandle,
        /// Core-layer handle of the context.
        core_layer: DriverHandle,
        /// The slots of its function table that the driver filled.
        slots: Vec<u32>,
    },
    /// A deferred context was reset to its state at creation.
    ContextRecycled(D3d11ContextId),
    /// A deferred context's recording was discarded.
    Abandoned(D3d11ContextId),
    /// A command without a handle reached a context that has reported an error.
    RecordedOn(D3d11ContextId),
    /// A context was destroyed.
    ContextDestroyed(D3d11ContextId),
    /// A handle was created.
    Created {
        context: D3d11ContextId,
        handle_type: HandleType,
        /// Arguments for the handle.
        handle: CreateHandle,
        /// True if the call had a description.
        has_desc: bool,
    },
    /// The creation of a handle failed.
    NotCreated {
        context: D3d11ContextId,
        /// Arguments for the handle.
        handle: CreateHandle,
    },
    /// A handle was destroyed.
    Destroyed { context: D3d11ContextId, handle_type: HandleType, handle: DriverHandle },
    /// A call named handles.
    Used {
        context: D3d11ContextId,
        /// The named handles; null for none.
        handles: Vec<DriverHandle>,
        /// True if the context ran out of memory in this call: it is not a later call (rule H-74).
        ran_out_of_memory: bool,
    },
    /// A list was created in the memory of an unused list.
    ListRecreated(DriverHandle),
    /// Contents of a list that was just created.
    ListHolds {
        /// The list's handle of the immediate context.
        list: DriverHandle,
        /// Handle of the context that recorded it.
        recorder: DriverHandle,
        /// The driver's summary of the contents.
        commands: RecordedCommands,
    },
    /// A list became unused.
    ListOutOfUse(DriverHandle),
    /// A list was returned to the context that created it.
    ListReturned(DriverHandle),
    /// A list was executed.
    ListExecuted {
        context: D3d11ContextId,
        /// The list's handle in that context.
        list: DriverHandle,
        /// The driver's summary of what was executed.
        commands: RecordedCommands,
    },
    /// An error was reported in a call.
    ErrorReported {
        /// The context of the call.
        context: D3d11ContextId,
        line: u16,
        /// The core-layer handle in the report.
        core_layer: DriverHandle,
        code: HResultCode,
    },
    /// The driver disabled the deferred destruction of staging resources.
    StagingDestructionDisabled {
        /// The context of the call.
        context: D3d11ContextId,
    },
    /// The memory of handles was accessed.
    Accessed {
        /// The context of the call.
        context: D3d11ContextId,
        line: u16,
        /// The handle that the call created; null if none.
        created_handle: DriverHandle,
        accesses: Vec<HandleAccess>,
    },
}

impl HandleEvent {
    /// The context on which the event's call must not overlap with others (rule H-80); `None` for calls that any thread
    /// may make.
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
