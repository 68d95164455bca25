//! Command lists, and objects that deferred contexts open again in each recording.

use super::ReportInputs;
use crate::analysis::Analysis;
use crate::handles::{CALLS_PER_OPENING, EndedList, ReopenedObject};
use crate::reports::figures::figures;

figures! {
    /// A command list that lived long.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListFigures {
        context: u64, Id, same;
        list: String, Text, "The list's handle of the immediate context.";
        created_stamp: u64, Stamp, "Stamp of the list's creation.";
        age_ns: Option<u64>, Nanoseconds, "Time from the creation to the release, or to the end of the trace; null for a logical clock.";
        is_released: bool, Flag, "The application released the list.";
        executions: u64, Count, "Executions, by ExecuteCommandList on any context.";
        pinned_objects: u64, Count, "Objects that live lists recorded, which live as long; an object of several lists counts once.";
        list_bytes: u64, Bytes, "Size of the lists' own handles.";
        pinned_bytes: u64, Bytes, "Size of the immediate context's handles of `pinned_objects`.";
        is_retained: bool, Flag, "The list was executed once, and its context finished another one before the release.";
    }
}

figures! {
    /// Command lists of the recording.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CommandListFigures {
        created: u64, Count, "Command lists that drivers created in FinishCommandList.";
        executions: u64, Count, same;
        never_executed: u64, Count, "Lists without an execution.";
        executed_once: u64, Count, "Lists with one execution.";
        retained: u64, Count, "Lists that are executed once and retained while their context finishes another one: released after ExecuteCommandList, they would hold no memory.";
        retained_bytes: u64, Bytes, "`list_bytes` and `pinned_bytes` of these lists; an object of several lists counts once per list.";
        live_at_end: u64, Count, "Lists that the application has at the end of the trace.";
        mean_age_ns: Option<u64>, Nanoseconds, "Mean of `age_ns` of all lists; null for a logical clock, or without lists.";
        max_age_ns: Option<u64>, Nanoseconds, "Maximum of `age_ns`.";
        peak_lists: u64, Count, "Live lists at the peak of `list_bytes` + `pinned_bytes`.";
        peak_stamp: u64, Stamp, "Stamp of this peak; 0 without lists.";
        pinned_objects: u64, Count, same;
        list_bytes: u64, Bytes, same;
        pinned_bytes: u64, Bytes, same;
        oldest: Vec<ListFigures>, List, "The ten lists that lived longest.";
    }
}

figures! {
    /// An object that deferred contexts open again.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReopenedFigures {
        object: String, Text, "Type of the object, and its handle of the immediate context.";
        opened: u64, Count, same;
        recreated: u64, Count, same;
        ddi_calls: u64, Count, same;
        bytes: u64, Bytes, same;
        contexts: u64, Count, same;
        in_every_recording: bool, Flag, "From the first recording that opens it to the last one, each recording of the object's contexts opens it.";
    }
}

figures! {
    /// Cost of closing all handles in FinishCommandList.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RecreationFigures {
        recreated: u64, Count, same;
        ddi_calls: u64, Count, "DDI calls for `recreated`: one opens the handle, one closes it.";
        bytes: u64, Bytes, same;
        objects: u64, Count, same;
        objects_in_every_recording: u64, Count, "Objects with `in_every_recording`.";
        by_object: Vec<ReopenedFigures>, List, "The 20 objects with the most `ddi_calls`, then the most `bytes`.";
    }
}

pub(super) fn command_lists(analysis: &Analysis, inputs: &ReportInputs<'_>) -> CommandListFigures {
    let lists = &inputs.tracker.lists;
    let mean = lists.ages.0.checked_div(u128::from(lists.created)).map(|ticks| ticks as u64);
    let list = |one: &EndedList| ListFigures {
        context: inputs.context(one.context),
        list: format!("0x{:x}", one.handle),
        created_stamp: one.created,
        age_ns: analysis.time_ns(one.ended - one.created),
        is_released: one.is_released,
        executions: one.executions,
        pinned_objects: one.objects,
        list_bytes: one.list_bytes,
        pinned_bytes: one.pinned_bytes,
        is_retained: one.is_retained,
    };
    CommandListFigures {
        created: lists.created,
        executions: lists.executions,
        never_executed: lists.never_executed,
        executed_once: lists.executed_once,
        retained: lists.retained.0,
        retained_bytes: lists.retained.1,
        live_at_end: lists.live_at_end,
        mean_age_ns: mean.and_then(|ticks| analysis.time_ns(ticks)),
        max_age_ns: mean.and_then(|_| analysis.time_ns(lists.ages.1)),
        peak_lists: lists.peak.lists,
        peak_stamp: lists.peak_stamp,
        pinned_objects: lists.peak.objects,
        list_bytes: lists.peak.list_bytes,
        pinned_bytes: lists.peak.pinned_bytes,
        oldest: lists.oldest.iter().map(list).collect(),
    }
}

pub(super) fn recreation(inputs: &ReportInputs<'_>) -> RecreationFigures {
    let recreation = &inputs.tracker.recreation;
    let object = |one: &ReopenedObject| ReopenedFigures {
        object: format!("{} 0x{:x}", inputs.type_name(one.handle_type), one.ic),
        opened: one.opened,
        recreated: one.reopened,
        ddi_calls: one.reopened.saturating_mul(CALLS_PER_OPENING),
        bytes: one.reopened_bytes,
        contexts: one.contexts,
        in_every_recording: one.is_in_every_recording(),
    };
    RecreationFigures {
        recreated: recreation.reopened,
        ddi_calls: recreation.reopened.saturating_mul(CALLS_PER_OPENING),
        bytes: recreation.reopened_bytes,
        objects: recreation.objects,
        objects_in_every_recording: recreation.objects_in_every_recording,
        by_object: recreation.ranked.iter().map(object).collect(),
    }
}
