//! `taut info`: prints header, threads, counts and losses of a trace.

mod recording_info;

use crate::args::{Common, Info};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use taut_analyze::InputHead;
use taut_analyze::render::{binary_bytes, grouped, span};
use taut_app::info::{Inspection, duration_ns, events_by_layer, json};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{escaped, folded, print, print_json};
use taut_console::traces::{name, open, report_damage};
use taut_schemas::{Provider, ProviderSchema, counted};
use taut_traces::{DiscardedEvents, HostInfo, Identity, Recording, Recovery, Trace, Workload};

/// Prints header, threads, counts and losses.
pub fn run(info: &Info, common: Common) -> Outcome {
    let trace = open(&info.file)?;
    let inspection = Inspection::new(&trace, info.verify);
    let status = report_damage(&info.file, &trace, &inspection.damage);
    if common.json {
        print_json(&json(&trace, &inspection))?;
    } else {
        print(&as_text(&trace, &info.file, inspection.is_checked, status == Status::Fine))?;
    }
    Ok(status)
}

/// State of a recording without its end: its process, and a note if it was not synced to disk. The sync interval itself
/// is part of the recorder's line.
fn unended(recovery: &Recovery) -> String {
    let (way, unsynced) = match recovery.is_alive {
        true => ("is recording", "; the file is fsynced only at its end"),
        false => ("did not end the recording: `taut recover` completes the file", "; the file was never fsynced"),
    };
    let unsynced = if recovery.sync_interval.is_none() { unsynced } else { "" };
    format!("process {} {way}{unsynced}", recovery.process)
}

/// Recorder of a trace: program, time, system, process, host.
fn recorder(identity: &Identity) -> String {
    if identity.recorder.is_empty() {
        return "unknown: format version 0 does not name it".to_owned();
    }
    let mut text = format!("{} {}", identity.recorder, identity.recorder_version);
    if let Some(Recording { process, began_at_unix_ns, system, architecture, sync_interval_ns }) = &identity.recording {
        let began = UNIX_EPOCH + Duration::from_nanos(*began_at_unix_ns);
        let began = humantime::format_rfc3339_seconds(began);
        text += &format!(", {began} on {system}, {architecture}, process {process}");
        if let Some(interval) = sync_interval_ns {
            let interval = humantime::format_duration(Duration::from_nanos(*interval));
            text += &format!(", fsynced every {interval}");
        }
    }
    if let Some(of) = &identity.replay_of {
        text += &format!(", replay of {of}");
    }
    if let Some(HostInfo { host, user, .. }) = &identity.host_info {
        let user = if user.is_empty() { "an unknown user" } else { user };
        text += &format!(", by {user} on {host}");
    }
    text
}

/// Lines on driver and rules; for a trace of a program's own events, on their providers.
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

/// Line on the file that a trace was imported from. `None` for a recording.
fn origin(workload: &Workload) -> Option<String> {
    let file = workload.imported_from()?;
    let number = |key: &str| workload.parameters.get(key).and_then(Value::as_u64).map_or("unknown".to_owned(), grouped);
    let build = workload.parameters.get("windows_build").and_then(Value::as_u64);
    let build = build.map_or("unknown".to_owned(), |build| build.to_string());
    let session = workload.parameters.get("session").and_then(Value::as_str).unwrap_or_default();
    Some(format!(
        "\x20 origin     imported from {}, Windows build {build}, session {}; Windows lost {} events and {} buffers\n",
        escaped(file),
        escaped(session),
        number("events_lost"),
        number("buffers_lost"),
    ))
}

/// Number of lost events, as a phrase.
pub fn lost_text(lost_events: u64, has_unknown_losses: bool) -> String {
    match (lost_events, has_unknown_losses) {
        (lost, false) => format!("{} lost", grouped(lost)),
        (0, true) => "an unknown number lost".to_owned(),
        (lost, true) => format!("{} and an unknown number lost", grouped(lost)),
    }
}

fn as_text(trace: &Trace, file: &Path, checked: bool, whole: bool) -> String {
    let head = InputHead::new(trace);
    let (summary, workload, clock) = (head.summary(), head.workload(), head.clock());
    let origin = origin(workload);
    let mut parameters = String::new();
    // Those of an import are facts about its file, which the line on the origin has.
    for (key, value) in workload.parameters.iter().filter(|_| origin.is_none()) {
        parameters += &format!(", {} {value}", escaped(key));
    }
    let per_event = summary.file_bytes as f64 / summary.events.max(1) as f64;
    let state = match (whole, checked) {
        (true, _) if !summary.complete => "recording in progress",
        (false, _) if trace.damage().is_empty() && trace.recovery().is_some() => "unfinished",
        (false, _) => "damaged or incomplete",
        (true, true) => "complete, every block checked",
        (true, false) => "complete; blocks not checked (`--verify` checks them)",
    };
    let state = if summary.interrupted { format!("{state}; interrupted while recording") } else { state.to_owned() };
    let end = trace.recovery().map_or(String::new(), |recovery| format!("; {}", unended(recovery)));
    let mut text = format!(
        "{}\n\
         \x20 workload   {}{parameters}\n\
         {}{}\
         \x20 recorder   {}\n\
         \x20 state      {state}{end}\n\
         \x20 size       {}, {per_event:.1} bytes per event\n\
         \x20 events     {}, {}\n",
        escaped(&name(file)),
        escaped(&workload.name),
        origin.unwrap_or_default(),
        world(trace),
        escaped(&recorder(&trace.header().identity)),
        binary_bytes(summary.file_bytes),
        grouped(summary.events),
        lost_text(summary.lost_events, trace.has_unknown_losses()),
    );
    if let Some(DiscardedEvents { events, until_stamp }) = trace.header().identity.discarded {
        let before = format!("before stamp {until_stamp}");
        text += &format!("  discarded  {} {before} (the ring was full)\n", counted(events, "event"));
    }
    let world = &trace.header().world;
    if world.providers.is_some() {
        let missing = world.recorded_providers().missing().map(Provider::name).collect::<Vec<_>>().join(", ");
        text += &format!("  providers  {}; not recorded: {missing}\n", world.recorded_providers());
    }
    for (layer, events) in events_by_layer(trace) {
        text += &format!("    {:<21}{:>12}\n", layer.title(), grouped(events));
    }
    // A logical clock counts events: its span is no time.
    let duration = match head.has_time() {
        true => span(duration_ns(head)),
        false => counted(head.span_ticks().unwrap_or_default(), "tick"),
    };
    text += &format!(
        "  threads    {}\n  time       {duration} of the {} clock, stamps {} to {}\n",
        summary.threads.len(),
        escaped(&clock.source),
        summary.first_stamp.unwrap_or(0),
        summary.last_stamp.unwrap_or(0),
    );
    text += &recording_info::as_text(trace);
    folded(&text)
}
