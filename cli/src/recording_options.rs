//! Options of `taut record`: buffers, syncing to disk, limits, providers and snapshots.

use crate::placement_options::bytes;
use clap::{Args, ValueEnum};
use std::path::Path;
use std::time::Duration;
use taut_console::outcome::Failure;
use taut_console::printing::unknown;
use taut_schemas::{Provider, ProviderSet, SchemaTable};
use taut_traces::{Mode, OnFull, SnapshotTrigger, TriggerError, WriteOptions};

/// Options of `record` that say how.
#[derive(Debug, Clone, Args)]
pub struct RecordingOptions {
    /// How often the recording is brought to disk while it goes on: what the end of the machine may cost; 0s for at the end.
    /// The end of the process costs nothing
    #[arg(long, default_value = "1s", value_name = "TIME")]
    pub sync_interval: humantime::Duration,
    /// Size of a thread's buffer, from 4KiB to 64MiB; less where all buffers together would take more than 128 MiB
    #[arg(long, default_value = "256KiB", value_name = "SIZE", value_parser = buffer_size)]
    pub buffer_size: u64,
    /// Buffers that there may be beside those that threads are filling
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub buffers: u32,
    /// What a thread does when all buffers are full
    #[arg(long, value_enum, default_value = "block", value_name = "WHAT")]
    pub on_full: OnFullChoice,
    /// What becomes of what was recorded when there is more of it than --max-size
    #[arg(long, value_enum, default_value = "sequential", value_name = "MODE")]
    pub mode: ModeChoice,
    /// The size of the trace, at which the recording ends (what threads are at then is still in it), or the oldest makes place
    /// for the newest
    #[arg(long, value_name = "SIZE", value_parser = max_size)]
    pub max_size: Option<u64>,
    /// End the recording after this time
    #[arg(long, value_name = "TIME")]
    pub max_time: Option<humantime::Duration>,
    /// Have threads hand over what they have so often, and close all blocks: what a pipe or a copy of the file is behind
    #[arg(long, value_name = "TIME", value_parser = flush_interval)]
    pub flush_interval: Option<Duration>,
    /// What is recorded: api, the application's calls; ddi, what runtime and drivers say to each other; task, the machine's
    /// inputs and background tasks; memory, stores to mapped memory. A replay needs api and task
    #[arg(long, default_value = "api,ddi,task,memory", value_name = "NAME,..", value_parser = providers)]
    pub providers: ProviderSet,
    /// Write a trace of what there is so far, FILE.N.taut beside it, when this event is recorded; the first ten times. VALUE is
    /// written as `taut dump` writes it
    #[arg(long, value_name = "EVENT[:FIELD=VALUE]", value_parser = snapshot_on)]
    pub snapshot_on: Option<SnapshotTrigger>,
}

/// What becomes of what was recorded when there is more of it than there is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeChoice {
    /// All is kept; with --max-size, the recording ends there
    Sequential,
    /// The last is kept, and brought to disk while the recording goes on
    Circular,
    /// The last is kept; it outlives the end of the process, not that of the machine
    Ring,
}

/// What a thread does when all buffers are full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnFullChoice {
    /// Wait: no event is lost
    Block,
    /// Go on; the trace says where events are missing, and how many
    Drop,
}

/// Valid sizes of a buffer, in bytes.
const BUFFER_SIZES: std::ops::RangeInclusive<u64> = 4 << 10..=64 << 20;

fn buffer_size(text: &str) -> Result<u64, String> {
    bytes(text).ok().filter(|size| BUFFER_SIZES.contains(size)).ok_or_else(|| "expected 4KiB to 64MiB".to_owned())
}

/// Minimum of `--max-size`, in bytes: the header takes most of so small a trace.
const MIN_TRACE_BYTES: u64 = 64 << 10;

fn max_size(text: &str) -> Result<u64, String> {
    bytes(text).ok().filter(|size| *size >= MIN_TRACE_BYTES).ok_or_else(|| "expected 64KiB or more".to_owned())
}

fn flush_interval(text: &str) -> Result<Duration, String> {
    let time = text.parse::<humantime::Duration>().map_err(|error| error.to_string())?;
    Some(*time).filter(|time| *time >= Duration::from_millis(1)).ok_or_else(|| "expected 1ms or more".to_owned())
}

fn providers(text: &str) -> Result<ProviderSet, String> {
    let all: Vec<&str> = Provider::ALL.map(Provider::name).to_vec();
    ProviderSet::named(text.split(',')).map_err(|name| unknown("provider", name, &all))
}

fn snapshot_on(text: &str) -> Result<SnapshotTrigger, String> {
    let trigger: SnapshotTrigger = text.parse().map_err(|error: TriggerError| error.to_string())?;
    trigger.check(&SchemaTable::current()).map_err(|error| match &error {
        TriggerError::Event { name, known } => {
            unknown("event", name, &known.iter().map(String::as_str).collect::<Vec<_>>())
        }
        TriggerError::Field { name, known, .. } => {
            unknown("field", name, &known.iter().map(String::as_str).collect::<Vec<_>>())
        }
        _ => error.to_string(),
    })?;
    Ok(trigger)
}

impl RecordingOptions {
    /// Checks that a circular or ring recording has a maximum size, and that it and snapshots have a file.
    ///
    /// # Errors
    /// The maximum size is missing, or the output is not a file.
    pub fn check(&self, output: &Path) -> Result<(), Failure> {
        let is_no_file =
            output == Path::new("-") || std::fs::metadata(output).is_ok_and(|metadata| !metadata.is_file());
        if self.snapshot_on.is_some() && is_no_file {
            return Err(Failure::usage("--snapshot-on needs a file: snapshots lie beside it"));
        }
        if self.mode == ModeChoice::Sequential {
            return Ok(());
        }
        if self.max_size.is_none() {
            return Err(Failure::usage("--mode circular and --mode ring need --max-size: how much is kept"));
        }
        if is_no_file {
            return Err(Failure::usage(
                "--mode circular and --mode ring need a file: what is kept is known at the end",
            ));
        }
        Ok(())
    }

    /// Converts the options to those of a trace writer.
    pub fn write_options(&self) -> WriteOptions {
        let on_full = match self.on_full {
            OnFullChoice::Block => OnFull::Block,
            OnFullChoice::Drop => OnFull::Drop,
        };
        let mode = match self.mode {
            ModeChoice::Sequential => Mode::Sequential,
            ModeChoice::Circular => Mode::Circular,
            ModeChoice::Ring => Mode::Ring,
        };
        WriteOptions {
            mode,
            buffer_bytes: self.buffer_size as usize,
            spare_buffers: self.buffers as usize,
            on_full,
            sync_interval: Some(*self.sync_interval).filter(|interval| !interval.is_zero()),
            max_bytes: self.max_size,
            max_time: self.max_time.map(Into::into),
            flush_interval: self.flush_interval,
            providers: self.providers,
            snapshot_on: self.snapshot_on.clone(),
            ..WriteOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_named_one_by_one() {
        let api_and_task = ProviderSet::NONE.with(Provider::Api).with(Provider::Task);
        assert_eq!(providers("task,api"), Ok(api_and_task));
        assert_eq!(providers("api,ddi,task,memory"), Ok(ProviderSet::ALL));
        for wrong in ["", "apu", "api,", "api, ddi"] {
            assert!(providers(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_buffer_has_from_4_kib_to_64_mib() {
        assert_eq!(buffer_size("4KiB"), Ok(4096));
        assert_eq!(buffer_size("64MiB"), Ok(64 << 20));
        for wrong in ["4095", "65MiB", "0", "", "1MB"] {
            assert!(buffer_size(wrong).is_err(), "{wrong}");
        }
    }
}
