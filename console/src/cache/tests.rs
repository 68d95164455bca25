//! Tests of the cache's limits, and of what it never removes.

use super::*;
use std::io::Read;

/// Group names of the required form.
const ONE: &str = "0000000000000001";
const TWO: &str = "0000000000000002";

/// Size of a table beyond its pages, in bytes.
fn frame_bytes() -> usize {
    proof::sample(&[]).len()
}

/// Adds a table of a given size to the cache.
fn put(cache: &Cache, group: &str, name: &str, bytes: usize) {
    let mut file = cache.begin(group, name).unwrap();
    file.write_all(&proof::sample(&vec![7; bytes - frame_bytes()])).unwrap();
    file.commit().unwrap();
}

fn read(cache: &Cache, group: &str, name: &str) -> Option<usize> {
    let mut bytes = Vec::new();
    cache.find(group, name)?.read_to_end(&mut bytes).unwrap();
    Some(bytes.len())
}

#[test]
fn the_least_recently_used_are_removed_beyond_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("a/cache"), 1000);
    assert_eq!(cache.contents().unwrap(), CacheContents::default());
    put(&cache, ONE, "heaps", 400);
    put(&cache, ONE, "calls", 500);
    let long_ago = SystemTime::now() - Duration::from_secs(100);
    let of = |name: &str| File::options().append(true).open(cache.path(ONE, name).unwrap()).unwrap();
    of("heaps").set_modified(long_ago).unwrap();
    of("calls").set_modified(long_ago - Duration::from_secs(1)).unwrap();
    // Reading a file marks it as used.
    assert_eq!(read(&cache, ONE, "calls"), Some(500));
    put(&cache, TWO, "heaps", 300);
    assert_eq!(read(&cache, ONE, "heaps"), None);
    assert_eq!(cache.contents().unwrap(), CacheContents { files: 2, groups: 2, bytes: 800, foreign: Vec::new() });
    assert!(cache.begin(TWO, "large").unwrap().write_all(&[0; 1001]).is_err());
    assert_eq!(cache.clear().unwrap().files, 2);
    assert!(!cache.folder().exists());
}

#[test]
fn nothing_but_tables_of_taut_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().to_owned(), 1000);
    put(&cache, ONE, "heaps", 200);
    let theirs = [
        format!("{ONE}/letter.txt"),
        format!("{ONE}/letter.table"),
        format!("{ONE}/.taut-letter.part"),
        format!("{ONE}/.taut-Ab3dE9.part"),
        "letter.table".to_owned(),
        "photos/letter.table".to_owned(),
    ];
    std::fs::create_dir(folder.path().join("photos")).unwrap();
    theirs.iter().for_each(|name| std::fs::write(folder.path().join(name), "Dear").unwrap());
    // A complete table in a folder that is not a group does not belong to the cache.
    std::fs::write(folder.path().join("photos/whole.table"), proof::sample(b"x")).unwrap();
    let cleared = cache.clear().unwrap();
    assert_eq!((cleared.files, cleared.bytes), (1, 200));
    for name in theirs.iter().map(String::as_str).chain(["photos/whole.table"]) {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let foreign = [theirs.len() - 2, 2].iter().sum::<usize>();
    assert_eq!(cleared.foreign.len(), foreign, "files of the group, and one entry each outside: {cleared:?}");
}

#[test]
fn a_folder_that_taut_did_not_create_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (own, theirs) = (folder.path().join("own"), folder.path().join("theirs"));
    std::fs::create_dir(&theirs).unwrap();
    for path in [&own, &theirs] {
        let cache = Cache::at(path.clone(), 1000);
        put(&cache, ONE, "heaps", 200);
        assert_eq!(cache.clear().unwrap().files, 1);
    }
    assert!(!own.exists() && theirs.is_dir());
    assert_eq!(std::fs::read_dir(&theirs).unwrap().count(), 0, "its group's folder is removed");
    // A tag of another program does not mark the folder as ours.
    std::fs::write(theirs.join(folder::TAG_NAME), "Signature: 8a477f597d28d172789f06886806bc55\n").unwrap();
    Cache::at(theirs.clone(), 1000).clear().unwrap();
    assert!(theirs.join(folder::TAG_NAME).is_file());
}

#[test]
fn a_group_that_an_earlier_clearing_left_empty_is_removed_from_a_folder_of_tauts_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (own, theirs) = (folder.path().join("own"), folder.path().join("theirs"));
    std::fs::create_dir(&theirs).unwrap();
    for path in [&own, &theirs] {
        let cache = Cache::at(path.clone(), 1000);
        put(&cache, ONE, "heaps", 200);
        std::fs::create_dir(path.join(TWO)).unwrap();
        assert_eq!(cache.clear().unwrap().files, 1);
    }
    assert!(!own.exists() && theirs.join(TWO).is_dir());
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_and_no_file_with_two_names_is_removed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let cache = Cache::at(at("cache"), 1000);
    put(&cache, ONE, "heaps", 200);
    std::fs::create_dir(at("group")).unwrap();
    for name in ["group/a.table", "b", "c"] {
        std::fs::write(at(name), proof::sample(b"x")).unwrap();
    }
    symlink(at("group"), at("cache").join(TWO)).unwrap();
    symlink(at("b"), at("cache").join(ONE).join("b.table")).unwrap();
    std::fs::hard_link(at("c"), at("cache").join(ONE).join("c.table")).unwrap();
    assert!(cache.find(TWO, "a").is_none());
    cache.remove_invalid(TWO, "a");
    assert!(cache.find(ONE, "b").is_none() && cache.find(ONE, "c").is_none());
    assert!(cache.begin(TWO, "new").is_err(), "nothing is written through a link");
    for name in ["b", "c"] {
        cache.remove_invalid(ONE, name);
        let mut file = cache.begin(ONE, name).unwrap();
        file.write_all(&proof::sample(b"y")).unwrap();
        assert!(file.commit().is_err(), "{name} is not replaced");
    }
    assert_eq!(cache.clear().unwrap().files, 1);
    assert!(["group/a.table", "b", "c"].iter().all(|name| std::fs::read(at(name)).unwrap() == proof::sample(b"x")));
}

#[cfg(unix)]
#[test]
fn a_pipe_at_the_path_of_a_table_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"), 1000);
    put(&cache, ONE, "heaps", 200);
    let pipe = cache.path(ONE, "calls").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(cache.find(ONE, "calls").is_none());
    assert_eq!(cache.contents().unwrap().files, 1);
    cache.clear().unwrap();
    assert!(pipe.exists());
}

#[test]
fn a_file_that_is_no_table_is_neither_replaced_nor_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"), 1000);
    put(&cache, ONE, "heaps", 200);
    let path = cache.path(ONE, "calls").unwrap();
    std::fs::write(&path, "Dear diary").unwrap();
    cache.remove_invalid(ONE, "calls");
    let mut file = cache.begin(ONE, "calls").unwrap();
    file.write_all(&proof::sample(b"y")).unwrap();
    assert!(file.commit().is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear diary");
    // The remains of a table are replaced.
    std::fs::write(&path, &proof::sample(b"y")[6..]).unwrap();
    put(&cache, ONE, "calls", 300);
    assert_eq!(read(&cache, ONE, "calls"), Some(300));
}

#[test]
fn an_old_unfinished_table_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"), 1000);
    put(&cache, ONE, "heaps", 200);
    let unfinished = cache.folder().join(ONE).join(".taut-Ab3dE9.part");
    std::fs::write(&unfinished, "PAR1 half").unwrap();
    put(&cache, ONE, "calls", 200);
    assert!(unfinished.exists(), "a process may be writing it");
    let long_ago = SystemTime::now() - 2 * UNFINISHED_MAX_AGE;
    File::options().append(true).open(&unfinished).unwrap().set_modified(long_ago).unwrap();
    put(&cache, ONE, "calls", 210);
    assert!(!unfinished.exists());
}

#[test]
fn an_uncommitted_file_does_not_appear_and_hostile_names_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"), 1000);
    cache.begin(ONE, "heaps").unwrap().write_all(b"half").unwrap();
    assert!(cache.find(ONE, "heaps").is_none());
    assert_eq!(cache.contents().unwrap(), CacheContents::default());
    for name in ["", "../heaps", ".heaps", "a/b", "a\\b", "a\0", &"a".repeat(101)] {
        assert!(cache.begin(ONE, name).is_err() && cache.find(name, "heaps").is_none(), "{name:?}");
    }
}
