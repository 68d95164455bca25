//! Program with events of its own: two threads load tiles of a level and evict some of them.
//!
//! `cargo run --release -p taut-traces --example own_events` writes own.taut; then `taut info own.taut`, `taut dump
//! own.taut`, and `taut query own.taut "SELECT name, count(*) FROM events GROUP BY name"`.

use std::error::Error;
use taut_traces::{Recorder, RecorderThread};

taut_traces::events! {
    /// Events of the level loader.
    pub Loader = "level-loader", version 1, keywords { STREAMING = 1, EVICTION = 2 };

    /// A tile is in memory.
    1 TileLoaded [Info, STREAMING] {
        /// Number of the tile.
        tile: u32 as Count,
        /// File that holds the tile.
        file: String,
        /// Sizes of the tile's mip levels, in bytes.
        mip_bytes: Vec<u64> as Size,
    }

    /// A tile was evicted in favour of others.
    2 TileEvicted [Warning, STREAMING | EVICTION] {
        /// Number of the tile.
        tile: u32 as Count,
        /// Free memory afterwards, in bytes.
        free_bytes: u64 as Size,
    }

    /// A thread has nothing to do.
    3 Idle [Verbose] {}
}

fn main() -> Result<(), Box<dyn Error>> {
    record(std::env::args().nth(1).as_deref().unwrap_or("own.taut"))
}

/// Records the events of two threads.
pub fn record(file: &str) -> Result<(), Box<dyn Error>> {
    let recorder = Recorder::builder("own_events")
        .version(env!("CARGO_PKG_VERSION"))
        .list::<Loader>()
        .parameter("tiles", 1000)
        .on_error(|error| eprintln!("nothing more is recorded: {error}"))
        .create(file)?;
    std::thread::scope(|scope| {
        for first in [0, 1] {
            let mut thread = recorder.thread();
            scope.spawn(move || load(&mut thread, first));
        }
    });
    println!("{file}: {} events", recorder.finish()?.events);
    Ok(())
}

/// Loads every second of a thousand tiles into memory for sixteen.
fn load(thread: &mut RecorderThread, first: u32) {
    for tile in (first..1000).step_by(2) {
        let levels = 1 + tile % 4;
        let mip_bytes = (0..levels).map(|level| 65536 >> (2 * level)).collect();
        thread.event(&TileLoaded { tile, file: format!("level{}.tiles", tile / 100), mip_bytes });
        if tile >= 32 {
            thread.event(&TileEvicted { tile: tile - 32, free_bytes: 65536 * u64::from(tile % 16) });
        }
    }
    thread.event(&Idle {});
}
