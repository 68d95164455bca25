//! Export as a Windows trace (.etl): every record is a TraceLogging event of the provider `Tautline`.
//!
//! A call is an event with the opcode start and one with stop; all others have the opcode info. An event's id is its code
//! in the trace, so that equal descriptions stay apart. The thread is the stream of the trace, or the thread of Windows
//! in an imported trace. A list is an array of structures.

use crate::Error;
use std::collections::HashMap;
use std::io::{self, Write};
use taut_etl::{
    Descriptor, EtlWriter, Guid, NewEvent, SchemaBuilder, Session, WriteError, item_types, provider_traits,
};
use taut_schemas::{CodecError, Decoder, EventCode, EventSchema, FieldKind, Opcode, Role, ScalarSchema};
use taut_traces::{Damage, Row, StreamInfo, Trace};

/// Name of the provider, and its GUID: the hash of the name as EventSource computes it.
pub const PROVIDER: &str = "Tautline";
const PROVIDER_GUID: &str = "30c36556-7c1b-5492-5a7d-b1406f6a66f6";
/// Name of the session of an exported file.
const SESSION: &str = "tautline";
/// Build that the header names: no Windows wrote the file, and readers choose field tables by it.
const WINDOWS_BUILD: u32 = 22_631;
/// Channel of TraceLogging events.
const CHANNEL_TRACE_LOGGING: u8 = 11;
/// Keywords of a provider; the other bits belong to Windows.
const PROVIDER_KEYWORDS: u64 = 0x0000_FFFF_FFFF_FFFF;
/// FILETIME of the beginning of 1970.
const UNIX_EPOCH_FILETIME: i64 = 116_444_736_000_000_000;
/// Rate of a clock that counts events: one stamp is 100 ns.
const LOGICAL_TICKS_PER_SECOND: i64 = 10_000_000;

/// TraceLogging types.
const TYPES_BY_WIDTH: [(u8, u8); 4] = [(1, 4), (2, 6), (4, 8), (8, 10)];
const FLOAT: u8 = 11;
const DOUBLE: u8 = 12;
const BINARY: u8 = 14;
const HEX_32: u8 = 20;
const HEX_64: u8 = 21;
const COUNTED_UTF16: u8 = 22;

/// Result of an export.
#[derive(Debug, Default)]
pub struct Exported {
    pub damage: Vec<Damage>,
    /// Events that no record of Windows can hold; the header counts them as lost.
    pub left_out: u64,
}

/// Writes the trace. The first pass counts buffers and events that do not fit, which the header states.
///
/// # Errors
/// The trace's table does not match its records, or writing failed.
pub fn write(trace: &Trace, out: &mut impl Write) -> Result<Exported, Error> {
    let lost = u32::try_from(trace.summary().lost_events).unwrap_or(u32::MAX);
    let (buffers, first) = pass(trace, &mut io::sink(), 0, lost)?;
    let all_lost = lost.saturating_add(u32::try_from(first.left_out).unwrap_or(u32::MAX));
    Ok(pass(trace, out, buffers, all_lost)?.1)
}

fn pass(trace: &Trace, out: &mut impl Write, buffers: u32, events_lost: u32) -> Result<(u32, Exported), Error> {
    let mut writer = EtlWriter::new(out, &session(trace, events_lost), buffers).map_err(Error::io)?;
    let provider = Guid::parse(PROVIDER_GUID).unwrap_or_default();
    let traits = provider_traits(PROVIDER);
    let threads = threads(trace);
    let mut kinds = HashMap::new();
    let (mut exported, mut rows) = (Exported::default(), trace.rows());
    let mut payload = Vec::new();
    while let Some(row) = rows.next_row() {
        let kind = kinds.entry(row.code).or_insert_with(|| Kind::new(trace.header().schema.event(row.code), row.code));
        let (Some(kind), Ok(tick)) = (kind, i64::try_from(row.stamp)) else {
            exported.left_out += 1;
            continue;
        };
        payload.clear();
        let fits = kind.payload(&row, &mut payload).map_err(|error| row_error(&row, &error))?;
        let (process, thread) = threads.get(&row.thread).copied().unwrap_or((0, row.thread));
        let items = [(item_types::PROVIDER_TRAITS, &traits[..]), (item_types::EVENT_SCHEMA, &kind.schema[..])];
        let descriptor = kind.descriptor;
        let event = NewEvent { tick, process, thread, provider, descriptor, items: &items, payload: &payload };
        match if fits { writer.event(0, &event) } else { Err(WriteError::TooLarge { bytes: payload.len() }) } {
            Ok(()) => {}
            Err(WriteError::TooLarge { .. }) => exported.left_out += 1,
            Err(WriteError::Io(error)) => return Err(Error::io(error)),
        }
    }
    exported.damage = rows.damage().to_vec();
    Ok((writer.finish().map_err(Error::io)?.buffers, exported))
}

fn row_error(row: &Row<'_>, error: &CodecError) -> Error {
    Error::input(format!("thread {}, stamp {}: {error}", row.thread, row.stamp))
}

fn session(trace: &Trace, events_lost: u32) -> Session {
    let (summary, world) = (trace.summary(), &trace.header().world);
    let (first, last) = (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default());
    let rate = i64::try_from(world.clock.ticks_per_second).ok().filter(|rate| *rate > 0);
    let ticks_per_second = rate.unwrap_or(LOGICAL_TICKS_PER_SECOND);
    let clock = trace.utc_clock();
    // A trace without a time of day begins in 1970.
    let start_ns = clock.map_or(0, |clock| clock.utc_ns(first));
    let start_time = UNIX_EPOCH_FILETIME + i64::try_from(start_ns / 100).unwrap_or_default();
    let ticks = i128::from(last.saturating_sub(first));
    let span = ticks * i128::from(LOGICAL_TICKS_PER_SECOND) / i128::from(ticks_per_second);
    Session {
        name: SESSION.to_owned(),
        log_file: world.workload.name.clone(),
        windows_build: WINDOWS_BUILD,
        processors: 1,
        ticks_per_second,
        start_tick: i64::try_from(first).unwrap_or(i64::MAX),
        start_time,
        end_time: start_time.saturating_add(i64::try_from(span).unwrap_or(i64::MAX)),
        events_lost,
    }
}

/// Process and thread of each stream that has one thread of Windows. A stream that several threads wrote, and a
/// stream whose thread wrote others too, has its own number.
fn threads(trace: &Trace) -> HashMap<u32, (u32, u32)> {
    let streams = trace.streams();
    let count = |is_it: &dyn Fn(&StreamInfo) -> bool| streams.iter().filter(|other| is_it(other)).count();
    let entry = |info: &StreamInfo| {
        let is_alone = count(&|other| other.stream == info.stream) == 1;
        let same = count(&|o| (o.process, o.system_thread) == (info.process, info.system_thread)) == 1;
        let thread = u32::try_from(info.system_thread).ok().filter(|thread| is_alone && same && *thread > 0);
        (info.stream, (info.process, thread.unwrap_or(info.stream)))
    };
    streams.iter().map(entry).collect()
}

/// Description of an event's records.
struct Kind {
    descriptor: Descriptor,
    schema: Vec<u8>,
    fields: Vec<FieldKind>,
}

impl Kind {
    /// `None` without a definition, and for one that no description can hold.
    fn new(event: Option<&EventSchema>, code: EventCode) -> Option<Self> {
        let event = event?;
        let mut builder = SchemaBuilder::new(&format!("{}.{}", event.provider, event.name));
        for field in &event.fields {
            match &field.kind {
                FieldKind::Scalar(scalar) => builder.field(&field.name, scalar_type(scalar)?),
                FieldKind::Text => builder.field(&field.name, COUNTED_UTF16),
                FieldKind::Bytes => builder.field(&field.name, BINARY),
                FieldKind::List(columns) | FieldKind::Optional(columns) => {
                    if !builder.structures(&field.name, columns.len()) {
                        return None;
                    }
                    for column in columns {
                        builder.field(&column.name, scalar_type(column)?);
                    }
                }
            }
        }
        let opcode = match code.opcode() {
            Some(Opcode::Start) => 1,
            Some(Opcode::Stop) => 2,
            _ => 0,
        };
        let descriptor = Descriptor {
            id: code.0,
            channel: CHANNEL_TRACE_LOGGING,
            level: event.level as u8,
            opcode,
            keyword: event.keywords & PROVIDER_KEYWORDS,
            ..Descriptor::default()
        };
        let fields = event.fields.iter().map(|field| field.kind.clone()).collect();
        Some(Self { descriptor, schema: builder.finish()?, fields })
    }

    /// Appends the payload of a row. False if a text, a list or bytes exceed the 16 bits of their number.
    fn payload(&self, row: &Row<'_>, out: &mut Vec<u8>) -> Result<bool, CodecError> {
        let mut decoder = Decoder::new(row.payload);
        let mut fits = true;
        let mut count = |out: &mut Vec<u8>, number: usize| {
            let short = u16::try_from(number);
            fits &= short.is_ok();
            out.extend(short.unwrap_or_default().to_le_bytes());
        };
        for field in &self.fields {
            match field {
                FieldKind::Scalar(scalar) => out.extend_from_slice(decoder.raw(scalar.width_bytes.into())?),
                FieldKind::Text => {
                    let at = decoder.position();
                    let text = std::str::from_utf8(decoder.bytes()?).map_err(|_| CodecError::Text { at })?;
                    count(out, 2 * text.encode_utf16().count());
                    out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
                }
                FieldKind::Bytes => {
                    let bytes = decoder.bytes()?;
                    count(out, bytes.len());
                    out.extend_from_slice(bytes);
                }
                FieldKind::List(columns) | FieldKind::Optional(columns) => {
                    let element_bytes = columns.iter().map(|scalar| usize::from(scalar.width_bytes)).sum();
                    let elements = decoder.count(element_bytes)?;
                    count(out, elements);
                    // Rows and payloads have the same form: little-endian without padding.
                    out.extend_from_slice(decoder.raw(elements * element_bytes)?);
                }
            }
        }
        decoder.finish()?;
        Ok(fits)
    }
}

/// TraceLogging type of a number. `None` for a width that no number has.
fn scalar_type(scalar: &ScalarSchema) -> Option<u8> {
    Some(match (scalar.role, scalar.width_bytes) {
        (Role::Float, 4) => FLOAT,
        (Role::Float, 8) => DOUBLE,
        (Role::Address, 8) => HEX_64,
        (Role::HResult, 4) => HEX_32,
        (_, width) => TYPES_BY_WIDTH.iter().find(|(bytes, _)| *bytes == width)?.1,
    })
}
