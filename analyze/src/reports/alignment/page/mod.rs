//! Chart data of the alignment report: memory over time, resource types, heaps, individual resources.

mod by_type;
mod heap_maps;
mod memory_series;
mod residency_series;
mod resource_rows;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::alignment::owners::OwnerNode;
use crate::reports::alignment::{Measure, Sweep};
use by_type::by_type;
use heap_maps::heap_maps;
use memory_series::memory_series;
use residency_series::residency_series;
use resource_rows::resource_rows;
use serde_json::{Map, Value, json};

/// Scripts of the page for this report.
pub(super) const SCRIPTS: &[&str] = &[
    include_str!("../../../page/assets/heaps.js"),
    include_str!("../../../page/assets/heap_rows.js"),
    include_str!("../../../page/assets/treemap.js"),
    include_str!("../../../page/assets/alignment.js"),
];

/// Moments with summary cards on the page.
const MOMENTS: [&str; 4] = ["peak", "peak_real", "peak_placed", "end"];

/// Returns the chart data for a trace with the given figures.
pub(super) fn page_data(analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
    let world = analysis.world()?;
    let walks = world.walk_heaps();
    let moments: Map<String, Value> =
        MOMENTS.iter().map(|moment| ((*moment).to_owned(), figures[*moment].clone())).collect();
    Ok(json!({
        "figures": moments,
        "causes": figures["causes"],
        "owners": figures["memory_by_group"],
        "tree": OwnerNode::after(world, Sweep::over(world).peak(Measure::InUseBytes).turn),
        "residency": residency_series(analysis, world),
        "memory": memory_series(analysis, world),
        "types": by_type(world, &walks),
        "maps": heap_maps(analysis, world, &walks),
        "resources": resource_rows(world, &walks),
    }))
}
