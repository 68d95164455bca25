//! What breaks rules, each finding once however often it is found.

use crate::event_reader::At;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::handle_rules::BrokenRule;

/// Different findings that are told of a rule; of what is more there is the number alone.
const TOLD: usize = 1000;

/// A finding.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// When it was found first.
    pub at: At,
    pub what: String,
    pub times: u64,
}

/// Those of one rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleFindings {
    /// All, however alike.
    pub count: u64,
    pub told: Vec<Finding>,
    known: HashMap<String, usize>,
}

/// Those of all rules, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub by_rule: BTreeMap<&'static str, RuleFindings>,
    pub count: u64,
}

impl Findings {
    pub fn add(&mut self, at: At, BrokenRule { rule, what }: BrokenRule) {
        self.count += 1;
        let of_rule = self.by_rule.entry(rule.id).or_default();
        of_rule.count += 1;
        if let Some(place) = of_rule.known.get(&what) {
            of_rule.told[*place].times += 1;
        } else if of_rule.told.len() < TOLD {
            of_rule.known.insert(what.clone(), of_rule.told.len());
            of_rule.told.push(Finding { at, what, times: 1 });
        }
    }
}
