//! Named parts of a workload.

use super::error::WorkloadError;
use crate::caller::Caller;
use taut_schemas::{PhaseEdge, mark};

/// Runs a part of a workload, its begin and end marked. What fails has no end.
pub(super) fn in_phase<K: Caller, T>(
    caller: &mut K,
    (phase_index, name): (u32, &str),
    run: impl FnOnce(&mut K) -> Result<T, WorkloadError>,
) -> Result<T, WorkloadError> {
    let edge = |edge| mark::WorkloadPhase { phase_index, edge, name: name.to_owned() };
    caller.mark(edge(PhaseEdge::BEGIN));
    let outcome = run(caller)?;
    caller.mark(edge(PhaseEdge::END));
    Ok(outcome)
}
