//! Rules of background processing.

use super::definition::{Chapter, rules};

rules! {
    mod rule, const CHAPTERS;

    "SetBackgroundProcessingMode":
    B_01 "B-01" "the runtime refuses a mode or an action that does not exist, and makes no DDI call for it"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_02 "B-02" "the runtime refuses an event with an action that commits nothing"
        source "D3D12 Background Processing: COMMIT_RESULTS; the code is inferred";
    B_03 "B-03" "a commit needs no event; an application that measures after a commit needs its event"
        source "D3D12 Background Processing: SetBackgroundProcessingMode; the second half is advice";
    B_04 "B-04" "the two disabling modes and COMMIT_RESULTS_HIGH_PRIORITY need developer mode; every other mode and \
        action is legal without it"
        source "D3D12 Background Processing: restrictions; the code is a choice";
    B_05 "B-05" "the runtime checks developer mode at the call; a mode that is set stays in force when developer mode \
        is turned off"
        source "D3D12 Background Processing: restrictions (a choice)";
    B_06 "B-06" "the runtime checks first the ranges of mode and action, then the event, then developer mode, then the \
        driver's support"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (a choice)";
    B_07 "B-07" "the runtime writes FurtherMeasurementsDesired in every mode"
        source "D3D12 Background Processing: SetBackgroundProcessingMode, FurtherMeasurementsDesired";
    B_08 "B-08" "an application need not query support of background processing before the call"
        source "D3D12 Background Processing: BackgroundProcessingSupported";
    B_09 "B-09" "without the driver's support the call succeeds, writes FALSE to FurtherMeasurementsDesired, signals \
        the event at once and makes no DDI call"
        source "D3D12 Background Processing: BackgroundProcessingSupported, benign no-op";
    B_10 "B-10" "the runtime serialises concurrent calls: their DDI calls have the order in which the calls return"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_11 "B-11" "each accepted call makes one DDI call, even if it changes nothing"
        source "D3D12 Background Processing: benchmark example (inferred)";

    "Modes of background processing":
    B_20 "B-20" "the initial mode of a device is ALLOWED, and its initial action is KEEP_ALL"
        source "D3D12 Background Processing: ALLOWED";
    B_21 "B-21" "at most two tasks run at once, at idle priority, except during a commit of high priority"
        source "D3D12 Background Processing: scheduling";
    B_22 "B-22" "ALLOW_INTRUSIVE_MEASUREMENTS does not change scheduling"
        source "D3D12 Background Processing: ALLOW_INTRUSIVE_MEASUREMENTS";
    B_23 "B-23" "tasks submitted before background work is disabled run to their end; the runtime cancels later tasks \
        within the call that submits them"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_24 "B-24" "the runtime cancels a task without a cancel callback without a call"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_25 "B-25" "with DISABLE_PROFILING_BY_SYSTEM and a drained queue, equal frames have equal costs"
        source "D3D12 Background Processing: DISABLE_PROFILING_BY_SYSTEM";
    B_26 "B-26" "a mode that allows work takes effect at once, and does not restore cancelled tasks"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK (inferred)";
    B_27 "B-27" "each submission comes before or after a change of mode, never during it"
        source "D3D12 Background Processing: QueueProcessingWorkCB, thread safety (inferred)";
    B_28 "B-28" "the mode can change at any time; the change waits for no GPU work"
        source "D3D12 Background Processing: synchronisation with command queues";
    B_29 "B-29" "an application that needs the same outcome every time drains the command queues before it changes the \
        mode"
        source "D3D12 Background Processing: synchronisation with command queues";

    "Commits and measurements":
    B_30 "B-30" "KEEP_ALL changes nothing"
        source "D3D12 Background Processing: KEEP_ALL";
    B_31 "B-31" "a commit waits for all tasks that are unfinished when the driver returns; the runtime signals the \
        event at the end of the last of these tasks, or at once if there are none"
        source "D3D12 Background Processing: COMMIT_RESULTS";
    B_32 "B-32" "a task queued after the driver returns belongs to no earlier commit"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_33 "B-33" "a call that commits and disables accepts the tasks that the driver queues within it"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK with COMMIT_RESULTS";
    B_34 "B-34" "commits may overlap: each event waits for the tasks of its own commit and is signalled at most once"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_35 "B-35" "an application may close the handle of an event that a commit will signal"
        source "D3D12 Background Processing: COMMIT_RESULTS (a choice)";
    B_36 "B-36" "while tasks of a commit of high priority are unfinished, more than two tasks run, above idle priority"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY";
    B_37 "B-37" "a commit of high priority raises the priority of its running tasks"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY (inferred)";
    B_38 "B-38" "a commit of results after one frame finds the same specialisations as a long run"
        source "D3D12 Background Processing: COMMIT_RESULTS, scaling of histograms";
    B_39 "B-39" "DISCARD_PREVIOUS resets the counters to zero; installed variants and pending tasks may stay"
        source "D3D12 Background Processing: DISCARD_PREVIOUS";
    B_40 "B-40" "if an application measures the same frame repeatedly, FurtherMeasurementsDesired finally becomes \
        FALSE"
        source "D3D12 Background Processing: FurtherMeasurementsDesired, steady state";
    B_41 "B-41" "no decision of the driver depends on GPU work that is unfinished"
        source "D3D12 Background Processing: measurements (inferred)";

    "Background tasks":
    B_50 "B-50" "tasks run on threads of the runtime; the driver does not choose the thread"
        source "D3D12 Background Processing: QueueProcessingWorkCB, threads";
    B_51 "B-51" "tasks start in the order of their acceptance"
        source "D3D12 Background Processing: QueueProcessingWorkCB, order";
    B_52 "B-52" "several threads may queue work at once; each work item has a unique number"
        source "D3D12 Background Processing: QueueProcessingWorkCB";
    B_53 "B-53" "the runtime runs or cancels each accepted work item exactly once; it does neither to a refused work \
        item"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_54 "B-54" "a driver may queue work within a task and within a change of mode"
        source "D3D12 Background Processing: QueueProcessingWorkCB (inferred)";
    B_55 "B-55" "a cancel callback may run on the thread that queues the work item; a driver therefore queues work \
        without a lock that the callback acquires"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_56 "B-56" "destruction of a device waits for all its tasks: running tasks end, pending tasks run or are \
        cancelled, and the runtime accepts no new task"
        source "D3D12 Background Processing: device destruction";
    B_57 "B-57" "the runtime cancels tasks at destruction on the destroying thread, before it destroys the driver's \
        device"
        source "D3D12 Background Processing: device destruction (inferred)";
    B_58 "B-58" "the runtime signals the events of commits even if the device is destroyed first"
        source "D3D12 Background Processing: device destruction (a choice)";
    B_59 "B-59" "tasks have no functional effect: outputs are equal with and without variants"
        source "D3D12 Background Processing: work items compile specialised variants";
    B_60 "B-60" "a trace records when each task starts, stops or is cancelled"
        source "D3D12 Background Processing: ETW events; the cancel event is this project's";
    B_61 "B-61" "the analysis measures the cost of background tasks to the foreground"
        source "D3D12 Background Processing: classes of problems, 2nd";
    B_62 "B-62" "no thread of a device's pool outlives the device"
        source "D3D12 Background Processing: device destruction";
    B_63 "B-63" "the driver does not do the work of a cancelled task outside background tasks"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";

    "Pipeline states and their variants":
    B_70 "B-70" "the driver abandons the results of a compilation whose pipeline state is destroyed"
        source "D3D12 Background Processing: lifespan of pipeline states";
    B_71 "B-71" "a task keeps alive only that data of a pipeline state which the task compiles"
        source "D3D12 Background Processing: lifespan of pipeline states (inferred)";
    B_72 "B-72" "a draw uses either the old or the new variant, never a partly installed one"
        source "D3D12 Background Processing: work items compile specialised variants (inferred)";
    B_73 "B-73" "a draw with constants other than those of the variant uses the generic shader"
        source "D3D12 Background Processing: variants selected by constant values";
    B_74 "B-74" "a driver queues no task for a specialisation whose benefit it rates as too small"
        source "D3D12 Background Processing: classes of problems, 2nd (inferred: a compile costs processor time)";
}
