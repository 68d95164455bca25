//! Memory available to this process: the minimum of the machine's memory, the cgroup's limit and the address space left
//! by `RLIMIT_AS`. Linux reports these in files.

use std::fs::read_to_string;
use std::path::Path;
use taut_console::address_space;

/// Assumed memory where the system reports none.
const UNKNOWN_BYTES: u64 = 4 << 30;

/// Default limit: half of the minimum of the machine's memory, the limits of the process's cgroup and its ancestors,
/// and the free address space.
pub fn default_limit() -> u64 {
    let limits = [machine(), cgroup(), address_space::free_bytes()];
    limits.into_iter().flatten().min().map_or(UNKNOWN_BYTES, |lowest| lowest / 2)
}

fn machine() -> Option<u64> {
    kib_after(&read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// Reads a number of KiB from the line that begins with a name; returns bytes.
fn kib_after(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// Minimum of the limits of the process's cgroup and its ancestors, in cgroup version 1 or 2.
fn cgroup() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(|line| limit_of(line, Path::new("/sys/fs/cgroup"))).min()
}

/// Minimum of the limits along the path of a line of `/proc/self/cgroup`: `ID:CONTROLLERS:PATH`, without controllers in
/// version 2. In a container the path may be the host's and not exist here; then the root's limit counts.
fn limit_of(line: &str, root: &Path) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (base, file) = match controllers {
        "" => (root.to_owned(), "memory.max"),
        several if several.split(',').any(|one| one == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
        _ => return None,
    };
    let own = base.join(path.trim_start_matches('/'));
    let folders = own.ancestors().take_while(|folder| folder.starts_with(&base));
    // Version 2's "max" does not parse as a number; version 1's "no limit" is close to 2^63 and never the minimum.
    folders.filter_map(|folder| read_to_string(folder.join(file)).ok()?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_a_cgroup_and_those_above_it_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a/memory.max", "1000\n");
        write("a/b/memory.max", "max\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/c/memory.limit_in_bytes", "500\n");
        let of = |line: &str| limit_of(line, root.path());
        assert_eq!(of("0::/a/b"), Some(1000));
        assert_eq!(of("4:cpu,memory:/c"), Some(500));
        assert_eq!(of("4:cpu:/c"), None);
        assert_eq!(of("0::/elsewhere"), None);
    }

    #[test]
    fn the_default_limit_is_max_half_of_the_machine() {
        assert!(default_limit() > 0);
        if let Some(machine) = machine() {
            assert!(default_limit() <= machine / 2);
        }
    }
}
