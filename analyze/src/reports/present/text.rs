//! Text of the present report.

use super::assumed_adapters::AssumedAdapters;
use super::reasons::{REASONS, ReasonCode, tier};
use super::remedy::traffic_place;
use super::{PresentFigures, Spread, SwapChainFigures};
use crate::head::Head;
use crate::render::{Document, TextTable, counted, grouped, percent};
use taut_schemas::rule;

/// Share of the frame time above which the first copy is reported in a sentence.
const BUDGET_RATIO: f64 = 0.25;
/// Share of the link bandwidth above which the link traffic is reported in a sentence.
const LINK_RATIO: f64 = 0.8;

/// Maximum number of decisions in the table; JSON and the table `path_selections` contain all.
const DECISIONS: usize = 16;

pub(super) fn document(figures: &PresentFigures, head: &Head, assumed: Option<&AssumedAdapters>) -> Document {
    let mut document = Document::new("Presents: path of frames to the display, with its cost");
    if let Some(capture) = &figures.capture {
        document.text(format!("{capture}."));
    }
    if let Some(assumed) = assumed {
        document.text(assumed.sentence());
    }
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    if head.left_out_events > 0 {
        document.text("Swap chains created before the recording began are reported from their next path selection on.");
    }
    if figures.swap_chains.is_empty() {
        document.text("The trace presents no swap chain.");
        return document;
    }
    if figures.violations > 0 {
        document.table(findings(figures));
    }
    document.table(paths(figures));
    reasons(figures).into_iter().for_each(|sentence| document.text(sentence));
    document.table(outcomes(figures));
    document.table(traffic(figures));
    document.table(decisions(figures));
    document.table(frame_times(figures));
    figures.swap_chains.iter().for_each(|chain| document.table(latency(chain)));
    figures.swap_chains.iter().flat_map(|chain| sentences(chain, figures.settings.compression_ratio)).for_each(
        |text| {
            document.text(text);
        },
    );
    document
}

fn paths(figures: &PresentFigures) -> TextTable {
    let titles = ["Chain", "Buffers", "Path", "Reason"];
    let mut table =
        TextTable::new("Swap chains, with the path of their frames to the display", titles).words(1).words(2).words(3);
    for chain in &figures.swap_chains {
        let buffers = format!("{}×{} {}", chain.width, chain.height, chain.format);
        table.row(chain.swap_chain.to_string(), [buffers, chain.path.to_owned(), chain.reason.clone()]);
    }
    table
}

/// Meanings of the reason codes in the table of paths, each once.
fn reasons(figures: &PresentFigures) -> Vec<String> {
    let is_used = |code: &str| figures.swap_chains.iter().any(|chain| chain.copies > 1 && chain.reason == code);
    let used = REASONS.iter().filter(|reason| is_used(reason.code));
    used.map(|ReasonCode { code, meaning, remedy }| format!("{code}: {meaning} One copy needs {remedy}.")).collect()
}

/// Violated rules with their first findings.
fn findings(figures: &PresentFigures) -> TextTable {
    let caption = format!("Broken rules of presents: {}", counted(figures.violations, "finding"));
    let mut table = TextTable::new(caption, ["Rule", "Chain", "At", "Finding"]).words(3);
    for audit in &figures.audits {
        for found in &audit.first_findings {
            let at = format!("{:.3} s", found.at_ns as f64 / 1e9);
            table.row(audit.rule, [found.swap_chain.to_string(), at, found.description.clone()]);
        }
        let more = audit.findings - audit.first_findings.len() as u64;
        if more > 0 {
            table.row(audit.rule, [String::new(), String::new(), format!("{} more", grouped(more))]);
        }
    }
    table
}

fn outcomes(figures: &PresentFigures) -> TextTable {
    let titles = ["Chain", "Frames", "Flipped", "Composed", "Torn", "Dropped"];
    let mut table = TextTable::new("Frames by outcome", titles);
    for chain in &figures.swap_chains {
        let counts = [chain.frames, chain.flipped, chain.composed, chain.torn, chain.dropped].map(grouped);
        table.row(chain.swap_chain.to_string(), counts);
    }
    table
}

fn frame_times(figures: &PresentFigures) -> TextTable {
    let titles = ["Chain", "Mean", "p50", "p95", "p99", "1 % low", "0.1 % low", "Stutter", "Error"];
    let caption = "Frame times in ms, lows in frames/s, share of time in stutter, p95 of the animation error in ms";
    let mut table = TextTable::new(caption, titles);
    let ms = |ns: Option<f64>| rate(ns.map(|ns| ns / 1e6));
    for chain in &figures.swap_chains {
        let times = &chain.frame_times;
        let at = |value: fn(&Spread) -> f64| ms(times.frame_time.as_ref().map(value));
        let cells = [
            at(|spread| spread.mean_ns),
            at(|spread| spread.p50_ns as f64),
            at(|spread| spread.p95_ns as f64),
            at(|spread| spread.p99_ns as f64),
            per_second(times.low_1_percent_frames_per_s),
            per_second(times.low_01_percent_frames_per_s),
            times.stutter_ratio.map_or_else(|| "–".to_owned(), percent),
            ms(times.animation_error.map(|spread| spread.p95_ns as f64)),
        ];
        table.row(chain.swap_chain.to_string(), cells);
    }
    table
}

fn rate(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// Formats frames or refreshes per second.
fn per_second(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

fn traffic(figures: &PresentFigures) -> TextTable {
    let titles = ["Chain", "FPS", "Hz", "Memory", "Memory limit", "Link", "Link limit", "Saving"];
    let caption = "Traffic of system memory and link in GB/s, with the saving of one copy against two";
    let mut table = TextTable::new(caption, titles);
    for chain in &figures.swap_chains {
        let cells = [
            per_second(chain.frames_per_s),
            per_second(chain.refreshes_per_s),
            rate(chain.dram_gb_per_s),
            rate(chain.dram_limit_gb_per_s),
            rate(chain.link_gb_per_s),
            rate(chain.link_limit_gb_per_s),
            rate(chain.caso_saving_gb_per_s),
        ];
        table.row(chain.swap_chain.to_string(), cells);
    }
    table
}

fn decisions(figures: &PresentFigures) -> TextTable {
    let titles = ["Chain", "At", "Tiers", "Static check", "Path", "Reason"];
    let all: usize = figures.swap_chains.iter().map(|chain| chain.path_selections.len()).sum();
    let limited =
        if all > DECISIONS { format!(", the first {DECISIONS} of {}", grouped(all as u64)) } else { String::new() };
    let caption = format!("Path selections, with cross-adapter tiers (rendering → display adapter){limited}");
    let mut table = TextTable::new(caption, titles).words(2).words(3).words(4).words(5);
    let mut left = DECISIONS;
    for chain in &figures.swap_chains {
        for decision in chain.path_selections.iter().take(left) {
            left -= 1;
            let checked = match decision.static_check {
                None => "–",
                Some(true) => "passed",
                Some(false) => "failed",
            };
            let render = decision.render_tier.as_deref().map_or("–", tier);
            let cells = [
                format!("{:.3} s", decision.decided_at_ns as f64 / 1e9),
                format!("{render} → {}", tier(&decision.display_tier)),
                checked.to_owned(),
                decision.path.to_owned(),
                decision.reason.clone(),
            ];
            table.row(chain.swap_chain.to_string(), cells);
        }
    }
    table
}

fn latency(chain: &SwapChainFigures) -> TextTable {
    let caption = format!("Swap chain {}: latency from Present to display, in ms", chain.swap_chain);
    let mut table = TextTable::new(caption, ["Stage", "p50", "p95", "p99", "Max"]);
    let parts = &chain.parts;
    let parts = [
        ("total", parts.latency),
        ("rendering", parts.rendering),
        ("copy 1", parts.copy_1),
        ("copy 2", parts.copy_2),
        ("copy-engine wait", parts.engine_wait),
        ("fence wait", parts.sync),
        ("composition", parts.composition),
        ("refresh wait", parts.refresh_wait),
    ];
    for (part, spread) in parts {
        if let Some(Spread { p50_ns, p95_ns, p99_ns, max_ns, .. }) = spread {
            let cells = [p50_ns, p95_ns, p99_ns, max_ns].map(|ns| format!("{:.3}", ns as f64 / 1e6));
            table.row(part, cells);
        }
    }
    table
}

/// Sentence on the saving of one copy against two: traffic, and copy time per frame.
fn one_copy(chain: &SwapChainFigures, saving: f64, compression: f64) -> String {
    let place = traffic_place(chain);
    let time = chain.parts.copy_2.map(|copy| format!("{:.3} ms of copy time per frame", copy.p50_ns as f64 / 1e6));
    let more = |joint: &str| time.as_ref().map_or_else(String::new, |time| format!(" and {joint}{time}"));
    let words = match (chain.copies, saving < 0.0) {
        (1, false) => format!("one copy saves {saving:.3} GB/s of {place} traffic against two, composition included"),
        (1, true) => format!("one copy costs {:.3} GB/s of {place} traffic against two", -saving),
        (_, false) => {
            let time = more("");
            format!("one copy (cross-adapter scan-out, CASO) would save {saving:.3} GB/s of {place} traffic{time}")
        }
        (_, true) => {
            let (cost, time) = (-saving, more("save "));
            format!("one copy (cross-adapter scan-out, CASO) would cost {cost:.3} GB/s of {place} traffic{time}")
        }
    };
    // A ratio of 1 is the default: scan-out of uncompressed surfaces.
    let ratio = if compression < 1.0 { format!(" (scan-out ratio {compression})") } else { String::new() };
    format!("Swap chain {}: {words}{ratio}.", chain.swap_chain)
}

fn sentences(chain: &SwapChainFigures, compression: f64) -> Vec<String> {
    let mut sentences = Vec::new();
    let id = chain.swap_chain;
    if chain.total_copies > 0 {
        let (copy_count, gigabytes) = (grouped(chain.total_copies), chain.bytes_copied as f64 / 1e9);
        let copies = if chain.total_copies == 1 { "copy" } else { "copies" };
        let link = chain.link_limit_gb_per_s.zip(chain.link_efficiency_ratio);
        let link = link.map_or_else(String::new, |(limit, efficiency)| {
            format!("; the link of the rendering adapter carries {limit:.3} GB/s (efficiency {efficiency})")
        });
        sentences.push(format!("Swap chain {id}: {copy_count} {copies} moved {gigabytes:.3} GB{link}."));
    }
    if let Some(saving) = chain.caso_saving_gb_per_s {
        sentences.push(one_copy(chain, saving, compression));
    }
    if let Some(ratio) = chain.copy_1_budget_ratio.filter(|ratio| *ratio > BUDGET_RATIO) {
        sentences.push(format!("Swap chain {id}: copy 1 takes {} of the frame time.", percent(ratio)));
    }
    let link = chain.link_gb_per_s.zip(chain.link_limit_gb_per_s);
    if let Some((used, limit)) = link.filter(|(used, limit)| *used > LINK_RATIO * limit) {
        sentences.push(format!("Swap chain {id}: frames use {} of the link's bandwidth.", percent(used / limit)));
    }
    // The runtime does not report a link that is too slow for the mode. Each decision repeats the event, hence the
    // filter.
    for (place, slow) in chain.slow_links.iter().enumerate() {
        if !chain.slow_links[..place].contains(slow) {
            sentences.push(format!(
                "Swap chain {id}: frames at the refresh rate of the display ({:.1} Hz) need {:.3} GB/s of the link of adapter \
                 {}; the link carries {:.3} GB/s, which is at most {:.1} frames/s.",
                slow.refreshes_per_s,
                slow.needed_gb_per_s,
                slow.adapter,
                slow.carried_gb_per_s,
                slow.possible_refreshes_per_s
            ));
        }
    }
    if let (Some(sampled_pixels), Some(wrong)) =
        (chain.sampled_pixels, chain.mismatched_pixels.filter(|wrong| *wrong > 0))
    {
        sentences.push(format!(
            "Swap chain {id}: {} of {} sampled pixels differ from the frame at scan-out.",
            grouped(wrong),
            grouped(sampled_pixels)
        ));
    }
    let power = chain.dram_power_w.map(|power| ("traffic of system memory", power));
    let of_link = chain.link_power_w.map(|power| ("traffic of the link", power));
    sentences.extend(
        power.into_iter().chain(of_link).map(|(what, power)| {
            format!("Swap chain {id}: {what} takes {power:.3} W, from the stated energy per byte.")
        }),
    );
    if chain.is_net_loss {
        let composed = percent(chain.composed as f64 / chain.frames.max(1) as f64);
        sentences.push(format!(
            "Swap chain {id}: {composed} of the frames are composed, although the path has one copy ({}).",
            rule::C_23.id
        ));
    }
    sentences
}
