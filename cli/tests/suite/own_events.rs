//! Test with a trace of a program's own events: every command reads it, and a replay reports that it has no inputs.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::{Taut, tables_are_built};
use taut_traces::{Clock, Recorder};

taut_traces::events! {
    /// What a loader says.
    pub Loader = "level-loader", version 2, keywords { STREAMING = 1 };

    /// A tile is in memory.
    1 TileLoaded [Info, STREAMING] {
        /// Number of the tile.
        tile: u32 as Count,
        /// Sizes of its levels, in bytes.
        mip_bytes: Vec<u64> as Size,
    }

    /// A tile made room.
    2 TileEvicted [Warning] {
        /// Which file it was from.
        file: String,
    }
}

fn recorded(taut: &Taut, folder: &std::path::Path) -> String {
    let recorder = Recorder::builder("loads tiles").list::<Loader>().clock(Clock::Logical);
    let recorder = recorder.create(folder.join("own.taut")).expect("it can be written");
    let mut threads = [recorder.thread(), recorder.thread()];
    for (tile, thread) in (0..6).zip([0, 1].into_iter().cycle()) {
        threads[thread].event(&TileLoaded { tile, mip_bytes: vec![65536; 1 + thread] });
    }
    threads[1].event(&TileEvicted { file: "a.tiles".to_owned() });
    recorder.finish().expect("it ends");
    taut.stdout(&["info", "own.taut"])
}

#[test]
fn own_events_are_read_by_every_command_but_not_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    insta::assert_snapshot!("own_events_info", recorded(&taut, folder.path()));
    insta::assert_snapshot!("own_events_dump", taut.stdout(&["dump", "own.taut"]));
    let whole = taut.stdout(&["dump", "own.taut", "--event", "TileLoaded"]);
    assert_eq!(taut.stdout(&["dump", "own.taut", "--event", "level-loader.TileLoaded"]), whole);
    let lines = taut.stdout(&["export", "own.taut", "--to", "jsonl", "-o", "-"]);
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["provider"], &first["event"]), (&"level-loader".into(), &"TileLoaded".into()), "{first}");

    for arguments in [&["replay", "own.taut"][..], &["replay", "own.taut", "--driver", "legacy"]] {
        let replay = taut.run(arguments);
        assert_eq!(replay.code, 3, "{}{}", replay.stdout, replay.stderr);
        let expected = "expected a trace with inputs, found only events of level-loader";
        assert!(replay.stderr.contains(expected), "{}", replay.stderr);
    }

    let report = taut.stdout(&["analyze", "own.taut", "--report", "health"]);
    assert!(!report.to_lowercase().contains("driver"), "{report}");

    if tables_are_built("own_events") {
        let sql = "SELECT name, count(*) AS events FROM events GROUP BY name ORDER BY name";
        let json: Value = serde_json::from_str(&taut.stdout(&["query", "own.taut", sql, "--json"])).expect("JSON");
        assert!(json.to_string().contains("TileEvicted"), "{json}");
        let sql = "SELECT tile, mip_bytes FROM TileLoaded WHERE thread = 2 ORDER BY tile";
        insta::assert_snapshot!("own_events_query", taut.stdout(&["query", "own.taut", sql]));
        let sql = "SELECT tile, mip_bytes FROM \"level-loader.TileLoaded\" WHERE thread = 2 ORDER BY tile";
        insta::assert_snapshot!("own_events_query", taut.stdout(&["query", "own.taut", sql]));
        let sql = "SELECT thread, records FROM threads ORDER BY thread";
        let rows: Value = serde_json::from_str(&taut.stdout(&["query", "own.taut", sql, "--json"])).expect("JSON");
        assert_eq!(rows, serde_json::json!([{"thread": 1, "records": 3}, {"thread": 2, "records": 4}]));
    }
}
