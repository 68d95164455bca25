//! Contributors to failed budget checks of the present report.

use super::{AuditFigures, FindingFigures, PresentFigures};
use crate::reports::contributors::{list, text};
use serde_json::Value;

/// Findings of the audits.
pub(super) fn findings(figures: &Value) -> Vec<String> {
    let (key, finding) = (AuditFigures::KEY, FindingFigures::KEY);
    let listed = |audit: &Value| {
        let rule = text(&audit[key.rule]).to_owned();
        let line = |found: &Value| {
            format!("{rule}: swap chain {}: {}", found[finding.swap_chain], text(&found[finding.description]))
        };
        list(&audit[key.first_findings]).iter().map(line).collect::<Vec<_>>()
    };
    list(&figures[PresentFigures::KEY.audits]).iter().flat_map(listed).collect()
}
