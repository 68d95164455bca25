//! Walks over the steps of a polars plan.

use polars::prelude::{DslPlan, LazyFrame, SchemaRef};
use std::sync::Arc;

/// Inputs of a step; a plan whose schema polars has cached is its own plan.
pub(super) fn inputs(plan: &DslPlan) -> Vec<&DslPlan> {
    match plan {
        DslPlan::Filter { input, .. }
        | DslPlan::Cache { input, .. }
        | DslPlan::Select { input, .. }
        | DslPlan::GroupBy { input, .. }
        | DslPlan::HStack { input, .. }
        | DslPlan::Distinct { input, .. }
        | DslPlan::Sort { input, .. }
        | DslPlan::Slice { input, .. }
        | DslPlan::MapFunction { input, .. }
        | DslPlan::IR { dsl: input, .. } => vec![input],
        DslPlan::Join { input_left, input_right, .. } => vec![input_left, input_right],
        DslPlan::Union { inputs, .. } | DslPlan::HConcat { inputs, .. } => inputs.iter().collect(),
        _ => Vec::new(),
    }
}

/// The step with each of its inputs mapped.
pub(super) fn map_inputs(plan: &DslPlan, map: &mut dyn FnMut(&DslPlan) -> DslPlan) -> DslPlan {
    let mut mapped = plan.clone();
    match &mut mapped {
        DslPlan::Filter { input, .. }
        | DslPlan::Cache { input, .. }
        | DslPlan::Select { input, .. }
        | DslPlan::GroupBy { input, .. }
        | DslPlan::HStack { input, .. }
        | DslPlan::Distinct { input, .. }
        | DslPlan::Sort { input, .. }
        | DslPlan::Slice { input, .. }
        | DslPlan::MapFunction { input, .. } => *input = Arc::new(map(input)),
        DslPlan::Join { input_left, input_right, .. } => {
            *input_left = Arc::new(map(input_left));
            *input_right = Arc::new(map(input_right));
        }
        DslPlan::Union { inputs, .. } | DslPlan::HConcat { inputs, .. } => {
            inputs.iter_mut().for_each(|input| *input = map(input));
        }
        DslPlan::IR { dsl, .. } => return map(dsl),
        _ => {}
    }
    mapped
}

/// Returns the plan without the schemas that polars caches in its steps, so that a step can be used in another plan.
pub(super) fn without_cached_schemas(plan: &DslPlan) -> DslPlan {
    map_inputs(plan, &mut without_cached_schemas)
}

/// Output schema of a plan.
pub(super) fn schema(plan: &DslPlan) -> Option<SchemaRef> {
    LazyFrame::from(plan.clone()).collect_schema().ok()
}
