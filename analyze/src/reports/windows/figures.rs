//! Figures of the windows report.

use crate::reports::figures::figures;

figures! {
    /// Presents of a process on one path.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PresentGroupFigures {
        process: Option<u64>, Id, "Number of the process; null if no event has it.";
        process_name: Option<String>, Text, "File name of the process; null without events of processes.";
        path: &'static str, Text, "Path to the display; `unknown` if the events that decide it are absent. A copy for the compositor is always unknown: events of the compositor and of Win32k, which the report does not read, decide it.";
        presents: u64, Count, "Number of presents. At the top: presents by process and path, null without events of presents.";
        shown: Option<u64>, Count, "Presents with a time of display; null without events of the display.";
        cross_adapter: Option<u64>, Count, "Presents to another adapter; null if no event of an end has flags.";
        interval_ms_p50: Option<f64>, Milliseconds, "Time between presents of one swap chain, window and source, 50th percentile.";
        interval_ms_p99: Option<f64>, Milliseconds, "As `interval_ms_p50`, 99th percentile.";
    }
}

figures! {
    /// Events of presents that pair, and those that do not.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PairFigures {
        ends_without_start: u64, Count, "Ends of presents that began before the trace.";
        starts_without_end: u64, Count, "Presents without an end in the trace.";
        untracked: u64, Count, "Presents in progress at the first display. Events from before the trace may belong to them, so their display is unknown.";
        tests: u64, Count, "Calls with DXGI_PRESENT_TEST, which present nothing.";
        tokens_started: u64, Count, "Tokens of the compositor that begin.";
        tokens_ended: u64, Count, "Tokens whose begin and end are in the trace.";
        token_ends_without_start: u64, Count, "Tokens that began before the trace.";
        tokens_open: u64, Count, "Tokens without an end in the trace.";
        tokens_without_present: u64, Count, "Tokens of no present, such as those of GDI.";
        vertical_syncs: u64, Count, "Vertical synchronizations.";
        syncs_of_unknown_flips: u64, Count, "Vertical synchronizations that displayed a flip from before the trace.";
    }
}

figures! {
    /// Packets of a process on an engine.
    #[derive(Debug, Clone, PartialEq)]
    pub struct GpuFigures {
        process: Option<u64>, Id, same;
        process_name: Option<String>, Text, same;
        engine: Option<u64>, Id, "Number of the engine's node; null if the creation of the context is not in the trace.";
        packets: u64, Count, "Packets whose end is in the trace.";
        busy_ns: Option<u64>, Nanoseconds, "Time in which one packet or more is at the engine.";
        busy_ratio: Option<f64>, Ratio, "`busy_ns` / `span_ns`.";
    }
}

figures! {
    /// Queues of a process for an engine.
    #[derive(Debug, Clone, PartialEq)]
    pub struct QueueFigures {
        process: Option<u64>, Id, same;
        process_name: Option<String>, Text, same;
        engine: Option<u64>, Id, same;
        queued_packets: u64, Count, "Packets that entered a queue, with waits and signals.";
        queue_waits: u64, Count, "Waits and signals of fences that entered a queue.";
        max_queue_depth: u64, Count, "Maximum of the packets that had entered the queues and not left them.";
        mean_queued_ns: Option<u64>, Nanoseconds, "Mean time from entering a queue to leaving it; null if no packet left.";
    }
}

figures! {
    /// Allocations that moved into a segment.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PageInFigures {
        segment: Option<u64>, Id, same;
        page_ins: u64, Count, "Allocations that moved into a segment. At the top of `residency`: by segment; a null segment is not in the event.";
    }
}

figures! {
    /// Residency of allocations.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ResidencyFigures {
        residency_requests: u64, Count, "Calls of MakeResident whose begin and end are in the trace.";
        requested_allocations: u64, Count, "Allocations of these calls.";
        refused: u64, Count, "Calls that the kernel refused.";
        trim_bytes: u64, Bytes, "Bytes that the kernel requested processes to trim.";
        total_ns: Option<u64>, Nanoseconds, same;
        max_ns: Option<u64>, Nanoseconds, same;
        page_ins: Vec<PageInFigures>, List, same;
        evictions: u64, Count, "Allocations that moved out of a segment.";
    }
}

figures! {
    /// A swap chain.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SwapChainFigures {
        process: Option<u64>, Id, same;
        process_name: Option<String>, Text, same;
        swap_chain: u64, Id, "Pointer of the swap chain in its process.";
        window: Option<u64>, Id, "Handle of the window.";
        buffers: Option<u64>, Count, "Back buffers, after the last ResizeBuffers.";
        width: Option<u64>, Count, "Width of the buffers, in texels.";
        height: Option<u64>, Count, "Height of the buffers, in texels.";
        format: Option<u64>, Id, "DXGI_FORMAT of the buffers.";
        swap_effect: Option<u64>, Id, "DXGI_SWAP_EFFECT.";
        resizes: u64, Count, "Successful calls of ResizeBuffers.";
        resize_ns: Option<u64>, Nanoseconds, "Time in calls of ResizeBuffers; null if no call has its begin and end in the trace.";
        is_from_before: bool, Flag, "True for a swap chain from before the trace, which its first ResizeBuffers states.";
        hybrid_present_mode: Option<u64>, Id, "HybridPresentMode, a number without public names; null before Windows 26H1.";
        is_scanout_eligible: Option<bool>, Flag, "ScanoutEligible; null before Windows 26H1.";
        cross_adapter_tier: Option<u64>, Id, "CrossAdapterTierSupport, a number without public names; null before Windows 26H1.";
        fallback_reason: Option<u64>, Id, "CASOFallbackReason, a number without public names; null before Windows 26H1.";
        copied_bytes_per_frame: Option<u64>, Bytes, "Always null: no event of Windows states copies and bytes of a frame.";
    }
}

figures! {
    /// A value of a curve.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PointFigures {
        at_ns: Option<u64>, Nanoseconds, "Time since the first event.";
        in_use_bytes: u64, Bytes, "Bytes in use at that time.";
    }
}

figures! {
    /// Bytes in use of a memory segment.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SegmentFigures {
        adapter: u64, Id, "Address of the adapter in the kernel.";
        segment: u64, Id, "Number of the segment.";
        samples: u64, Count, "Reported values.";
        min_bytes: u64, Bytes, "Minimum.";
        max_bytes: u64, Bytes, "Maximum.";
        last_bytes: u64, Bytes, "Last value.";
        curve: Vec<PointFigures>, List, "Bytes in use over time: every value, or every second, fourth … of more than 400.";
    }
}

figures! {
    /// Memory of a process.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ProcessMemoryFigures {
        process: Option<u64>, Id, same;
        process_name: Option<String>, Text, same;
        segment_group: u64, Id, "Segment group: 0 is local, 1 is not.";
        max_usage_bytes: Option<u64>, Bytes, "Maximum of the bytes in use; null if they did not change.";
        max_commitment_bytes: Option<u64>, Bytes, "Maximum of the committed bytes; null if they did not change.";
        curve: Vec<PointFigures>, List, same;
    }
}

figures! {
    /// Allocations with one alignment.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AlignmentFigures {
        alignment_bytes: u64, Bytes, "Alignment of the allocations.";
        allocations: u64, Count, "Number of allocations. At the top: allocations of the kernel, null without their events.";
        size_bytes: u64, Bytes, "Sum of their sizes, which driver and kernel have rounded: the difference to the requested size is unknown.";
    }
}

figures! {
    /// Allocations of the kernel.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AllocationFigures {
        started: u64, Count, "Allocations that were created, or existed at a rundown.";
        destroyed: u64, Count, "Allocations that were destroyed.";
        from_before: u64, Count, "Destroyed allocations whose creation is not in the trace.";
        by_alignment: Vec<AlignmentFigures>, List, "Allocations by alignment.";
    }
}

figures! {
    /// Kernel allocations of heaps and resources.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ObjectAllocationFigures {
        objects: u64, Count, "Heaps and resources with an event of their allocations.";
        address_ranges: u64, Count, "Address ranges of these objects.";
        kernel_allocations: u64, Count, "Kernel allocations of these objects.";
        without_creation: u64, Count, "Objects that are neither created nor listed in the trace: they are in no sum of bytes.";
    }
}

figures! {
    /// Background work of a thread.
    #[derive(Debug, Clone, PartialEq)]
    pub struct WorkFigures {
        process: Option<u64>, Id, same;
        process_name: Option<String>, Text, same;
        thread: u32, Id, "Thread of the trace.";
        runs: u64, Count, "Pairs of start and stop. Windows reports no identity, order, priority, pass or gain of the work.";
        total_ns: Option<u64>, Nanoseconds, "Sum of the run times.";
        max_ns: Option<u64>, Nanoseconds, "Maximum of the run times.";
        presents_during_runs: Option<u64>, Count, "Presents of the process that begin during a run; null without events of presents.";
        unpaired: u64, Count, "Starts without a stop, and stops without a start.";
        work_infos: u64, Count, "Events 134 of background work, which begin and end nothing; their meaning is not published.";
    }
}

figures! {
    /// Pipeline creations.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PipelineFigures {
        created: u64, Count, "Creations of pipeline states and state objects whose start and end are in the trace.";
        total_ns: Option<u64>, Nanoseconds, same;
        max_ns: Option<u64>, Nanoseconds, same;
        cache_lookups: Option<u64>, Count, "Look-ups in caches that creations need; null without events of look-ups.";
        cache_hits: Option<u64>, Count, "Hits of `cache_lookups`.";
    }
}

figures! {
    /// Events that were counted and not decoded.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UndecodedFigures {
        provider: String, Text, "Name or GUID of the provider; `Windows Kernel` for records without one. Of `missing`: the provider to capture.";
        id: u64, Id, "Id of the event; of a classic event its opcode, of a kernel event its hook.";
        version: u64, Id, "Version of the event.";
        events: u64, Count, same;
    }
}

figures! {
    /// A figure that the trace's events do not provide.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MissingFigures {
        figure: &'static str, Text, "Figure that is null or incomplete.";
        provider: &'static str, Text, same;
        keyword: &'static str, Text, "Keywords that record them, with their masks as far as manifests have them.";
    }
}

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct WindowsFigures {
        file: String, Text, "File that the events were imported from.";
        session: Option<String>, Text, "Name of the session.";
        windows_build: Option<u64>, Id, "Build of Windows.";
        processors: Option<u64>, Count, "Processors of the machine.";
        start_utc: Option<String>, Text, "Start of the session.";
        span_ns: Option<u64>, Nanoseconds, "Time from the first event to the last.";
        events: u64, Count, "Events in the trace. Of `undecoded`: in the file.";
        file_events: u64, Count, "Events in the file.";
        streams: u64, Count, "Threads with events.";
        processes: u64, Count, "Processes with events.";
        lost_events: Option<u64>, Count, "Events that Windows lost, as its session counted them.";
        lost_buffers: Option<u64>, Count, "Buffers that Windows lost.";
        presents: Option<Vec<PresentGroupFigures>>, List, same;
        unknown_path_ratio: Option<f64>, Ratio, "Share of presents with an unknown path.";
        cross_adapter_ratio: Option<f64>, Ratio, "Share of presents to another adapter, of those whose end has flags.";
        pairs: Option<PairFigures>, Group, "Events of presents that pair, and those that do not; null without events of presents.";
        gpu: Option<Vec<GpuFigures>>, List, "Packets at engines by process, busiest first; null without their events.";
        queues: Option<Vec<QueueFigures>>, List, "Queues by process and engine, most packets first; null without their events.";
        residency: Option<ResidencyFigures>, Group, "Residency of allocations; null without its events.";
        swap_chains: Option<Vec<SwapChainFigures>>, List, "Swap chains in order of creation, those from before the trace at their first ResizeBuffers; null without events of DXGI.";
        segments: Option<Vec<SegmentFigures>>, List, "Memory in use by segment; null without its events.";
        process_memory: Option<Vec<ProcessMemoryFigures>>, List, "Memory by process; null without its events.";
        allocations: Option<AllocationFigures>, Group, same;
        object_allocations: Option<ObjectAllocationFigures>, Group, "Kernel allocations of heaps and resources of Direct3D 12; null without their events.";
        background_work: Option<Vec<WorkFigures>>, List, "Background work of Direct3D 12 by thread; null without its events.";
        pipelines: Option<PipelineFigures>, Group, "Pipeline creations of Direct3D 12; null without their events.";
        undecoded: Vec<UndecodedFigures>, List, "Kinds of events without a description, most frequent first.";
        missing: Vec<MissingFigures>, List, "Figures that need events of other providers or keywords.";
    }
}
