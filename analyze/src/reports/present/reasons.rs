//! Reason codes of path decisions: meaning, and the specific cause of a swap chain's path.

use super::SwapChainFigures;

/// A reason code, in the order of the checks.
pub(super) struct ReasonCode {
    pub code: &'static str,
    pub meaning: &'static str,
    /// Condition under which frames are presented in one copy.
    pub remedy: &'static str,
}

/// All reason codes. The first check that fails determines the code.
pub(super) const REASONS: [ReasonCode; 11] = [
    ReasonCode {
        code: "SAME_ADAPTER",
        meaning: "The rendering adapter also drives the display: no frame is copied between adapters.",
        remedy: "not needed",
    },
    ReasonCode {
        code: "DIRECT3D_9",
        meaning: "A Direct3D 9 device created the swap chain; only DXGI's flip model is presented in one copy.",
        remedy: "a DXGI swap chain of the flip model",
    },
    ReasonCode {
        code: "NOT_FLIP_MODEL",
        meaning: "The swap effect is of the blt model (DISCARD or SEQUENTIAL); only the flip model is presented in one copy.",
        remedy: "DXGI_SWAP_EFFECT_FLIP_DISCARD or DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL",
    },
    ReasonCode {
        code: "NO_CROSS_ADAPTER_RESOURCES",
        meaning: "The driver of one of the two adapters reports cross-adapter tier 0: it has no cross-adapter resources.",
        remedy: "tier 1 or higher on the rendering adapter, tier 3 on the display adapter",
    },
    ReasonCode {
        code: "NO_HYBRID_SYSTEM",
        meaning: "Windows or one of the two drivers is below WDDM 2.4, where the adapters of a hybrid system alone share frames, \
                  and the two adapters are not the integrated and the discrete adapter of one.",
        remedy: "WDDM 2.4 or later of Windows and both drivers",
    },
    ReasonCode {
        code: "CAP",
        meaning: "The display adapter's driver reports cross-adapter tier 1 (copies) or 2 (views); scan-out of a cross-adapter \
                  resource (CASO) needs tier 3.",
        remedy: "a driver of the display adapter with tier 3",
    },
    ReasonCode {
        code: "CREATE_FAILED",
        meaning: "The display adapter's driver failed to create the cross-adapter primary, or a driver has no DXGI functions.",
        remedy: "drivers that create and open the primary",
    },
    ReasonCode {
        code: "NO_SCANOUT",
        meaning: "The display adapter's driver set the flag NO_SCANOUT when the primary was created: it does not scan out a \
                  cross-adapter resource of this size or format.",
        remedy: "a smaller size, another format, or a driver that does not set the flag",
    },
    ReasonCode {
        code: "STATIC_CHECK",
        meaning: "The static overlay check (DxgkDdiCheckMultiPlaneOverlaySupport3 with the flag STATIC_CHECK) failed for the \
                  size, the format and the rotation of the panel, or the display adapter's driver does not have that function.",
        remedy: "a size, a format and a rotation that the display adapter scans out",
    },
    ReasonCode {
        code: "OPEN_FAILED",
        meaning: "The rendering adapter's driver failed to open the primary that the display adapter's driver created.",
        remedy: "a driver of the rendering adapter that opens the primary",
    },
    ReasonCode {
        code: "NONE",
        meaning: "All checks passed: the display adapter scans out the cross-adapter resource, and frames are copied once.",
        remedy: "not needed",
    },
];

/// Table of the reason codes for the documentation.
pub(super) fn page() -> String {
    let mut text = "\n## Reason codes\n\nThe runtime makes these checks in this order; `reason` is the code of the first check that \
                    fails. This project chose the codes: the values of CASOFallbackReason in Windows are not public.\n\n\
                    | `reason` | meaning | one copy needs |\n|---|---|---|\n"
        .to_owned();
    for ReasonCode { code, meaning, remedy } in REASONS {
        text += &format!("| `{code}` | {meaning} | {remedy} |\n");
    }
    text
}

/// Number of a cross-adapter tier.
pub(super) fn tier(name: &str) -> &str {
    match name {
        "NONE" => "0",
        "COPY" => "1",
        "TEXTURE" => "2",
        "SCANOUT" => "3",
        other => other,
    }
}

/// Name of the display's GPU in a sentence.
pub(super) fn display_gpu(chain: &SwapChainFigures) -> String {
    let role = format!("the display's GPU (adapter {})", chain.display_adapter);
    gpu(chain.display_adapter_kind, chain.render_adapter_kind, role)
}

/// Name of the rendering GPU in a sentence.
pub(super) fn render_gpu(chain: &SwapChainFigures) -> String {
    let role = format!("the rendering GPU (adapter {})", chain.render_adapter);
    gpu(chain.render_adapter_kind, chain.display_adapter_kind, role)
}

/// Name by kind if the two adapters are of different kinds, otherwise by role.
fn gpu(kind: Option<&str>, other: Option<&str>, role: String) -> String {
    match kind {
        Some(kind) if other.is_some() && other != Some(kind) => format!("the {kind} GPU"),
        _ => role,
    }
}

/// Number of displays with which the static check of the swap chain passed before, if the last path selection has more: the
/// added displays are the cause of its failure.
pub(super) fn passed_with(chain: &SwapChainFigures) -> Option<u64> {
    let (last, before) = chain.path_selections.split_last()?;
    let passed = before.iter().rev().find(|selection| selection.static_check == Some(true))?;
    (last.static_check == Some(false) && passed.displays < last.displays).then_some(passed.displays)
}

/// Number of displays of the display adapter at the last path selection.
pub(super) fn displays(chain: &SwapChainFigures) -> u64 {
    chain.path_selections.last().map_or(0, |selection| selection.displays)
}

/// Rotation of the panel at the last path selection, in degrees; `None` without a rotation.
pub(super) fn rotation(chain: &SwapChainFigures) -> Option<u32> {
    chain.path_selections.last()?.rotation_degrees.filter(|degrees| *degrees != 0)
}

/// Circumstances in which a static check may fail; `None` for one display without a rotation.
pub(super) fn obstacles(chain: &SwapChainFigures) -> Option<String> {
    let displays = displays(chain);
    let rotated = rotation(chain).map(|degrees| format!("the panel is rotated by {degrees}°"));
    let several = (displays > 1).then(|| format!("{} has {displays} displays", display_gpu(chain)));
    let parts: Vec<String> = [rotated, several].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// Clause with the cause of two copies, without the code; `None` for paths with fewer copies.
pub(super) fn cause(chain: &SwapChainFigures) -> Option<String> {
    if chain.copies < 2 {
        return None;
    }
    let (display, render) = (display_gpu(chain), render_gpu(chain));
    let decision = chain.path_selections.last();
    let display_tier = decision.map_or("?", |decision| tier(&decision.display_tier));
    let surface = format!("{}×{} {}", chain.width, chain.height, chain.format);
    Some(match chain.reason.as_str() {
        "DIRECT3D_9" => "Direct3D 9 swap chains are not of DXGI's flip model".to_owned(),
        "NOT_FLIP_MODEL" => "the swap effect is not of the flip model".to_owned(),
        "NO_CROSS_ADAPTER_RESOURCES" => {
            let render_tier = decision.and_then(|decision| decision.render_tier.as_deref());
            let lacking = if render_tier.is_some_and(|name| tier(name) == "0") { render } else { display };
            format!("the driver of {lacking} reports cross-adapter tier 0")
        }
        "NO_HYBRID_SYSTEM" => "below WDDM 2.4 the adapters of a hybrid system alone share frames".to_owned(),
        "CAP" => format!("the driver of {display} reports cross-adapter tier {display_tier}"),
        "CREATE_FAILED" => format!("the driver of {display} failed to create the cross-adapter primary"),
        "NO_SCANOUT" => format!("the driver of {display} does not scan out {surface} (flag NO_SCANOUT)"),
        "STATIC_CHECK" => {
            let circumstances = match (passed_with(chain), obstacles(chain)) {
                (Some(passed), _) => format!("with {} displays, and passed with {passed}", displays(chain)),
                (None, Some(obstacles)) => format!("on this panel ({obstacles})"),
                (None, None) => "on this panel".to_owned(),
            };
            format!("the static overlay check of {display} fails for {surface} {circumstances}")
        }
        "OPEN_FAILED" => format!("the driver of {render} failed to open the cross-adapter primary"),
        code => format!("a check failed: {code}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::FallbackReason;

    #[test]
    fn every_reason_code_of_the_schema_is_explained_once() {
        let mut explained: Vec<&str> = REASONS.iter().map(|reason| reason.code).collect();
        let mut known: Vec<&str> = FallbackReason::NAMES.iter().map(|(_, name)| *name).collect();
        explained.sort_unstable();
        known.sort_unstable();
        assert_eq!(explained, known);
    }
}
