//! Recording of a dump to a session.

use super::pool::{Allocation, Dump, Pool};
use super::totals::DumpTotals;
use crate::bundled::WorkloadError;
use crate::bundled::check_interrupted::check_interrupted;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use taut_capture::{Caller, Callers};
use taut_schemas::{HeapId, PhaseEdge, ResourceId, counted, mark};

/// Totals of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DumpSummary {
    /// Number of pools that are not empty.
    pub pools: u64,
    /// Number of heaps.
    pub heaps: u64,
    /// Total size of the heaps.
    pub heap_bytes: u64,
    /// Number of placed resources.
    pub placed: u64,
    /// Number of committed resources.
    pub committed: u64,
    /// Total size of the resources.
    pub resource_bytes: u64,
    /// Totals as the dump has them, if it has no detailed map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<DumpTotals>,
}

impl Dump {
    /// Returns the totals.
    pub fn summary(&self) -> DumpSummary {
        let mut summary = DumpSummary { totals: self.totals.clone(), ..DumpSummary::default() };
        for pool in &self.pools {
            let placed = pool.blocks.iter().flat_map(|block| &block.held).map(|(_, held)| held);
            let bytes = placed.clone().chain(&pool.dedicated).map(|held| held.size_bytes);
            summary.pools += u64::from(!pool.is_empty());
            summary.heaps += pool.blocks.len() as u64;
            summary.heap_bytes =
                pool.blocks.iter().fold(summary.heap_bytes, |sum, block| sum.saturating_add(block.size_bytes));
            summary.placed += placed.count() as u64;
            summary.committed += pool.dedicated.len() as u64;
            summary.resource_bytes = bytes.fold(summary.resource_bytes, u64::saturating_add);
        }
        summary
    }

    /// Returns the totals as facts for a trace's header.
    pub fn facts(&self) -> BTreeMap<String, Value> {
        let mut facts = BTreeMap::from([("dump.gpu".to_owned(), Value::from(self.gpu.clone()))]);
        if let Some(totals) = &self.totals {
            facts.extend(totals.facts());
            return facts;
        }
        if let Ok(Value::Object(summary)) = serde_json::to_value(self.summary()) {
            facts.extend(summary.into_iter().map(|(name, count)| (format!("dump.{name}"), count)));
        }
        facts
    }
}

impl Pool {
    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.dedicated.is_empty()
    }
}

impl fmt::Display for DumpSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DumpSummary { heaps, heap_bytes, placed, committed, resource_bytes, totals, .. } = self;
        if let Some(totals) = totals {
            return totals.fmt(f);
        }
        let (heaps, heap_bytes) = (counted(*heaps, "heap"), counted(*heap_bytes, "byte"));
        let resource_bytes = counted(*resource_bytes, "byte");
        write!(f, "{heaps} of {heap_bytes}, {placed} placed and {committed} committed resources of {resource_bytes}")
    }
}

/// Records the content of the allocator as marks, with a phase for each pool that is not empty.
///
/// # Errors
/// The session was interrupted: the objects that were not recorded yet are left out.
pub fn run<C: Callers>(dump: &Dump, callers: &C) -> Result<(), WorkloadError> {
    let mut recorder = DumpRecorder { caller: callers.caller(0), next: 1 };
    for (number, pool) in (0..).zip(dump.pools.iter().filter(|pool| !pool.is_empty())) {
        recorder.phase(number, PhaseEdge::BEGIN, &pool.name);
        let ran = recorder.pool(pool);
        recorder.phase(number, PhaseEdge::END, &pool.name);
        ran?;
    }
    Ok(())
}

struct DumpRecorder<C> {
    caller: C,
    /// Handle of the next object.
    next: u64,
}

impl<C: Caller> DumpRecorder<C> {
    fn phase(&mut self, phase_index: u32, edge: PhaseEdge, name: &str) {
        self.caller.mark(mark::WorkloadPhase { phase_index, edge, name: name.to_owned() });
    }

    fn handle(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn pool(&mut self, pool: &Pool) -> Result<(), WorkloadError> {
        for block in &pool.blocks {
            check_interrupted(&self.caller)?;
            let heap = HeapId(self.handle());
            self.caller.mark(mark::SnapshotHeap {
                heap,
                size_bytes: block.size_bytes,
                heap_type: pool.heap_type,
                cpu_page_property: pool.cpu_page_property,
                memory_pool: pool.memory_pool,
                flags: pool.flags,
                name: format!("{} block {}", pool.name, block.name),
            });
            block.held.iter().try_for_each(|(offset, held)| self.held(pool, held, heap, *offset))?;
        }
        pool.dedicated.iter().try_for_each(|held| self.held(pool, held, HeapId::NULL, 0))
    }

    fn held(
        &mut self,
        pool: &Pool,
        held: &Allocation,
        heap: HeapId,
        heap_offset_bytes: u64,
    ) -> Result<(), WorkloadError> {
        check_interrupted(&self.caller)?;
        let resource = ResourceId(self.handle());
        self.caller.mark(mark::SnapshotResource {
            resource,
            heap,
            heap_offset_bytes,
            size_bytes: held.size_bytes,
            heap_type: pool.heap_type,
            dimension: held.dimension,
            layout: held.layout,
            flags: held.flags,
            name: held.name.clone(),
        });
        Ok(())
    }
}
