//! Change of a driver, an application or a machine that leads to one copy, and its saving.

use super::SwapChainFigures;
use super::reasons::{display_gpu, displays, obstacles, passed_with, render_gpu, rotation, tier};
use crate::render::counted;

/// Share of the refresh rate from which a swap chain counts as presented at the refresh rate.
const FULL_RATE: f64 = 0.97;

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
        "STATIC_CHECK" => match passed_with(chain) {
            Some(passed) => format!(
                "Connect fewer displays to {display}, or use lower resolutions or refresh rates on them (its static check passed \
                 with {})",
                counted(passed, "display")
            ),
            None if rotation(chain).is_some() => "Use the panel without rotation".to_owned(),
            None if displays(chain) > 1 => {
                format!("Connect fewer displays to {display}, or use lower resolutions or refresh rates on them")
            }
            None => format!("Use a size and a format that {display} scans out directly"),
        },
        "NOT_FLIP_MODEL" => {
            format!("Use a swap effect of the flip model (DXGI_SWAP_EFFECT_FLIP_DISCARD){}", and_tier_3(chain))
        }
        "DIRECT3D_9" => format!("Use a DXGI swap chain of the flip model{}", and_tier_3(chain)),
        "CREATE_FAILED" => format!("Use a driver of {display} that creates the cross-adapter primary"),
        "OPEN_FAILED" => format!("Use a driver of {} that opens the cross-adapter primary", render_gpu(chain)),
        _ => return None,
    })
}

/// Condition on which a change leads to one copy, if the path selection did not reach the static check and circumstances are
/// known in which that check may fail. Empty otherwise.
pub(super) fn condition(chain: &SwapChainFigures) -> String {
    let is_reached = chain.path_selections.last().is_none_or(|selection| selection.static_check.is_some());
    match obstacles(chain).filter(|_| !is_reached) {
        Some(obstacles) => format!(", if the static overlay check passes, which comes later ({obstacles})"),
        None => String::new(),
    }
}

/// Second condition of one copy for swap chains that are not of the flip model: the check of the tier comes later.
fn and_tier_3(chain: &SwapChainFigures) -> String {
    let needs = chain.path_selections.last().is_some_and(|selection| tier(&selection.display_tier) != "3");
    if needs { format!(" and a driver of {} with cross-adapter tier 3", display_gpu(chain)) } else { String::new() }
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
    let at_rate = recorded_rate(chain);
    match (chain.one_copy_saving_gb_per_s, time) {
        (Some(rate), Some(time)) if rate < 0.0 => {
            Some(format!("saves {time} and costs {:.3} GB/s of {place} traffic{at_rate}", -rate))
        }
        (Some(rate), Some(time)) => Some(format!("saves {rate:.3} GB/s of {place} traffic{at_rate} and {time}")),
        (Some(rate), None) if rate > 0.0 => Some(format!("saves {rate:.3} GB/s of {place} traffic{at_rate}")),
        (None, Some(time)) => Some(format!("saves {time}")),
        _ => None,
    }
}

/// Clause with the recorded frame rate if it is below the refresh rate: without the second copy frames may come faster, and
/// their traffic grows with their rate.
fn recorded_rate(chain: &SwapChainFigures) -> String {
    let rates = chain.frames_per_s.zip(chain.refreshes_per_s);
    match rates.filter(|(frames, refreshes)| *frames < FULL_RATE * refreshes) {
        Some((frames, _)) => format!(" at the recorded {frames:.1} frames/s"),
        None => String::new(),
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
