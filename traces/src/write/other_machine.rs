//! Streams and clock readings of another machine, for importers.

use crate::format::clock_reading::ClockReading;
use crate::format::metadata::MetadataRecord;
use crate::format::other_block::METADATA_STREAM;
use crate::format::stream_info::StreamInfo;
use crate::write::thread_writer::ThreadWriter;
use crate::write::writer::TraceWriter;

impl TraceWriter {
    /// Creates a writer for the events of a stream of another process or machine, which `stream` describes. For a writer
    /// without [`keep_time`](Self::keep_time), which describes the calling thread.
    pub fn stream(&self, stream: StreamInfo) -> ThreadWriter {
        let stream = StreamInfo { stream: stream.stream.min(METADATA_STREAM - 1), ..stream };
        let number = stream.stream;
        self.pool.queue_metadata(MetadataRecord::Stream(stream));
        self.thread(number)
    }

    /// Adds a reading of the clocks of another machine.
    pub fn add_clock_reading(&self, reading: ClockReading) {
        self.pool.queue_metadata(MetadataRecord::Clock(reading));
    }
}
