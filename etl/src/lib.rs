//! Reader and writer of Event Tracing for Windows files (.etl). Needs no Windows and no other crate of the workspace.
//!
//! [`Etl::open`] maps a file, checks the headers of all buffers and keeps their order. [`Etl::events`] merges the
//! buffers of all processors by (tick, processor, position). Damage does not end the reading: [`Damage`] states its
//! offset, what the format requires there and what the file contains. [`EtlWriter`] writes files.

mod buffer;
mod bytes;
mod damage;
mod decode;
mod describe;
mod embedded;
mod extended;
mod file;
mod guid;
mod header;
mod manifest;
mod merge;
mod record;
mod tables;
mod tracelogging;
mod write;
mod xpress;

pub use buffer::{BufferHeader, Compression, flags as buffer_flags};
pub use bytes::utf16_text;
pub use damage::{Damage, DamageList, Error};
pub use decode::{DecodedFields, Extent, Field, FieldType, Fit, Layout, Value, decode, decode_fields};
pub use describe::{Decoded, Decoder, Description};
pub use embedded::{EmbeddedEvent, EventKey};
pub use extended::{ExtendedItem, ExtendedItems, item_types, provider_traits_name};
pub use file::{BufferCounts, Etl};
pub use guid::Guid;
pub use header::{Clock, LogHeader};
pub use manifest::{Manifest, ManifestError};
pub use merge::Events;
pub use record::{Descriptor, Kind, Record};
pub use tables::{EventTable, Provider, ValueMap, providers};
pub use tracelogging::{TraceLoggingCount, TraceLoggingField, TraceLoggingSchema};
pub use write::{
    EtlWriter, MAX_RECORD_BYTES, NewEvent, SchemaBuilder, Session, WriteError, WrittenFile, provider_traits,
};
pub use xpress::{XpressError, decompress};
