//! Audits: checks of the rules of presents on every path decision and every frame.

use super::chain::Decided;
use super::figures::copies;
use crate::presents::{Decision, Frame};
use crate::reports::figures::figures;
use std::collections::BTreeMap;
use taut_schemas::{
    CrossAdapterTier, FallbackReason, HybridPresentMode, PrimaryDesc, PrimaryDriverFlags, Rule, SwapChainId, rule,
};

/// Rules that the report checks.
const AUDITED: [&Rule; 3] = [rule::C_10, rule::C_20, rule::C_28];

/// Maximum number of findings listed per rule; all are counted.
const MAX_FINDINGS: usize = 16;

figures! {
    /// Result of the audit of one rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditFigures {
        rule: &'static str, Text, "Id of the rule.";
        sentence: &'static str, Text, "Statement of the rule. In the verdict: the headline of the report.";
        ok: bool, Flag, "True if the rule is not broken.";
        findings: u64, Count, "Number of violations.";
        first_findings: Vec<FindingFigures>, List, "The first findings of the rule.";
    }
}

figures! {
    /// A violation of a rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FindingFigures {
        swap_chain: u64, Id, same;
        at_ns: u64, Nanoseconds, "Time of the finding, in nanoseconds of simulated time.";
        description: String, Text, "Description of the finding.";
    }
}

/// Number of findings and the first ones, by rule id.
#[derive(Debug, Default)]
pub(super) struct Audits(BTreeMap<&'static str, (u64, Vec<FindingFigures>)>);

impl Audits {
    /// Checks a path decision. `is_direct3d_9` is true if a Direct3D 9 device created the swap chain.
    pub fn decided(&mut self, decided: &Decided, is_direct3d_9: bool) {
        let Decided { at_ns, decision, .. } = decided;
        let (at_ns, swap_chain) = (*at_ns, decision.swap_chain);
        if let Some(lack) = contradiction(decision) {
            self.found(rule::C_20, at_ns, swap_chain, lack);
        }
        let primary = PrimaryDesc::new(decision.width, decision.height, decision.format);
        let has_opted_out = decision.primary_flags.is_some_and(|flags| flags.contains(PrimaryDriverFlags::NO_SCANOUT));
        if has_opted_out
            && decision.cross_adapter_tier_support == CrossAdapterTier::SCANOUT
            && primary.is_within_min_scan_out()
        {
            let (width, height, format) = (decision.width, decision.height, decision.format);
            let adapter = decision.display_adapter.0;
            self.found(
                rule::C_10,
                at_ns,
                swap_chain,
                format!("adapter {adapter} opts out of {width} by {height} in {format:?}"),
            );
        }
        if is_direct3d_9 && decision.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
            self.found(
                rule::C_28,
                at_ns,
                swap_chain,
                "the swap chain of a Direct3D 9 device takes the path with one copy".to_owned(),
            );
        }
    }

    /// Checks a frame that was shown or dropped. `decisions` are all decisions for its swap chain so far.
    pub fn ended(&mut self, frame: &Frame, decisions: &[Decided]) {
        let (at_ns, swap_chain, number) = (frame.ended_at_ns, frame.swap_chain, frame.present_count);
        if let Some(wrong) = frame.wrong_probes.filter(|wrong| *wrong > 0) {
            let looked = frame.probes.unwrap_or(wrong);
            let what =
                format!("{wrong} of {looked} sampled pixels of frame {number} differ from the frame at scan-out");
            self.found(rule::C_20, at_ns, swap_chain, what);
        }
        // A frame does not record the path that it was presented on, so that any path decided so far is accepted.
        let frame_copies = frame.copies();
        if frame.is_shown() && decisions.iter().all(|decided| copies(decided.decision.mode) != frame_copies) {
            self.found(
                rule::C_20,
                at_ns,
                swap_chain,
                format!("frame {number} is shown after {frame_copies} copies, and no path selection has that number"),
            );
        }
    }

    fn found(&mut self, rule: &'static Rule, at_ns: u64, swap_chain: SwapChainId, description: String) {
        let (count, first_findings) = self.0.entry(rule.id).or_default();
        *count += 1;
        if first_findings.len() < MAX_FINDINGS {
            first_findings.push(FindingFigures { at_ns, swap_chain: swap_chain.0, description });
        }
    }

    pub fn figures(&self) -> Vec<AuditFigures> {
        let of = |rule: &&'static Rule| {
            let (findings, first_findings) = self.0.get(rule.id).cloned().unwrap_or_default();
            AuditFigures { rule: rule.id, sentence: rule.sentence, ok: findings == 0, findings, first_findings }
        };
        AUDITED.iter().map(of).collect()
    }
}

/// Describes why a decision does not follow from its recorded inputs, or returns `None` if it does.
fn contradiction(decision: &Decision) -> Option<String> {
    use FallbackReason as Reason;
    let (mode, reason) = (decision.mode, decision.reason);
    let is_same = decision.render_adapter == decision.display_adapter;
    // Older traces do not record the render tier; it is assumed to be sufficient.
    let shares = decision.render_tier.is_none_or(|tier| tier >= CrossAdapterTier::COPY)
        && decision.cross_adapter_tier_support >= CrossAdapterTier::COPY;
    let scans_out = decision.cross_adapter_tier_support == CrossAdapterTier::SCANOUT;
    let opted_out = decision.primary_flags.is_some_and(|flags| flags.contains(PrimaryDriverFlags::NO_SCANOUT));
    let failed = decision.static_checked == Some(true) && !decision.static_check_supported;
    let passes_all = !is_same && shares && scans_out && !opted_out && !failed;
    let follows = match (mode, reason) {
        (HybridPresentMode::NOT_HYBRID, Reason::SAME_ADAPTER) => is_same,
        (HybridPresentMode::ONE_COPY_PATH_CASO, Reason::NONE) => passes_all,
        (HybridPresentMode::TWO_COPY_PATH, Reason::NOT_FLIP_MODEL | Reason::DIRECT3D_9) => !is_same,
        (HybridPresentMode::TWO_COPY_PATH, Reason::NO_CROSS_ADAPTER_RESOURCES) => {
            !is_same && (!shares || decision.render_tier.is_none())
        }
        // The versions and hybrid caps of the drivers are not in the trace.
        (HybridPresentMode::TWO_COPY_PATH, Reason::NO_HYBRID_SYSTEM) => !is_same && shares,
        (HybridPresentMode::TWO_COPY_PATH, Reason::CAP) => !is_same && shares && !scans_out,
        (HybridPresentMode::TWO_COPY_PATH, Reason::NO_SCANOUT) => {
            !is_same && shares && scans_out && (opted_out || decision.primary_flags.is_none())
        }
        // Drivers of WDDM 3.0 without the check function are not called; the decision counts as failed.
        (HybridPresentMode::TWO_COPY_PATH, Reason::STATIC_CHECK) => {
            !is_same && shares && scans_out && !opted_out && (failed || decision.static_checked != Some(true))
        }
        (HybridPresentMode::TWO_COPY_PATH, Reason::CREATE_FAILED) => !is_same && shares && scans_out && !failed,
        (HybridPresentMode::TWO_COPY_PATH, Reason::OPEN_FAILED) => passes_all,
        _ => false,
    };
    let description = || {
        let render = decision.render_tier.map_or_else(|| "unknown tier".to_owned(), |tier| format!("tier {tier:?}"));
        format!(
            "{mode:?} with reason {reason:?} contradicts its inputs: rendering adapter {} ({render}), display adapter {} (tier \
             {:?}), {}, {}",
            decision.render_adapter.0,
            decision.display_adapter.0,
            decision.cross_adapter_tier_support,
            if opted_out { "opted out" } else { "not opted out" },
            if failed { "static check failed" } else { "static check not failed" },
        )
    };
    (!follows).then(description)
}

/// Markdown table of the rules for the report's documentation page.
pub(super) fn page() -> String {
    let mut text = String::from(
        "\n## Audits\n\nThe report checks these rules on every path selection and every frame. If one is broken, `taut analyze` ends \
         with exit code 1.\n\n| rule | statement |\n|---|---|\n",
    );
    for Rule { id, sentence, .. } in AUDITED {
        text += &format!("| {id} | {sentence} |\n");
    }
    text
}
