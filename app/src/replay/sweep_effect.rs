//! Values of a sweep that make no difference, and the reason.

use super::SweepOutcome;
use super::sweep::{SweepResult, figures_json};
use serde_json::Value;
use taut_schemas::{counted, grouped};

/// Keys whose thresholds a commit of results treats as reached.
const COMMITTED_KEYS: [&str; 4] = ["n_min", "stable_windows", "first_tier_cost", "measured_draws"];

impl SweepOutcome {
    /// True if there are several values, and all figures are equal for all of them.
    pub fn is_without_effect(&self) -> bool {
        let figures = |result: &SweepResult| figures_json(&result.pgo);
        let first = self.results.first().map(figures);
        self.results.len() > 1 && self.results.iter().all(|result| Some(figures(result)) == first)
    }

    /// States that the key has no effect, and why; `None` if the rows differ.
    pub fn no_effect(&self) -> Option<String> {
        if !self.is_without_effect() {
            return None;
        }
        let (key, pgo) = (&self.key, &self.results.first()?.pgo);
        let (lowest, highest) = (self.results.first()?.value, self.results.last()?.value);
        let rows = grouped(self.results.len() as u64);
        let mut text = format!("{key} has no effect on this recording: all {rows} rows are equal.");
        if pgo["tasks_finished"] == 0 {
            return Some(text + " No background task ends under any of the values.");
        }
        let (passes, commits) = passes_and_commits(pgo);
        if COMMITTED_KEYS.contains(&key.as_str()) && commits > 0 {
            text += &format!(
                " {} of {} commit results, and a commit treats {} as reached.",
                grouped(commits),
                counted(passes, "mode change"),
                COMMITTED_KEYS.join(", "),
            );
        }
        if let Some(samples) = self.stable_samples.filter(|_| key == "n_min") {
            text += &format!(
                " Outside of commits {} are needed in any case (stable_windows × window_executions).",
                counted(samples, "sampled execution")
            );
        }
        text += &format!(
            " No decision of the driver depends on a value between {} and {}.",
            grouped(lowest),
            grouped(highest)
        );
        Some(text)
    }
}

/// Number of passes, and of those with a commit of results.
fn passes_and_commits(pgo: &Value) -> (u64, u64) {
    let passes = pgo["by_pass"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_commit = |pass: &&Value| pass["action"].as_str().is_some_and(|action| action.starts_with("COMMIT"));
    (passes.len() as u64, passes.iter().filter(is_commit).count() as u64)
}
