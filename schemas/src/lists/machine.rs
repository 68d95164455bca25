//! Inputs from the machine below the runtime: its worker threads and its GPU.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! machine_inputs {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A worker thread begins the next task in order. Legal if there is one and fewer tasks run than allowed.
            2688 StartBackgroundWork [queue] = start_background_work(
                /// The worker, from 0.
                worker: u32,
                /// The adapter of the task; null is the first.
                adapter: AdapterId,
            ) -> HResult<TaskId>;

            /// A worker thread has done a task's work: the result is passed to the driver.
            2689 FinishBackgroundWork [queue, system] = finish_background_work(
                /// The task.
                task: TaskId,
                /// True if the operating system refused the task's priority; the runtime ignores it.
                priority_refused: bool,
                /// The processor on which the work ended, from 1; 0 if unknown. The runtime ignores it.
                processor: u32,
            ) derived result: TaskResult -> HResult<()>;

            /// A worker thread failed in a task's work: the device is removed.
            2690 FailBackgroundWork [device, queue, system] = fail_background_work(
                /// The task.
                task: TaskId,
                /// Text of the failure.
                reason: String,
            ) -> HResult<()>;

            /// The GPU has completed the oldest operation of a command queue. Legal if there is one that
            /// waits for no fence.
            2691 CompleteQueueOperation [queue, system] = complete_queue_operation(
                /// The command queue.
                command_queue: CommandQueueId,
                /// Measured times of the code of its draws. The runtime ignores them.
                times: Vec<CodeTime>,
                /// The processor on which its draws ended, from 1; 0 if unknown or without draws. The runtime ignores
                /// it.
                processor: u32,
            ) derived result: SubmissionResult -> HResult<QueueProgress>;

            /// The graphics kernel starts an adapter that appears: it loads the kernel-mode driver and queries its
            /// capabilities. Legal if the adapter is not started.
            2692 StartAdapter [display] = start_adapter(
                /// The adapter.
                adapter: AdapterId,
            ) -> NtStatus;

            /// An adapter disappears: it is removed or switched off.
            2693 StopAdapter [display] = stop_adapter(
                /// The adapter.
                adapter: AdapterId,
            ) -> NtStatus;

            /// A Direct3D 11 context loses its device: the driver reported so, or broke a rule, in a call without the
            /// device's lock. The adapter's device is removed, and each of its objects reports so at its next use.
            2694 RemoveDevice [device, context, objects] = remove_device(
                /// The context of that call.
                context: D3d11ContextId,
            ) -> HResult<()>;

            /// Properties that all adapters share. Legal before the first swap chain.
            2695 DescribeMachine [display] = describe_machine(
                /// Bandwidth of the system's memory, in bytes a second.
                system_memory_bytes_per_second: u64,
                /// Time until an engine continues that waits for another adapter's fence.
                cross_adapter_fence_ns: u64,
            ) -> NtStatus;

            /// Hardware properties of an adapter. Legal before the first swap chain.
            2696 DescribeAdapter [display] = describe_adapter(
                /// The adapter.
                adapter: AdapterId,
                /// The properties.
                parts: AdapterParts,
            ) -> NtStatus;

            /// A display appears at an adapter. Displays are numbered from 0, in order of their appearance. The present
            /// paths to the adapter's other displays are decided again.
            2697 ConnectDisplay [display] = connect_display(
                /// The adapter.
                adapter: AdapterId,
                /// Mode of the display.
                mode: DisplayMode,
            ) -> NtStatus;

            /// Advances simulated time: engines copy, displays refresh, the compositor composes. Returns the time of
            /// the next event after it, or UINT64_MAX if there is none.
            2698 AdvanceSimulation [display] = advance_simulation(
                /// New time, in nanoseconds since the session began.
                until_at_ns: u64,
            ) -> HResult<u64>;

            /// A display refreshes at this time, from a recording. A display with such times refreshes only at them,
            /// and at its mode's rate after the last of them. The calls come in order of time, before the first swap
            /// chain.
            2699 RefreshDisplay [display] = refresh_display(
                /// The display, by its number from ConnectDisplay.
                display: u32,
                /// The time, in nanoseconds since the session began.
                refresh_at_ns: u64,
            ) -> NtStatus;

            /// Changes a display's mode: its size, rate or rotation. The present path of every swap chain on it is
            /// decided again.
            2702 SetDisplayMode [display] = set_display_mode(
                /// The display, by its number from ConnectDisplay.
                display: u32,
                /// The new mode.
                mode: DisplayMode,
            ) -> NtStatus;

            /// A call on the adapter panicked: its device is removed. Waits for its fences end, and every Direct3D 11
            /// object of the adapter reports so at its next use.
            2703 RemovePanickedDevice [device, queue, system, objects] = remove_panicked_device(
                /// The adapter.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// The GPU failed in the oldest operation of a command queue: the operation counts as
            /// complete, and the device is removed. Has no effect if another operation is the oldest by now.
            2704 FailQueueOperation [device, queue, system] = fail_queue_operation(
                /// The command queue.
                command_queue: CommandQueueId,
                /// Number of the operation among those of all command queues.
                submission: u64,
                /// Text of the failure.
                reason: String,
            ) -> HResult<()>;

            /// Runs the driver's own thread. Legal if the driver has woken it.
            2705 RunDriverThread [queue] = run_driver_thread(
                /// The adapter of the driver.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// Passes a closed command list to a driver that queues work from its recording calls. A separate input of
            /// the same thread, because recording takes no lock of the queue's.
            2706 NotifyCommandListClosed was TellOfCommandList [queue, objects] = notify_command_list_closed(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Direct3D is initialized in a new process. On a hybrid system, DXGI queries the discrete adapter's driver
            /// for the adapter that the program is to use. Returns that adapter; without an answer, the first that is
            /// not the discrete adapter of a hybrid system.
            2707 StartApplication [display] = start_application(
                /// File name of the program.
                application: String,
            ) -> HResult<AdapterId>;
        }
    };
}
