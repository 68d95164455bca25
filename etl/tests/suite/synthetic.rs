//! Files that the tests write themselves: buffers, records and their order.

use taut_etl::{Etl, Kind, decompress};

/// Bytes of a header buffer. `mode` is LogFileMode, `state` the buffer's State.
pub fn head(mode: u32, state: u32) -> Vec<u8> {
    let mut payload = vec![0; 0x11C];
    let mut put = |at: usize, bytes: &[u8]| payload[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &65_536_u32.to_le_bytes());
    put(8, &22_000_u32.to_le_bytes());
    put(0x20, &mode.to_le_bytes());
    put(0x2C, &8_u32.to_le_bytes());
    put(0x100, &10_000_000_i64.to_le_bytes());
    put(0x108, &132_000_000_000_000_000_i64.to_le_bytes());
    put(0x110, &1_u32.to_le_bytes());
    for name in ["session\0", "file\0"] {
        payload.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
    }
    // The header has 0x118 bytes; the vector was sized with the first unit of the name.
    payload.drain(0x118..0x11C);
    let size = (32 + payload.len()) as u16;
    let mut record = vec![2, 0, 2, 0xC0];
    record.extend(size.to_le_bytes());
    record.extend([0; 10]);
    record.extend(1_000_i64.to_le_bytes());
    record.extend([0; 8]);
    record.extend(payload);
    let mut buffer = buffer(0, 0, 0, 4, &record);
    buffer[0x2C..0x30].copy_from_slice(&state.to_le_bytes());
    buffer
}

/// Bytes of a buffer with `content`.
pub fn buffer(processor: u16, sequence: i64, flags: u16, buffer_type: u16, content: &[u8]) -> Vec<u8> {
    let used = (72 + content.len()) as u32;
    let mut bytes = vec![0; 72];
    bytes[0..4].copy_from_slice(&used.next_multiple_of(8).to_le_bytes());
    bytes[4..8].copy_from_slice(&used.to_le_bytes());
    bytes[0x18..0x20].copy_from_slice(&sequence.to_le_bytes());
    bytes[0x28..0x2A].copy_from_slice(&processor.to_le_bytes());
    bytes[0x30..0x34].copy_from_slice(&used.to_le_bytes());
    bytes[0x34..0x36].copy_from_slice(&(flags | 0x20).to_le_bytes());
    bytes[0x36..0x38].copy_from_slice(&buffer_type.to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Bytes of an EVENT_HEADER record, padded.
pub fn event(header_type: u8, id: u16, tick: i64, items: &[(u16, &[u8])], payload: &[u8]) -> Vec<u8> {
    let mut chain = Vec::new();
    for (index, (item_type, data)) in items.iter().enumerate() {
        let more = u16::from(index + 1 < items.len());
        for field in [(8 + data.len()).next_multiple_of(8) as u16, *item_type, more, data.len() as u16] {
            chain.extend(field.to_le_bytes());
        }
        chain.extend(*data);
        chain.resize(chain.len().next_multiple_of(8), 0);
    }
    let size = 80 + chain.len() + payload.len();
    let mut bytes = (size as u16).to_le_bytes().to_vec();
    bytes.extend([header_type, 0xC0, u8::from(!items.is_empty()), 0, 0, 0]);
    bytes.extend(7_u32.to_le_bytes());
    bytes.extend(9_u32.to_le_bytes());
    bytes.extend(tick.to_le_bytes());
    bytes.extend([0xAB; 16]);
    bytes.extend(id.to_le_bytes());
    bytes.resize(80, 0);
    bytes.extend(chain);
    bytes.extend(payload);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// (processor, id, tick) of all events but the header.
pub fn order(file: &Etl) -> Vec<(u16, u16, i64)> {
    let mut events = file.events();
    let mut order = Vec::new();
    while let Some(record) = events.next_record() {
        if record.kind != Kind::System64 {
            order.push((record.processor, record.descriptor.id, record.tick));
        }
    }
    order
}

#[test]
fn records_of_several_processors_merge_by_tick_then_processor_then_position() {
    let later = [event(0x13, 5, 40, &[], &[]), event(0x13, 6, 40, &[], &[])].concat();
    let first = [event(0x13, 1, 10, &[], &[]), event(0x13, 2, 40, &[], &[])].concat();
    let other = [event(0x12, 3, 10, &[], &[1]), event(0x12, 4, 30, &[], &[])].concat();
    // The file's order of buffers is not that of their numbers.
    let bytes = [head(1, 0), buffer(3, 2, 0, 0, &later), buffer(3, 1, 0, 0, &first), buffer(9, 1, 0, 0, &other)];
    let file = Etl::from_bytes(bytes.concat()).unwrap();
    let expected = [(3, 1, 10), (9, 3, 10), (9, 4, 30), (3, 2, 40), (3, 5, 40), (3, 6, 40)];
    assert_eq!(order(&file), expected);
    assert_eq!(file.header().session, "session");
    assert_eq!(file.header().log_file, "file");
    assert_eq!(file.damage().total(), 0);
}

#[test]
fn the_wall_clock_starts_at_the_tick_of_the_header() {
    let file = Etl::from_bytes(head(1, 0)).unwrap();
    assert_eq!(file.header().wall_clock(1_000), Some(132_000_000_000_000_000));
    assert_eq!(file.header().wall_clock(11_000), Some(132_000_000_000_010_000));
    assert_eq!(file.header().wall_clock(i64::MIN), None);
    assert_eq!(file.header().wall_clock(i64::MAX), None);
}

#[test]
fn extended_items_end_where_the_payload_begins() {
    let record = event(0x13, 1, 5, &[(1, &[1; 16]), (12, b"\x06\0abc\0")], &[42]);
    let file = Etl::from_bytes([head(1, 0), buffer(0, 1, 0, 0, &record)].concat()).unwrap();
    let mut events = file.events();
    events.next_record().unwrap();
    // Tick 5 is before the header's 1000 on the same processor: position decides there.
    let record = events.next_record().unwrap();
    let items: Vec<_> = record.extended().map(|item| (item.item_type, item.data.len())).collect();
    assert_eq!(items, [(1, 16), (12, 6)]);
    assert_eq!(record.payload, [42]);
    assert_eq!((record.thread, record.process), (Some(7), Some(9)));
}

#[test]
fn a_wpp_message_has_the_fields_of_its_flags() {
    let mut message = vec![44, 0, 0, 0x90, 17, 0, 0x2A, 0];
    message.extend([0xCD; 16]);
    message.extend(77_i64.to_le_bytes());
    message.extend(5_u32.to_le_bytes());
    message.extend(6_u32.to_le_bytes());
    message.extend(b"args");
    let file = Etl::from_bytes([head(1, 0), buffer(0, 1, 0, 0, &message)].concat()).unwrap();
    let mut events = file.events();
    events.next_record().unwrap();
    let record = events.next_record().unwrap();
    assert_eq!((record.kind, record.descriptor.id, record.tick), (Kind::Message, 17, 77));
    assert_eq!((record.thread, record.process, record.payload), (Some(5), Some(6), &b"args"[..]));
}

#[test]
fn xpress_extends_matches_by_nibbles_bytes_and_words() {
    // Literal "a", then a match of 3 + 7 + 15 + 10 = 35 bytes; flags: 0, 1.
    let input = [&0x4000_0000_u32.to_le_bytes()[..], b"a", &7_u16.to_le_bytes(), &[15, 10]].concat();
    let mut output = [0; 36];
    decompress(&input, &mut output).unwrap();
    assert_eq!(output, [b'a'; 36]);
    // Two matches share the byte of nibbles: 3 + 7 + 1 and 3 + 7 + 2 bytes.
    let input =
        [&0x6000_0000_u32.to_le_bytes()[..], b"b", &7_u16.to_le_bytes(), &[0x21], &7_u16.to_le_bytes()].concat();
    let mut output = [0; 1 + 11 + 12];
    decompress(&input, &mut output).unwrap();
    assert_eq!(output, [b'b'; 24]);
    // A word of 300 replaces the sum: 300 + 3 bytes.
    let long = [&0x4000_0000_u32.to_le_bytes()[..], b"c", &7_u16.to_le_bytes(), &[15, 255], &300_u16.to_le_bytes()];
    let mut output = [0; 304];
    decompress(&long.concat(), &mut output).unwrap();
    assert_eq!(output, [b'c'; 304]);
}
