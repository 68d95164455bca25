//! A page for a browser in one file without external references, so that it works from disk and from a mail.

mod context;
mod exact_numbers;
mod side_by_side;
mod trace;

pub use context::PageContext;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::glossary::GLOSSARY;
use crate::reports::{Findings, REPORTS};
use exact_numbers::make_exact;
use serde_json::json;
use side_by_side::{compared, side_by_side};
use trace::of_trace;

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const CHART_STYLE: &str = include_str!("assets/uplot/uPlot.min.css");
/// Libraries of the reports' scripts.
const SCRIPTS_BEFORE: [&str; 11] = [
    include_str!("assets/uplot/uPlot.iife.min.js"),
    include_str!("assets/theme.js"),
    include_str!("assets/numbers.js"),
    include_str!("assets/tip.js"),
    include_str!("assets/tables.js"),
    include_str!("assets/axes.js"),
    include_str!("assets/figure.js"),
    include_str!("assets/event.js"),
    include_str!("assets/lines.js"),
    include_str!("assets/bars.js"),
    include_str!("assets/verdicts.js"),
];
/// Scripts that build the page from all others.
const SCRIPTS_AFTER: [&str; 3] =
    [include_str!("assets/side_by_side.js"), include_str!("assets/contents.js"), include_str!("assets/page.js")];

/// Formats the page over one or several traces, given by name, analysis and findings. The result depends only on these
/// and on `context`.
///
/// # Errors
/// A trace could not be read.
pub fn page(traces: &[(String, &Analysis, &Findings)], context: &PageContext) -> Result<String, AnalyzeError> {
    let names: Vec<&str> = traces.iter().map(|(name, ..)| name.as_str()).collect();
    let mut of_traces = Vec::with_capacity(traces.len());
    for (name, analysis, findings) in traces {
        of_traces.push(of_trace(name, analysis, findings)?);
    }
    let comparison = context.compared.clone().or_else(|| compared(traces));
    let glossary: Vec<_> =
        GLOSSARY.iter().map(|entry| json!({ "word": entry.word, "meaning": entry.meaning })).collect();
    let mut data = json!({ "context": context.json(), "compared": comparison.as_ref().map(side_by_side), "traces": of_traces, "glossary": glossary });
    make_exact(&mut data);
    // `<` might end the script element.
    let data = data.to_string().replace('<', "\\u003c");
    let fill = [
        ("{{title}}", escaped(&names.join(", "))),
        ("{{chart-style}}", CHART_STYLE.to_owned()),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", data),
        ("{{scripts}}", scripts()),
    ];
    Ok(filled(PAGE, &fill))
}

/// All scripts, those of reports between their libraries and the page's own.
fn scripts() -> String {
    let reports = REPORTS.iter().flat_map(|report| report.scripts());
    let scripts: Vec<&str> = SCRIPTS_BEFORE.iter().chain(reports).chain(&SCRIPTS_AFTER).copied().collect();
    scripts.join("\n")
}

/// Fills the placeholders of the page, each once and in order, so that placeholders in inserted text are not replaced.
fn filled(page: &str, fill: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(page.len() + fill.iter().map(|(_, with)| with.len()).sum::<usize>());
    let mut rest = page;
    for (place, with) in fill {
        let Some((before, after)) = rest.split_once(place) else { continue };
        text += before;
        text += with;
        rest = after;
    }
    text + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
