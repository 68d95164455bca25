//! `taut info`: what a trace is, at once.

use crate::args::{Common, Info};
use serde_json::json;
use std::path::Path;
use taut_analyze::render::{binary_bytes, grouped, span};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{escaped, folded, print, print_json};
use taut_console::traces::{name, open, tell_damage};
use taut_schemas::Layer;
use taut_traces::Trace;

/// Up to this size every block's checksum is checked, which stays within the time that `info` may take.
const CHECK_BYTES: u64 = 64 << 20;

/// Prints header, threads, counts and losses.
pub fn run(info: &Info, common: Common) -> Outcome {
    let trace = open(&info.file)?;
    let checked = info.verify || trace.summary().file_bytes <= CHECK_BYTES;
    let damage = match (info.verify, checked) {
        (true, _) => trace.verify(),
        (false, true) => trace.check(),
        (false, false) => trace.damage().to_vec(),
    };
    let status = tell_damage(&info.file, &trace, &damage);
    if common.json {
        as_json(&trace, checked, status == Status::Fine)?;
    } else {
        print(&as_text(&trace, &info.file, checked, status == Status::Fine))?;
    }
    Ok(status)
}

fn duration_ns(trace: &Trace) -> u64 {
    let summary = trace.summary();
    let (first, last) = (summary.first_stamp.unwrap_or(0), summary.last_stamp.unwrap_or(0));
    let ticks = last.saturating_sub(first);
    let ticks_per_second = u128::from(trace.header().world.clock.ticks_per_second.max(1));
    u64::try_from(u128::from(ticks) * 1_000_000_000 / ticks_per_second).unwrap_or(u64::MAX)
}

/// Events per layer, in order of layer.
fn by_layer(trace: &Trace) -> [(Layer, u64); 4] {
    let mut layers = Layer::ALL.map(|layer| (layer, 0));
    for (code, events) in &trace.summary().codes {
        let layer = trace.header().schema.event(*code).map(|event| event.layer);
        for (known, sum) in &mut layers {
            *sum += if layer == Some(*known) { *events } else { 0 };
        }
    }
    layers
}

fn as_json(trace: &Trace, checked: bool, whole: bool) -> Result<(), Failure> {
    let (summary, world) = (trace.summary(), &trace.header().world);
    let providers: serde_json::Map<_, _> =
        by_layer(trace).into_iter().map(|(layer, events)| (layer.name().to_owned(), json!(events))).collect();
    print_json(&json!({
        "version": summary.version,
        "complete": whole,
        "interrupted": summary.interrupted,
        "verified": checked,
        "events": summary.events,
        "lost_events": summary.lost_events,
        "threads": summary.threads.len(),
        "duration_ns": duration_ns(trace),
        "first_stamp": summary.first_stamp,
        "last_stamp": summary.last_stamp,
        "driver": world.drivers(),
        "rules": world.rules,
        "settings": world.settings,
        "workload": world.workload.name,
        "parameters": world.workload.parameters,
        "clock": {"source": world.clock.source, "ticks_per_second": world.clock.ticks_per_second},
        "providers": providers,
    }))
}

fn as_text(trace: &Trace, file: &Path, checked: bool, whole: bool) -> String {
    let (summary, world) = (trace.summary(), &trace.header().world);
    let mut parameters = String::new();
    for (key, value) in &world.workload.parameters {
        parameters += &format!(", {} {value}", escaped(key));
    }
    let per_event = summary.file_bytes as f64 / summary.events.max(1) as f64;
    let state = match (whole, checked) {
        (false, _) => "damaged or incomplete",
        (true, true) => "complete, every block checked",
        (true, false) => "complete; blocks not checked (--verify does)",
    };
    let state = if summary.interrupted { format!("{state}; interrupted while recording") } else { state.to_owned() };
    let mut text = format!(
        "{}\n\
         \x20 workload   {}{parameters}\n\
         \x20 driver     {}, rules {}\n\
         \x20 state      {state}\n\
         \x20 size       {}, {per_event:.1} bytes per event\n\
         \x20 events     {}, {} lost\n",
        escaped(&name(file)),
        escaped(&world.workload.name),
        escaped(&world.drivers()),
        escaped(&world.rules),
        binary_bytes(summary.file_bytes),
        grouped(summary.events),
        grouped(summary.lost_events),
    );
    for (layer, events) in by_layer(trace) {
        text += &format!("    {:<21}{:>12}\n", layer.title(), grouped(events));
    }
    text += &format!(
        "  threads    {}\n  time       {} by the {} clock, stamps {} to {}\n",
        summary.threads.len(),
        span(duration_ns(trace)),
        escaped(&world.clock.source),
        summary.first_stamp.unwrap_or(0),
        summary.last_stamp.unwrap_or(0),
    );
    folded(&text)
}
