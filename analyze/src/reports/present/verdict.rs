//! Headline verdict of the present report.

use super::assumed_adapters::AssumedAdapters;
use super::figures::ONE_COPY;
use super::{PresentFigures, SwapChainFigures};
use super::{reasons, remedy};
use crate::head::Head;
use crate::render::{counted, decimal_bytes, grouped, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};
use std::collections::BTreeMap;
use taut_schemas::rule;

/// Maximum number of swap chains that the sentence names; it counts further ones by path.
const MAX_NAMED: usize = 3;

/// Builds the verdict.
pub(super) fn verdict(figures: &PresentFigures, head: &Head, assumed: Option<&AssumedAdapters>) -> Verdict {
    let sum = |value: fn(&SwapChainFigures) -> u64| figures.swap_chains.iter().map(value).fold(0, u64::saturating_add);
    let (frames, never, copied) =
        (sum(|chain| chain.frames), sum(|chain| chain.dropped), sum(|chain| chain.bytes_copied));
    let chains = hybrid_first(figures);
    let text = if chains.is_empty() {
        "no swap chain is presented".to_owned()
    } else {
        let mut parts = vec![paths(&chains)];
        // Without advice of its own, the verdict advises on the assumption.
        parts.extend(assumed.filter(|_| advice(&chains).is_some()).map(AssumedAdapters::clause));
        parts.push(shown(frames, never, chains.len() as u64));
        parts.extend(chains.iter().copied().filter_map(net_loss));
        parts.extend(over_capacity(figures));
        parts.join("; ")
    };
    // Agreement with the capture decides what the rest is worth. The health report states full agreement.
    let text = match &figures.capture {
        Some(capture) if capture.as_logged < capture.captured_presents => format!("{capture}; {text}"),
        _ => text,
    };
    Verdict {
        sentence: sentence(head.is_whole(), &text),
        figures: [
            Figure::count("frames", frames),
            // Traffic on the same screen is in GB/s.
            Figure::bytes("bytes copied", copied).with_text(decimal_bytes(copied)),
            Figure::ratio("dropped", (frames > 0).then(|| never as f64 / frames as f64)),
        ],
        advice: advice(&chains).or_else(|| assumed.map(AssumedAdapters::advice)),
    }
}

/// Clause on the frames that are shown or dropped.
fn shown(frames: u64, dropped: u64, swap_chains: u64) -> String {
    let of_chains =
        if swap_chains == 1 { String::new() } else { format!(" of {}", counted(swap_chains, "swap chain")) };
    match (frames, dropped) {
        (0, _) => format!("no frame{of_chains} is shown"),
        (1, 0) => format!("1 frame{of_chains} is shown"),
        (_, 0) => format!("all {}{of_chains} are shown", counted(frames, "frame")),
        (_, 1) => format!("1 of {}{of_chains} is dropped", counted(frames, "frame")),
        _ => format!("{} of {}{of_chains} are dropped", grouped(dropped), counted(frames, "frame")),
    }
}

/// Swap chains, those between two adapters first.
fn hybrid_first(figures: &PresentFigures) -> Vec<&SwapChainFigures> {
    let mut chains: Vec<&SwapChainFigures> = figures.swap_chains.iter().collect();
    chains.sort_by_key(|chain| chain.copies == 0);
    chains
}

/// Paths of all swap chains, one part per path and cause: of few chains with their ids, of many with their number.
fn paths(chains: &[&SwapChainFigures]) -> String {
    let mut groups: Vec<(Path, Vec<&SwapChainFigures>)> = Vec::new();
    for chain in chains.iter().copied() {
        let path = Path::of(chain);
        match groups.iter_mut().find(|(known, _)| *known == path) {
            Some((_, members)) => members.push(chain),
            None => groups.push((path, vec![chain])),
        }
    }
    let is_few = chains.len() <= MAX_NAMED;
    let part = |(path, members): &(Path, Vec<&SwapChainFigures>)| {
        let count = members.len() as u64;
        let subject = match members.as_slice() {
            [one] if is_few => named(one),
            _ if is_few => {
                let ids: Vec<String> = members.iter().map(|chain| chain.swap_chain.to_string()).collect();
                format!("swap chains {}", listed(&ids))
            }
            _ => counted(count, "swap chain"),
        };
        path.sentence(&subject, count == 1)
    };
    listed(&groups.iter().map(part).collect::<Vec<_>>())
}

/// Name of one swap chain, with its application if the presents are from a capture.
fn named(chain: &SwapChainFigures) -> String {
    match &chain.capture {
        Some(capture) => format!("{} (swap chain {})", capture.application, chain.swap_chain),
        None => format!("swap chain {}", chain.swap_chain),
    }
}

/// Path of a swap chain with its cause.
#[derive(PartialEq, Eq)]
enum Path {
    SameAdapter,
    OneCopy,
    /// `had_one_copy`: an earlier path selection had one copy.
    TwoCopies {
        cause: String,
        code: String,
        had_one_copy: bool,
    },
}

impl Path {
    fn of(chain: &SwapChainFigures) -> Path {
        match (reasons::cause(chain), chain.copies) {
            (Some(cause), _) => {
                let had_one_copy = chain.path_selections.iter().any(|selection| selection.path == ONE_COPY);
                Path::TwoCopies { cause, code: chain.reason.clone(), had_one_copy }
            }
            (None, 1) => Path::OneCopy,
            (None, _) => Path::SameAdapter,
        }
    }

    fn sentence(&self, subject: &str, is_one: bool) -> String {
        let takes = if is_one { "takes" } else { "take" };
        match self {
            Path::SameAdapter => {
                let are = if is_one { "is" } else { "are" };
                format!("{subject} {are} presented without a copy between adapters")
            }
            Path::OneCopy => format!("{subject} {takes} one copy per frame"),
            Path::TwoCopies { cause, code, had_one_copy } => {
                let since = if *had_one_copy { " from the last path selection on, and one copy before," } else { "" };
                format!("{subject} {takes} two copies per frame{since} because {cause} ({code})")
            }
        }
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
        text += &format!(", each one refresh ({:.2} ms) later than a flipped frame", 1e3 / refreshes);
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
        found.push(format!("frames need {memory:.3} GB/s of system memory, which carries {limit:.3} GB/s"));
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
        // The sentence on its refreshes states the same with the traffic at the refresh rate.
        let is_slow =
            figures.swap_chains.iter().flat_map(|chain| &chain.slow_links).any(|slow| slow.adapter == adapter);
        if used > limit && !is_slow {
            found.push(format!(
                "frames need {used:.3} GB/s of the link of adapter {adapter}, which carries {limit:.3} GB/s"
            ));
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

/// Saving of one copy, for an order.
fn rate(chain: &SwapChainFigures) -> f64 {
    chain.one_copy_saving_gb_per_s.unwrap_or_default()
}

/// Most valuable change: for one copy whose frames are composed, else for the two copies with the largest saving.
fn advice(chains: &[&SwapChainFigures]) -> Option<String> {
    if let Some(chain) = chains.iter().find(|chain| chain.is_net_loss) {
        return Some(format!(
            "Make the static check of adapter {}'s driver fail for the buffers of swap chain {}: with two copies the display \
             flips to the frames, without composition.",
            chain.display_adapter, chain.swap_chain
        ));
    }
    let two_copies = chains.iter().filter(|chain| chain.copies == 2);
    // Chains whose static check passed with fewer displays come first: their cause is known. The first of equal chains:
    // `max_by` returns the last.
    let has_known_cause = |chain: &SwapChainFigures| reasons::passed_with(chain).is_some();
    let chain = two_copies.rev().max_by(|one, other| {
        has_known_cause(one).cmp(&has_known_cause(other)).then(rate(one).total_cmp(&rate(other)))
    })?;
    let change = remedy::remedy(chain)?;
    let saving = remedy::saving(chain).map_or_else(String::new, |saving| format!(" {saving}"));
    let latency = remedy::latency(chain).map_or_else(String::new, |sentence| format!(" {sentence}"));
    let condition = remedy::condition(chain);
    Some(format!("{change}: one copy per frame of swap chain {}{saving}{condition}.{latency}", chain.swap_chain))
}
