//! Table cache: results do not depend on it.
#![allow(clippy::unwrap_used)]

use crate::recording::{self, write};

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};
use taut_tables::TABLES;
use taut_traces::Identity;

/// A folder with a trace and a cache.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn trace(&self) -> PathBuf {
        self.folder.path().join("a.taut")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn query(&self, sql: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
        command.arg("query").arg(self.trace()).arg(sql).args(["--format", "csv"]).args(arguments);
        command.env("TAUT_CACHE", self.cache());
        command
    }

    fn make_all(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
        command.arg("cache-tables").arg(self.trace()).env("TAUT_CACHE", self.cache()).output().unwrap()
    }

    fn run_query(&self, sql: &str, arguments: &[&str]) -> String {
        text(&self.query(sql, arguments).output().unwrap())
    }

    /// Files in the cache.
    fn cached_files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.cache()).into_iter().flatten().flatten();
        // Next to the groups is the tag that marks the folder as a cache.
        let groups = entries.filter(|entry| entry.path().is_dir());
        let files = groups.flat_map(|group| std::fs::read_dir(group.path()).unwrap()).map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        files
    }
}

/// Identity of a file, independent of its name.
fn snapshot(file: &Path) -> (u64, Option<SystemTime>) {
    let metadata = std::fs::metadata(file).unwrap();
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = metadata.len();
    // A new file may reuse the inode of a removed one, so the creation time is compared too.
    (number, metadata.created().ok())
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

const FENCES: &str = "SELECT count(*) AS n, max(stamp) AS last FROM MemoryFence";

#[test]
fn every_table_is_the_same_when_cached() {
    let place = Place::new();
    recording::record(&place.trace(), "reference");
    let mut names: Vec<String> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    names.extend(["CreateCommittedResource", "WorkloadPhase"].map(str::to_owned));
    for name in &names {
        let sql = format!("SELECT * FROM {name}");
        let snapshot = place.run_query(&sql, &["--no-cache"]);
        assert_eq!(place.run_query(&sql, &[]), snapshot, "{name}, kept");
        assert_eq!(place.run_query(&sql, &[]), snapshot, "{name}, read");
    }
    // Tables decoded directly from records are not cached.
    assert_eq!(place.cached_files().len(), names.len() - 1);
    let joined = "SELECT count(*) AS n, sum(r.size_bytes) AS s FROM resources r JOIN heaps h ON r.heap = h.heap";
    assert_eq!(place.run_query(joined, &[]), place.run_query(joined, &["--no-cache"]));
}

#[test]
fn precomputed_tables_are_found_by_queries() {
    let place = Place::new();
    write(&place.trace(), &Identity::random("test", "1"), 1_000);
    assert_eq!(text(&place.make_all()), "");
    let cached_files = place.cached_files();
    // All except `events`, which is as fast to recompute.
    assert_eq!(cached_files.len(), TABLES.len() - 1);
    let calls = "SELECT count(*) AS n FROM calls";
    let answer = place.run_query(calls, &["--no-cache"]);
    // A recomputed table would be written to a new file.
    let file =
        cached_files.iter().find(|file| file.file_name().unwrap().to_string_lossy().starts_with("calls")).unwrap();
    let snapshot = snapshot(file);
    assert_eq!(place.run_query(calls, &[]), answer);
    assert_eq!(text(&place.make_all()), "");
    assert_eq!((self::snapshot(file), place.cached_files()), (snapshot, cached_files));
    write(&place.trace(), &Identity::default(), 10);
    let of_nobody = place.make_all();
    assert!(String::from_utf8_lossy(&of_nobody.stderr).contains("no tables are cached"), "{of_nobody:?}");
}

#[test]
fn a_replaced_trace_gets_new_results() {
    let place = Place::new();
    let identity = Identity::random("test", "1");
    for records in [10, 20, 10] {
        write(&place.trace(), &identity, records);
        for _ in 0..2 {
            assert_eq!(place.run_query(FENCES, &[]), format!("n,last\n{records},{records}\n"));
        }
    }
}

#[test]
fn a_partial_read_and_no_cache_leave_no_cache_file() {
    let place = Place::new();
    write(&place.trace(), &Identity::random("test", "1"), 300_000);
    assert_eq!(place.run_query("SELECT stamp FROM MemoryFence LIMIT 2", &[]), "stamp\n1\n2\n");
    assert_eq!(place.cached_files(), Vec::<PathBuf>::new());
    assert_eq!(place.run_query(FENCES, &["--no-cache"]), "n,last\n300000,300000\n");
    assert_eq!(place.cached_files(), Vec::<PathBuf>::new());
    for _ in 0..2 {
        assert_eq!(place.run_query(FENCES, &[]), "n,last\n300000,300000\n");
        assert_eq!(place.cached_files().len(), 1);
    }
}

#[test]
fn a_trace_without_an_identity_is_not_cached() {
    let place = Place::new();
    write(&place.trace(), &Identity::default(), 10);
    assert_eq!(place.run_query(FENCES, &[]), "n,last\n10,10\n");
    assert_eq!(place.cached_files(), Vec::<PathBuf>::new());
}

#[test]
fn a_damaged_cache_file_is_recomputed() {
    let place = Place::new();
    write(&place.trace(), &Identity::random("test", "1"), 3000);
    let answer = place.run_query(FENCES, &[]);
    let file = place.cached_files().remove(0);
    let whole = std::fs::read(&file).unwrap();
    let mut damages: Vec<Vec<u8>> = vec![Vec::new(), b"PAR1".to_vec(), whole[..whole.len() - 1].to_vec()];
    for part in 0..12 {
        let mut damaged = whole.clone();
        damaged[part * (whole.len() - 1) / 12] ^= 0x41;
        damages.push(damaged);
    }
    damages.extend((1..4).map(|part| whole[..part * whole.len() / 4].to_vec()));
    for damaged in damages {
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(place.run_query(FENCES, &[]), answer);
        assert_eq!(place.run_query(FENCES, &[]), answer);
    }
    assert_eq!(place.cached_files(), [file]);
}

#[test]
fn an_unwritable_cache_changes_no_result() {
    let place = Place::new();
    write(&place.trace(), &Identity::random("test", "1"), 10);
    let file = place.folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    for cache in [file.join("cache"), file, PathBuf::new(), "/proc/taut".into()] {
        let output = place.query(FENCES, &[]).env("TAUT_CACHE", &cache).output().unwrap();
        assert_eq!(text(&output), "n,last\n10,10\n", "{}", cache.display());
        assert!(output.stderr.is_empty());
    }
    let home = place.folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let mut at_home = place.query(FENCES, &[]);
    at_home.env_remove("TAUT_CACHE").env_remove("XDG_CACHE_HOME").env_remove("LOCALAPPDATA").env("HOME", &home);
    assert_eq!(text(&at_home.output().unwrap()), "n,last\n10,10\n");
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 1);
}

#[test]
fn concurrent_queries_and_kills_leave_the_cache_intact() {
    let kills = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let place = Place::new();
    write(&place.trace(), &Identity::random("test", "1"), 100_000);
    let answer = "n,last\n100000,100000\n";
    let begun = Instant::now();
    assert_eq!(place.run_query(FENCES, &[]), answer);
    let whole = begun.elapsed();
    let mut state = 20_261_124_u64;
    for kill in 0..kills {
        if kill % 2 == 0 {
            place.cached_files().iter().for_each(|file| std::fs::remove_file(file).unwrap());
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let spawn = || place.query(FENCES, &[]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (mut killed, other) = (spawn(), spawn());
        std::thread::sleep(Duration::from_nanos((state >> 8) % (whole.as_nanos() as u64)));
        let _ = killed.kill();
        killed.wait().unwrap();
        assert_eq!(text(&other.wait_with_output().unwrap()), answer, "kill {kill}");
        assert_eq!(place.run_query(FENCES, &[]), answer, "kill {kill}");
    }
}
