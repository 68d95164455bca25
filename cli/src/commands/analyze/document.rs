//! Documents on a terminal.

use taut_analyze::Findings;
use taut_analyze::render::{Align, Document, Part};
use taut_console::printing::{bold, paragraph, report_table};

/// The reports for people.
pub fn report_text(findings: &Findings) -> String {
    let texts: Vec<String> = findings.results.iter().map(|(_, result)| document_text(&result.document)).collect();
    texts.join("\n")
}

/// One document.
pub fn document_text(document: &Document) -> String {
    let mut text = format!("{}\n", bold(&document.title));
    for part in &document.parts {
        match part {
            Part::Text(words) => text += &format!("\n{}", paragraph(words)),
            Part::Table(part) => {
                let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
                let right: Vec<usize> =
                    (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
                text +=
                    &format!("\n{}{}", paragraph(&part.caption), report_table(&headings, &right, part.rows.clone()));
            }
        }
    }
    text
}
