//! Violations of rules, deduplicated.

use crate::events::At;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::handle_rules::BrokenRule;

/// Max distinct findings that are stored per rule; further ones are only counted.
const MAX_LISTED: usize = 1000;

/// A violation.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// The first occurrence.
    pub at: At,
    pub what: String,
    pub times: u64,
}

/// Violations of one rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleFindings {
    /// Number of violations, duplicates included.
    pub count: u64,
    pub listed: Vec<Finding>,
    known: HashMap<String, usize>,
}

/// Violations of all rules, by id.
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
            of_rule.listed[*place].times += 1;
        } else if of_rule.listed.len() < MAX_LISTED {
            of_rule.known.insert(what.clone(), of_rule.listed.len());
            of_rule.listed.push(Finding { at, what, times: 1 });
        }
    }
}
