//! Headline verdict of the present report.

use super::{PresentFigures, SwapChainFigures};
use crate::head::Head;
use crate::render::{counted, grouped, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};
use std::collections::BTreeMap;
use taut_schemas::rule;

/// Maximum number of swap chains that the sentence names; it counts further ones by path.
const MAX_NAMED: usize = 3;

/// Builds the verdict.
pub(super) fn verdict(figures: &PresentFigures, head: &Head) -> Verdict {
    let sum = |value: fn(&SwapChainFigures) -> u64| figures.swap_chains.iter().map(value).fold(0, u64::saturating_add);
    let (frames, never, copied) =
        (sum(|chain| chain.frames), sum(|chain| chain.dropped), sum(|chain| chain.bytes_copied));
    let chains = hybrid_first(figures);
    let text = if chains.is_empty() {
        "no swap chain is presented".to_owned()
    } else {
        let count = chains.len() as u64;
        let whose = if count == 1 { String::new() } else { format!(" of {}", counted(count, "swap chain")) };
        let shown = if never == 0 { "all are shown".to_owned() } else { format!("{} are never shown", grouped(never)) };
        let mut parts = vec![paths(&chains), format!("of {}{whose} {shown}", counted(frames, "frame"))];
        parts.extend(chains.iter().copied().filter_map(net_loss));
        parts.extend(over_capacity(figures));
        parts.join("; ")
    };
    // Agreement with the capture decides what the rest is worth.
    let text = match &figures.capture {
        Some(capture) => format!("{capture}; {text}"),
        None => text,
    };
    Verdict {
        sentence: sentence(head.is_whole(), &text),
        figures: [
            Figure::count("frames", frames),
            Figure::bytes("bytes copied between adapters", copied),
            Figure::ratio("never shown", (frames > 0).then(|| never as f64 / frames as f64)),
        ],
        advice: chains.iter().copied().find_map(advice),
    }
}

/// Swap chains, those between two adapters first.
fn hybrid_first(figures: &PresentFigures) -> Vec<&SwapChainFigures> {
    let mut chains: Vec<&SwapChainFigures> = figures.swap_chains.iter().collect();
    chains.sort_by_key(|chain| chain.copies == 0);
    chains
}

/// Paths of all swap chains: of few by their ids, of many by their number.
fn paths(chains: &[&SwapChainFigures]) -> String {
    if chains.len() <= MAX_NAMED {
        let named = chains.iter().map(|chain| format!("swap chain {} is presented {}", chain.swap_chain, way(chain)));
        return listed(&named.collect::<Vec<_>>());
    }
    let mut counts: Vec<(String, u64)> = Vec::new();
    for way in chains.iter().map(|chain| way(chain)) {
        match counts.iter_mut().find(|(known, _)| *known == way) {
            Some((_, count)) => *count += 1,
            None => counts.push((way, 1)),
        }
    }
    let counts = counts.into_iter().map(|(way, count)| format!("{} {way}", counted(count, "swap chain")));
    format!("presented are {}", listed(&counts.collect::<Vec<_>>()))
}

fn way(chain: &SwapChainFigures) -> String {
    match chain.path {
        "same adapter" => "without a copy between adapters".to_owned(),
        "one copy" => "in one copy".to_owned(),
        _ => format!("in two copies ({})", chain.reason),
    }
}

/// Effect of one copy whose frames are composed.
fn net_loss(chain: &SwapChainFigures) -> Option<String> {
    if !chain.is_net_loss {
        return None;
    }
    let composed = percent(chain.composed as f64 / chain.frames.max(1) as f64);
    let mut text =
        format!("{composed} of the frames of swap chain {} are composed ({})", chain.swap_chain, rule::C_23.id);
    if let Some(refreshes) = chain.refreshes_per_s.filter(|refreshes| *refreshes > 0.0) {
        text += &format!(", each a refresh of {:.2} ms later than a flip", 1e3 / refreshes);
    }
    if let Some(latency) = chain.parts.latency {
        text += &format!(", p99 latency {:.2} ms", latency.p99_ns as f64 / 1e6);
    }
    Some(text)
}

/// Memory and links whose traffic is more than they carry.
fn over_capacity(figures: &PresentFigures) -> Vec<String> {
    let mut found = Vec::new();
    let memory: f64 = figures.swap_chains.iter().filter_map(|chain| chain.dram_gb_per_s).sum();
    let limit = figures.swap_chains.iter().find_map(|chain| chain.dram_limit_gb_per_s);
    if let Some(limit) = limit.filter(|limit| memory > *limit) {
        found.push(format!("the system's memory would need {memory:.3} GB/s and carries {limit:.3}"));
    }
    let mut links: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for chain in &figures.swap_chains {
        let used = [
            (chain.render_adapter, chain.link_gb_per_s.zip(chain.link_limit_gb_per_s)),
            (chain.display_adapter, chain.display_link_gb_per_s.zip(chain.display_link_limit_gb_per_s)),
        ];
        for (adapter, traffic) in used {
            if let Some((used, limit)) = traffic {
                let sums = links.entry(adapter).or_default();
                *sums = (sums.0 + used, limit);
            }
        }
    }
    for (adapter, (used, limit)) in links {
        if used > limit {
            found.push(format!("the link of adapter {adapter} would need {used:.3} GB/s and carries {limit:.3}"));
        }
    }
    let mut slow: Vec<String> = figures
        .swap_chains
        .iter()
        .flat_map(|chain| chain.slow_links.iter())
        .map(|slow| {
            let (possible, wanted) = (slow.possible_refreshes_per_s, slow.refreshes_per_s);
            format!("the link of adapter {} carries {possible:.1} of {wanted:.1} frames per second", slow.adapter)
        })
        .collect();
    // Each decision repeats the event.
    slow.sort();
    slow.dedup();
    slow.truncate(MAX_NAMED);
    found.extend(slow);
    found
}

/// Change that would shorten the path of a swap chain.
fn advice(chain: &SwapChainFigures) -> Option<String> {
    let (id, display, render) = (chain.swap_chain, chain.display_adapter, chain.render_adapter);
    if chain.is_net_loss {
        return Some(format!(
            "Let the static check of adapter {display}'s driver fail for the buffers of swap chain {id}: two copies are \
             flipped to, without composition."
        ));
    }
    let change = match (chain.path, chain.reason.as_str()) {
        ("two copies", "CAP") => format!("a driver of adapter {display} with cross-adapter tier 3"),
        ("two copies", "NO_CROSS_ADAPTER_RESOURCES") => {
            format!(
                "drivers of adapters {render} and {display} with cross-adapter tier 1 or higher, {display} with tier 3"
            )
        }
        ("two copies", "NO_SCANOUT") => {
            format!("a driver of adapter {display} that does not set NO_SCANOUT, or a smaller size")
        }
        ("two copies", "STATIC_CHECK") => {
            format!("a rotation, size or format that adapter {display} can scan out, so that its static check passes,")
        }
        ("two copies", "NOT_FLIP_MODEL") => {
            "a swap effect of the flip model (DXGI_SWAP_EFFECT_FLIP_DISCARD)".to_owned()
        }
        ("two copies", "DIRECT3D_9") => "a DXGI swap chain of the flip model".to_owned(),
        ("two copies", "CREATE_FAILED" | "OPEN_FAILED") => {
            format!("a driver of adapter {display} that accepts the cross-adapter primary")
        }
        _ => return None,
    };
    Some(format!("Present swap chain {id} in one copy: {change} would allow it."))
}
