//! Reason codes of path decisions: meaning, specific cause of a swap chain's path, and the change that leads to one
//! copy.

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
        "STATIC_CHECK" => format!("the static overlay check of {display} fails for {surface} on this panel"),
        "OPEN_FAILED" => format!("the driver of {render} failed to open the cross-adapter primary"),
        code => format!("a check failed: {code}"),
    })
}

/// Change that would lead to one copy, as the beginning of a sentence; `None` for paths with fewer copies.
pub(super) fn remedy(chain: &SwapChainFigures) -> Option<String> {
    if chain.copies < 2 {
        return None;
    }
    let display = display_gpu(chain);
    Some(match chain.reason.as_str() {
        "CAP" => format!("Use a driver of {display} with cross-adapter tier 3{}", effect(chain)),
        "NO_CROSS_ADAPTER_RESOURCES" => format!(
            "Use drivers with cross-adapter tier 1 or higher on both GPUs and tier 3 on {display}{}",
            effect(chain)
        ),
        "NO_HYBRID_SYSTEM" => "Use WDDM 2.4 or later of Windows and both drivers".to_owned(),
        "NO_SCANOUT" => {
            format!("Use a smaller size, another format, or a driver of {display} that does not set NO_SCANOUT")
        }
        "STATIC_CHECK" => format!("Use a rotation, a size and a format that {display} scans out directly"),
        "NOT_FLIP_MODEL" => "Use a swap effect of the flip model (DXGI_SWAP_EFFECT_FLIP_DISCARD)".to_owned(),
        "DIRECT3D_9" => "Use a DXGI swap chain of the flip model".to_owned(),
        "CREATE_FAILED" => format!("Use a driver of {display} that creates the cross-adapter primary"),
        "OPEN_FAILED" => format!("Use a driver of {} that opens the cross-adapter primary", render_gpu(chain)),
        _ => return None,
    })
}

/// Effect of tier 3 on the display: composed frames are drawn by the compositor, in either path.
fn effect(chain: &SwapChainFigures) -> &'static str {
    match chain.composed {
        0 => ", which scans out directly",
        composed if composed < chain.frames => ", which scans out directly the frames that are not composed",
        _ => ", which needs no second copy (the compositor still draws each frame)",
    }
}

/// Name of what the traffic of the second copy uses: memory, or the link of a discrete display adapter.
pub(super) fn traffic_place(chain: &SwapChainFigures) -> &'static str {
    if chain.display_adapter_kind == Some("discrete") { "link" } else { "memory" }
}

/// Saving of one copy against the two copies of a swap chain: traffic and time per frame. `None` if neither is known.
pub(super) fn saving(chain: &SwapChainFigures) -> Option<String> {
    let place = traffic_place(chain);
    let time = chain.parts.copy_2.map(|copy| format!("{:.3} ms of copy time per frame", copy.p50_ns as f64 / 1e6));
    match (chain.caso_saving_gb_per_s, time) {
        (Some(rate), Some(time)) if rate < 0.0 => {
            Some(format!("saves {time} and costs {:.3} GB/s of {place} traffic", -rate))
        }
        (Some(rate), Some(time)) => Some(format!("saves {rate:.3} GB/s of {place} traffic and {time}")),
        (Some(rate), None) if rate > 0.0 => Some(format!("saves {rate:.3} GB/s of {place} traffic")),
        (None, Some(time)) => Some(format!("saves {time}")),
        _ => None,
    }
}

/// Sentence on the latency that a saved copy leaves: frames are displayed at refreshes, so the saved time becomes wait for
/// the refresh unless a frame reaches an earlier one. `None` without a copy time and a latency.
pub(super) fn latency(chain: &SwapChainFigures) -> Option<String> {
    let copy_ns = chain.parts.copy_2?.max_ns;
    let p50_ms = chain.parts.latency?.p50_ns as f64 / 1e6;
    let period_ns = chain.refreshes_per_s.filter(|refreshes| *refreshes > 0.0).map(|refreshes| 1e9 / refreshes);
    // The wait of a composed frame includes the refresh before the composition.
    let periods = if chain.composed == chain.frames { 2.0 } else { 1.0 };
    let composition_ns = chain.parts.composition.map_or(0, |composition| composition.max_ns);
    let wait_ns = chain.parts.refresh_wait?.max_ns + composition_ns + copy_ns;
    let stays = period_ns.is_some_and(|period_ns| (wait_ns as f64) < periods * period_ns);
    Some(if stays {
        format!("Latency stays {p50_ms:.1} ms (p50): the saved time becomes wait for the refresh.")
    } else {
        format!(
            "Latency (p50 {p50_ms:.1} ms) becomes shorter by a refresh for frames that then reach an earlier refresh."
        )
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
