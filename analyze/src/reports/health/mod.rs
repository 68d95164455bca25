//! The `health` report: reliability of the recording and errors of the recorded program.

mod contributors;
mod text;
mod verdict;

use super::figures::{FigureValue, figures};
use super::log_differences::{LogDifferenceFigures, log_differences};
use super::messages::{messages, violations};
use super::{FigureLine, MessageFigures, Report, ReportResult, ViolationFigures};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::{Events, InputHead};
use crate::memory::{HeapIndex, ResourceIndex, World};
use crate::presents::{CaptureAgreement, capture_agreement};
use serde_json::Value;

/// Maximum number of unreturned calls and of leaks listed individually.
const NAMED: usize = 10;

figures! {
    /// Resolution and monotonicity of the recording's timestamps.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ClockFigures {
        source: String, Text, "Name of the clock.";
        ticks_per_second: u64, Count, "Frequency of the clock.";
        span_ns: Option<u64>, Nanoseconds, "Time from the first to the last stamp; null if the clock has no time.";
        steps: u64, Count, "Steps from one record of a thread to its next.";
        one_tick_steps: u64, Count, "Steps of one tick. Many of them mean that the clock is too coarse, or only counts events.";
        steps_not_forward: u64, Count, "Duplicate or decreasing stamps: steps of no tick or backwards. A valid recording has none, except between records of one rundown, which have the same time and are not counted. Imported events may have equal stamps, which are not counted either.";
        smallest_step_ticks: Option<u64>, Ticks, "Smallest step of more than one tick; null without one.";
    }
}

figures! {
    /// Number of calls of one API or DDI function.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CallCount {
        call: String, Text, same;
        count: u64, Count, "Number of occurrences.", after severity;
    }
}

figures! {
    /// API calls of one function that failed with one result code.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FailedCalls {
        call: String, Text, "Name of the call.";
        hr: String, Text, "HRESULT of the call.";
        count: u64, Count, same;
    }
}

figures! {
    /// A call that never returned.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OpenCallFigures {
        call: String, Text, same;
        thread: u32, Id, "Thread of the call.", after hr;
        at_stamp: u64, Stamp, "Stamp of the call's start, in ticks of the trace's clock.", after thread;
    }
}

figures! {
    /// A heap or resource that is not released at the end of the recording.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LeakFigures {
        at_stamp: u64, Stamp, same;
        name: String, Text, "Of a message: its id without prefix; of an object: its last name, or its description.", after message_id;
        object: u64, Id, "Handle of the heap or resource.";
        size_bytes: u64, Bytes, "Size of a heap, SizeInBytes of a resource.";
    }
}

figures! {
    /// Heaps and resources that are not released at the end of the recording.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LeaksFigures {
        heaps: u64, Count, "Heaps that are not released.";
        heap_bytes: u64, Bytes, "Total size of `heaps`.";
        resources: u64, Count, "Resources that are not released.";
        resource_bytes: u64, Bytes, "Total SizeInBytes of `resources`.";
        largest: Vec<LeakFigures>, List, "The ten largest heaps and resources.";
    }
}

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HealthFigures {
        #[serde(skip_serializing_if = "Option::is_none")] capture: Option<CaptureAgreement>, Group, "Agreement with the capture that the presents were read from; absent unless the trace was recorded from one.";
        #[serde(skip_serializing_if = "Vec::is_empty")] log_differences: Vec<LogDifferenceFigures>, List, "Calls whose outcome differs from the file that the trace was recorded from, grouped by reason; absent without any. They do not change the exit code.";
        complete: bool, Flag, "The recording was finished. If not, it was cut off, and the figures cover what it contains.", contributors = contributors::damage;
        events: u64, Count, "Records in the trace.";
        lost_events: u64, Count, "Events that the recorder counted but could not store.";
        left_out_events: u64, Count, "Events before the first one in the trace: the recording keeps only the latest.";
        missing_providers: Vec<&'static str>, List, "Providers (`api`, `ddi`, `task`) that were not recorded from the start.";
        damaged_events: u64, Count, "Events lost to damage of the file, as far as known.", contributors = contributors::damage;
        damage: Vec<String>, List, "Damage of the file, one sentence each, with its position.";
        threads: u64, Count, "Threads that wrote records.";
        clock: ClockFigures, Group, "Clock, and quality of the stamps.";
        calls_never_returned: u64, Count, "API calls, DDI calls and inputs of the machine that never returned, without those open at a loss of records.", contributors = contributors::open_calls;
        never_returned: Vec<CallCount>, List, "`calls_never_returned` by name.";
        first_never_returned: Vec<OpenCallFigures>, List, "First ten calls that never returned.";
        calls_cut_by_loss: u64, Count, "Calls open at a loss of records; they may have returned.";
        stops_without_start: u64, Count, "Stop records without a start record.";
        calls_failed: u64, Count, "Failed API calls, without DXGI_ERROR_WAS_STILL_DRAWING, which means that it is too early.", contributors = contributors::failed_calls;
        failed: Vec<FailedCalls>, List, "`calls_failed` by name and result.", contributors = contributors::failed_calls;
        driver_violations: Option<u64>, Count, "Violations of rules by the driver, without lint warnings. Null if the trace has no driver.", contributors = contributors::violations;
        violations: Vec<ViolationFigures>, List, "Rules that the driver broke, and lint warnings, each listed once.", contributors = contributors::violations;
        debug_errors: u64, Count, "Debug layer messages of severity CORRUPTION or ERROR.", contributors = contributors::messages;
        debug_messages: u64, Count, "Debug layer messages of all severities.", contributors = contributors::messages;
        messages: Vec<MessageFigures>, List, "Debug layer messages by id, most severe first.", contributors = contributors::messages;
        leaks: Option<LeaksFigures>, Group, "Objects live at the end of the trace; null for a snapshot, which does not record releases, and without a driver.", contributors = contributors::leaks;
    }
}

/// The `health` report.
pub struct Health;

impl Report for Health {
    fn name(&self) -> &'static str {
        "health"
    }

    fn title(&self) -> &'static str {
        "Health"
    }

    fn description(&self) -> &'static str {
        "Completeness of the recording, and errors of the recorded program and its driver."
    }

    fn figures(&self) -> &'static [FigureLine] {
        HealthFigures::LINES
    }

    fn not_applicable(&self, _analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        Ok(None)
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = figures(analysis)?;
        let document = text::document(&figures, analysis.file_positions());
        ReportResult::new(verdict::verdict(&figures), &figures, document)
    }

    fn page_data(&self, _analysis: &Analysis, _figures: &Value) -> Result<Value, AnalyzeError> {
        Ok(Value::Null)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[]
    }
}

fn figures(analysis: &Analysis) -> Result<HealthFigures, AnalyzeError> {
    let (head, health, summary) = (analysis.head()?, analysis.health()?, analysis.trace().summary());
    let events = Events::new(&analysis.trace().header().schema);
    let name = |code| events.event(code).map_or_else(|| format!("event {code:?}"), |event| event.name.clone());
    let mut never_returned: Vec<CallCount> =
        health.never_returned.iter().map(|(code, count)| CallCount { call: name(*code), count: *count }).collect();
    never_returned.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.call.cmp(&b.call)));
    let first_never_returned = health.first_never_returned.iter().take(NAMED).map(|(call, thread)| OpenCallFigures {
        call: name(call.code),
        thread: *thread,
        at_stamp: call.stamp,
    });
    let mut failed: Vec<FailedCalls> = health
        .failed
        .iter()
        .map(|((code, hr), count)| FailedCalls { call: name(*code), hr: format!("0x{:08x}", hr.0), count: *count })
        .collect();
    failed.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.call, &a.hr).cmp(&(&b.call, &b.hr))));
    let world = analysis.world()?;
    let (messages, violations) = (messages(analysis)?, violations(analysis)?);
    let errors = messages.iter().filter(|message| ["CORRUPTION", "ERROR"].contains(&message.severity.as_str()));
    Ok(HealthFigures {
        complete: head.complete,
        events: head.events,
        lost_events: head.lost_events,
        left_out_events: head.left_out_events,
        missing_providers: head.missing_providers.clone(),
        damaged_events: head.damaged_events,
        damage: head.damage.clone(),
        threads: summary.threads.len() as u64,
        clock: clock(analysis)?,
        calls_never_returned: never_returned.iter().map(|calls| calls.count).sum(),
        never_returned,
        first_never_returned: first_never_returned.collect(),
        calls_cut_by_loss: health.calls_cut_by_loss,
        stops_without_start: health.stops_without_start,
        calls_failed: failed.iter().map(|calls| calls.count).sum(),
        failed,
        driver_violations: head
            .has_driver
            .then(|| violations.iter().filter(|one| !one.lint).map(|one| one.count).sum()),
        violations,
        debug_errors: errors.map(|message| message.count).sum(),
        debug_messages: messages.iter().map(|message| message.count).sum(),
        messages,
        leaks: (head.has_driver && !world.is_snapshot()).then(|| leaks(world)),
        capture: capture_agreement(analysis.source())?,
        log_differences: log_differences(analysis.source())?,
    })
}

fn clock(analysis: &Analysis) -> Result<ClockFigures, AnalyzeError> {
    let head = InputHead::new(analysis.trace());
    let clock = head.clock();
    let steps = analysis.health()?.steps;
    Ok(ClockFigures {
        source: clock.source.clone(),
        ticks_per_second: clock.ticks_per_second,
        span_ns: head.span_ns().filter(|_| head.has_time()),
        steps: steps.count,
        one_tick_steps: steps.one_tick,
        // Windows stamps with a clock; records of one tick keep their order in the file.
        steps_not_forward: steps.backward + if head.workload().imported_from().is_some() { 0 } else { steps.equal },
        smallest_step_ticks: steps.smallest_ticks,
    })
}

fn leaks(world: &World) -> LeaksFigures {
    let heaps = || (0..).map(HeapIndex).zip(&world.heaps).filter(|(_, heap)| heap.released.is_none());
    let resources = || {
        let all = (0..).map(ResourceIndex).zip(&world.resources);
        all.filter(|(_, resource)| resource.released.is_none())
    };
    let size_bytes =
        |resource: &crate::memory::Resource| resource.allocation.map_or(0, |allocation| allocation.size_bytes);
    let or = |name: &str, otherwise: String| if name.is_empty() { otherwise } else { name.to_owned() };
    let of_heaps = heaps().map(|(index, heap)| LeakFigures {
        object: heap.id.0,
        name: or(world.heap_name(index), "heap".to_owned()),
        size_bytes: heap.size_bytes,
        at_stamp: world.moment(heap.created).stamp,
    });
    let of_resources = resources().map(|(index, resource)| LeakFigures {
        object: resource.id.0,
        name: or(world.resource_name(index), resource.short_description()),
        size_bytes: size_bytes(resource),
        at_stamp: world.moment(resource.created).stamp,
    });
    let mut largest: Vec<LeakFigures> = of_heaps.chain(of_resources).collect();
    // Handles break ties, which makes the order deterministic.
    largest.sort_by_key(|leak| (std::cmp::Reverse(leak.size_bytes), leak.object));
    largest.truncate(NAMED);
    LeaksFigures {
        heaps: heaps().count() as u64,
        heap_bytes: heaps().fold(0, |sum, (_, heap)| sum.saturating_add(heap.size_bytes)),
        resources: resources().count() as u64,
        resource_bytes: resources().fold(0, |sum, (_, resource)| sum.saturating_add(size_bytes(resource))),
        largest,
    }
}
