//! Failed creations of heaps and resources in a what-if, whose memory figures lack them.

use crate::analysis::Analysis;
use taut_schemas::{Call, EventCode, d3d12};

/// Numbers of the calls that create heaps and resources.
const CREATIONS: &[u16] = &[
    d3d12::CreateHeap::ID,
    d3d12::CreateHeap1::ID,
    d3d12::CreateCommittedResource::ID,
    d3d12::CreateCommittedResource1::ID,
    d3d12::CreateCommittedResource2::ID,
    d3d12::CreateCommittedResource3::ID,
    d3d12::CreatePlacedResource::ID,
    d3d12::CreatePlacedResource1::ID,
    d3d12::CreatePlacedResource2::ID,
];

/// Number of failed creations; 0 for a trace that is no what-if.
pub(super) fn count(analysis: &Analysis) -> u64 {
    if !analysis.trace().header().world.workload.parameters.contains_key("what_if") {
        return 0;
    }
    let failed = analysis.health().map(|health| health.failed.iter()).into_iter().flatten();
    let is_creation = |code: &EventCode| CREATIONS.contains(&code.id());
    failed.filter(|((code, _), _)| is_creation(code)).map(|(_, count)| count).sum()
}
