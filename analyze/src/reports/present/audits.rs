//! Audits: rules of presents, heard of every decision and every frame.

use super::chain::Decided;
use super::figures::copies;
use crate::presents::{Decision, Frame};
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{
    CrossAdapterTier, FallbackReason, HybridPresentMode, PrimaryDesc, PrimaryDriverFlags, Rule, SwapChainId, rule,
};

/// What is audited.
const AUDITED: [&Rule; 3] = [rule::C_10, rule::C_20, rule::C_28];

/// So many findings of a rule are told one by one.
const TOLD: usize = 16;

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditFigures {
    /// Number of the rule.
    pub rule: &'static str,
    /// What holds.
    pub sentence: &'static str,
    /// It is kept.
    pub ok: bool,
    /// How often it is broken.
    pub findings: u64,
    /// The first of them.
    pub told: Vec<FindingFigures>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FindingFigures {
    /// When, in simulated time.
    pub at_ns: u64,
    /// The swap chain.
    pub swap_chain: u64,
    /// What it is.
    pub description: String,
}

/// What was found so far, by rule.
#[derive(Debug, Default)]
pub(super) struct Audits(BTreeMap<&'static str, (u64, Vec<FindingFigures>)>);

impl Audits {
    /// A path was decided, of a swap chain that a Direct3D 9 device made or not.
    pub fn decided(&mut self, decided: &Decided, is_direct3d_9: bool) {
        let Decided { at_ns, decision } = decided;
        let at = (*at_ns, decision.swap_chain);
        if let Some(lack) = contradiction(decision) {
            self.found(rule::C_20, at, lack);
        }
        let primary = PrimaryDesc::new(decision.width, decision.height, decision.format);
        let has_opted_out = decision.primary_flags.is_some_and(|flags| flags.contains(PrimaryDriverFlags::NO_SCANOUT));
        if has_opted_out
            && decision.cross_adapter_tier_support == CrossAdapterTier::SCANOUT
            && primary.is_within_the_least()
        {
            let (width, height, format) = (decision.width, decision.height, decision.format);
            let adapter = decision.display_adapter.0;
            self.found(rule::C_10, at, format!("adapter {adapter} opts out of {width} by {height} in {format:?}"));
        }
        if is_direct3d_9 && decision.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
            self.found(rule::C_28, at, "a swap chain of a Direct3D 9 device is presented in one copy".to_owned());
        }
    }

    /// A frame ended, of a swap chain whose paths were decided so.
    pub fn ended(&mut self, frame: &Frame, decisions: &[Decided]) {
        let (at, number) = ((frame.ended_at_ns, frame.swap_chain), frame.present_count);
        if let Some(wrong) = frame.wrong_probes.filter(|wrong| *wrong > 0) {
            let looked = frame.probes.unwrap_or(wrong);
            let what =
                format!("of frame {number}, {wrong} of {looked} pixels are not the frame's where it is scanned out");
            self.found(rule::C_20, at, what);
        }
        // It was presented on one of the paths so far, which it does not name.
        let made = frame.copies();
        if frame.is_shown() && decisions.iter().all(|decided| copies(decided.decision.mode) != made) {
            self.found(rule::C_20, at, format!("frame {number} is shown after {made} copies, which no decision says"));
        }
    }

    fn found(&mut self, rule: &'static Rule, (at_ns, swap_chain): (u64, SwapChainId), description: String) {
        let (count, told) = self.0.entry(rule.id).or_default();
        *count += 1;
        if told.len() < TOLD {
            told.push(FindingFigures { at_ns, swap_chain: swap_chain.0, description });
        }
    }

    pub fn figures(&self) -> Vec<AuditFigures> {
        let of = |rule: &&'static Rule| {
            let (findings, told) = self.0.get(rule.id).cloned().unwrap_or_default();
            AuditFigures { rule: rule.id, sentence: rule.sentence, ok: findings == 0, findings, told }
        };
        AUDITED.iter().map(of).collect()
    }
}

/// What of a decision does not follow from what it was made by, if anything.
fn contradiction(decision: &Decision) -> Option<String> {
    use FallbackReason as Reason;
    let (mode, reason) = (decision.mode, decision.reason);
    let is_same = decision.render_adapter == decision.display_adapter;
    // Older traces do not tell all of it.
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
        (HybridPresentMode::TWO_COPY_PATH, Reason::CAP) => !is_same && shares && !scans_out,
        (HybridPresentMode::TWO_COPY_PATH, Reason::NO_SCANOUT) => {
            !is_same && shares && scans_out && (opted_out || decision.primary_flags.is_none())
        }
        // A driver of WDDM 3.0 without the function is not asked.
        (HybridPresentMode::TWO_COPY_PATH, Reason::STATIC_CHECK) => {
            !is_same && shares && scans_out && !opted_out && (failed || decision.static_checked != Some(true))
        }
        (HybridPresentMode::TWO_COPY_PATH, Reason::CREATE_FAILED) => !is_same && shares && scans_out && !failed,
        (HybridPresentMode::TWO_COPY_PATH, Reason::OPEN_FAILED) => passes_all,
        _ => false,
    };
    let told = || {
        let render =
            decision.render_tier.map_or_else(|| "of a tier not told".to_owned(), |tier| format!("of tier {tier:?}"));
        format!(
            "{mode:?} because of {reason:?} does not follow from adapters {} ({render}) and {} (of tier {:?}), {}, {}",
            decision.render_adapter.0,
            decision.display_adapter.0,
            decision.cross_adapter_tier_support,
            if opted_out { "opted out" } else { "not opted out" },
            if failed { "static check failed" } else { "no static check failed" },
        )
    };
    (!follows).then(told)
}

/// What the report's page says of them.
pub(super) fn page() -> String {
    let mut text = String::from(
        "\n## Audits\n\nRules of presents, heard of every decision and every frame. Where one is broken `taut analyze` ends with \
         exit code 1.\n\n| rule | what holds |\n|---|---|\n",
    );
    for Rule { id, sentence, .. } in AUDITED {
        text += &format!("| {id} | {sentence} |\n");
    }
    text
}
