//! Renders documents as plain text for golden files.

use taut_analyze::ReportResult;
use taut_analyze::render::{Align, Document, Part, TextTable};

/// Renders a report: title, verdict and document.
pub fn draw_report(result: &ReportResult) -> String {
    let verdict = result.verdict.as_ref().expect("a verdict");
    let figures = verdict.figures.iter().map(|figure| format!("  {}: {}\n", figure.name, figure.text));
    let document = draw(&result.document);
    let (title, rest) = document.split_once('\n').expect("a title");
    format!("{title}\n\n{}\n{}{rest}", verdict.sentence, figures.collect::<String>())
}

pub fn draw(document: &Document) -> String {
    let mut text = format!("{}\n", document.title);
    for part in &document.parts {
        text.push('\n');
        match part {
            Part::Text(sentence) => text += &format!("{sentence}\n"),
            Part::Table(table) => text += &draw_table(table),
        }
    }
    text
}

fn draw_table(table: &TextTable) -> String {
    let titles: Vec<String> = table.headings.iter().map(|heading| heading.title.clone()).collect();
    let rows = || std::iter::once(&titles).chain(&table.rows);
    let width = |column: usize| rows().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let mut text = format!("[{}]\n", table.caption);
    for row in rows() {
        assert_eq!(row.len(), table.headings.len(), "{row:?}");
        let cells = row.iter().zip(&table.headings).enumerate().map(|(column, (cell, heading))| match heading.align {
            Align::Left => format!("{cell:<width$}", width = width(column)),
            Align::Right => format!("{cell:>width$}", width = width(column)),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
