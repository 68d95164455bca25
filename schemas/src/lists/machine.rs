//! What the machine behind the runtime does by itself: its worker threads and its graphics processor.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! machine_inputs {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A worker thread begins the task that is next in order. Legal when there is one and fewer run than may.
            2688 StartBackgroundWork [queue] = start_background_work(
                /// The worker, from 0.
                worker: u32,
                /// The adapter whose task it begins; null is the first.
                adapter: AdapterId,
            ) -> HResult<TaskId>;

            /// A worker thread has done a task's work: the result is handed to the driver.
            2689 FinishBackgroundWork [queue, system] = finish_background_work(
                /// The task.
                task: TaskId,
                /// The operating system refused a priority that the task was to run at; the runtime does not look at it.
                priority_refused: bool,
                /// The processor that the work ended on, from 1; 0 where nobody knows. The runtime does not look at it.
                processor: u32,
            ) given result: TaskResult -> HResult<()>;

            /// A worker thread failed in a task's work: the device is removed.
            2690 FailBackgroundWork [device, queue, system] = fail_background_work(
                /// The task.
                task: TaskId,
                /// What it said.
                reason: String,
            ) -> HResult<()>;

            /// The graphics processor has done the oldest operation of a command queue. Legal when there is one that waits for
            /// nothing.
            2691 CompleteQueueOperation [queue, system] = complete_queue_operation(
                /// The command queue.
                command_queue: CommandQueueId,
                /// How long code of its draws took, where the time was taken. The runtime does not look at it.
                times: Vec<CodeTime>,
                /// The processor that its draws ended on, from 1; 0 where nobody knows or nothing was drawn. The runtime does
                /// not look at it.
                processor: u32,
            ) given result: SubmissionResult -> HResult<QueueProgress>;

            /// An adapter is found, and the graphics kernel starts it: its kernel-mode driver is loaded and asked what it can
            /// do. Legal when it is not there yet.
            2692 StartAdapter [display] = start_adapter(
                /// The adapter.
                adapter: AdapterId,
            ) -> NtStatus;

            /// An adapter goes: it is taken out, or switched off.
            2693 StopAdapter [display] = stop_adapter(
                /// The adapter.
                adapter: AdapterId,
            ) -> NtStatus;

            /// The device of a Direct3D 11 context is lost to it: the driver said so, or broke a rule, in a call without the
            /// device's lock. The adapter's device is removed, and every object of it says so to who uses it next.
            2694 RemoveDevice [device, context, objects] = remove_device(
                /// The context whose call it was.
                context: D3d11ContextId,
            ) -> HResult<()>;

            /// What all adapters share. Legal before the first swap chain.
            2695 DescribeMachine [display] = describe_machine(
                /// Bandwidth of the system's memory, in bytes a second.
                system_memory_bytes_per_second: u64,
                /// What it takes until an engine goes on that waits for another adapter's fence.
                cross_adapter_fence_ns: u64,
            ) -> NtStatus;

            /// What an adapter is made of. Legal before the first swap chain.
            2696 DescribeAdapter [display] = describe_adapter(
                /// The adapter.
                adapter: AdapterId,
                /// Its parts.
                parts: AdapterParts,
            ) -> NtStatus;

            /// A display appears at an adapter. Displays are numbered from 0, in order of their appearance. How frames come to
            /// the adapter's other displays is decided anew.
            2697 ConnectDisplay [display] = connect_display(
                /// The adapter.
                adapter: AdapterId,
                /// The mode that it is in.
                mode: DisplayMode,
            ) -> NtStatus;

            /// Simulated time goes on: engines copy, displays refresh, the compositor composes. Gives the time of the next
            /// event after it; the greatest number where nothing is left to happen.
            2698 AdvanceSimulation [display] = advance_simulation(
                /// To this time, in nanoseconds since the session began.
                until_at_ns: u64,
            ) -> HResult<u64>;

            /// A display refreshes at this time, as somebody recorded. A display with such times refreshes at them alone, and at
            /// its mode's rate after the last of them. They come in order, before the first swap chain.
            2699 RefreshDisplay [display] = refresh_display(
                /// The display, as its ConnectDisplay numbers it.
                display: u32,
                /// The time, in nanoseconds since the session began.
                refresh_at_ns: u64,
            ) -> NtStatus;

            /// A display's mode changes: its size, its rate or how far it is turned. How the frames of every swap chain on it
            /// come there is decided anew.
            2702 SetDisplayMode [display] = set_display_mode(
                /// The display, as its ConnectDisplay numbers it.
                display: u32,
                /// The mode that it is in from now on.
                mode: DisplayMode,
            ) -> NtStatus;

            /// A call on the adapter panicked: its device is removed. Nobody waits for a fence of it any longer, and every object of
            /// Direct3D 11 says so to who uses it next.
            2703 RemovePanickedDevice [device, queue, system, objects] = remove_panicked_device(
                /// The adapter.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// The graphics processor failed in the oldest operation of a command queue: the operation counts as done, and the
            /// device is removed. Nothing happens if another one is the oldest by now.
            2704 FailQueueOperation [device, queue, system] = fail_queue_operation(
                /// The command queue.
                command_queue: CommandQueueId,
                /// Number of the operation among all.
                submission: u64,
                /// What it said.
                reason: String,
            ) -> HResult<()>;

            /// The driver's own thread goes on. Legal when the driver has woken it.
            2705 RunDriverThread [queue] = run_driver_thread(
                /// The adapter whose driver it is of.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// A command list was closed, on an adapter whose driver queues work from its recording calls: the same thread has it
            /// do so now, since recording takes no lock of the queue's.
            2706 TellOfCommandList [queue, objects] = tell_of_command_list(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;
        }
    };
}
