//! TRACE_LOGFILE_HEADER: machine, session and clock of a file.

use crate::bytes::{array, i64_at, u32_at, utf16_nul, utf16_text};

/// LogFileMode bit of a file with compressed buffers.
const MODE_COMPRESSED: u32 = 0x0400_0000;
/// FILETIME of the year 10000. A later time has no date.
const MAX_FILETIME: i64 = 2_650_467_744_000_000_000;
/// FILETIME units per second.
const PER_SECOND: i128 = 10_000_000;

/// Unit of an event's tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// QueryPerformanceCounter, `perf_frequency` per second.
    Performance,
    /// FILETIME, 100 ns.
    System,
    /// Cycles of a processor, `cpu_mhz` millions per second.
    Cycles,
    Unknown(u32),
}

/// The file's first record. Times are FILETIME (100 ns since 1601, UTC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogHeader {
    /// Size of an uncompressed buffer.
    pub buffer_bytes: u32,
    pub windows_build: u32,
    pub processors: u32,
    pub end_time: i64,
    pub log_file_mode: u32,
    pub buffers_written: u32,
    /// Pointer size of the program that wrote the header, 4 or 8. Events have their own.
    pub pointer_bytes: u32,
    pub events_lost: u32,
    pub cpu_mhz: u32,
    pub boot_time: i64,
    pub perf_frequency: i64,
    pub start_time: i64,
    pub clock_type: u32,
    pub buffers_lost: u32,
    pub session: String,
    pub log_file: String,
    /// Tick of this record, the tick of `start_time`.
    pub tick: i64,
}

impl LogHeader {
    /// Fields of the payload of the file's first record. `None` if the payload is too short.
    pub(crate) fn parse(payload: &[u8], tick: i64) -> Option<Self> {
        let pointer_bytes = u32_at(payload, 0x2C)?;
        // A pointer of 8 bytes moves the fields after the two pointers; only 4 and 8 exist.
        let base = if pointer_bytes == 4 { 0xF0 } else { 0xF8 };
        array::<4>(payload, base + 0x1C)?;
        let names = payload.get(base + 0x20..).unwrap_or_default();
        let session_bytes = utf16_nul(names).unwrap_or(names.len());
        let rest = names.get(session_bytes + 2..).unwrap_or_default();
        let file_bytes = utf16_nul(rest).unwrap_or(rest.len());
        Some(Self {
            buffer_bytes: u32_at(payload, 0)?,
            windows_build: u32_at(payload, 8)?,
            processors: u32_at(payload, 0x0C)?,
            end_time: i64_at(payload, 0x10)?,
            log_file_mode: u32_at(payload, 0x20)?,
            buffers_written: u32_at(payload, 0x24)?,
            pointer_bytes,
            events_lost: u32_at(payload, 0x30)?,
            cpu_mhz: u32_at(payload, 0x34)?,
            boot_time: i64_at(payload, base)?,
            perf_frequency: i64_at(payload, base + 8)?,
            start_time: i64_at(payload, base + 0x10)?,
            clock_type: u32_at(payload, base + 0x18)?,
            buffers_lost: u32_at(payload, base + 0x1C)?,
            session: utf16_text(&names[..session_bytes]),
            log_file: utf16_text(&rest[..file_bytes]),
            tick,
        })
    }

    pub fn is_compressed(&self) -> bool {
        self.log_file_mode & MODE_COMPRESSED != 0
    }

    pub fn clock(&self) -> Clock {
        match self.clock_type {
            1 => Clock::Performance,
            2 => Clock::System,
            3 => Clock::Cycles,
            other => Clock::Unknown(other),
        }
    }

    /// Ticks per second. `None` for an unknown clock and a frequency that is not positive.
    pub fn ticks_per_second(&self) -> Option<i64> {
        let frequency = match self.clock() {
            Clock::Performance => self.perf_frequency,
            Clock::System => 10_000_000,
            Clock::Cycles => i64::from(self.cpu_mhz) * 1_000_000,
            Clock::Unknown(_) => 0,
        };
        (frequency > 0).then_some(frequency)
    }

    /// FILETIME of a tick. `None` without a frequency, without a start, and outside the years 1601 to 9999.
    pub fn wall_clock(&self, tick: i64) -> Option<i64> {
        let time = match self.clock() {
            Clock::System => i128::from(tick),
            _ => {
                let frequency = i128::from(self.ticks_per_second()?);
                let ticks = i128::from(tick) - i128::from(self.tick);
                i128::from(self.start_date()?) + (ticks * PER_SECOND).div_euclid(frequency)
            }
        };
        i64::try_from(time).ok().filter(|time| (1..MAX_FILETIME).contains(time))
    }

    /// `start_time`, unless it is 0 or beyond the year 9999.
    pub fn start_date(&self) -> Option<i64> {
        (1..MAX_FILETIME).contains(&self.start_time).then_some(self.start_time)
    }
}
