//! Selection of the shader that a draw uses.

use super::code::Code;
use super::installed::Installed;
use super::pipeline::Pipeline;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{Selection, VariantId};
use taut_shaders::{Guard, Word};

/// Selected shader of a draw.
pub(super) struct Selected {
    /// Id and code of the selected variant; `None`: the generic shader.
    pub variant: Option<(VariantId, Arc<Code>)>,
    /// Variants whose guards did not hold.
    pub missed: Vec<VariantId>,
    /// Cost in instructions of all evaluated guards.
    pub guard_cost: u32,
    /// Cost of the selected variant's own guard, if it differs from the cost of the guard alone.
    pub own_guard_cost: Option<u32>,
}

impl Selected {
    /// Returns the selection as the DDI reports it.
    pub fn answer(&self) -> Selection {
        Selection {
            variant: self.variant.as_ref().map_or(VariantId::NULL, |(id, _)| *id),
            guard_missed: !self.missed.is_empty(),
            guard_cost: self.guard_cost,
        }
    }
}

/// Selects the newest variant whose guard holds for the constants, otherwise the generic shader (rule B-73). Guards are
/// evaluated one after another, and each has a cost. With a split, its slot is evaluated first and variants of other
/// branches are skipped; variants without a branch come last.
pub(super) fn select(pipeline: &Pipeline, faults: &Faults, constants: &[Word]) -> Selected {
    let scope = GuardScope::All;
    let mut selected = Selected { variant: None, missed: Vec::new(), guard_cost: 0, own_guard_cost: None };
    let has_branches = pipeline.installed.iter().any(|variant| variant.branch.is_some());
    let Some(split) = pipeline.split.as_ref().filter(|_| has_branches) else {
        selected.evaluate_guards(pipeline.installed.iter().rev(), constants, scope, |guard| guard.cost());
        return selected;
    };
    let branch = split.branch_of(constants);
    let root = split.cost(branch);
    selected.add_cost(root);
    if let Some(word) = branch.and_then(|at| Some(split.branches.get(at)?.word)) {
        let of_branch = pipeline.installed.iter().rev().filter(|variant| variant.branch == Some(word));
        // Fault for rule B-73: only the split's slot is tested, not the variant's other constants.
        let below = if faults.trusts_the_root { GuardScope::Nothing } else { scope };
        if let Some(own) = selected.evaluate_guards(of_branch, constants, below, |guard| split.cost_below(guard)) {
            selected.own_guard_cost = u32::try_from(root.saturating_add(own)).ok();
        }
    }
    if selected.variant.is_none() {
        let of_none = pipeline.installed.iter().rev().filter(|variant| variant.branch.is_none());
        selected.evaluate_guards(of_none, constants, scope, |guard| guard.cost());
    }
    selected
}

/// Part of a guard that is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardScope {
    All,
    Nothing,
}

impl Selected {
    fn add_cost(&mut self, cost: u64) {
        self.guard_cost = self.guard_cost.saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
    }

    /// Evaluates guards until one holds, and returns the cost of that guard.
    fn evaluate_guards<'a>(
        &mut self,
        variants: impl Iterator<Item = &'a Installed>,
        constants: &[Word],
        scope: GuardScope,
        cost: impl Fn(&Guard) -> u64,
    ) -> Option<u64> {
        for variant in variants {
            let cost = cost(&variant.guard);
            self.add_cost(cost);
            if scope == GuardScope::Nothing || variant.guard.holds(constants) {
                self.variant = Some((variant.id, Arc::clone(&variant.code)));
                return Some(cost);
            }
            self.missed.push(variant.id);
        }
        None
    }
}
