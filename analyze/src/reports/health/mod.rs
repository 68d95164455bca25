//! The `health` report: how far the recording and the program it records can be trusted.

mod behind;
mod definitions;
mod text;
mod verdict;

use super::messages::{messages, violations};
use super::{Definition, MessageFigures, Report, ReportResult, ViolationFigures};
use crate::analysis::Analysis;
use crate::columns::Events;
use crate::error::AnalyzeError;
use crate::input_head::InputHead;
use crate::world::{HeapIndex, ResourceIndex, World};
use serde::Serialize;
use serde_json::Value;

/// Calls that never returned, and leaks, that are named one by one.
const NAMED: usize = 10;

/// What the stamps are worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClockFigures {
    /// Name of the clock.
    pub source: String,
    /// Its frequency.
    pub ticks_per_second: u64,
    /// From the first stamp to the last; none if the frequency is not known.
    pub span_ns: Option<u64>,
    /// Steps from one record of a thread to its next.
    pub steps: u64,
    /// Steps of one tick.
    pub one_tick_steps: u64,
    /// Steps of no tick or backwards.
    pub steps_not_forward: u64,
    /// The smallest step of more than one tick.
    pub smallest_step_ticks: Option<u64>,
}

/// Calls of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallCount {
    /// Name of the call.
    pub call: String,
    /// How many.
    pub count: u64,
}

/// API calls of one name that failed with one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedCalls {
    /// Name of the call.
    pub call: String,
    /// The result, `0x8007000e`.
    pub hr: String,
    /// How many.
    pub count: u64,
}

/// A call that never returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenCallFigures {
    /// Name of the call.
    pub call: String,
    /// The thread that made it.
    pub thread: u32,
    /// Stamp of its start.
    pub at_stamp: u64,
}

/// Something that is not released at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeakFigures {
    /// Its handle.
    pub object: u64,
    /// Its name; where it was given none, what it is.
    pub name: String,
    /// Its size, in bytes.
    pub size_bytes: u64,
    /// Stamp of its creation.
    pub at_stamp: u64,
}

/// What lives at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeaksFigures {
    /// Heaps.
    pub heaps: u64,
    /// Their sizes together.
    pub heap_bytes: u64,
    /// Resources.
    pub resources: u64,
    /// Their SizeInBytes together.
    pub resource_bytes: u64,
    /// The largest of both.
    pub largest: Vec<LeakFigures>,
}

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HealthFigures {
    /// The trace ends as a finished one does.
    pub complete: bool,
    /// Records the trace holds.
    pub events: u64,
    /// Events the recorder counted but could not keep.
    pub lost_events: u64,
    /// Events that were recorded before the first one that is there: the recording keeps only its last.
    pub left_out_events: u64,
    /// Providers whose events follow one from another and were not recorded from the begin on.
    pub missing_providers: Vec<&'static str>,
    /// Events lost to damage, as far as that is known.
    pub damaged_events: u64,
    /// The file's damage, one sentence each.
    pub damage: Vec<String>,
    /// Threads.
    pub threads: u64,
    /// What the stamps are worth.
    pub clock: ClockFigures,
    /// Calls that never returned, of all names.
    pub calls_never_returned: u64,
    /// By name.
    pub never_returned: Vec<CallCount>,
    /// The first of them.
    pub first_never_returned: Vec<OpenCallFigures>,
    /// Calls that were open where records are missing.
    pub calls_cut_by_loss: u64,
    /// Stop records without a start.
    pub stops_without_start: u64,
    /// API calls that failed, of all names.
    pub calls_failed: u64,
    /// By name and result.
    pub failed: Vec<FailedCalls>,
    /// Rules the driver broke, counted each time; advice is not counted.
    pub driver_violations: u64,
    /// Rules and advice.
    pub violations: Vec<ViolationFigures>,
    /// Messages of the debug layer of severity CORRUPTION or ERROR.
    pub debug_errors: u64,
    /// Messages of every severity.
    pub debug_messages: u64,
    /// By id.
    pub messages: Vec<MessageFigures>,
    /// What lives at the end; none of a snapshot, which does not tell what is released.
    pub leaks: Option<LeaksFigures>,
}

/// The report.
pub struct Health;

impl Report for Health {
    fn name(&self) -> &'static str {
        "health"
    }

    fn title(&self) -> &'static str {
        "Health"
    }

    fn description(&self) -> &'static str {
        "How far the recording can be trusted, and how well the program it records behaves."
    }

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
    }

    fn nothing(&self, _analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        Ok(None)
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = figures(analysis)?;
        let document = text::document(&figures);
        ReportResult::new(verdict::verdict(&figures), &figures, document)
    }

    fn drawn(&self, _analysis: &Analysis, _figures: &Value) -> Result<Value, AnalyzeError> {
        Ok(Value::Null)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[]
    }

    fn behind(&self, place: &str, figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        behind::behind(place.split('.').next().unwrap_or_default(), figures)
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
        driver_violations: violations.iter().filter(|one| !one.lint).map(|one| one.count).sum(),
        violations,
        debug_errors: errors.map(|message| message.count).sum(),
        debug_messages: messages.iter().map(|message| message.count).sum(),
        messages,
        leaks: (!world.is_snapshot()).then(|| leaks(world)),
    })
}

fn clock(analysis: &Analysis) -> Result<ClockFigures, AnalyzeError> {
    let head = InputHead::of(analysis.trace());
    let clock = head.clock();
    let steps = analysis.health()?.steps;
    Ok(ClockFigures {
        source: clock.source.clone(),
        ticks_per_second: clock.ticks_per_second,
        span_ns: head.span_ns().filter(|_| head.tells_time()),
        steps: steps.count,
        one_tick_steps: steps.one_tick,
        steps_not_forward: steps.not_forward,
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
        |resource: &crate::world::Resource| resource.allocation.map_or(0, |allocation| allocation.size_bytes);
    let or = |name: &str, otherwise: String| if name.is_empty() { otherwise } else { name.to_owned() };
    let of_heaps = heaps().map(|(index, heap)| LeakFigures {
        object: heap.id.0,
        name: or(world.heap_name(index), "heap".to_owned()),
        size_bytes: heap.size_bytes,
        at_stamp: world.moment(heap.created).stamp,
    });
    let of_resources = resources().map(|(index, resource)| LeakFigures {
        object: resource.id.0,
        name: or(world.resource_name(index), resource.what_it_is()),
        size_bytes: size_bytes(resource),
        at_stamp: world.moment(resource.created).stamp,
    });
    let mut largest: Vec<LeakFigures> = of_heaps.chain(of_resources).collect();
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
