//! What the records of a rundown have in lists and options.

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
    /// Where a resource lies: in an allocation of its own, in a heap, or in address space alone.
    code ResourceHome { COMMITTED = 0, PLACED = 1, RESERVED = 2, }
}

descs! {
    /// What a driver said when a device was created.
    #[derive(Copy)]
    AdapterDevice {
        /// Version of the driver interface.
        ddi_version: u32,
        /// It takes SetBackgroundProcessingMode as of 0063.
        background_0063: bool,
    }

    /// A subresource that is mapped.
    #[derive(Copy)]
    OpenMap {
        /// Which.
        subresource: u32,
        /// How often.
        maps: u32 as Count,
    }

    /// What a command list needs of a pipeline state.
    #[derive(Copy)]
    BoundPipeline {
        /// Which.
        pipeline_state: PipelineStateId,
        /// For dispatches, not for draws.
        compute: bool,
        /// Constants its shader declares.
        constants: u64 as Count,
    }

    /// An event that waits for a fence.
    #[derive(Copy)]
    FenceWait {
        /// From which value on.
        value: u64,
        /// Which.
        event: EventHandle,
    }

    /// A commit that is not done.
    #[derive(Copy)]
    PendingCommit {
        /// Which.
        commit: CommitId,
        /// The event to be signalled.
        event: EventHandle,
        /// Tasks that have not ended and have this commit as their first.
        first_of: u64 as Count,
    }

    /// A change of the background-processing mode that the driver is being told of.
    #[derive(Copy)]
    PendingModeChange {
        /// The mode.
        mode: BackgroundProcessingMode,
        /// The action.
        action: MeasurementsAction,
    }

    /// Where and how a background task runs.
    #[derive(Copy)]
    TaskRun {
        /// The worker.
        worker: u32,
        /// At which priority.
        priority: WorkPriority,
    }
}
