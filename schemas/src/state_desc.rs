//! Descriptors of lists and optionals in the records of a rundown.

use crate::code::codes;
use crate::desc::descs;
use crate::execution_desc::{BackgroundProcessingMode, MeasurementsAction, WorkPriority};
use crate::field::{Field, HandleMap};
use crate::id::{CommitId, EventHandle, PipelineStateId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// Storage of a resource: an allocation of its own, a heap, or address space alone.
    code ResourcePlacement was ResourceHome { COMMITTED = 0, PLACED = 1, RESERVED = 2, }
}

descs! {
    /// A driver's answers at the creation of a device.
    #[derive(Copy)]
    AdapterDevice {
        /// Version of the driver interface.
        ddi_version: u32,
        /// True if the driver has SetBackgroundProcessingMode as of DDI 0063.
        background_0063: bool,
    }

    /// A mapped subresource.
    #[derive(Copy)]
    OpenMap {
        /// Index of the subresource.
        subresource: u32,
        /// Number of Map calls without an Unmap.
        maps: u32 as Count,
    }

    /// A pipeline state bound to a command list.
    #[derive(Copy)]
    BoundPipeline {
        /// The pipeline state.
        pipeline_state: PipelineStateId,
        /// True if it is bound for dispatches, false for draws.
        compute: bool,
        /// Constants that its shader declares.
        constants: u64 as Count,
        /// True if the runtime does not read its shaders.
        opaque: bool,
    }

    /// An event that waits for a fence.
    #[derive(Copy)]
    FenceWait {
        /// Min value of the fence that signals the event.
        value: u64,
        /// The event.
        event: EventHandle,
    }

    /// A commit that is not complete.
    #[derive(Copy)]
    PendingCommit {
        /// The commit.
        commit: CommitId,
        /// The event to be signalled.
        event: EventHandle,
        /// Unfinished tasks for which this commit is the first one that waits for them.
        first_of: u64 as Count,
    }

    /// A mode change of background processing during which the driver is being called.
    #[derive(Copy)]
    PendingModeChange {
        /// The new mode.
        mode: BackgroundProcessingMode,
        /// The action on measurements.
        action: MeasurementsAction,
    }

    /// Worker and priority of a running background task.
    #[derive(Copy)]
    TaskRun {
        /// Number of the worker.
        worker: u32,
        /// Priority of the task.
        priority: WorkPriority,
    }
}
