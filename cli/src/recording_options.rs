//! Options of `taut record`: buffers, syncing to disk, limits, providers and snapshots.

use crate::choices::among;
use crate::failure::failure;
use crate::headings::RECORDING;
use crate::placement_options::bytes;
use clap::Args;
use clap::builder::RangedI64ValueParser;
use std::path::Path;
use std::time::Duration;
use taut_app::record;
use taut_console::outcome::Failure;
use taut_schemas::ProviderSet;
use taut_traces::{Mode, OnFull, SnapshotTrigger, WriteOptions};

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
    #[arg(long, hide_default_value = true, help_heading = RECORDING, default_value_t = 64, value_name = "N", value_parser = spare_buffers())]
    pub buffers: u32,
    /// When all buffers are full: block the thread, or drop events [default: block]
    #[arg(long, hide_default_value = true, value_parser = among("behaviour", &record::ON_FULL), default_value = "block", value_name = "WHAT", hide_possible_values = true, help_heading = RECORDING)]
    #[arg(long_help = "When all buffers are full: block the thread, or drop and count events [default: block]")]
    pub on_full: OnFull,
    /// At --max-size: sequential, circular or ring [default: sequential]
    #[arg(long, hide_default_value = true, value_parser = among("mode", &record::MODES), default_value = "sequential", value_name = "MODE", hide_possible_values = true, help_heading = RECORDING)]
    #[arg(long_help = "At --max-size: sequential (the recording ends), circular (the newest events replace the \
        oldest on disk), or ring (the same in memory, which survives the end of the process but not of the \
        machine) [default: sequential]")]
    pub mode: Mode,
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
    #[arg(long, value_name = "EVENT", value_parser = record::snapshot_trigger, help_heading = RECORDING)]
    #[arg(long_help = "Write a snapshot FILE.N.taut at this event, at most ten: EVENT, or EVENT:FIELD=VALUE \
        with the value in the form of `taut dump`")]
    pub snapshot_on: Option<SnapshotTrigger>,
}

fn spare_buffers() -> RangedI64ValueParser<u32> {
    let (min, max) = (*record::SPARE_BUFFERS.start(), *record::SPARE_BUFFERS.end());
    clap::value_parser!(u32).range(i64::from(min)..=i64::from(max))
}

fn buffer_size(text: &str) -> Result<u64, String> {
    bytes(text).map_err(|_| "expected 4KiB to 64MiB".to_owned()).and_then(record::buffer_size)
}

fn max_size(text: &str) -> Result<u64, String> {
    bytes(text).map_err(|_| "expected 64KiB or more".to_owned()).and_then(record::max_size)
}

fn flush_interval(text: &str) -> Result<Duration, String> {
    record::flush_interval(*text.parse::<humantime::Duration>().map_err(|error| error.to_string())?)
}

fn providers(text: &str) -> Result<ProviderSet, String> {
    record::providers(text.split(','))
}

impl RecordingOptions {
    /// Checks that the options can be combined, and fit the output.
    ///
    /// # Errors
    /// They do not.
    pub fn check(&self, output: &Path) -> Result<(), Failure> {
        record::check_writing(&self.write_options(), output).map_err(failure)
    }

    /// Converts the options to those of a trace writer.
    pub fn write_options(&self) -> WriteOptions {
        WriteOptions {
            mode: self.mode,
            buffer_bytes: self.buffer_size as usize,
            spare_buffers: self.buffers as usize,
            on_full: self.on_full,
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
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        writing: RecordingOptions,
    }

    #[test]
    fn defaults_are_those_of_a_recording() {
        let defaults = Only::parse_from(["taut"]).writing.write_options();
        assert_eq!(format!("{defaults:?}"), format!("{:?}", record::default_writing()));
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
