//! Enumerations and descriptors of what happens after memory is there: pipeline states, command lists, queues, and
//! background processing.

use crate::code::codes;
use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::id::{PipelineStateId, VariantId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `D3D12_BACKGROUND_PROCESSING_MODE`. The DDI calls the last one DISABLE_ALL_PROFILING.
    code BackgroundProcessingMode {
        ALLOWED = 0, ALLOW_INTRUSIVE_MEASUREMENTS = 1, DISABLE_BACKGROUND_WORK = 2, DISABLE_PROFILING_BY_SYSTEM = 3,
    }

    /// `D3D12_MEASUREMENTS_ACTION`.
    code MeasurementsAction {
        KEEP_ALL = 0, COMMIT_RESULTS = 1, COMMIT_RESULTS_HIGH_PRIORITY = 2, DISCARD_PREVIOUS = 3,
    }

    /// At which priority a background task runs.
    code WorkPriority { IDLE = 0, ABOVE_IDLE = 1, }

    /// Why a background task was cancelled.
    code CancelReason { DISABLED = 1, DEVICE_DESTROYED = 2, }

    /// What has become of a variant. REPLACED: another for the same values took its place; MISSES: its guard seldom holds;
    /// LOSES: it executes no less than the generic shader; ESTIMATED: it was never made, because the texts promise too little.
    code VariantChange { INSTALLED = 1, REPLACED = 2, MISSES = 3, LOSES = 4, ESTIMATED = 5, }

    /// A pipeline state's code: the generic shader's, a variant's, or the generic shader's with counters in it.
    code RunCode { GENERIC = 0, VARIANT = 1, INSTRUMENTED = 2, }

    /// `D3D12_COMMAND_LIST_TYPE`.
    code CommandListType { DIRECT = 0, BUNDLE = 1, COMPUTE = 2, COPY = 3, }

    /// `D3D12_COMMAND_QUEUE_FLAGS`.
    flags CommandQueueFlags { NONE = 0, DISABLE_GPU_TIMEOUT = 0x1, }

    /// `D3D12_FENCE_FLAGS`.
    flags FenceFlags { NONE = 0, SHARED = 0x1, SHARED_CROSS_ADAPTER = 0x2, NON_MONITORED = 0x4, }

    /// What WaitForSingleObject answers; PENDING (STATUS_PENDING) while it waits.
    code WaitStatus { OBJECT_0 = 0, TIMEOUT = 0x102, PENDING = 0x103, FAILED = 0xffff_ffff, }

    /// What a graphics processor has got done of a command queue.
    code QueueOperation { NONE = 0, EXECUTE = 1, SIGNAL = 2, WAIT = 3, PRESENT = 4, }
}

impl BackgroundProcessingMode {
    /// Tasks that a driver queues are cancelled.
    pub fn disables_work(self) -> bool {
        self == Self::DISABLE_BACKGROUND_WORK || self == Self::DISABLE_PROFILING_BY_SYSTEM
    }
}

impl MeasurementsAction {
    /// It has a set of tasks whose end can be waited for.
    pub fn commits(self) -> bool {
        self == Self::COMMIT_RESULTS || self == Self::COMMIT_RESULTS_HIGH_PRIORITY
    }
}

descs! {
    /// `D3D12_COMMAND_QUEUE_DESC`.
    #[derive(Copy)]
    CommandQueueDesc {
        /// D3D12_COMMAND_QUEUE_DESC::Type.
        list_type: CommandListType,
        /// D3D12_COMMAND_QUEUE_DESC::Priority: 0 normal, 100 high, 10000 global real time.
        priority: u32,
        /// D3D12_COMMAND_QUEUE_DESC::Flags.
        flags: CommandQueueFlags,
        /// D3D12_COMMAND_QUEUE_DESC::NodeMask.
        node_mask: u32 as Flags,
    }

    /// What GetCompletedValue says.
    #[derive(Copy)]
    FenceValue {
        /// The value.
        value: u64,
    }

    /// What SetBackgroundProcessingMode says.
    #[derive(Copy)]
    FurtherMeasurements {
        /// *pbFurtherMeasurementsDesired; false where no pointer was given.
        desired: bool,
    }

    /// A draw or dispatch as it reaches the driver.
    #[derive(Copy)]
    DrawCommand {
        /// The pipeline state.
        pipeline_state: PipelineStateId,
        /// Shader invocations that are simulated: those asked for, but 64 at most.
        lane_count: u32 as Count,
        /// 32-bit constants bound, of those that come with the command lists.
        num_constants: u32 as Count,
        /// The first of them. Of draws that follow each other, those bound alike share them.
        first_constant: u32,
    }

    /// The shader that a driver selects for a draw.
    #[derive(Copy)]
    Selection {
        /// The variant; 0 is the generic shader.
        variant: VariantId,
        /// A variant was there and its guard did not hold.
        guard_missed: bool,
        /// Instructions of the shader form that asking guards cost.
        guard_cost: u32,
    }

    /// What a draw did.
    #[derive(Copy)]
    DrawRun {
        /// The pipeline state.
        pipeline_state: PipelineStateId,
        /// The shader that ran; 0 is the generic one.
        variant: VariantId,
        /// Instructions of the shader form executed, guards included.
        executed: u64,
        /// Instructions the generic shader executes for it, which asks no guard.
        generic_executed: u64,
        /// Hash of the outputs.
        output_hash: u64,
        /// Hash of the generic shader's outputs: the same, or the driver is wrong.
        generic_output_hash: u64,
        /// Instructions that counters in the code executed, of `executed`; 0 if there were none in it.
        counter_executed: u64,
        /// Instructions that reading constants and launching groups take, of `executed`; 0 of a driver that tunes neither.
        tuned_executed: u64,
        /// What they would take if nothing were tuned, of `generic_executed`.
        untuned_executed: u64,
    }

    /// How long this machine took for a draw's code, which was run some more times for that, in turns with the other code of the
    /// same draw. It belongs to the recording: nothing follows from it, and a replay passes it on.
    #[derive(Copy)]
    CodeTime {
        /// Place of the draw in its submission, from 0.
        draw: u32,
        /// The code.
        code: RunCode,
        /// How often it was run.
        rounds: u32 as Count,
        /// The shortest of the times.
        least_ns: u64,
        /// The middle one.
        middle_ns: u64,
        /// The longest.
        most_ns: u64,
        /// The thread was kept on one processor meanwhile.
        pinned: bool,
    }

    /// What compiling a variant gave, as far as it is the same on every machine.
    #[derive(Copy)]
    CompileOutcome {
        /// Instructions in the text of the shader that was specialised: the generic one, or a variant.
        length_before: u32,
        /// Instructions in the variant's text.
        length_after: u32,
        /// Slots whose values were folded.
        folded_slots: u32,
        /// Hash of the variant's text.
        text_hash: u64,
    }

    /// What a driver found when a task began.
    #[derive(Copy)]
    TaskBeginning {
        /// Whether there is anything to do.
        has_work: bool,
    }

    /// What became of a task's result.
    #[derive(Copy)]
    WorkVerdict {
        /// The variant that was installed; 0 if the result was abandoned.
        variant: VariantId,
    }

    /// What the graphics processor has got done.
    #[derive(Copy)]
    QueueProgress {
        /// Which kind of operation.
        operation: QueueOperation,
        /// Its number among all operations of all command queues, in order of submission.
        submission: u64,
    }
}
