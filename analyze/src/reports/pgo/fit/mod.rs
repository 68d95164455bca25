//! Fitness to measure: checks whether measurements after the driver's last answer are repeatable.
//!
//! A run is fit if the driver's last answer was FALSE (no further measurements desired), no task was unfinished then or
//! queued later, no variant was installed or dropped since, and frames with the same work cost the same number of
//! instructions. A run is also fit if a successful SetBackgroundProcessingMode made no DDI call: the driver has no
//! background processing (rule B-09). Otherwise the first reason is reported. Events after the destruction of the device are ignored.

mod cause;
mod measured_frames;
mod measurement_window;
mod observed_state;

pub use cause::{Cause, Unfit};
pub use measured_frames::MeasuredFigures;

use super::audits::Evidence;
use super::requests::Requests;
use crate::background::FitSettings;
use crate::render::{counted, grouped};
use measurement_window::MeasurementWindow;
use taut_schemas::{Call, d3d12, d3d12_ddi};

/// Result of the check.
pub(super) struct Fit {
    pub unfit: Option<Unfit>,
    pub measured: MeasuredFigures,
    /// Number of answers of the driver.
    pub driver_answers: u64,
    /// Timestamp of the last answer.
    pub answer_stamp: Option<u64>,
}

/// Checks a trace. `requests` are those of a driver that desires further measurements.
pub(super) fn fit(evidence: &Evidence<'_>, settings: &FitSettings, requests: Option<&Requests>) -> Fit {
    let measurement_window = MeasurementWindow::of(evidence.background);
    let (measured, moved) = measurement_window.frames.judge(settings);
    let span = evidence.background.span;
    let whole = (!evidence.whole).then(|| unfit(Cause::NotWhole, span.1, "", "the trace is incomplete".to_owned()));
    let moved = moved.map(|moved| {
        let (before, executed) = moved.before;
        let description = format!(
            "frame {} executes {} instructions, but frame {before} with the same work {}",
            moved.frame,
            grouped(moved.executed),
            grouped(executed)
        );
        unfit(Cause::CostMoves, moved.stamp, d3d12_ddi::ExecuteCommandLists::NAME, description)
    });
    let has_processing = !measurement_window.has_no_background_processing;
    let too_few = || {
        (has_processing && measured.frames_same_work < settings.frames_needed).then(|| {
            let description = format!(
                "after the driver's last answer {} of the same work ran completely, and {} are needed",
                counted(measured.frames_same_work, "frame"),
                grouped(settings.frames_needed)
            );
            unfit(Cause::TooFewFrames, measurement_window.answer_stamp.unwrap_or(span.0), MODE_CALL, description)
        })
    };
    // The earliest event after the answer is the reason.
    let later = measurement_window.later.clone().into_iter().chain(moved).min_by_key(|unfit| unfit.at_stamp);
    let what_if = evidence.has_recorded_task_starts.then(|| unfit(Cause::WhatIf, span.0, "", WHAT_IF.to_owned()));
    let partial = evidence.partial.clone().map(|description| unfit(Cause::NotWhole, span.0, "", description));
    let rested = || measurement_window.rested(evidence.background);
    // In order of precedence. A resting slot and an incomplete trace come last, because they show only that another
    // reason is possible.
    let unfit = what_if
        .or(partial)
        .or(measurement_window.removal.clone())
        .or(measurement_window.at_answer.clone())
        .or(later)
        .or_else(too_few)
        .or_else(rested)
        .or(whole);
    let unfit = unfit.map(|unfit| match requests.filter(|_| unfit.cause == Cause::DesiresMore) {
        Some(requests) => Unfit {
            description: requests.description(evidence.background),
            advice: requests.advice(evidence.background),
            ..unfit
        },
        None => without_tasks(unfit, evidence),
    });
    Fit {
        unfit,
        measured,
        driver_answers: measurement_window.driver_answers,
        answer_stamp: measurement_window.answer_stamp,
    }
}

/// Reason why a replay under another driver does not predict background processing.
pub(super) const WHAT_IF: &str = "the trace is a what-if under another driver in which background tasks start and end at the \
                                  recorded times, so its figures of background processing are no prediction";

/// Adds the absence of background tasks to a reason that is a missing answer: without tasks, no shader has changed.
fn without_tasks(unfit: Unfit, evidence: &Evidence<'_>) -> Unfit {
    let is_unanswered = matches!(unfit.cause, Cause::NotQueried | Cause::Unsupported);
    if !is_unanswered || !evidence.background.tasks.is_empty() || !evidence.background.variants.is_empty() {
        return unfit;
    }
    let advice = format!(
        "No background task ran in this trace, so that every draw executed the generic shaders; only a driver's answer states \
         that it stays so. {}",
        unfit.advice
    );
    Unfit { advice, ..unfit }
}

/// The call that queries the driver.
const MODE_CALL: &str = d3d12::SetBackgroundProcessingMode::NAME;

fn unfit(cause: Cause, at_stamp: u64, call: &'static str, description: String) -> Unfit {
    Unfit { cause, at_stamp, at_ns: None, call, description, advice: cause.advice().to_owned() }
}
