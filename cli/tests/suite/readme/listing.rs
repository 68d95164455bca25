//! Commands of a page with their listings: `$ command` in an indented block, followed by its output, and code spans that
//! begin with `taut `. A line `...` of a listing matches any number of lines.

use crate::taut::without_sizes;
use std::ops::Range;

/// Remark after a command whose figures differ between runs.
const VARIES: &str = "figures vary";

/// A command with its exit code and its listed output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub command: String,
    pub code: i32,
    /// True if only the words of the output are compared, not its numbers.
    pub varies: bool,
    /// Lines of the listing, without indentation.
    pub shown: Vec<String>,
    /// Positions of these lines in the page.
    pub lines: Range<usize>,
}

/// Exit code in a remark such as `exit code 1`; 0 without one.
fn exit_code(remark: &str) -> i32 {
    let digit = remark.split_once("exit code ").and_then(|(_, rest)| rest.chars().next()?.to_digit(10));
    digit.map_or(0, |digit| digit as i32)
}

/// Commands of a page, in order.
pub fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("    "), line.strip_prefix("    $ ")) {
            (_, Some(command)) => {
                let (command, remark) = command.split_once("  # ").unwrap_or((command, ""));
                let (code, varies) = (exit_code(remark), remark.contains(VARIES));
                let command = command.trim().to_owned();
                steps.push(Step { command, code, varies, shown: Vec::new(), lines: at + 1..at + 1 });
                is_open = true;
            }
            (Some(output), None) if is_open => show(&mut steps, output),
            (None, None) if line.is_empty() && is_open => show(&mut steps, ""),
            (Some(_), None) => {}
            (None, None) => {
                is_open = false;
                steps.extend(spans(line, at));
            }
        }
    }
    for step in &mut steps {
        let used = step.shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        step.shown.truncate(used);
        step.lines.end = step.lines.start + used;
    }
    steps
}

/// Adds a line to the listing of the last command.
fn show(steps: &mut [Step], line: &str) {
    if let Some(step) = steps.last_mut() {
        step.shown.push(line.trim_end().to_owned());
    }
}

/// Commands in the code spans of a line. A span with `…` is a part of a command.
fn spans(line: &str, at: usize) -> impl Iterator<Item = Step> {
    let parts: Vec<&str> = line.split('`').collect();
    let of_span = move |place: usize| {
        let remark = parts.get(place + 1).filter(|text| text.starts_with(" (exit code")).copied().unwrap_or_default();
        let command = parts[place].to_owned();
        let is_command = command.starts_with("taut ") && !command.contains('…');
        let step = Step { command, code: exit_code(remark), varies: false, shown: Vec::new(), lines: at..at };
        is_command.then_some(step)
    };
    (1..line.split('`').count()).step_by(2).filter_map(of_span)
}

/// True if the rows of a screen match a listing.
pub fn matches(shown: &[String], seen: &[String], varies: bool) -> bool {
    // Numbers of other widths move the ends of lines.
    if varies && !shown.iter().any(|line| line == "...") {
        return without_numbers(&shown.join(" ")) == without_numbers(&seen.join(" "));
    }
    match shown.split_first() {
        None => seen.iter().all(String::is_empty),
        Some((line, rest)) if line == "..." => (0..=seen.len()).any(|skipped| matches(rest, &seen[skipped..], varies)),
        Some((line, rest)) => seen
            .split_first()
            .is_some_and(|(first, seen)| line_matches(line, first, varies) && matches(rest, seen, varies)),
    }
}

/// True if a line matches the listed one. The size of a recording depends on its stamps, by a few per cent.
fn line_matches(shown: &str, seen: &str, varies: bool) -> bool {
    if varies {
        return without_numbers(shown) == without_numbers(seen);
    }
    let size = |line: &str| {
        let (before, _) = line.split_once(" KiB, ")?;
        before.rsplit_once(' ')?.1.replace(',', "").parse::<f64>().ok()
    };
    let is_near = |(shown, seen): (f64, f64)| (shown - seen).abs() <= shown * 0.05;
    let is_recording = shown.contains(" KiB, 0 lost") && without_sizes(shown) == without_sizes(seen);
    shown == seen || (is_recording && size(shown).zip(size(seen)).is_some_and(is_near))
}

/// A line with `#` for each number, and single spaces.
fn without_numbers(line: &str) -> String {
    let is_number = |word: &str| word.trim_start_matches('(').starts_with(|first: char| first.is_ascii_digit());
    let words = line.split_whitespace().map(|word| if is_number(word) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The listing with the current output: as many blocks of lines as it had before its first `...`, then each later part
/// whose first line is still printed.
pub fn blessed(shown: &[String], seen: &[String]) -> Vec<String> {
    let mut parts = shown.split(|line| line == "...");
    let first = parts.next().unwrap_or_default();
    let blocks = first.split(|line| line.is_empty()).filter(|block| !block.is_empty()).count();
    if first.len() == shown.len() {
        return seen.to_vec();
    }
    let of_seen = seen.split(|line| line.is_empty()).take(blocks);
    let mut listing = of_seen.collect::<Vec<_>>().join(&String::new());
    for part in parts {
        listing.push("...".to_owned());
        let start = part.first().and_then(|anchor| seen.iter().position(|line| line == anchor));
        if let Some(start) = start {
            listing.extend(seen[start..].iter().take(part.len()).cloned());
        }
    }
    listing.dedup_by(|one, other| one == "..." && one == other);
    listing
}

#[test]
fn commands_are_lines_of_listings_and_code_spans() {
    let page = "Text `taut info a.taut` and `taut`.\n\n    $ taut x  # exit code 3\n    one\n\n    two\n\nMore `taut y` (exit code 1).\n";
    let found = steps(page);
    let short: Vec<(&str, i32, usize)> =
        found.iter().map(|step| (step.command.as_str(), step.code, step.shown.len())).collect();
    assert_eq!(short, [("taut info a.taut", 0, 0), ("taut x", 3, 3), ("taut y", 1, 0)]);
    assert_eq!(found[1].lines, 3..6);
}

#[test]
fn a_listing_with_an_ellipsis_is_rewritten_in_its_shape() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let seen = lines("title\n\nverdict 2\nfigure\n\nnoise\n\ntable\nrow 2");
    let shown = lines("title\n\nverdict 1\n...\ntable\nrow 1");
    assert!(!matches(&shown, &seen, false));
    let current = blessed(&shown, &seen);
    assert_eq!(current, lines("title\n\nverdict 2\nfigure\n...\ntable\nrow 2"));
    assert!(matches(&current, &seen, false));
}
