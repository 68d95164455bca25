//! Application-defined events, from the list to the row; and tables of later builds, with names that this build does
//! not know.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../examples/own_events.rs"]
#[allow(dead_code)]
mod example;

use crate::by_hand;

use by_hand::{Block, TEXT, file};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::{Layer, Level, Opcode, Role};
use taut_traces::{Clock, Recorder, RecorderThread, Trace, Value, WriteOptions, fields};

mod lists {
    taut_traces::events! {
        /// One of two lists.
        pub First = "first", version 3, keywords { RED = 1, BLUE = 0x8000_0000_0000_0000 };

        /// Fails now and then.
        7 Failed [Error] {
            /// Why.
            reason: String,
        }

        /// Only for who wants to know all.
        9 Detail [Verbose, RED] {
            /// Some numbers.
            numbers: Vec<u16> as Count,
        }

        /// Red or blue.
        10 Painted [Info, RED | BLUE] {}
    }
}

mod other_lists {
    taut_traces::events! {
        /// The other list, whose numbers and names are the same.
        pub Second = "second", version 1;

        /// Fails as well.
        7 Failed [Warning] {
            /// How often.
            times: u64 as Count,
        }
    }

    taut_traces::events! {
        /// A list that no recorder of these tests has.
        pub Third = "third", version 1;

        /// It has a name.
        1 Named [Info] {}
    }
}

use lists::{Detail, Failed, First, Painted};
use other_lists::Second;

/// Events of a trace: thread, provider, name and fields.
fn described(trace: &Trace) -> Vec<String> {
    let (schema, mut rows, mut described) = (&trace.header().schema, trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        let event = schema.event(row.code).unwrap();
        let fields = fields(schema, row.code, row.payload).unwrap();
        let fields = fields
            .iter()
            .map(|(name, value): &(String, Value)| format!("{name}={}", serde_json::to_string(value).unwrap()));
        let fields = fields.collect::<Vec<_>>().join(" ");
        described.push(format!("{} {}:{} {fields}", row.thread, event.provider, event.name).trim().to_owned());
    }
    let is_whole = rows.damage().is_empty() && trace.verify().is_empty();
    assert_eq!(is_whole, trace.summary().complete);
    described
}

#[test]
fn two_lists_keep_their_names_and_numbers_apart_and_levels_and_keywords_choose() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.taut");
    let builder = || Recorder::builder("test").list::<First>().list::<Second>().clock(Clock::Logical);
    let recorder = builder().level(Level::Info).keywords(First::RED).create(&path).unwrap();
    let mut thread = recorder.thread();
    let failed = |thread: &mut RecorderThread| thread.event(&Failed { reason: "no file".into() });
    failed(&mut thread);
    thread.event(&other_lists::Failed { times: 2 });
    assert!(!thread.is_enabled::<Detail>() && thread.is_enabled::<Painted>());
    thread.event(&Detail { numbers: vec![1] });
    recorder.choose(Level::Verbose, First::RED);
    thread.event(&Detail { numbers: vec![1, 2] });
    recorder.choose(Level::Verbose, First::BLUE);
    thread.event(&Detail { numbers: vec![3] });
    thread.event(&Painted {});
    recorder.choose(Level::Error, u64::MAX);
    thread.event(&Painted {});
    // An event of a list that this recorder does not have.
    thread.event(&other_lists::Named {});
    failed(&mut recorder.thread());
    recorder.finish().unwrap();

    let trace = Trace::open(&path).unwrap();
    insta::assert_snapshot!(described(&trace).join("\n"));
    let schema = &trace.header().schema;
    let keywords: Vec<_> =
        schema.providers.iter().map(|provider| (&*provider.name, provider.keywords.clone())).collect();
    let named = |bit, name: &str| (bit, name.to_owned());
    assert_eq!(keywords, [("first", vec![named(1, "red"), named(1 << 63, "blue")]), ("second", vec![])]);
    assert_eq!(schema.providers[0].version, 3);
    let painted = schema.named("first", "Painted", Opcode::Info).unwrap();
    assert_eq!((painted.level, painted.keywords, painted.layer), (Level::Info, First::RED | First::BLUE, Layer::Mark));

    // With the logical clock, equal runs produce equal files.
    let twice = ["a", "b"].map(|name| {
        let path = folder.path().join(name);
        let recorder = builder().create(&path).unwrap();
        failed(&mut recorder.thread());
        recorder.finish().unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(twice[0], twice[1]);
}

#[test]
fn a_list_that_is_defined_when_used_is_defined_by_its_first_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.taut");
    let defined = [false, true].map(|is_used| {
        let recorder = Recorder::builder("test").list::<First>().list_when_used::<Second>().create(&path).unwrap();
        recorder.thread().event(&Painted {});
        if is_used {
            recorder.thread().event(&other_lists::Failed { times: 2 });
        }
        recorder.finish().unwrap();
        let trace = Trace::open(&path).unwrap();
        assert!(trace.verify().is_empty());
        assert_eq!(described(&trace).len(), 1 + usize::from(is_used));
        let schema = &trace.header().schema;
        assert!(schema.named("first", "Painted", Opcode::Info).is_some());
        schema.named("second", "Failed", Opcode::Info).is_some()
    });
    assert_eq!(defined, [false, true]);
}

#[test]
fn events_after_the_end_are_counted_and_earlier_ones_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.taut");
    let recorder = Arc::new(Recorder::builder("test").list::<First>().create(&path).unwrap());
    let produced = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| recorder.thread()).collect();
        for mut thread in threads {
            let (recorder, produced) = (&recorder, &produced);
            scope.spawn(move || {
                while recorder.late_events() < 100 {
                    thread.event(&Painted {});
                    produced.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        let written = recorder.finish().unwrap();
        assert_eq!(written.lost_events, 0);
        assert!(recorder.finish().is_err(), "it is over");
    });
    let mut late = recorder.thread();
    late.event(&Painted {});
    let events = Trace::open(&path).unwrap().summary().events;
    assert_eq!(events + recorder.late_events(), produced.into_inner() + 1, "each event is in the trace or late");
}

#[test]
fn a_recorder_that_is_dropped_leaves_what_it_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.taut");
    let recorder = Recorder::builder("test").list::<First>().create(&path).unwrap();
    let mut thread = recorder.thread();
    (0..10).for_each(|_| thread.event(&Painted {}));
    drop(recorder);
    let trace = Trace::open(&path).unwrap();
    assert_eq!(described(&trace).len(), 10);
    assert!(!trace.summary().complete);
}

#[test]
fn an_output_failure_is_reported_once_and_conflicting_lists_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Recorder::builder("test").list::<First>().create(folder.path().join("no/own.taut"));
    assert!(missing.is_err());
    let twice = Recorder::builder("test").list::<First>().list::<First>().create(folder.path().join("own.taut"));
    assert!(twice.unwrap_err().to_string().contains("a provider once"));
    assert!(!folder.path().join("own.taut").exists());

    #[cfg(target_os = "linux")]
    if std::path::Path::new("/dev/full").exists() {
        let (described, options) =
            (Arc::new(AtomicU64::new(0)), WriteOptions { buffer_bytes: 256, ..WriteOptions::default() });
        let counted = Arc::clone(&described);
        let on_error = move |_: &taut_traces::WriteError| {
            counted.fetch_add(1, Ordering::SeqCst);
        };
        let recorder =
            Recorder::builder("test").list::<First>().options(options).on_error(on_error).create("/dev/full");
        // Some systems accept the header, others do not.
        if let Ok(recorder) = recorder {
            let mut thread = recorder.thread();
            (0..200_000).for_each(|_| thread.event(&Failed { reason: "again".repeat(9) }));
            assert!(recorder.finish().is_err());
            assert_eq!(described.load(Ordering::SeqCst), 1);
        }
    }
}

#[test]
fn the_example_records_two_threads_and_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.taut");
    example::record(path.to_str().unwrap()).unwrap();
    let trace = Trace::open(&path).unwrap();
    let described = described(&trace);
    assert_eq!((described.len(), trace.summary().threads.len()), (1970, 2));
    let first = described.iter().filter(|event| event.starts_with("1 ")).take(1);
    assert_eq!(
        first.collect::<Vec<_>>(),
        [r#"1 level-loader:TileLoaded tile=0 file="level0.tiles" mip_bytes=[{"value":65536}]"#]
    );
}

/// FORMAT.md: unknown names of layers, roles, opcodes and spaces are read as plain values.
#[test]
fn unknown_names_of_a_later_build_degrade_to_plain_values() {
    let later = TEXT
        .replace(
            r#""layer":"api","opcode":"start""#,
            r#""layer":"firmware","opcode":"start","level":"chatty","keywords":4"#,
        )
        .replace(r#""role":"size""#, r#""role":"temperature""#)
        .replace(r#""width_bytes":2,"role":"value""#, r#""width_bytes":2,"role":"id","space":"planet""#);
    let trace = Trace::from_bytes(file(&later, &[Block::sound()])).unwrap();
    assert_eq!(trace.verify(), []);
    let event = &trace.header().schema.events[0];
    assert_eq!((event.layer, event.level, event.keywords), (Layer::Mark, Level::Info, 4));
    let roles: Vec<_> = event.fields.iter().flat_map(|field| field.scalars()).map(|it| (it.role, it.space)).collect();
    assert_eq!(roles, [(Role::Value, None), (Role::Value, None)]);
    assert_eq!(described(&trace).len(), 4);

    // An unknown opcode: the code has one that is none of the three.
    let other = TEXT.replace(
        r#""code":18,"name":"Make","layer":"api","opcode":"stop""#,
        r#""code":19,"name":"Made","layer":"api","opcode":"reply""#,
    );
    let mut block = Block::sound();
    block.kinds.iter_mut().filter(|(code, _)| *code == 18).for_each(|(code, _)| *code = 19);
    let trace = Trace::from_bytes(file(&other, &[block])).unwrap();
    assert_eq!(trace.header().schema.events[1].opcode, Opcode::Info);
    assert_eq!(described(&trace).len(), 4);
}
