//! Options of a recording's trace: clock, buffers, limits, providers, snapshots.

use crate::Error;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;
use taut_capture::Clock;
use taut_schemas::{Provider, ProviderSet, SchemaTable, unknown_name};
use taut_traces::{Mode, OnFull, SnapshotTrigger, TriggerError, WriteOptions};

/// A value of an option, by its name.
#[derive(Debug, Clone, Copy)]
pub struct Named<T> {
    pub name: &'static str,
    pub description: &'static str,
    pub value: T,
}

impl<T: Copy> Named<T> {
    const fn new(name: &'static str, description: &'static str, value: T) -> Named<T> {
        Named { name, description, value }
    }

    /// Finds a value by its name.
    ///
    /// # Errors
    /// The option `option` has no such value.
    pub fn find(all: &[Named<T>], option: &'static str, name: &str) -> Result<T, Error> {
        let found = all.iter().find(|one| one.name == name).map(|one| one.value);
        found.ok_or_else(|| Error::unknown(option, name, all.iter().map(|one| one.name)))
    }
}

/// Source of stamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChoice {
    Best,
    Monotonic,
    Logical,
}

impl ClockChoice {
    /// The clock on this machine.
    pub fn clock(self) -> Clock {
        match self {
            ClockChoice::Best => Clock::best(),
            ClockChoice::Monotonic => Clock::monotonic(),
            ClockChoice::Logical => Clock::Logical,
        }
    }
}

/// Clocks.
pub const CLOCKS: [Named<ClockChoice>; 3] = [
    Named::new(
        "best",
        "The time-stamp counter, or the monotonic clock where the counter is not invariant",
        ClockChoice::Best,
    ),
    Named::new("monotonic", "The monotonic clock of the operating system", ClockChoice::Monotonic),
    Named::new("logical", "No time: stamps count events, so equal runs give equal files", ClockChoice::Logical),
];

/// Policies at the maximum size.
pub const MODES: [Named<Mode>; 3] = [
    Named::new("sequential", "The recording ends", Mode::Sequential),
    Named::new("circular", "The newest events replace the oldest, and are synced to disk", Mode::Circular),
    Named::new(
        "ring",
        "The newest events replace the oldest, in memory that survives the end of the process but not of the machine",
        Mode::Ring,
    ),
];

/// Behaviours of a thread when all buffers are full.
pub const ON_FULL: [Named<OnFull>; 2] = [
    Named::new("block", "The thread waits, and no event is lost", OnFull::Block),
    Named::new("drop", "The thread goes on; the trace has position and number of the lost events", OnFull::Drop),
];

/// Numbers of spare buffers.
pub const SPARE_BUFFERS: RangeInclusive<u32> = 1..=65536;

/// Valid sizes of a buffer, in bytes.
const BUFFER_SIZES: RangeInclusive<u64> = 4 << 10..=64 << 20;

/// Minimum of the maximum size, in bytes: the header takes most of so small a trace.
const MIN_TRACE_BYTES: u64 = 64 << 10;

/// Default options of a recording.
pub fn default_writing() -> WriteOptions {
    WriteOptions { sync_interval: Some(Duration::from_secs(1)), ..WriteOptions::default() }
}

/// Checks the size of a buffer, in bytes.
///
/// # Errors
/// The size is not allowed. The text names the expected sizes, as those of the other checks.
pub fn buffer_size(size: u64) -> Result<u64, String> {
    Some(size).filter(|size| BUFFER_SIZES.contains(size)).ok_or_else(|| "expected 4KiB to 64MiB".to_owned())
}

/// Checks the maximum size of a trace, in bytes.
///
/// # Errors
/// The size is too small.
pub fn max_size(size: u64) -> Result<u64, String> {
    Some(size).filter(|size| *size >= MIN_TRACE_BYTES).ok_or_else(|| "expected 64KiB or more".to_owned())
}

/// Checks the interval at which buffers are written.
///
/// # Errors
/// The interval is too short.
pub fn flush_interval(time: Duration) -> Result<Duration, String> {
    Some(time).filter(|time| *time >= Duration::from_millis(1)).ok_or_else(|| "expected 1ms or more".to_owned())
}

/// Finds providers by their names.
///
/// # Errors
/// There is no such provider.
pub fn providers<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<ProviderSet, String> {
    let all: Vec<&str> = Provider::ALL.map(Provider::name).to_vec();
    ProviderSet::named(names).map_err(|name| unknown_name("provider", name, &all))
}

/// Reads the event of a snapshot: `EVENT`, or `EVENT:FIELD=VALUE`.
///
/// # Errors
/// The schema has no such event or field, or the text has another form.
pub fn snapshot_trigger(text: &str) -> Result<SnapshotTrigger, String> {
    let trigger: SnapshotTrigger = text.parse().map_err(|error: TriggerError| error.to_string())?;
    let unknown = |what: &str, name: &str, known: &[String]| {
        unknown_name(what, name, &known.iter().map(String::as_str).collect::<Vec<_>>())
    };
    trigger.check(&SchemaTable::current()).map_err(|error| match &error {
        TriggerError::Event { name, known } => unknown("event", name, known),
        TriggerError::Field { name, known, .. } => unknown("field", name, known),
        _ => error.to_string(),
    })?;
    Ok(trigger)
}

/// Checks that a circular or ring recording has a maximum size, and that it and snapshots have a file.
///
/// # Errors
/// The maximum size is missing, or the output is not a file.
pub fn check_writing(options: &WriteOptions, output: &Path) -> Result<(), Error> {
    let is_no_file = output == Path::new("-") || std::fs::metadata(output).is_ok_and(|metadata| !metadata.is_file());
    if options.snapshot_on.is_some() && is_no_file {
        return Err(Error::usage("--snapshot-on needs a file: snapshots lie beside it"));
    }
    if options.mode == Mode::Sequential {
        return Ok(());
    }
    if options.max_bytes.is_none() {
        return Err(Error::usage("--mode circular and --mode ring need --max-size: how much is kept"));
    }
    if is_no_file {
        return Err(Error::usage("--mode circular and --mode ring need a file: what is kept is known at the end"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_named_one_by_one() {
        let api_and_task = ProviderSet::NONE.with(Provider::Api).with(Provider::Task);
        assert_eq!(providers(["task", "api"]), Ok(api_and_task));
        assert_eq!(providers(["api", "ddi", "task", "memory"]), Ok(ProviderSet::ALL));
        for wrong in ["", "apu", " ddi"] {
            assert!(providers(["api", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_and_intervals_have_limits() {
        assert_eq!((buffer_size(4096), buffer_size(64 << 20)), (Ok(4096), Ok(64 << 20)));
        assert!([0, 4095, (64 << 20) + 1].map(buffer_size).iter().all(Result::is_err));
        assert!(max_size(64 << 10).is_ok() && max_size((64 << 10) - 1).is_err());
        let ms = Duration::from_millis(1);
        assert!(flush_interval(ms).is_ok() && flush_interval(ms / 2).is_err());
    }
}
