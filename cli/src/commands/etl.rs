//! `taut etl`: prints session, clock, providers, events and losses of a Windows trace, and the settings of a recording.

use crate::args::{Common, EtlCommand, EtlInfoArguments, EtlProfileArguments};
use crate::failure::failure;
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_app::etl_info::{EtlInfo, EventCount, ProviderCount, read};
use taut_app::etl_profile::CaptureProfile;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{escaped, print, print_json, print_message, table};
use taut_console::traces::name;

/// Runs a command on a Windows trace.
pub fn run(command: &EtlCommand, common: Common) -> Outcome {
    match command {
        EtlCommand::Info(info) => run_info(info, common),
        EtlCommand::Profile(profile) => run_profile(profile, common),
    }
}

/// Prints the settings of a recording on Windows.
fn run_profile(arguments: &EtlProfileArguments, common: Common) -> Outcome {
    let profile = CaptureProfile::default();
    let lines = |lines: Vec<String>| lines.join("\n") + "\n";
    match arguments {
        _ if common.json => print_json(&profile.json())?,
        EtlProfileArguments { logman: true, .. } => print(&lines(profile.logman()))?,
        EtlProfileArguments { xperf: true, .. } => print(&lines(profile.xperf()))?,
        _ => print(&profile.wprp())?,
    }
    Ok(Status::Fine)
}

/// Prints the contents. The status is [`Status::Incomplete`] if a part of the file is damaged.
fn run_info(arguments: &EtlInfoArguments, common: Common) -> Outcome {
    let info =
        read(&arguments.file, &arguments.manifests).map_err(|error| failure(error).context(name(&arguments.file)))?;
    if common.json {
        let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
        print_json(&info.json(&file))?;
    } else {
        print(&to_text(&info, &name(&arguments.file)))?;
    }
    print_unsupported(&info.unsupported);
    for damage in &info.contents.damage {
        print_message(escaped(damage));
    }
    let unlisted = info.contents.damage_count - info.contents.damage.len() as u64;
    if unlisted > 0 {
        print_message(format_args!("{} further damages are not listed", grouped(unlisted)));
    }
    Ok(if info.contents.damage_count > 0 { Status::Incomplete } else { Status::Fine })
}

/// Prints the events of manifests that stay without a description.
pub fn print_unsupported(events: &[String]) {
    for event in events {
        print_message(format_args!(
            "{}: its fields have structures or unknown types; it is not decoded",
            escaped(event)
        ));
    }
}

fn to_text(info: &EtlInfo, file: &str) -> String {
    let (header, counts, contents) = (info.file.header(), info.file.counts(), &info.contents);
    let kinds: Vec<String> =
        contents.by_header.iter().map(|(kind, events)| format!("{kind} {}", grouped(*events))).collect();
    let start = info.start_utc().unwrap_or_else(|| "unknown".to_owned());
    let span =
        contents.span_s.map_or_else(|| "unknown: the clock has no frequency".to_owned(), |s| format!("{s:.3} s"));
    let mut text = format!(
        "{file}: {}, {} of at most {}, compression {}\n\
         \x20 windows    build {}, {}\n\
         \x20 session    {}, mode {:#x}\n\
         \x20 start      {start} UTC, span {span}, threads {}, processes {}\n\
         \x20 events     {}: {}\n\
         \x20 lost       {} and {}, as Windows counted\n\
         \x20 flags      lost events: {}; lost buffer: {}\n",
        binary_bytes(info.file.size_bytes()),
        counted(counts.buffers, "buffer"),
        binary_bytes(header.buffer_bytes.into()),
        info.compression(),
        header.windows_build,
        counted(header.processors.into(), "processor"),
        escaped(&header.session),
        header.log_file_mode,
        contents.threads,
        contents.processes,
        grouped(contents.events),
        kinds.join(", "),
        counted(header.events_lost.into(), "event"),
        counted(header.buffers_lost.into(), "buffer"),
        counted(counts.with_events_lost, "buffer"),
        counted(counts.with_buffer_lost, "buffer"),
    );
    text += "\n";
    let provider = |p: &ProviderCount| [grouped(p.events), p.guid.to_string(), escaped(&p.name).into_owned()];
    text += &table(&["events", "provider", "name"], &[0], contents.providers.iter().map(provider));
    text += "\n";
    let mut events: Vec<_> = contents.by_event.iter().collect();
    events.sort_by_key(|(_, count)| std::cmp::Reverse(count.events));
    let row = |((guid, id, version), count): &(&(taut_app::etl_info::ProviderId, u16, u8), &EventCount)| {
        let provider = contents.providers.iter().find(|provider| provider.guid == *guid);
        let provider = provider.map(|p| p.name.as_str()).filter(|name| !name.is_empty());
        let provider = provider.map_or_else(|| guid.to_string(), |name| escaped(name).into_owned());
        [grouped(count.events), provider, format!("{id} v{version}"), escaped(&count.name).into_owned(), fit(count)]
    };
    text + &table(&["events", "provider", "event", "name", "decoding"], &[0], events.iter().map(row))
}

/// Results of decoding one event.
fn fit(count: &EventCount) -> String {
    let mut parts = Vec::new();
    let mut add = |events: u64, text: String| {
        if events > 0 {
            parts.push(if events == count.events { text } else { format!("{text} {}", grouped(events)) });
        }
    };
    add(count.exact, "exact".to_owned());
    for (bytes, events) in &count.trailing {
        add(*events, format!("trailing {bytes} bytes"));
    }
    add(count.short, "short".to_owned());
    add(count.unknown, "unknown version".to_owned());
    add(count.raw, "raw".to_owned());
    parts.join(", ")
}
