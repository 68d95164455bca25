//! Traces and side files that are made to cost their readers much memory, time or trust, one file per attack.
//!
//! `cargo run -p taut-traces --example hostile_files -- FOLDER` writes them into FOLDER and prints their names. All
//! files are a few KB on disk; the sidecar and the segment of the `sparse_*` files have large apparent sizes, and
//! nearly no data. The reader's promise for each: a result or an error within 256 MiB plus four times the size on disk,
//! exit code 0, 1 or 3.
//!
//! | file | contents |
//! |---|---|
//! | `list_bomb_bytes.taut` | 200 blocks of one thread; each is one record `e` with a list of 16,000,000 equal bytes, stored as one byte |
//! | `list_bomb_words.taut` | 200 blocks; each is one record `e` with a list of 8,000,000 words of 2 bytes |
//! | `list_bomb_rows.taut` | 100 blocks of 64,000 records `e`, each with a list of 250 bytes |
//! | `list_bomb_zstd.taut` | 20 blocks; each is one record `e` with a list of 16,000,000 bytes as one zstd frame |
//! | `list_bomb_threads.taut` | 64 threads at the same time; each has one block of 64 records `e` with lists of 250,000 bytes |
//! | `list_bomb_calls.taut` | 100 blocks; each is one returning call `Make` with a list of 4,000,000 words and a text |
//! | `text_bomb.taut` | 100 blocks; each is one record `t` with a text of 16,000,000 equal letters |
//! | `record_bomb.taut` | 200 blocks of 65,536 records without fields |
//! | `long_names.taut` | one list of 100,000 elements whose column has a name of 1 MiB |
//! | `many_threads.taut` | 5,000 threads at the same time, one small block each |
//! | `empty_blocks.taut` | 5,000 blocks that only state a lost event, in a schema with 1,000 slots |
//! | `deep_calls.taut` | 16 blocks of 65,536 starts of calls that never return |
//! | `stamp_above_i63.taut` | two calls with stamps from 2^63 on |
//! | `escape_names.taut` | escape sequences in the names of events, fields, driver and workload; cells that begin with `=` |
//! | `wide_schema.taut` | one event with 20,000 fields, one with a list of 20,000 columns |
//! | `many_events.taut` | a schema of 10,000 events |
//! | `beginnings.taut` | 100,000 block heads that claim to reach to the end of the file |
//! | `unfinished.taut` | a sound block and no footer: for side files that a script puts next to it |
//! | `sparse_sidecar.taut`, `.live` | no footer; the sidecar has one page of data, an apparent size of 1 TiB and claims 4,194,300 slots |
//! | `sparse_slots.taut`, `.live` | no footer; the sidecar has 16 slots of 1 GiB whose lines state committed bytes up to their ends: holes |
//! | `sparse_complete.taut`, `.live` | the sidecar of `sparse_slots` next to a complete trace |
//! | `sparse_ring.taut`, `.ring/0` | no footer; a segment with a sound head, one block, and a hole up to 64 GiB |
#![allow(clippy::unwrap_used)]

#[path = "hostile_files/blocks.rs"]
mod blocks;
#[path = "../tests/suite/by_hand/mod.rs"]
mod by_hand;
#[path = "hostile_files/schemas.rs"]
mod schemas;
#[path = "hostile_files/side_files.rs"]
mod side_files;

use std::fs;
use std::path::Path;

fn main() {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: hostile_files FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).unwrap();
    for (name, bytes) in blocks::traces().into_iter().chain(schemas::traces()) {
        fs::write(folder.join(name), bytes).unwrap();
        println!("{name}");
    }
    for name in side_files::write(folder) {
        println!("{name}");
    }
}
