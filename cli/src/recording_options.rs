//! Options of `taut record`: buffers, syncing to disk, limits, providers and snapshots.

use crate::headings::RECORDING;
use crate::placement_options::bytes;
use clap::{Args, ValueEnum};
use std::path::Path;
use std::time::Duration;
use taut_console::outcome::Failure;
use taut_console::printing::unknown;
use taut_schemas::{Provider, ProviderSet, SchemaTable};
use taut_traces::{Mode, OnFull, SnapshotTrigger, TriggerError, WriteOptions};

/// Options of `record` about buffers, limits and disk.
#[derive(Debug, Clone, Args)]
pub struct RecordingOptions {
    /// Interval of syncs to disk; 0s: one sync at the end [default: 1s]
    #[arg(long, hide_default_value = true, default_value = "1s", value_name = "TIME", help_heading = RECORDING)]
    #[arg(long_help = "Interval of syncs to disk, lost at most if the machine fails; 0s: at the end [default: 1s]")]
    pub sync_interval: humantime::Duration,
    /// Buffer per thread, 4KiB to 64MiB [default: 256KiB]
    #[arg(long, hide_default_value = true, default_value = "256KiB", value_name = "SIZE", value_parser = buffer_size, help_heading = RECORDING)]
    #[arg(long_help = "Buffer per thread, 4KiB to 64MiB, in total at most 128 MiB [default: 256KiB]")]
    pub buffer_size: u64,
    /// Max spare buffers [default: 64]
    #[arg(long, hide_default_value = true, help_heading = RECORDING, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub buffers: u32,
    /// When all buffers are full: block the thread, or drop events [default: block]
    #[arg(long, hide_default_value = true, value_enum, default_value = "block", value_name = "WHAT", hide_possible_values = true, help_heading = RECORDING)]
    #[arg(long_help = "When all buffers are full: block the thread, or drop and count events [default: block]")]
    pub on_full: OnFullChoice,
    /// At --max-size: sequential, circular or ring [default: sequential]
    #[arg(long, hide_default_value = true, value_enum, default_value = "sequential", value_name = "MODE", hide_possible_values = true, help_heading = RECORDING)]
    #[arg(long_help = "At --max-size: sequential (the recording ends), circular (the newest events replace the \
        oldest on disk), or ring (the same in memory, which survives the end of the process but not of the \
        machine) [default: sequential]")]
    pub mode: ModeChoice,
    /// Max size of the trace, at least 64KiB
    #[arg(long, value_name = "SIZE", value_parser = max_size, help_heading = RECORDING)]
    pub max_size: Option<u64>,
    /// Max time of the recording
    #[arg(long, value_name = "TIME", help_heading = RECORDING)]
    pub max_time: Option<humantime::Duration>,
    /// Interval at which all buffers are written, for readers of a running recording
    #[arg(long, value_name = "TIME", value_parser = flush_interval, help_heading = RECORDING)]
    pub flush_interval: Option<Duration>,
    /// Events to record; a replay needs api and task [default: all]
    #[arg(long, hide_default_value = true, default_value = "api,ddi,task,memory", value_name = "NAME,..", value_parser = providers, help_heading = RECORDING)]
    #[arg(long_help = "Events to record: api (calls of the application), ddi (calls between runtime and \
        drivers), task (inputs from the machine, background tasks), memory (stores to mapped memory); a replay \
        needs api and task [default: all]")]
    pub providers: ProviderSet,
    /// Write a snapshot FILE.N.taut at this event, at most ten
    #[arg(long, value_name = "EVENT", value_parser = snapshot_on, help_heading = RECORDING)]
    #[arg(long_help = "Write a snapshot FILE.N.taut at this event, at most ten: EVENT, or EVENT:FIELD=VALUE \
        with the value in the form of `taut dump`")]
    pub snapshot_on: Option<SnapshotTrigger>,
}

/// Behaviour at the maximum size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeChoice {
    /// The recording ends
    Sequential,
    /// The newest events replace the oldest, and are synced to disk
    Circular,
    /// The newest events replace the oldest, in memory that survives the end of the process but not of the machine
    Ring,
}

/// Behaviour of a thread when all buffers are full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnFullChoice {
    /// The thread waits, and no event is lost
    Block,
    /// The thread goes on; the trace has position and number of the lost events
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
