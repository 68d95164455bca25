//! Text form of reports, for a terminal.

use taut_analyze::render::{Align, Document, Part, TextTable};
use taut_analyze::{Findings, ReportResult, Verdict};
use taut_console::printing::{bold, paragraph, report_table};

/// Width, in columns, in which the figures of a verdict are right-aligned.
const FIGURE_COLUMNS: usize = 18;

/// Formats all reports as text.
pub fn report_text(findings: &Findings) -> String {
    let texts: Vec<String> = findings.results.iter().map(|(_, result)| result_text(result)).collect();
    texts.join("\n")
}

/// Formats a report as text: title, verdict, then paragraphs and tables.
fn result_text(result: &ReportResult) -> String {
    let Document { title, parts } = &result.document;
    let mut text = format!("{}\n", bold(title));
    if let Some(verdict) = &result.verdict {
        text += &format!("\n{}", verdict_text(verdict));
    }
    for part in parts {
        match part {
            Part::Text(words) => text += &format!("\n{}", paragraph(words)),
            Part::Table(table) => text += &format!("\n{}", table_text(table)),
        }
    }
    text
}

/// Formats a verdict as text: its sentence and advice, then each of its figures on a line.
pub fn verdict_text(verdict: &Verdict) -> String {
    let mut text = paragraph(&verdict.text());
    for figure in &verdict.figures {
        let indent = FIGURE_COLUMNS.saturating_sub(figure.text.chars().count());
        text += &format!("{}{}  {}\n", " ".repeat(indent), bold(&figure.text), figure.name);
    }
    text
}

/// Formats a table as text, under its caption.
pub fn table_text(table: &TextTable) -> String {
    let headings: Vec<&str> = table.headings.iter().map(|heading| heading.title.as_str()).collect();
    let right: Vec<usize> =
        (0..headings.len()).filter(|column| table.headings[*column].align == Align::Right).collect();
    paragraph(&table.caption) + &report_table(&headings, &right, &table.importance, table.rows.clone())
}
