//! Files of the writer, read back by the reader and by dissect.etl.

use proptest::prelude::*;
use std::process::Command;
use taut_etl::{
    Descriptor, Etl, EtlWriter, Fit, Guid, Kind, MAX_RECORD_BYTES, NewEvent, SchemaBuilder, Session,
    TraceLoggingSchema, Value, WriteError, item_types, provider_traits, provider_traits_name,
};

const PROVIDER: Guid = Guid([7; 16]);

/// An event with its own memory.
#[derive(Debug, Clone)]
struct Written {
    processor: u16,
    tick: i64,
    thread: u32,
    process: u32,
    descriptor: Descriptor,
    items: Vec<(u16, Vec<u8>)>,
    payload: Vec<u8>,
}

fn session() -> Session {
    Session {
        name: "session".to_owned(),
        log_file: "C:\\trace.etl".to_owned(),
        windows_build: 22_631,
        processors: 3,
        ticks_per_second: 10_000_000,
        start_tick: 1_000,
        start_time: 133_000_000_000_000_000,
        end_time: 133_000_000_100_000_000,
        events_lost: 4,
    }
}

/// Writes the file twice: the first time counts its buffers.
fn file(events: &[Written]) -> Vec<u8> {
    let pass = |out: &mut dyn std::io::Write, buffers| {
        let mut writer = EtlWriter::new(out, &session(), buffers).unwrap();
        for event in events {
            let items: Vec<_> = event.items.iter().map(|(kind, data)| (*kind, data.as_slice())).collect();
            let Written { tick, process, thread, descriptor, .. } = *event;
            let payload = &event.payload;
            let new = NewEvent { tick, process, thread, provider: PROVIDER, descriptor, items: &items, payload };
            writer.event(event.processor, &new).unwrap();
        }
        writer.finish().unwrap()
    };
    let counts = pass(&mut std::io::sink(), 0);
    let mut bytes = Vec::new();
    assert_eq!(pass(&mut bytes, counts.buffers), counts);
    assert_eq!(bytes.len(), counts.buffers as usize * 65_536);
    bytes
}

fn event() -> impl Strategy<Value = Written> {
    let bytes = |max| prop::collection::vec(any::<u8>(), 0..max);
    let payload = prop_oneof![4 => bytes(40), 1 => bytes(20_000)];
    let items = prop::collection::vec((1_u16..20, bytes(40)), 0..3);
    let descriptor = (any::<u16>(), any::<[u8; 4]>(), any::<u16>(), any::<u64>());
    (0_u16..3, 0_i64..50, any::<(u32, u32)>(), descriptor, items, payload).prop_map(|parts| {
        let (
            processor,
            tick,
            (thread, process),
            (id, [version, channel, level, opcode], task, keyword),
            items,
            payload,
        ) = parts;
        let descriptor = Descriptor { id, version, channel, level, opcode, task, keyword };
        Written { processor, tick: 1_000 + tick, thread, process, descriptor, items, payload }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_event_is_read_back_in_order(mut events in prop::collection::vec(event(), 0..60)) {
        // Stable: events of a processor with equal ticks stay in order.
        events.sort_by_key(|event| (event.tick, event.processor));
        let file = Etl::from_bytes(file(&events)).unwrap();
        let mut read = file.events();
        prop_assert_eq!(read.next_record().unwrap().kind, Kind::System64);
        for expected in &events {
            let record = read.next_record().unwrap();
            prop_assert_eq!(record.kind, Kind::Event64);
            prop_assert_eq!((record.processor, record.tick), (expected.processor, expected.tick));
            prop_assert_eq!((record.thread, record.process), (Some(expected.thread), Some(expected.process)));
            prop_assert_eq!((record.provider, record.descriptor), (Some(PROVIDER), expected.descriptor));
            prop_assert_eq!(record.payload, &expected.payload[..]);
            let items: Vec<_> = record.extended().map(|item| (item.item_type, item.data.to_vec())).collect();
            prop_assert_eq!(&items, &expected.items);
        }
        prop_assert!(read.next_record().is_none());
        prop_assert_eq!(read.damage().total() + file.damage().total(), 0);
        prop_assert_eq!(u64::from(file.header().buffers_written), file.counts().buffers);
    }
}

/// Ticks, processors and payloads of the events that the reader finds, and the number of damages.
fn found(bytes: Vec<u8>) -> (Vec<(i64, u16, Vec<u8>)>, u64) {
    let file = Etl::from_bytes(bytes).unwrap();
    let (mut events, mut found) = (file.events(), Vec::new());
    while let Some(record) = events.next_record() {
        if record.kind == Kind::Event64 {
            found.push((record.tick, record.processor, record.payload.to_vec()));
        }
    }
    let damage = events.damage().total();
    (found, file.damage().total() + damage)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn shuffled_lost_and_truncated_buffers_give_the_events_or_count_the_loss(
        mut events in prop::collection::vec(event(), 1..60),
        keys in prop::collection::vec(any::<u64>(), 64),
        lost in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
    ) {
        events.sort_by_key(|event| (event.tick, event.processor));
        let whole = file(&events);
        let expected = (events.iter().map(|e| (e.tick, e.processor, e.payload.clone())).collect::<Vec<_>>(), 0);
        let buffers: Vec<&[u8]> = whole.chunks(65_536).collect();
        let (header, rest) = buffers.split_first().unwrap();
        let mut order: Vec<usize> = (0..rest.len()).collect();
        order.sort_by_key(|index| keys.get(*index).copied().unwrap_or_default());
        let shuffled: Vec<u8> = header.iter().chain(order.iter().flat_map(|index| rest[*index])).copied().collect();
        prop_assert_eq!(&found(shuffled), &expected);

        let without = lost.index(rest.len());
        let kept = rest.iter().enumerate().filter(|(index, _)| *index != without).flat_map(|(_, buffer)| *buffer);
        let (events, damage) = found(header.iter().chain(kept).copied().collect());
        prop_assert!(damage > 0 && events.len() < expected.0.len());
        prop_assert!(is_subsequence(&events, &expected.0));

        // The end of the file may cut padding only; a buffer that is missing or incomplete is a damage.
        let end = 65_536 + cut.index(whole.len() - 65_536);
        let (events, damage) = found(whole[..end].to_vec());
        prop_assert!(damage > 0);
        prop_assert!(is_subsequence(&events, &expected.0));
    }
}

/// True if `part` is `all` without some of its elements.
fn is_subsequence<T: PartialEq>(part: &[T], all: &[T]) -> bool {
    let mut all = all.iter();
    part.iter().all(|wanted| all.any(|found| found == wanted))
}

#[test]
fn the_header_is_that_of_the_session() {
    let file = Etl::from_bytes(file(&[])).unwrap();
    let (header, session) = (file.header(), session());
    assert_eq!((&header.session, &header.log_file), (&session.name, &session.log_file));
    assert_eq!((header.windows_build, header.processors, header.events_lost), (22_631, 3, 4));
    assert_eq!((header.end_time, header.pointer_bytes, header.buffers_written), (session.end_time, 8, 1));
    assert_eq!(header.wall_clock(1_010), Some(session.start_time + 10));
}

#[test]
fn an_event_larger_than_a_buffer_is_an_error_and_the_file_stays_valid() {
    let mut bytes = Vec::new();
    let mut writer = EtlWriter::new(&mut bytes, &session(), 2).unwrap();
    let payload = vec![1; MAX_RECORD_BYTES - 80];
    writer.event(0, &NewEvent { payload: &payload, ..NewEvent::default() }).unwrap();
    let payload = vec![1; MAX_RECORD_BYTES - 79];
    let error = writer.event(0, &NewEvent { payload: &payload, ..NewEvent::default() }).unwrap_err();
    assert!(matches!(error, WriteError::TooLarge { bytes } if bytes == MAX_RECORD_BYTES + 1), "{error}");
    assert_eq!(writer.finish().unwrap().events, 1);
    assert_eq!(Etl::from_bytes(bytes).unwrap().counts().buffers, 2);
}

#[test]
fn a_description_has_its_fields_and_the_payload_is_consumed() {
    let mut builder = SchemaBuilder::new("Draw");
    builder.field("count", 8);
    assert!(builder.structures("parts", 2));
    builder.field("first", 4);
    builder.field("text", 22);
    assert!(!builder.structures("none", 0) && !builder.structures("many", 128));
    let data = builder.finish().unwrap();
    let schema = TraceLoggingSchema::parse(&data).unwrap();
    assert_eq!(schema.name, "Draw");
    let payload = [&5_u32.to_le_bytes()[..], &2_u16.to_le_bytes(), &[1, 2, 0, b'a', 0, 3, 0, 0]].concat();
    let mut values = Vec::new();
    let fit = schema.decode(&payload, 8, &mut |index, value| values.push((schema.fields[index].name, value)));
    assert_eq!(fit, Fit::Exact);
    let expected = [
        ("count", Value::Unsigned(5)),
        ("first", Value::Unsigned(1)),
        ("text", Value::Utf16(b"a\0")),
        ("first", Value::Unsigned(3)),
        ("text", Value::Utf16(b"")),
    ];
    assert_eq!(values, expected);
    assert_eq!(provider_traits_name(&provider_traits("Tautline")), Some("Tautline"));
}

#[test]
fn dissect_reads_the_same_events_at_the_same_times() {
    // Units of 100 ns since 1601, in whole microseconds as Python's dates have them.
    let program = "import sys, datetime\n\
        from dissect.etl.etl import ETL\n\
        start = datetime.datetime(1601, 1, 1, tzinfo=datetime.timezone.utc)\n\
        step = datetime.timedelta(microseconds=1)\n\
        for r in ETL(open(sys.argv[1], 'rb')):\n    print((r.header.timestamp - start) // step * 10)\n";
    let available = Command::new("python3").args(["-c", "import dissect.etl"]).output();
    if !available.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: dissect_reads_the_same_events_at_the_same_times: python3 has no dissect.etl");
        return;
    }
    let event = |tick: i64| Written {
        processor: (tick % 3) as u16,
        tick,
        thread: 1,
        process: 2,
        descriptor: Descriptor { channel: 11, level: 4, ..Descriptor::default() },
        items: vec![(item_types::PROVIDER_TRAITS, provider_traits("Tautline"))],
        payload: vec![3; 900],
    };
    let events: Vec<_> = (1..400).map(|number| event(1_000 + 1_000 * number)).collect();
    let path = std::env::temp_dir().join(format!("taut-etl-writer-{}.etl", std::process::id()));
    std::fs::write(&path, file(&events)).unwrap();
    let output = Command::new("python3").args(["-c", program]).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut times: Vec<i64> = text.lines().map(|line| line.parse().unwrap()).collect();
    times.sort_unstable();
    assert_eq!(times.len(), 400);
    for (number, time) in times.iter().enumerate() {
        let expected = session().start_time + 1_000 * number as i64;
        // Python's floating-point numbers: 4 µs.
        assert!((time - expected).abs() <= 40, "{number}: {time} instead of {expected}");
    }
}
