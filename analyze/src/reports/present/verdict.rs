//! Headline verdict of the present report.

use super::{PresentFigures, SwapChainFigures};
use crate::head::Head;
use crate::render::{counted, grouped};
use crate::reports::verdict::sentence;
use crate::reports::{Figure, Verdict};

/// Builds the verdict.
pub(super) fn verdict(figures: &PresentFigures, head: &Head) -> Verdict {
    let sum = |value: fn(&SwapChainFigures) -> u64| figures.swap_chains.iter().map(value).fold(0, u64::saturating_add);
    let (frames, never, copied) =
        (sum(|chain| chain.frames), sum(|chain| chain.dropped), sum(|chain| chain.bytes_copied));
    let text = match figures.swap_chains.first() {
        None => "no swap chain is presented".to_owned(),
        Some(first) => {
            let way = match first.path {
                "same adapter" => "without a copy between adapters".to_owned(),
                "one copy" => "in one copy".to_owned(),
                _ => format!("in two copies ({})", first.reason),
            };
            let chains = figures.swap_chains.len() as u64;
            let whose = if chains == 1 { String::new() } else { format!(" of {}", counted(chains, "swap chain")) };
            let shown =
                if never == 0 { "all are shown".to_owned() } else { format!("{} are never shown", grouped(never)) };
            format!(
                "swap chain {} is presented {way}; of {}{whose} {shown}",
                first.swap_chain,
                counted(frames, "frame")
            )
        }
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
        advice: None,
    }
}
