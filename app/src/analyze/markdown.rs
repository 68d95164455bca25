//! Markdown form of reports, for a comment on a pull request: verdicts, comparison with the baseline, broken limits and
//! limits that were not checked.
//!
//! Text from traces, files and budgets is put into code spans or escaped, so that it cannot act as markup, a mention or
//! a link.

use super::{BudgetCheck, Reports, TraceReport};
use taut_analyze::budget::{Checked, LimitOutcome};
use taut_analyze::render::counted;
use taut_analyze::reports::Comparison;

/// Maximum size of the document, in bytes, before the line that counts omitted lines. A comment holds at most 65,536
/// characters.
const MAX_BYTES: usize = 65_000;
/// Maximum length of the text in a code span, in characters.
const MAX_SPAN_CHARS: usize = 200;

/// Builds the document.
pub(super) fn markdown(reports: &Reports) -> String {
    let mut page = Page::default();
    // Not rendered. It identifies a comment of this kind; in a file it marks an output that `taut` may replace.
    page.line("<!-- taut analyze -->");
    page.line("## Tautline");
    if let Some(budgeted) = &reports.budget {
        budget(&mut page, budgeted);
    }
    for trace in &reports.traces {
        verdicts(&mut page, trace);
    }
    if let Some(comparison) = reports.comparison() {
        comparison_table(&mut page, &comparison);
    }
    page.finish()
}

fn verdicts(page: &mut Page, trace: &TraceReport) {
    page.line("");
    page.line(&format!("### {}", code(&trace.name)));
    page.line("");
    for (name, result) in &trace.findings.results {
        let nothing = || result.json["not_applicable"].as_str().unwrap_or_default().to_owned();
        let Some(verdict) = &result.verdict else {
            page.line(&format!("- **{name}**: nothing to report: {}.", escaped(&nothing())));
            continue;
        };
        page.line(&format!("- **{name}**: {}", escaped(&verdict.text())));
        let figures = verdict.figures.iter().map(|figure| format!("{} **{}**", figure.name, escaped(&figure.text)));
        page.line(&format!("  {}", figures.collect::<Vec<_>>().join(" · ")));
    }
}

fn budget(page: &mut Page, budgeted: &BudgetCheck) {
    page.line("");
    page.line(&format!("### Budget {}", code(&budgeted.name())));
    page.line("");
    page.line(&format!("{}.", budgeted.summary()));
    page.line("");
    let all = || budgeted.checked().iter().flat_map(|(trace, checked)| checked.iter().map(move |one| (trace, one)));
    for (trace, one) in all() {
        if let LimitOutcome::Broken(broken) = &one.verdict {
            page.line(&format!("- **broken** in {}: {}", code(trace), escaped(&broken.headline())));
            page.line(&format!("  - limit: {}", limit(one)));
            broken.details().iter().for_each(|other| page.line(&format!("  - {}", code(other))));
        }
    }
    for (trace, one) in all() {
        if let LimitOutcome::Skipped(why) = &one.verdict {
            page.line(&format!("- not checked in {}: {}: {}", code(trace), limit(one), escaped(why)));
        }
    }
    for (trace, one) in all() {
        if let (LimitOutcome::Passed, Some(summary)) = (&one.verdict, &one.summary) {
            page.line(&format!("- passed in {}: {}; limit: {}", code(trace), escaped(summary), limit(one)));
        }
    }
}

fn limit(one: &Checked) -> String {
    format!("{} (line {})", code(&one.limit), one.line)
}

fn comparison_table(page: &mut Page, comparison: &Comparison) {
    let table = comparison.table();
    page.line("");
    page.line("### Side by side");
    page.line("");
    page.line(&comparison.format_sentence(code));
    page.line("");
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let mut head = vec![String::new()];
    for (place, name) in comparison.traces.iter().enumerate() {
        head.push(code(name).replace('|', "\\|"));
        if place > 0 {
            head.extend(["change".to_owned(), "%".to_owned()]);
        }
    }
    page.line(&row(&head));
    page.line(&format!("|---|{}", "---:|".repeat(head.len() - 1)));
    for cells in &table.rows {
        page.line(&row(&cells.iter().map(|cell| escaped(cell.trim())).collect::<Vec<_>>()));
    }
}

/// Document of limited size: the lines that exceed [`MAX_BYTES`] are omitted and counted.
#[derive(Default)]
struct Page {
    text: String,
    left_out: u64,
}

impl Page {
    fn line(&mut self, line: &str) {
        // After the first omitted line all others are omitted, because they would appear under a wrong heading.
        if self.left_out > 0 || self.text.len() + line.len() + 1 > MAX_BYTES {
            self.left_out += u64::from(!line.is_empty());
            return;
        }
        self.text += line;
        self.text.push('\n');
    }

    fn finish(self) -> String {
        match self.left_out {
            0 => self.text,
            count => format!("{}\n{} left out: a comment holds no more.\n", self.text, counted(count, "more line")),
        }
    }
}

/// Formats text as a code span on one line, shortened to [`MAX_SPAN_CHARS`] characters.
fn code(text: &str) -> String {
    let mut line: String =
        text.chars().take(MAX_SPAN_CHARS).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if text.chars().nth(MAX_SPAN_CHARS).is_some() {
        line.push('…');
    }
    // The fence is longer than every run of backticks in the text, so that the text cannot close the span.
    let longest = line.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A span must not begin or end with a backtick of the text, nor be empty: a space separates them.
    let space = if line.is_empty() || line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{line}{space}{fence}")
}

/// Escapes the characters that are markup in Markdown, and replaces control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '@' | '$' | '&' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_span() {
        assert_eq!(code("level.taut"), "`level.taut`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x``"), "``` `x`` ```");
        assert_eq!(code(""), "`  `");
        assert_eq!(code("a\nb"), "`a\u{fffd}b`");
        assert_eq!(code(&"x".repeat(300)).chars().count(), MAX_SPAN_CHARS + 3);
    }

    #[test]
    fn sentences_have_no_markup() {
        assert_eq!(escaped("a_b <c> | 2 %"), "a\\_b \\<c\\> \\| 2 %");
    }

    #[test]
    fn a_page_ends_before_a_comment_would() {
        let mut page = Page::default();
        (0..5000).for_each(|number| page.line(&format!("line {number} with some more words in it")));
        let text = page.finish();
        assert!(text.len() < 65_536 && text.ends_with("more lines left out: a comment holds no more.\n"));
    }
}
