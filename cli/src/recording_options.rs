//! How a recording is written: its buffers, and how often it is brought to disk.

use crate::placing_options::bytes;
use clap::{Args, ValueEnum};
use taut_console::printing::unknown;
use taut_schemas::{Provider, ProviderSet};
use taut_traces::{OnFull, WriteOptions};

/// Options of `record` that say how.
#[derive(Debug, Clone, Args)]
pub struct RecordingOptions {
    /// How often the recording is brought to disk while it goes on: what the end of the machine may cost; 0s for at the end.
    /// The end of the process costs nothing
    #[arg(long, default_value = "1s", value_name = "TIME")]
    pub sync_interval: humantime::Duration,
    /// Size of a thread's buffer, from 4KiB to 64MiB
    #[arg(long, default_value = "256KiB", value_name = "SIZE", value_parser = buffer_size)]
    pub buffer_size: u64,
    /// Buffers that there may be beside those that threads are filling
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub buffers: u32,
    /// What a thread does when all buffers are full
    #[arg(long, value_enum, default_value = "block", value_name = "WHAT")]
    pub on_full: OnFullChoice,
    /// What is recorded: api, the application's calls; ddi, what runtime and drivers say to each other; task, the machine's
    /// inputs and background tasks; memory, stores to mapped memory. A replay needs api and task
    #[arg(long, default_value = "api,ddi,task,memory", value_name = "NAME,..", value_parser = providers)]
    pub providers: ProviderSet,
}

/// What a thread does when all buffers are full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnFullChoice {
    /// Wait: no event is lost
    Block,
    /// Go on; the trace says where events are missing, and how many
    Drop,
}

/// Sizes of a buffer, in bytes.
const BUFFER_SIZES: std::ops::RangeInclusive<u64> = 4 << 10..=64 << 20;

fn buffer_size(text: &str) -> Result<u64, String> {
    bytes(text).ok().filter(|size| BUFFER_SIZES.contains(size)).ok_or_else(|| "expected 4KiB to 64MiB".to_owned())
}

fn providers(text: &str) -> Result<ProviderSet, String> {
    let all: Vec<&str> = Provider::ALL.map(Provider::name).to_vec();
    ProviderSet::named(text.split(',')).map_err(|name| unknown("provider", name, &all))
}

impl RecordingOptions {
    /// The same for a writer.
    pub fn write_options(&self) -> WriteOptions {
        let on_full = match self.on_full {
            OnFullChoice::Block => OnFull::Block,
            OnFullChoice::Drop => OnFull::Drop,
        };
        WriteOptions {
            buffer_bytes: self.buffer_size as usize,
            spare_buffers: self.buffers as usize,
            on_full,
            sync_interval: Some(*self.sync_interval).filter(|interval| !interval.is_zero()),
            providers: self.providers,
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
