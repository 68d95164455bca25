//! Checks of contexts and their handles (rules H). One program runs on a machine of its own; the rules are judged by
//! its DDI calls.

use super::bench::Bench;
use super::tally::{NotApplicable, Tally};
use taut_schemas::Rule;

/// Checks that the driver keeps a rule in the whole program.
pub(super) fn keeps_rule(bench: &mut Bench<'_>, rule: &'static Rule) -> Result<Tally, NotApplicable> {
    let audit = bench.handle_audit();
    let Some(audit) = &*audit else {
        return Err(NotApplicable("the driver has no handles per context".to_owned()));
    };
    let mut tally = Tally::default();
    let broken: Vec<_> = audit.broken.iter().filter(|broken| broken.rule == rule).collect();
    for broken in &broken {
        tally.count_result(Some(broken.what.clone()));
    }
    for _ in broken.len() as u64..audit.events {
        tally.count_result(None);
    }
    Ok(tally)
}
