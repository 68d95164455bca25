//! Contributors to failed budget checks of the pgo report: audit findings, the reason for an unstable measurement, or
//! the last passes.

use super::{AuditFigures, FindingFigures, PassFigures, PgoFigures, Unfit};
use crate::render::span;
use crate::reports::contributors::{NAMED, count, list, text, times};
use serde_json::Value;

pub(super) fn audits(figures: &Value) -> Vec<String> {
    let key = AuditFigures::KEY;
    let broken = list(&figures[PgoFigures::KEY.audits]).iter().filter(|one| one[key.ok] == false);
    let finding = |one: &Value| {
        let first = text(&one[key.first_findings][0][FindingFigures::KEY.description]);
        format!("{} ({}) {}: {first}", text(&one[key.name]), text(&one[key.rule]), times(&one[key.findings]))
    };
    broken.take(NAMED).map(finding).collect()
}

pub(super) fn unfit(figures: &Value) -> Vec<String> {
    let (unfit, key) = (&figures[PgoFigures::KEY.unfit], Unfit::KEY);
    let lines = || {
        let at = match unfit[key.at_ns].as_u64() {
            Some(ns) => format!("at {}", span(ns)),
            None => format!("stamp {}", unfit[key.at_stamp]),
        };
        let what = text(&unfit[key.description]);
        vec![format!("{what} ({at}, {})", text(&unfit[key.call])), text(&unfit[key.advice]).to_owned()]
    };
    if unfit.is_object() { lines() } else { Vec::new() }
}

pub(super) fn passes(figures: &Value) -> Vec<String> {
    let (passes, key) = (list(&figures[PgoFigures::KEY.by_pass]), PassFigures::KEY);
    let pass = |one: &Value| {
        let found = match one[key.opportunities].as_u64() {
            Some(1) => "1 task".to_owned(),
            _ => format!("{} tasks", count(&one[key.opportunities])),
        };
        format!("pass {}, {}: {found} requested", count(&one[key.pass]), text(&one[key.mode]))
    };
    passes[passes.len().saturating_sub(NAMED)..].iter().map(pass).collect()
}
