//! Fit to measure: whether what is measured after the driver's last answer would be the same however long it is measured.
//!
//! The driver was asked and its last answer was FALSE; no task was left then, and none was found later; no variant came into
//! use or went out of it since; and frames of the same work cost the same, counted in instructions. Or the first thing that
//! breaks it. What comes after the device's end does not count.

mod cause;
mod played;
mod seen;
mod since;

pub use cause::{Cause, Unfit};
pub use played::MeasuredFigures;

use super::audits::Evidence;
use crate::background::FitSettings;
use crate::render::{counted, grouped, percent};
use since::Since;
use taut_schemas::{Call, d3d12, d3d12_ddi};

/// The judgement.
pub(super) struct Fit {
    pub unfit: Option<Unfit>,
    pub measured: MeasuredFigures,
    /// Answers of the driver.
    pub times_asked: u64,
    /// When the last one was given.
    pub answer_stamp: Option<u64>,
}

/// Judges a trace.
pub(super) fn fit(evidence: &Evidence<'_>, settings: &FitSettings) -> Fit {
    let since = Since::of(evidence.background);
    let (measured, moved) = since.frames.judge(settings);
    let span = evidence.background.span;
    let whole = (!evidence.whole).then(|| unfit(Cause::NotWhole, span.1, "", "the trace is not whole".to_owned()));
    let moved = moved.map(|moved| {
        let (before, executed) = moved.before;
        let description = format!(
            "frame {} executes {} instructions, and frame {before} of the same work {}",
            moved.frame,
            grouped(moved.executed),
            grouped(executed)
        );
        unfit(Cause::CostMoves, moved.stamp, d3d12_ddi::ExecuteCommandLists::NAME, description)
    });
    let too_few = || {
        (measured.frames_alike < settings.frames_needed).then(|| {
            let description = format!(
                "after the driver's last answer {} of the same work were played whole, and {} are needed",
                counted(measured.frames_alike, "frame"),
                grouped(settings.frames_needed)
            );
            unfit(Cause::TooFewFrames, since.answer_stamp.unwrap_or(span.0), MODE_CALL, description)
        })
    };
    // Of what happened after the answer, the first.
    let later = since.later.clone().into_iter().chain(moved).min_by_key(|unfit| unfit.at_stamp);
    let what_if = evidence.what_if.then(|| unfit(Cause::WhatIf, span.0, "", WHAT_IF.to_owned()));
    let partial = evidence.partial.clone().map(|description| unfit(Cause::NotWhole, span.0, "", description));
    let rested = || since.rested(evidence.background);
    let unfit = what_if.or(partial).or(since.at_answer.clone()).or(later).or_else(too_few).or_else(rested).or(whole);
    Fit { unfit, measured, times_asked: since.times_asked, answer_stamp: since.answer_stamp }
}

/// Why a replay under another driver says nothing of background processing.
pub(super) const WHAT_IF: &str = "this is a what-if under another driver in which background tasks start and end where the \
                                  recorded ones did, so its figures of background processing are not an answer";

/// The call that asks.
const MODE_CALL: &str = d3d12::SetBackgroundProcessingMode::NAME;

fn unfit(cause: Cause, at_stamp: u64, call: &'static str, description: String) -> Unfit {
    Unfit { cause, at_stamp, call, description, advice: cause.advice().to_owned() }
}

/// The tolerance for people.
pub(super) fn tolerance(settings: &FitSettings) -> String {
    percent(settings.tolerance_ratio)
}
