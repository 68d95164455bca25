//! Options of `taut analyze` for heap budgets.

use crate::headings::LIMITS;
use crate::placement_options::bytes;
use clap::Args;
use taut_analyze::memory::HeapBudgets;
use taut_app::analyze::heap_type;
use taut_schemas::HeapType;

/// Budgets of heap types.
#[derive(Debug, Clone, Args)]
pub struct HeapBudgetOptions {
    /// Budget per heap type, implicit heaps included, such as DEFAULT=512MiB,UPLOAD=64MiB
    #[arg(long, value_name = "TYPE=SIZE,..", help_heading = LIMITS, value_delimiter = ',', value_parser = budget)]
    pub heap_budget: Vec<(HeapType, u64)>,
}

impl HeapBudgetOptions {
    /// Budgets by heap type; the last one counts if a type has several.
    pub fn budgets(&self) -> HeapBudgets {
        self.heap_budget.iter().copied().collect()
    }
}

fn budget(text: &str) -> Result<(HeapType, u64), String> {
    let (name, size) = text.split_once('=').ok_or("expected a type of heaps and a size, such as DEFAULT=512MiB")?;
    let heap_type = heap_type(name.trim())?;
    Ok((heap_type, bytes(size.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_type_of_heaps_and_a_size() {
        assert_eq!(budget("DEFAULT=512MiB"), Ok((HeapType::DEFAULT, 512 << 20)));
        assert_eq!(budget("gpu_upload = 4096"), Ok((HeapType::GPU_UPLOAD, 4096)));
        for wrong in ["DEFAULT", "NONE=1MiB", "VRAM=1MiB", "UPLOAD=", "UPLOAD=1MB", "=1MiB"] {
            assert!(budget(wrong).is_err(), "{wrong}");
        }
    }
}
