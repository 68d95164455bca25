//! The first record of a file: SYSTEM_TRACE_HEADER and TRACE_LOGFILE_HEADER.

use super::buffer::BUFFER_BYTES;

/// Bytes of SYSTEM_TRACE_HEADER, and of TRACE_LOGFILE_HEADER with pointers of 8 bytes.
const SYSTEM_HEADER_BYTES: usize = 32;
const LOG_HEADER_BYTES: usize = 0x118;
/// Windows 10, layout 1.5 of the header.
const VERSION: u32 = 0x0501_000A;
/// EVENT_TRACE_FILE_MODE_SEQUENTIAL.
const MODE_SEQUENTIAL: u32 = 1;
/// Ticks are those of QueryPerformanceCounter.
const CLOCK_PERFORMANCE: u32 = 1;
/// Timer resolution of Windows, 15.625 ms in units of 100 ns.
const TIMER_RESOLUTION: u32 = 156_250;
/// Frequency of a processor. Ticks do not depend on it; dissect.etl divides by it and refuses files with 0.
const CPU_MHZ: u32 = 1_000;

/// Session, machine and clock of a file to be written. Times are FILETIME (100 ns since 1601, UTC).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Session {
    pub name: String,
    pub log_file: String,
    pub windows_build: u32,
    pub processors: u32,
    pub ticks_per_second: i64,
    /// Tick of `start_time`.
    pub start_tick: i64,
    pub start_time: i64,
    pub end_time: i64,
    pub events_lost: u32,
}

impl Session {
    /// The record. `buffers` is the number of all buffers.
    pub(super) fn record(&self, buffers: u32) -> Vec<u8> {
        let mut payload = vec![0; LOG_HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| payload[at..at + bytes.len()].copy_from_slice(bytes);
        put(0x00, &(BUFFER_BYTES as u32).to_le_bytes());
        put(0x04, &VERSION.to_le_bytes());
        put(0x08, &self.windows_build.to_le_bytes());
        put(0x0C, &self.processors.to_le_bytes());
        put(0x10, &self.end_time.to_le_bytes());
        put(0x18, &TIMER_RESOLUTION.to_le_bytes());
        put(0x20, &MODE_SEQUENTIAL.to_le_bytes());
        put(0x24, &buffers.to_le_bytes());
        put(0x28, &1_u32.to_le_bytes());
        put(0x2C, &8_u32.to_le_bytes());
        put(0x30, &self.events_lost.to_le_bytes());
        put(0x34, &CPU_MHZ.to_le_bytes());
        // BootTime must be below StartTime.
        put(0xF8, &self.start_time.saturating_sub(1).to_le_bytes());
        put(0x100, &self.ticks_per_second.to_le_bytes());
        put(0x108, &self.start_time.to_le_bytes());
        put(0x110, &CLOCK_PERFORMANCE.to_le_bytes());
        for name in [&self.name, &self.log_file] {
            payload.extend(name.encode_utf16().filter(|unit| *unit != 0).chain([0]).flat_map(u16::to_le_bytes));
        }
        let size = u16::try_from(SYSTEM_HEADER_BYTES + payload.len()).unwrap_or(u16::MAX);
        // Version 2, type SYSTEM64, marker; hook 0, no thread and no process.
        let mut record = vec![2, 0, 2, 0xC0];
        record.extend(size.to_le_bytes());
        record.resize(16, 0);
        record.extend(self.start_tick.to_le_bytes());
        record.resize(SYSTEM_HEADER_BYTES, 0);
        record.extend(payload);
        record
    }
}
