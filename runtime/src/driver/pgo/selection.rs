//! Which shader serves a draw.

use super::code::Code;
use super::installed::Installed;
use super::pipeline::Pipeline;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{Selection, VariantId};
use taut_shaders::{Guard, Word};

/// What was selected for a draw.
pub(super) struct Selected {
    /// The variant's code; none: the generic shader.
    pub variant: Option<(VariantId, Arc<Code>)>,
    /// The variants whose guards did not hold.
    pub missed: Vec<VariantId>,
    /// Instructions that all guards asked cost.
    pub guard_cost: u32,
    /// What of that the variant's own guard cost, where it is not all that asking for it alone costs.
    pub own_guard_cost: Option<u32>,
}

impl Selected {
    /// As the runtime is told.
    pub fn answer(&self) -> Selection {
        Selection {
            variant: self.variant.as_ref().map_or(VariantId::NULL, |(id, _)| *id),
            guard_missed: !self.missed.is_empty(),
            guard_cost: self.guard_cost,
        }
    }
}

/// The newest variant whose guard holds for the constants, else the generic shader (rule B-73). Guards are asked one
/// after the other, and each costs. Where a slot tells draws apart, it is asked first, and variants of other branches are not;
/// those of no branch come last.
pub(super) fn select(pipeline: &Pipeline, faults: &Faults, constants: &[Word]) -> Selected {
    let asks = Asks::All;
    let mut selected = Selected { variant: None, missed: Vec::new(), guard_cost: 0, own_guard_cost: None };
    let has_branches = pipeline.installed.iter().any(|variant| variant.branch.is_some());
    let Some(split) = pipeline.split.as_ref().filter(|_| has_branches) else {
        selected.ask(pipeline.installed.iter().rev(), (constants, asks), |guard| guard.cost());
        return selected;
    };
    let branch = split.branch_of(constants);
    let root = split.cost(branch);
    selected.pay(root);
    if let Some(word) = branch.and_then(|at| Some(split.branches.get(at)?.word)) {
        let of_branch = pipeline.installed.iter().rev().filter(|variant| variant.branch == Some(word));
        // What a driver must not do (rule B-73): the root tells branches apart, and nothing more.
        let below = if faults.trusts_the_root { Asks::Nothing } else { asks };
        if let Some(own) = selected.ask(of_branch, (constants, below), |guard| split.cost_below(guard)) {
            selected.own_guard_cost = u32::try_from(root.saturating_add(own)).ok();
        }
    }
    if selected.variant.is_none() {
        let of_none = pipeline.installed.iter().rev().filter(|variant| variant.branch.is_none());
        selected.ask(of_none, (constants, asks), |guard| guard.cost());
    }
    selected
}

/// How much of a guard is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    All,
    Nothing,
}

impl Selected {
    fn pay(&mut self, cost: u64) {
        self.guard_cost = self.guard_cost.saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
    }

    /// Asks guards until one holds; what asking for that one cost.
    fn ask<'a>(
        &mut self,
        variants: impl Iterator<Item = &'a Installed>,
        (constants, asks): (&[Word], Asks),
        cost: impl Fn(&Guard) -> u64,
    ) -> Option<u64> {
        for variant in variants {
            let cost = cost(&variant.guard);
            self.pay(cost);
            if asks == Asks::Nothing || variant.guard.holds(constants) {
                self.variant = Some((variant.id, Arc::clone(&variant.code)));
                return Some(cost);
            }
            self.missed.push(variant.id);
        }
        None
    }
}
