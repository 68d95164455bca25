//! Phases of a workload.

use super::error::WorkloadError;
use taut_capture::Caller;
use taut_schemas::{PhaseEdge, mark};

/// Runs a phase of a workload between its marks. A phase that fails has no end mark.
pub(crate) fn in_phase<K: Caller, T>(
    caller: &mut K,
    phase_index: u32,
    name: &str,
    run: impl FnOnce(&mut K) -> Result<T, WorkloadError>,
) -> Result<T, WorkloadError> {
    let edge = |edge| mark::WorkloadPhase { phase_index, edge, name: name.to_owned() };
    caller.mark(edge(PhaseEdge::BEGIN));
    let outcome = run(caller)?;
    caller.mark(edge(PhaseEdge::END));
    Ok(outcome)
}
