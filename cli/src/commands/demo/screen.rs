//! Text of the demo: at most 15 lines of 80 columns.

use serde_json::Value;
use std::path::Path;
use taut_analyze::render::{binary_bytes, binary_bytes_signed, counted, grouped, percent, percent_signed};
use taut_console::printing::bold;
use taut_replay::Outcome;
use taut_traces::WriteSummary;

/// Length of the bar of the max value, in columns.
const BAR_COLUMNS: usize = 40;

/// Results of the demo.
pub struct Screen<'a> {
    pub workload: &'a str,
    pub driver: &'a str,
    pub recorded: &'a WriteSummary,
    pub replayed: &'a Outcome,
    /// Reports of the workload without tight alignment.
    pub classic: Value,
    /// Reports of the workload with tight alignment.
    pub tight: Value,
    pub file: &'a Path,
    pub page: &'a Path,
}

impl Screen<'_> {
    /// Formats the results.
    pub fn text(&self) -> String {
        let same = if self.replayed.is_identical() { "all results identical" } else { "results differ" };
        let mut text = format!(
            "{} {} events of `{}` on driver model `{}`, {}\n\
             {} {} calls: {same}\n",
            bold("Recorded"),
            grouped(self.recorded.events),
            self.workload,
            self.driver,
            binary_bytes(self.recorded.bytes),
            bold("Replayed"),
            grouped(self.replayed.calls),
        );
        let pointers = ["/alignment/peak/in_use_bytes", "/alignment/peak_real/real_bytes"];
        let peaks = [&self.classic, &self.tight].map(|reports| pointers.map(|pointer| number(reports, pointer)));
        let max = peaks.iter().flatten().copied().max().unwrap_or_default();
        text += &format!("{} at peak, without tight alignment (classic) and with it (tight)\n", bold("Memory"));
        for (row, what) in ["resources", "all heaps"].into_iter().enumerate() {
            let (before, after) = (peaks[0][row], peaks[1][row]);
            text += &format!("{what:>10} classic {} {}\n", bar(before, max), binary_bytes(before));
            let change = percent_signed(after as f64 / before.max(1) as f64 - 1.0);
            text += &format!("{:>10} tight   {} {} ({change})\n", "", bar(after, max), binary_bytes(after));
        }
        let wasted = |reports: &Value| {
            percent(
                reports.pointer("/alignment/peak/waste_ratio").map_or(0.0, |ratio| ratio.as_f64().unwrap_or_default()),
            )
        };
        text += &format!(
            "{} alignment wastes {} of the memory without tight alignment, {} with it{}\n",
            bold("Found:"),
            wasted(&self.classic),
            wasted(&self.tight),
            self.worst(),
        );
        text += &format!("{} {}\n{}\n", bold("Page:"), self.page.display(), bold("Next:"));
        let taut = std::env::args_os().next().map_or_else(|| "taut".to_owned(), |name| quoted(&name.to_string_lossy()));
        let (file, tight) = (quoted(&self.file.display().to_string()), self.file.with_file_name("tight.taut"));
        text += &format!("{taut} analyze {}\n", quoted(&tight.display().to_string()));
        text += &format!("{taut} replay {file} --driver peer\n");
        text + &format!("{taut} dump {file} --limit 20\n")
    }

    /// Returns the line about the group of resources that wastes most memory without tight alignment; empty if the
    /// report has no such group.
    fn worst(&self) -> String {
        let worst = &self.classic["alignment"]["worst"][0];
        let (Some(name), Some(group_size)) = (worst["name"].as_str(), worst["group_size"].as_u64()) else {
            return String::new();
        };
        let bytes = binary_bytes_signed(worst["group_waste_bytes"].as_i64().unwrap_or_default());
        let place = match group_size {
            1 => format!("`{name}`"),
            count => format!("{} such as `{name}`", counted(count, "resource")),
        };
        format!("\n      largest waste without it: {bytes} in {place}")
    }
}

fn number(reports: &Value, pointer: &str) -> u64 {
    reports.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

fn bar(value: u64, max: u64) -> String {
    let columns = (value as f64 / max.max(1) as f64 * BAR_COLUMNS as f64).round() as usize;
    "█".repeat(columns.min(BAR_COLUMNS))
}

/// Quotes an argument for a shell.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-:+,@%\\".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_a_shell_would_split_are_quoted() {
        assert_eq!(["a/b.taut", "my dir/a", "it's"].map(quoted), ["a/b.taut", "'my dir/a'", "'it'\\''s'"]);
    }

    #[test]
    fn the_longest_bar_is_the_max_value() {
        assert_eq!([0, 50, 100].map(|value| bar(value, 100).chars().count()), [0, 20, 40]);
        assert_eq!(bar(7, 0).chars().count(), 40);
    }
}
