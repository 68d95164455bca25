//! `taut info`: what a trace is, at once.

mod told;

use crate::args::{Common, Info};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use taut_analyze::InputHead;
use taut_analyze::render::{binary_bytes, grouped, span};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{escaped, folded, print, print_json};
use taut_console::traces::{name, open, tell_damage};
use taut_schemas::{Layer, Provider, ProviderSchema, counted};
use taut_traces::{Identity, LeftOut, Recording, Recovery, Trace, Whereabouts};

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

/// From the first stamp to the last; a tick of a clock whose frequency is not known is taken for a second.
fn duration_ns(head: InputHead<'_>) -> u64 {
    let seconds = || head.span_ticks().unwrap_or(0).saturating_mul(1_000_000_000);
    head.span_ns().unwrap_or_else(seconds)
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
    let head = InputHead::of(trace);
    let (summary, workload, clock) = (head.summary(), head.workload(), head.clock());
    let providers: serde_json::Map<_, _> =
        by_layer(trace).into_iter().map(|(layer, events)| (layer.name().to_owned(), json!(events))).collect();
    let mut told = json!({
        "version": summary.version,
        "complete": whole && trace.summary().complete,
        "interrupted": summary.interrupted,
        "verified": checked,
        "events": summary.events,
        "lost_events": summary.lost_events,
        "threads": summary.threads.len(),
        "duration_ns": duration_ns(head),
        "first_stamp": summary.first_stamp,
        "last_stamp": summary.last_stamp,
        "driver": head.driver(),
        "rules": head.rules(),
        "settings": head.settings(),
        "workload": workload.name,
        "parameters": workload.parameters,
        "identity": trace.header().identity,
        "clock": {"source": clock.source, "ticks_per_second": clock.ticks_per_second},
        "providers": providers,
        "recorded_providers": trace.header().world.recorded_providers().iter().map(Provider::name).collect::<Vec<_>>(),
    });
    if let (Some(recovery), Value::Object(told)) = (trace.recovery(), &mut told) {
        told.insert(
            "recovery".to_owned(),
            json!({
                "process": recovery.process,
                "recording": recovery.is_alive,
                "recovered_events": recovery.events(),
                "torn_events": recovery.torn(),
                "sync_interval_ns": recovery.sync_interval.map_or(0, |interval| interval.as_nanos() as u64),
                "threads": recovery.threads,
            }),
        );
    }
    if let Value::Object(known) = &mut told {
        told::as_json(trace, known);
    }
    print_json(&told)
}

/// Who did not end it. How often it was brought to disk stands beside the recorder; that it was not is said here.
fn unended(recovery: &Recovery) -> String {
    let (way, unsynced) = match recovery.is_alive {
        true => ("is recording it", "; it is brought to disk at its end alone"),
        false => ("did not end the recording: taut recover makes it whole", "; it was not brought to disk"),
    };
    let unsynced = if recovery.sync_interval.is_none() { unsynced } else { "" };
    format!("process {} {way}{unsynced}", recovery.process)
}

/// Who recorded a trace, when and on what.
fn recorder(identity: &Identity) -> String {
    if identity.recorder.is_empty() {
        return "not said: format version 0".to_owned();
    }
    let mut text = format!("{} {}", identity.recorder, identity.recorder_version);
    if let Some(Recording { process, began_at_unix_ns, system, architecture, sync_interval_ns }) = &identity.recording {
        let began = UNIX_EPOCH + Duration::from_nanos(*began_at_unix_ns);
        let began = humantime::format_rfc3339_seconds(began);
        text += &format!(", {began} on {system}, {architecture}, process {process}");
        if let Some(interval) = sync_interval_ns {
            let interval = humantime::format_duration(Duration::from_nanos(*interval));
            text += &format!(", brought to disk every {interval}");
        }
    }
    if let Some(of) = &identity.replay_of {
        text += &format!(", a replay of {of}");
    }
    if let Some(Whereabouts { host, user, .. }) = &identity.whereabouts {
        let user = if user.is_empty() { "somebody" } else { user };
        text += &format!(", by {user} on {host}");
    }
    text
}

/// The lines of the world that was recorded; of a program's own events, those of their providers.
fn world(trace: &Trace) -> String {
    let header = trace.header();
    if !header.world.adapters.is_empty() {
        return format!(
            "\x20 driver     {}, rules {}\n",
            escaped(&header.world.drivers()),
            escaped(&header.world.rules)
        );
    }
    let provider = |provider: &ProviderSchema| {
        let ProviderSchema { name, uuid, version, .. } = provider;
        format!("\x20 provider   {} version {version}, {}\n", escaped(name), escaped(uuid))
    };
    header.schema.providers.iter().map(provider).collect()
}

fn as_text(trace: &Trace, file: &Path, checked: bool, whole: bool) -> String {
    let head = InputHead::of(trace);
    let (summary, workload, clock) = (head.summary(), head.workload(), head.clock());
    let mut parameters = String::new();
    for (key, value) in &workload.parameters {
        parameters += &format!(", {} {value}", escaped(key));
    }
    let per_event = summary.file_bytes as f64 / summary.events.max(1) as f64;
    let state = match (whole, checked) {
        (true, _) if !summary.complete => "as far as the recording is",
        (false, _) if trace.damage().is_empty() && trace.recovery().is_some() => "without its end",
        (false, _) => "damaged or incomplete",
        (true, true) => "complete, every block checked",
        (true, false) => "complete; blocks not checked (--verify does)",
    };
    let state = if summary.interrupted { format!("{state}; interrupted while recording") } else { state.to_owned() };
    let end = trace.recovery().map_or(String::new(), |recovery| format!("; {}", unended(recovery)));
    let mut text = format!(
        "{}\n\
         \x20 workload   {}{parameters}\n\
         {}\
         \x20 recorder   {}\n\
         \x20 state      {state}{end}\n\
         \x20 size       {}, {per_event:.1} bytes per event\n\
         \x20 events     {}, {} lost\n",
        escaped(&name(file)),
        escaped(&workload.name),
        world(trace),
        escaped(&recorder(&trace.header().identity)),
        binary_bytes(summary.file_bytes),
        grouped(summary.events),
        grouped(summary.lost_events),
    );
    if let Some(LeftOut { events, until_stamp }) = trace.header().identity.left_out {
        let before = format!("before stamp {until_stamp}");
        text += &format!("  left out   {} {before}, which made place for these\n", counted(events, "event"));
    }
    let world = &trace.header().world;
    if world.providers.is_some() {
        let missing = world.recorded_providers().missing().map(Provider::name).collect::<Vec<_>>().join(", ");
        text += &format!("  providers  {}; not recorded from the begin on: {missing}\n", world.recorded_providers());
    }
    for (layer, events) in by_layer(trace) {
        text += &format!("    {:<21}{:>12}\n", layer.title(), grouped(events));
    }
    text += &format!(
        "  threads    {}\n  time       {} by the {} clock, stamps {} to {}\n",
        summary.threads.len(),
        span(duration_ns(head)),
        escaped(&clock.source),
        summary.first_stamp.unwrap_or(0),
        summary.last_stamp.unwrap_or(0),
    );
    text += &told::as_text(trace);
    folded(&text)
}
