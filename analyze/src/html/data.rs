//! What the page shows, as JSON.

use super::background_series::background_series;
use super::by_type::by_type;
use super::heap_maps::heap_maps;
use super::memory_series::memory_series;
use super::resource_rows::resource_rows;
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::{Comparison, Findings};
use serde_json::{Value, json};

/// Everything about one trace.
pub(super) fn of_trace(name: &str, analysis: &Analysis, findings: &Findings) -> Result<Value, AnalyzeError> {
    let world = analysis.world()?;
    let walks = world.walk_heaps();
    let documents: Vec<Value> = findings
        .results
        .iter()
        .map(|(report, result)| json!({"report": report, "document": result.document}))
        .collect();
    let alignment = findings.results.iter().find(|(report, _)| *report == "alignment").map(|(_, result)| &result.json);
    let moments = ["peak", "peak_total", "peak_placed", "end"];
    let figures = alignment.map(|figures| {
        let of = |moment: &&str| ((*moment).to_owned(), figures[*moment].clone());
        moments.iter().map(of).collect::<serde_json::Map<_, _>>()
    });
    let tiling = findings.results.iter().find(|(report, _)| *report == "tiling").map(|(_, result)| &result.json);
    let told = findings.results.iter().any(|(report, _)| *report == "pgo");
    let background = if told { background_series(analysis, analysis.background()?) } else { None };
    Ok(json!({
        "name": name,
        "background": background,
        "surfaces": tiling.map(|figures| &figures["surfaces"]),
        "subject": findings.head.subject(),
        "losses": findings.head.losses(),
        "figures": figures,
        "documents": documents,
        "memory": memory_series(analysis, world),
        "types": by_type(world, &walks),
        "maps": heap_maps(analysis, world, &walks),
        "resources": resource_rows(world, &walks),
    }))
}

/// The traces side by side; null for one.
pub(super) fn compared_traces(traces: &[(String, &Analysis, &Findings)]) -> Value {
    let reports: Vec<(String, Value)> =
        traces.iter().map(|(name, _, findings)| (name.clone(), findings.reports())).collect();
    let reports: Vec<(String, &Value)> = reports.iter().map(|(name, reports)| (name.clone(), reports)).collect();
    Comparison::of(&reports).map_or(Value::Null, |comparison| json!(comparison.table()))
}
