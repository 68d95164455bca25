//! The single sequence of packets in the file: delta times, interned data, and compression.

use super::interning::Interning;
use super::packets::{
    BUILTIN_CLOCK_BOOTTIME, Clock, ClockSnapshot, SEQ_INCREMENTAL_STATE_CLEARED, SEQ_NEEDS_INCREMENTAL_STATE, Trace,
    TracePacket, TracePacketDefaults, TrackDescriptor, TrackEvent, TrackEventDefaults,
};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use prost::Message;
use rayon::prelude::*;
use std::io::Write;

/// Id of the sequence.
const SEQUENCE: u32 = 1;

/// Id of the sequence's own clock (64 to 127 are free for such clocks), with times relative to the previous packet.
const CLOCK: u32 = 64;

/// Key of a packet in a [`Trace`]: field 1, a message. Written by hand, so that a packet's size is computed once only.
const PACKET_KEY: u8 = 1 << 3 | 2;

/// Size of a chunk of packets that is compressed together, in bytes.
const CHUNK_BYTES: usize = 1 << 18;

/// A sequence under construction.
pub struct Sequence {
    pub interning: Interning,
    now_ns: u64,
    /// Packets that are not compressed yet.
    chunk: Vec<u8>,
    full: Vec<Vec<u8>>,
}

impl Sequence {
    /// Creates a sequence whose events are on `track_uuid` unless they name another track.
    pub fn new(track_uuid: Option<u64>) -> Sequence {
        let mut sequence = Sequence { interning: Interning::default(), now_ns: 0, chunk: Vec::new(), full: Vec::new() };
        let clock = |clock_id, is_incremental| Clock { clock_id: Some(clock_id), timestamp: Some(0), is_incremental };
        sequence.push(TracePacket {
            clock_snapshot: Some(ClockSnapshot {
                clocks: vec![clock(CLOCK, Some(true)), clock(BUILTIN_CLOCK_BOOTTIME, None)],
                primary_trace_clock: Some(BUILTIN_CLOCK_BOOTTIME),
            }),
            trace_packet_defaults: Some(TracePacketDefaults {
                timestamp_clock_id: Some(CLOCK),
                track_event_defaults: track_uuid.map(|track_uuid| TrackEventDefaults { track_uuid: Some(track_uuid) }),
            }),
            sequence_flags: Some(SEQ_INCREMENTAL_STATE_CLEARED),
            first_packet_on_sequence: Some(true),
            ..TracePacket::default()
        });
        sequence
    }

    /// Adds a track. It has to precede the track's first event.
    pub fn track(&mut self, track: TrackDescriptor) {
        self.push(TracePacket { track_descriptor: Some(track), ..TracePacket::default() });
    }

    /// Adds an event. Time never decreases: a late event gets the current time.
    pub fn event(&mut self, at_ns: u64, track_event: TrackEvent) {
        let passed_ns = at_ns.saturating_sub(self.now_ns);
        self.now_ns += passed_ns;
        let packet = TracePacket {
            timestamp: Some(passed_ns),
            track_event: Some(track_event),
            interned_data: self.interning.take(),
            sequence_flags: Some(SEQ_NEEDS_INCREMENTAL_STATE),
            ..TracePacket::default()
        };
        self.push(packet);
    }

    fn push(&mut self, packet: TracePacket) {
        let packet = TracePacket { trusted_packet_sequence_id: Some(SEQUENCE), ..packet };
        self.chunk.push(PACKET_KEY);
        // Writing to memory cannot fail.
        let _ = packet.encode_length_delimited(&mut self.chunk);
        if self.chunk.len() >= CHUNK_BYTES {
            self.full.push(std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 8)));
        }
    }

    /// Compresses the full chunks; returns them in the format of the file.
    ///
    /// # Errors
    /// None in practice: output goes to memory.
    pub fn packed(&mut self) -> std::io::Result<Vec<Vec<u8>>> {
        std::mem::take(&mut self.full).into_par_iter().map(|chunk| pack(&chunk)).collect()
    }

    /// Compresses the last packets.
    ///
    /// # Errors
    /// As [`packed`](Self::packed).
    pub fn finish(mut self) -> std::io::Result<Vec<Vec<u8>>> {
        self.full.push(std::mem::take(&mut self.chunk));
        self.packed()
    }
}

fn pack(chunk: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(chunk.len() / 4), Compression::new(LEVEL));
    encoder.write_all(chunk)?;
    let packet = TracePacket { compressed_packets: Some(encoder.finish()?), ..TracePacket::default() };
    Ok(Trace { packet: vec![packet] }.encode_to_vec())
}

/// Compression level of DEFLATE, of nine: higher levels save little and take much longer.
const LEVEL: u32 = 4;
