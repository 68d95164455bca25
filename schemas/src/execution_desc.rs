//! Enumerations and descriptors of execution: pipeline states, command lists, queues, and background processing.

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

    /// Priority of a background task.
    code WorkPriority { IDLE = 0, ABOVE_IDLE = 1, }

    /// Reason why a background task was cancelled.
    code CancelReason { DISABLED = 1, DEVICE_DESTROYED = 2, }

    /// State of a variant. REPLACED: superseded by another for the same values; GUARD_MISSES: its guard seldom holds; SLOWER:
    /// it executes no fewer instructions than the generic shader; ESTIMATED: never compiled, because the estimated gain
    /// is too small.
    code VariantChange { INSTALLED = 1, REPLACED = 2, GUARD_MISSES was MISSES = 3, SLOWER was LOSES = 4, ESTIMATED = 5, }

    /// Code of a pipeline state: the generic shader's, a variant's, or the generic shader's with counters in it.
    code RunCode { GENERIC = 0, VARIANT = 1, INSTRUMENTED = 2, }

    /// `D3D12_COMMAND_LIST_TYPE`.
    code CommandListType { DIRECT = 0, BUNDLE = 1, COMPUTE = 2, COPY = 3, }

    /// `D3D12_COMMAND_QUEUE_FLAGS`.
    flags CommandQueueFlags { NONE = 0, DISABLE_GPU_TIMEOUT = 0x1, }

    /// `D3D12_FENCE_FLAGS`.
    flags FenceFlags { NONE = 0, SHARED = 0x1, SHARED_CROSS_ADAPTER = 0x2, NON_MONITORED = 0x4, }

    /// Result of WaitForSingleObject; PENDING (STATUS_PENDING) while it waits.
    code WaitStatus { OBJECT_0 = 0, TIMEOUT = 0x102, PENDING = 0x103, FAILED = 0xffff_ffff, }

    /// Kind of a command queue's operation that the GPU has completed.
    code QueueOperation { NONE = 0, EXECUTE = 1, SIGNAL = 2, WAIT = 3, PRESENT = 4, }
}

impl BackgroundProcessingMode {
    /// True if the mode cancels tasks that a driver queues.
    pub fn disables_work(self) -> bool {
        self == Self::DISABLE_BACKGROUND_WORK || self == Self::DISABLE_PROFILING_BY_SYSTEM
    }
}

impl MeasurementsAction {
    /// True if the action commits: it has a set of tasks whose end can be waited for.
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

    /// The result of GetCompletedValue.
    #[derive(Copy)]
    FenceValue {
        /// The fence's value.
        value: u64,
    }

    /// The result of SetBackgroundProcessingMode.
    #[derive(Copy)]
    FurtherMeasurements {
        /// *pbFurtherMeasurementsDesired; false where the pointer is null.
        desired: bool,
    }

    /// A draw or dispatch, as the driver receives it.
    #[derive(Copy)]
    DrawCommand {
        /// The pipeline state.
        pipeline_state: PipelineStateId,
        /// Simulated shader invocations: those of the draw, but 64 at most.
        lane_count: u32 as Count,
        /// 32-bit constants bound, of those that come with the command lists.
        num_constants: u32 as Count,
        /// Index of its first constant. Consecutive draws with equal constants share them.
        first_constant: u32,
    }

    /// The shader that a driver selects for a draw.
    #[derive(Copy)]
    Selection {
        /// The variant; 0 is the generic shader.
        variant: VariantId,
        /// True if a variant existed and its guard did not hold.
        guard_missed: bool,
        /// Instructions of the shader form that evaluating guards costs.
        guard_cost: u32,
    }

    /// The result of a draw.
    #[derive(Copy)]
    DrawRun {
        /// The pipeline state.
        pipeline_state: PipelineStateId,
        /// The shader that ran; 0 is the generic one.
        variant: VariantId,
        /// Instructions of the shader form executed, guards included.
        executed: u64,
        /// Instructions that the generic shader executes for the draw, without guards.
        generic_executed: u64,
        /// Hash of the outputs.
        output_hash: u64,
        /// Hash of the generic shader's outputs; a difference from `output_hash` is a driver bug.
        generic_output_hash: u64,
        /// Instructions that counters in the code executed, of `executed`; 0 for code without counters.
        counter_executed: u64,
        /// Instructions for reading constants and launching groups, of `executed`; 0 for a driver that tunes neither.
        tuned_executed: u64,
        /// Instructions for the same without tuning, of `generic_executed`.
        untuned_executed: u64,
    }

    /// Measured time of a draw's code on this machine; the code was run additional times, in turns with the other code
    /// of the same draw. The measurement belongs to the recording: nothing depends on it, and a replay copies it.
    #[derive(Copy)]
    CodeTime {
        /// Index of the draw in its submission, from 0.
        draw: u32,
        /// The code.
        code: RunCode,
        /// Number of runs.
        rounds: u32 as Count,
        /// Min time, in nanoseconds.
        min_ns was least_ns: u64,
        /// Median time, in nanoseconds.
        p50_ns was middle_ns: u64,
        /// Max time, in nanoseconds.
        max_ns was most_ns: u64,
        /// True if the thread was pinned to one processor during the runs.
        pinned: bool,
    }

    /// The result of compiling a variant, restricted to the part that is the same on every machine.
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

    /// A driver's answer at the beginning of a task.
    #[derive(Copy)]
    TaskBeginning {
        /// True if the task has work to do.
        has_work: bool,
    }

    /// A driver's verdict on a task's result.
    #[derive(Copy)]
    WorkVerdict {
        /// The installed variant; 0 if the result was abandoned.
        variant: VariantId,
    }

    /// Progress of the GPU.
    #[derive(Copy)]
    QueueProgress {
        /// Kind of the completed operation.
        operation: QueueOperation,
        /// Number of the operation among those of all command queues, in order of submission.
        submission: u64,
    }
}
