//! Whether the driver came to rest, and after how many passes.

use crate::background::Pass;

/// What the judgement rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// What the driver answered when it was asked whether further measurements are desired.
    Answer,
    /// What it queued after its measurements.
    Queued,
    /// Nothing: nothing was answered, and nothing was measured.
    Nothing,
}

/// The judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Convergence {
    pub converged: bool,
    /// Passes to the steady state; without one all there are.
    pub passes: u64,
    /// Answers of the driver in those.
    pub times_asked: u64,
    pub judged_by: JudgedBy,
}

/// Judges. The first pass is the time before the first call, and has the number 0.
pub(super) fn convergence(passes: &[Pass]) -> Convergence {
    let all = passes.len().saturating_sub(1) as u64;
    let answers: Vec<(u64, bool)> =
        (0..).zip(passes).filter_map(|(number, pass)| Some((number, pass.further_desired?))).collect();
    if !answers.is_empty() {
        let steady = first_of_the_last(&answers, |desired| !desired);
        let passes = steady.unwrap_or(all);
        let times_asked = answers.iter().filter(|(number, _)| *number <= passes).count() as u64;
        return Convergence { converged: steady.is_some(), passes, times_asked, judged_by: JudgedBy::Answer };
    }
    let found: Vec<(u64, u64)> = (0..)
        .zip(passes)
        .filter(|(_, pass)| pass.measured && !pass.mode.disables_work())
        .map(|(number, _)| (number, found_by(passes, number)))
        .collect();
    let none_queued = passes.iter().all(|pass| pass.counts.opportunities == 0);
    let (steady, judged_by) = match found.is_empty() {
        true => (none_queued.then_some(all), JudgedBy::Nothing),
        false => (first_of_the_last(&found, |found| found == 0), JudgedBy::Queued),
    };
    Convergence { converged: steady.is_some(), passes: steady.unwrap_or(all), times_asked: 0, judged_by }
}

/// What the measurements of a pass found: in it, and while the call that ended it was made.
fn found_by(passes: &[Pass], number: u64) -> u64 {
    let at = |number: u64| usize::try_from(number).ok().and_then(|place| passes.get(place));
    let own = at(number).map_or(0, |pass| pass.counts.opportunities.saturating_sub(pass.found_at_begin));
    own + at(number + 1).map_or(0, |next| next.found_at_begin)
}

/// The number of the first of those at the end that are quiet; none if the very last is not.
fn first_of_the_last<T: Copy>(all: &[(u64, T)], quiet: impl Fn(T) -> bool) -> Option<u64> {
    all.iter().rev().take_while(|(_, one)| quiet(*one)).last().map(|(number, _)| *number)
}
