//! Totals of a dump: the part that BuildStatsString writes with and without a detailed map.

use super::document::{Named, RawMemory, RawStatistics};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::counted;

/// Totals of an allocator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DumpTotals {
    /// Number of heaps, including the implicit heaps of committed resources.
    pub blocks: u64,
    pub block_bytes: u64,
    pub allocations: u64,
    pub allocation_bytes: u64,
    pub free_ranges: u64,
    /// Budgets by memory segment group: L0 is video memory of a discrete GPU, L1 system memory.
    pub budgets: BTreeMap<String, MemoryBudget>,
}

/// Budget and usage of a memory segment group, of the whole process (DXGI_QUERY_VIDEO_MEMORY_INFO).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MemoryBudget {
    pub budget_bytes: u64,
    pub usage_bytes: u64,
}

impl DumpTotals {
    pub(super) fn from_raw(total: &RawStatistics, memory: &Named<RawMemory>) -> DumpTotals {
        let budget = |raw: &RawMemory| {
            let raw = raw.budget.as_ref()?;
            Some(MemoryBudget { budget_bytes: raw.budget_bytes, usage_bytes: raw.usage_bytes })
        };
        DumpTotals {
            blocks: total.blocks,
            block_bytes: total.block_bytes,
            allocations: total.allocations,
            allocation_bytes: total.allocation_bytes,
            free_ranges: total.free_ranges,
            budgets: memory.0.iter().filter_map(|(name, raw)| Some((name.clone(), budget(raw)?))).collect(),
        }
    }

    /// Returns the totals as facts for a trace's header.
    pub(super) fn facts(&self) -> BTreeMap<String, Value> {
        let DumpTotals { blocks, block_bytes, allocations, allocation_bytes, free_ranges, budgets } = self;
        let totals = [
            ("blocks", blocks),
            ("block_bytes", block_bytes),
            ("allocations", allocations),
            ("allocation_bytes", allocation_bytes),
            ("free_ranges", free_ranges),
        ];
        let totals = totals.map(|(name, value)| (format!("dump.total.{name}"), Value::from(*value)));
        let budgets = budgets.iter().flat_map(|(name, budget)| {
            let MemoryBudget { budget_bytes, usage_bytes } = budget;
            [("budget_bytes", budget_bytes), ("usage_bytes", usage_bytes)]
                .map(|(key, value)| (format!("dump.memory.{name}.{key}"), Value::from(*value)))
        });
        totals.into_iter().chain(budgets).collect()
    }
}

impl fmt::Display for DumpTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DumpTotals { blocks, block_bytes, allocations, allocation_bytes, free_ranges, budgets } = self;
        let [block_bytes, allocation_bytes] = [block_bytes, allocation_bytes].map(|bytes| counted(*bytes, "byte"));
        let (blocks, allocations) = (counted(*blocks, "block"), counted(*allocations, "allocation"));
        let free_ranges = counted(*free_ranges, "free range");
        write!(f, "a dump of totals: {blocks} of {block_bytes}, {allocations} of {allocation_bytes}, {free_ranges}")?;
        for (name, MemoryBudget { budget_bytes, usage_bytes }) in budgets {
            let [budget, usage] = [budget_bytes, usage_bytes].map(|bytes| counted(*bytes, "byte"));
            write!(f, "\n{name}: budget {budget}, usage {usage}")?;
            if let Some(above) = usage_bytes.checked_sub(*budget_bytes).filter(|above| *above > 0) {
                write!(f, ": {} above the budget", counted(above, "byte"))?;
            }
        }
        write!(
            f,
            "\nno heap and no resource is recorded; a detailed map (BuildStatsString with DetailedMap TRUE) adds each with \
             size, offset, flags and name, and with them waste, holes and placement policies"
        )
    }
}
