//! Decoders of Windows events without the file around them: a layout, a TraceLogging description and a payload from the
//! input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_etl::{Fit, TraceLoggingSchema, decode_fields, providers};

fuzz_target!(|bytes: &[u8]| {
    let [choice, version, split, flags, rest @ ..] = bytes else { return };
    let pointer_bytes = if flags & 1 == 0 { 4 } else { 8 };
    let (description, payload) = rest.split_at(usize::from(*split).min(rest.len()));
    if let Some(schema) = TraceLoggingSchema::parse(description) {
        schema.decode(payload, pointer_bytes, &mut |index, value| {
            assert!(index < schema.fields.len());
            value.text();
        });
    }
    for provider in providers().values() {
        let id = u16::from(*choice) + u16::from(flags >> 1 & 1) * 256;
        let Some(event) = provider.event(id, *version) else { continue };
        for layout in &event.layouts {
            let decoded = decode_fields(layout, rest, pointer_bytes, &mut |index, value| {
                assert!(index < layout.fields.len());
                value.text();
            });
            match decoded.fit {
                Fit::Exact => assert_eq!(decoded.bytes, rest.len()),
                Fit::Trailing(left) => assert_eq!(decoded.bytes + left, rest.len()),
                Fit::ShortAfter(fields) => assert!(fields == decoded.fields && decoded.bytes <= rest.len()),
            }
        }
    }
});
