//! Chart data for the page: traffic and latency over time, and a timeline of the first frames.

use super::chain::{Chain, Chains};
use super::rates::Rates;
use super::reasons::{REASONS, ReasonCode};
use crate::presents::{Frame, PresentSettings};
use serde_json::{Value, json};

/// Returns the chart data of each swap chain.
pub(super) fn page_data(chains: &Chains, settings: &PresentSettings) -> Value {
    let of = |(id, chain): (&_, &Chain)| {
        let id: &taut_schemas::SwapChainId = id;
        let rates = Rates::of(chains, chain, settings);
        json!({
            "swap_chain": id.0,
            "over_time": over_time(chain, &rates),
            "decided": chain.decisions.iter().map(|decided| decided.at_ns as f64 / 1e6).collect::<Vec<_>>(),
            "frames": first_frames(chain),
            "refreshes": refreshes(chain),
        })
    };
    Value::from(chains.chains.iter().map(of).collect::<Vec<_>>())
}

/// Meaning of each reason code and the condition for one copy.
pub(super) fn reasons() -> Value {
    let reason =
        |reason: &ReasonCode| (reason.code.to_owned(), json!({ "meaning": reason.meaning, "remedy": reason.remedy }));
    Value::Object(REASONS.iter().map(reason).collect())
}

/// Series over time: milliseconds, GB/s and copies per frame.
fn over_time(chain: &Chain, rates: &Rates) -> Value {
    let series = &chain.series;
    let step_ns = series.step_ns as f64;
    let column = |of: &dyn Fn(&super::series::Step) -> Option<f64>| series.steps.iter().map(of).collect::<Vec<_>>();
    let shown = |step: &super::series::Step, ns: f64| (step.shown > 0).then_some(ns / 1e6);
    let frame_time = |step: &super::series::Step, ns: f64| (step.frame_times > 0).then_some(ns / 1e6);
    let at: Vec<f64> = (0..series.steps.len()).map(|place| place as f64 * step_ns / 1e6).collect();
    json!({
        "at": at,
        "mean_ms": column(&|step| shown(step, step.latency_sum_ns as f64 / step.shown.max(1) as f64)),
        "worst_ms": column(&|step| shown(step, step.latency_worst_ns as f64)),
        "frame_mean_ms": column(&|step| frame_time(step, step.frame_time_sum_ns as f64 / step.frame_times.max(1) as f64)),
        "frame_max_ms": column(&|step| frame_time(step, step.frame_time_max_ns as f64)),
        "copies": column(&|step| (step.frames > 0).then(|| step.copies as f64 / step.frames as f64)),
        "link": rates.link.map(|_| column(&|step| Some(step.link_bytes as f64 / step_ns))),
        "memory": rates.dram.map(|_| column(&|step| Some(step.memory_bytes as f64 / step_ns + rates.scan_out))),
    })
}

/// Timeline bars of the first frames: [row, from, to] with times in milliseconds. The rows are rendering, copy 1, copy
/// 2 and composition.
fn first_frames(chain: &Chain) -> Value {
    let of = |(stamp, frame): &(u64, Frame)| {
        let rows = [
            (0, frame.presented_at_ns, frame.rendered_at_ns),
            (1, frame.copy_1_started_at_ns, frame.copy_1_ended_at_ns),
            (2, frame.copy_2_started_at_ns, frame.copy_2_ended_at_ns),
            (3, frame.composition_started_at_ns.unwrap_or_default(), frame.composition_ended_at_ns.unwrap_or_default()),
        ];
        let bars = rows.into_iter().filter(|(_, _, to)| *to > 0);
        let bars: Vec<_> = bars.map(|(row, from, to)| json!([row, from as f64 / 1e6, to as f64 / 1e6])).collect();
        let shown = frame.is_shown().then_some(frame.ended_at_ns as f64 / 1e6);
        json!({ "frame": frame.present_count, "outcome": format!("{:?}", frame.outcome), "bars": bars, "shown": shown,
                "stamp": stamp.to_string(), "ended": frame.ended_at_ns as f64 / 1e6 })
    };
    Value::from(chain.first_frames.iter().map(of).collect::<Vec<_>>())
}

/// Times in milliseconds at which frames appeared on the display.
fn refreshes(chain: &Chain) -> Vec<f64> {
    let shown = chain.first_frames.iter().filter(|(_, frame)| frame.is_shown());
    shown.map(|(_, frame)| frame.ended_at_ns as f64 / 1e6).collect()
}
