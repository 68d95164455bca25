//! Reads a file as Perfetto does, by the field numbers of its published protos, and checks the rules of a packet
//! sequence: references are defined first, and time does not go backwards.

use super::wire::{Wire, all, message, only};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Read;

// trace.proto, trace_packet.proto, trace_packet_defaults.proto, clock_snapshot.proto.
const TRACE: &[(u64, u8)] = &[(1, 2)];
const TRACE_PACKET: &[(u64, u8)] =
    &[(6, 2), (8, 0), (10, 0), (11, 2), (12, 2), (13, 0), (50, 2), (59, 2), (60, 2), (87, 0)];
const DEFAULTS: &[(u64, u8)] = &[(11, 2), (58, 0)];
const EVENT_DEFAULTS: &[(u64, u8)] = &[(11, 0)];
const CLOCK_SNAPSHOT: &[(u64, u8)] = &[(1, 2), (2, 0)];
const CLOCK: &[(u64, u8)] = &[(1, 0), (2, 0), (3, 0)];
// interned_data.proto: categories, event names, annotation names, annotation texts.
const INTERNED_DATA: &[(u64, u8)] = &[(1, 2), (2, 2), (3, 2), (29, 2)];
const INTERNED: &[(u64, u8)] = &[(1, 0), (2, 2)];
// track_event.proto, debug_annotation.proto.
const TRACK_EVENT: &[(u64, u8)] = &[(3, 0), (4, 2), (9, 0), (10, 0), (11, 0), (23, 2), (30, 0), (47, 1), (48, 1)];
const ANNOTATION: &[(u64, u8)] = &[(1, 0), (3, 0), (6, 2), (7, 0), (11, 2), (12, 2), (17, 0)];
// track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto, counter_descriptor.proto.
const TRACK: &[(u64, u8)] = &[(1, 0), (2, 2), (3, 2), (4, 2), (5, 0), (8, 2), (11, 0), (12, 0)];
const PROCESS: &[(u64, u8)] = &[(1, 0), (6, 2), (8, 2)];
const THREAD: &[(u64, u8)] = &[(1, 0), (2, 0), (5, 2)];
const COUNTER: &[(u64, u8)] = &[(3, 0)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Begin,
    End,
    Instant,
    Counter,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub at_ns: u64,
    pub track: u64,
    pub kind: Kind,
    pub name: String,
    pub category: String,
    pub annotations: Value,
    pub flows: Vec<u64>,
    pub last_of_flows: Vec<u64>,
    pub counter: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    pub name: String,
    pub parent: Option<u64>,
    /// Name and labels.
    pub process: Option<(String, Vec<String>)>,
    /// Process id and thread id.
    pub ids: Option<(u64, u64)>,
    pub is_thread: bool,
    /// CounterDescriptor.Unit.
    pub unit: Option<u64>,
}

/// Contents of a file.
#[derive(Debug, Default)]
pub struct File {
    pub events: Vec<Event>,
    pub tracks: BTreeMap<u64, Track>,
    interned: BTreeMap<(u64, u64), String>,
    default_track: Option<u64>,
    now_ns: Option<u64>,
}

impl File {
    pub fn read(bytes: &[u8]) -> File {
        let mut file = File::default();
        for (_, packet) in message(bytes, TRACE) {
            let packet = message(packet.bytes(), TRACE_PACKET);
            match only(&packet, 50) {
                None => file.packet(&packet),
                Some(compressed) => {
                    assert_eq!(packet.len(), 1);
                    let mut plain = Vec::new();
                    flate2::read::ZlibDecoder::new(compressed.bytes()).read_to_end(&mut plain).unwrap();
                    for (_, packet) in message(&plain, TRACE) {
                        file.packet(&message(packet.bytes(), TRACE_PACKET));
                    }
                }
            }
        }
        file
    }

    /// The events of a track.
    pub fn on(&self, track: u64) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.track == track)
    }

    /// The tracks with this name, in order.
    pub fn named(&self, name: &str) -> Vec<u64> {
        self.tracks.iter().filter(|(_, track)| track.name == name).map(|(uuid, _)| *uuid).collect()
    }

    fn packet(&mut self, packet: &[(u64, Wire<'_>)]) {
        assert_eq!(only(packet, 10), Some(Wire::Varint(1)), "one sequence");
        let flags = only(packet, 13).map_or(0, Wire::number);
        if let Some(snapshot) = only(packet, 6) {
            assert_eq!((flags, self.now_ns.is_none()), (1, true), "state is cleared once, at the beginning");
            let clocks: Vec<_> = all(&message(snapshot.bytes(), CLOCK_SNAPSHOT), 1)
                .map(|clock| {
                    let clock = message(clock.bytes(), CLOCK);
                    [1, 2, 3].map(|number| only(&clock, number).map_or(0, Wire::number))
                })
                .collect();
            // A sequence-scoped incremental clock, and its start on the trace clock.
            assert_eq!(clocks, [[64, 0, 1], [6, 0, 0]]);
            self.now_ns = Some(0);
        }
        if let Some(defaults) = only(packet, 59) {
            let defaults = message(defaults.bytes(), DEFAULTS);
            assert_eq!(only(&defaults, 58), Some(Wire::Varint(64)));
            let of_events = only(&defaults, 11).map(|defaults| message(defaults.bytes(), EVENT_DEFAULTS));
            self.default_track = of_events.and_then(|defaults| Some(only(&defaults, 11)?.number()));
        }
        if let Some(defined) = only(packet, 12) {
            for (sort, defined) in message(defined.bytes(), INTERNED_DATA) {
                let defined = message(defined.bytes(), INTERNED);
                let (iid, text) = (only(&defined, 1).unwrap().number(), only(&defined, 2).unwrap().text());
                assert!(iid > 0 && self.interned.insert((sort, iid), text).is_none(), "{sort} {iid} is defined twice");
            }
        }
        if let Some(track) = only(packet, 60) {
            self.track(&message(track.bytes(), TRACK));
        }
        if let Some(event) = only(packet, 11) {
            assert_eq!(flags, 2, "an event needs what was defined before");
            let now_ns = self.now_ns.as_mut().expect("a clock");
            *now_ns += only(packet, 8).expect("a time").number();
            let at_ns = *now_ns;
            let event = self.event(at_ns, &message(event.bytes(), TRACK_EVENT));
            self.events.push(event);
        }
    }

    fn track(&mut self, track: &[(u64, Wire<'_>)]) {
        let uuid = only(track, 1).expect("a number").number();
        let process = only(track, 3).map(|process| message(process.bytes(), PROCESS));
        let thread = only(track, 4).map(|thread| message(thread.bytes(), THREAD));
        let ids = thread.as_ref().map(|thread| [1, 2].map(|number| only(thread, number).unwrap().number()));
        let thread_name = thread.as_ref().and_then(|thread| only(thread, 5));
        let read = Track {
            name: only(track, 2).or(thread_name).map(Wire::text).unwrap_or_default(),
            parent: only(track, 5).map(Wire::number),
            process: process
                .map(|process| (only(&process, 6).unwrap().text(), all(&process, 8).map(Wire::text).collect())),
            ids: ids.map(|[pid, tid]| (pid, tid)),
            is_thread: thread.is_some(),
            unit: only(track, 8).map(|counter| only(&message(counter.bytes(), COUNTER), 3).unwrap().number()),
        };
        assert!(read.parent.is_none_or(|parent| self.tracks.contains_key(&parent)));
        // Perfetto reserves process 0 and thread 0.
        assert!(read.ids.is_none_or(|(pid, tid)| pid > 0 && tid > 0));
        assert_eq!(self.tracks.insert(uuid, read), None);
    }

    fn interned(&self, sort: u64, iid: Wire<'_>) -> String {
        let iid = iid.number();
        self.interned.get(&(sort, iid)).unwrap_or_else(|| panic!("{sort} {iid} is not defined")).clone()
    }

    fn event(&self, at_ns: u64, event: &[(u64, Wire<'_>)]) -> Event {
        let kind = match only(event, 9).map(Wire::number) {
            Some(1) => Kind::Begin,
            Some(2) => Kind::End,
            Some(3) => Kind::Instant,
            Some(4) => Kind::Counter,
            other => panic!("type {other:?}"),
        };
        let track = only(event, 11).map(Wire::number).or(self.default_track).expect("a track");
        assert!(self.tracks.contains_key(&track), "track {track} is not described");
        let name = only(event, 10).map(|iid| self.interned(2, iid)).or(only(event, 23).map(Wire::text));
        Event {
            at_ns,
            track,
            kind,
            name: name.unwrap_or_default(),
            category: all(event, 3).map(|iid| self.interned(1, iid)).collect(),
            annotations: self.named_values(all(event, 4)),
            flows: all(event, 47).map(Wire::number).collect(),
            last_of_flows: all(event, 48).map(Wire::number).collect(),
            counter: only(event, 30).map(Wire::number),
        }
    }

    fn named_values<'a>(&self, annotations: impl Iterator<Item = Wire<'a>>) -> Value {
        let mut values = Map::new();
        for annotation in annotations {
            let annotation = message(annotation.bytes(), ANNOTATION);
            let name = self.interned(3, only(&annotation, 1).expect("a name"));
            assert!(!name.contains(['.', '[', ']']), "Perfetto would change {name}");
            assert_eq!(values.insert(name, self.value(&annotation)), None);
        }
        Value::Object(values)
    }

    fn value(&self, annotation: &[(u64, Wire<'_>)]) -> Value {
        let mut values = annotation.iter().filter(|(number, _)| ![1, 11, 12].contains(number));
        let value = values.next();
        assert_eq!(values.next(), None, "one value");
        match value {
            Some((3, number)) => json!(number.number()),
            Some((6, text)) => json!(text.text()),
            Some((7, pointer)) => json!(format!("{:#x}", pointer.number())),
            Some((17, iid)) => json!(self.interned(29, *iid)),
            Some(other) => panic!("{other:?}"),
            None if all(annotation, 12).next().is_some() => {
                all(annotation, 12).map(|element| self.value(&message(element.bytes(), ANNOTATION))).collect()
            }
            None => self.named_values(all(annotation, 11)),
        }
    }
}
