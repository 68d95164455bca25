"""Disks that are full: what is recorded is kept as far as there is space, and what is lost is counted.

A case mounts a tmpfs of its own, in a mount namespace of its own process: as root, or in a user namespace.
"""

import ctypes
import os
import random
import re
import signal

from harness import MIB, Failed, Limits, Skipped, case, register, snapshot

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000


def disk(t, size_bytes, name="disk"):
    """Mounts a disk of this size and returns its folder."""
    libc = ctypes.CDLL(None, use_errno=True)
    folder = t.path(name)
    os.makedirs(folder, exist_ok=True)
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWNS | (0 if uid == 0 else CLONE_NEWUSER)
    if libc.unshare(flags) != 0:
        raise Skipped("needs root or a user namespace: a disk of its own")
    if flags & CLONE_NEWUSER:
        try:
            for file, text in [("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")]:
                with open(f"/proc/self/{file}", "w") as stream:
                    stream.write(text)
        except OSError:
            raise Skipped("needs root or a user namespace: a disk of its own") from None
    libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={size_bytes},mode=700".encode()) != 0:
        raise Skipped("the system mounts no tmpfs here")
    return folder


def log(t, calls):
    """A call log whose names no compressor makes smaller: some 700 bytes of trace per call. Its number of calls is exact."""
    chance = random.Random(7)
    desc = '{"dimension":1,"alignment":0,"width":256,"height":1,"depth_or_array":1,"mips":1,"format":0,"sample_count":1,"sample_quality":0,"layout":1,"flags":0}'
    with open(t.path("log.jsonl"), "w") as file:
        file.write('{"format":"d3d12-calls","version":2,"source":"names","allocator_flags":0,"tests":{"0":"(setup)"}}\n')
        file.write('{"seq":0,"thread":0,"test":0,"call":"CreateHeap","size":1048576,"heap_type":1,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"alignment":65536,"flags":192,"protected":0,"hr":0,"obj":1}\n')
        file.write(f'{{"seq":1,"thread":0,"test":0,"call":"CreatePlacedResource","heap":1,"offset":0,"desc":{desc},"initial_state":0,"clear":null,"castable_formats":[],"hr":0,"obj":2,"info":{{"size":256,"alignment":65536}}}}\n')
        for number in range(calls):
            name = chance.getrandbits(8 * 700).to_bytes(700, "little").hex()
            file.write(f'{{"seq":{number + 2},"thread":0,"test":0,"call":"SetName","obj":2,"name":"{name}"}}\n')
        file.write(f'{{"seq":{calls + 2},"thread":0,"test":0,"call":"EndCapture","objects_created":2,"objects_live":2}}\n')


def occupied(folder):
    """Bytes that the files of a folder take on disk."""
    total = 0
    for parent, _, files in os.walk(folder):
        total += sum(os.lstat(os.path.join(parent, name)).st_blocks * 512 for name in files)
    return total


WORK = {
    # Many small events: the sidecar is much larger than the trace that it protects.
    "events": lambda size: ["streaming-world", "--threads", "1", "--clock", "logical", "--set", f"frames={15000 * size}"],
    "names": lambda size: ["log.jsonl", "--clock", "logical"],
}


def full(t, size_mib, work, exact):
    """A recording larger than its disk: exit 4, the space is used, lost = produced - kept."""
    command = WORK[work](size_mib)
    produced = None
    if work == "names":
        log(t, 2000 * size_mib)
        command[0] = t.path("log.jsonl")
    if exact:
        produced = t.json("record", *command, "-o", "whole.taut", "-q", timeout_s=100, codes={0})["events"]
        size = os.path.getsize(t.path("whole.taut"))
        os.remove(t.path("whole.taut"))
        if size < size_mib * MIB:
            raise Failed(f"record {command}", f"a trace larger than {size_mib} MiB", f"{size} bytes: the script is to be changed")
    folder = disk(t, size_mib * MIB)
    run = t.taut("record", *command, "-o", "x.taut", cwd=folder, codes={4}, timeout_s=100)
    used = occupied(folder)
    info = t.json("info", "x.taut", cwd=folder, codes={0, 3, 4})
    # The process is gone; its events are in the trace and, where a sidecar is left, in that.
    found = f"{used / MIB:.2f} MiB used, {info['events']} events, lost_events {info['lost_events']}, produced {produced}"
    t.check(run, used >= 0.8 * size_mib * MIB, "at least 80 % of the space used by trace and sidecar", found)
    t.check(run, info["lost_events"] > 0, "lost_events above 0", found)
    if produced is not None:
        check_losses(t, run, info, produced)
    t.check(run, "lost" in run.text or "nothing from here on is recorded" in run.text, "a message about the loss")
    health = t.taut("analyze", "x.taut", "--report", "health", "--json", cwd=folder, env=t.environment(TAUT_CACHE=""), timeout_s=100)
    t.check(health, str(info["lost_events"]) in health.text, f"{info['lost_events']} lost events in the report health", "another number")


def check_losses(t, run, info, produced):
    """What is kept and what is lost is what was produced; a recording that ended early says so, and its workload produced less."""
    total = info["events"] + info["lost_events"]
    found = f"{info['events']} + {info['lost_events']}, produced {produced}, interrupted {info['interrupted']}; {run.ended()}"
    # A trace without its end, or one whose footer says so: the recording ended, and what came later was not recorded.
    ended_early = info["interrupted"] or not info["complete"]
    if not ended_early or total > produced:
        t.check(run, total == produced, "lost_events = produced - kept", found)
    said = re.search(r"([0-9,]+) events lost", run.text)
    t.check(run, not said or int(said.group(1).replace(",", "")) == info["lost_events"], "the same number of lost events in the message", found)


for size in [4, 8, 16, 32]:
    # Debug builds record some 600,000 events a second and processor: only the smallest disk is filled in every run.
    register(f"full_disk/events_{size}_mib", full, size, "events", size <= 8, long=size > 4)
for size in [4, 8, 16, 32]:
    register(f"full_disk/names_{size}_mib", full, size, "names", True)


def modes(t, name, mode, more):
    """The same in other modes and with other buffers: an exit code, and produced = kept + lost."""
    log(t, 8000)
    command = [t.path("log.jsonl"), "--clock", "logical", *more]
    produced = t.json("record", t.path("log.jsonl"), "--clock", "logical", "-o", "whole.taut", "-q", codes={0}, timeout_s=60)["events"]
    os.remove(t.path("whole.taut"))
    folder = disk(t, 4 * MIB)
    run = t.taut("record", *command, "-o", "x.taut", cwd=folder, codes={0, 4}, timeout_s=60)
    info = t.json("info", "x.taut", cwd=folder, codes={0, 3, 4})
    kept, lost = info["events"], info["lost_events"]
    if mode == "sequential":
        if name == "drop":
            # Threads that do not wait lose events, and what they keep may fit.
            t.check(run, kept + lost == produced or run.code == 4, "lost_events = produced - kept", f"{kept} + {lost}, not {produced}")
        else:
            t.check(run, run.code == 4, "exit 4")
            check_losses(t, run, info, produced)
    t.check(run, kept > 0, "events that are kept", "none")


for name, mode, more in [
    ("drop", "sequential", ["--on-full", "drop"]),
    ("small_buffers", "sequential", ["--buffer-size", "4KiB"]),
    ("large_buffers", "sequential", ["--buffer-size", "4MiB"]),
    ("flush", "sequential", ["--flush-interval", "1ms"]),
    ("sync", "sequential", ["--sync-interval", "10ms"]),
    ("no_sync", "sequential", ["--sync-interval", "0s"]),
    ("ring_larger_than_the_disk", "ring", ["--mode", "ring", "--max-size", "16MiB"]),
    ("circular_larger_than_the_disk", "circular", ["--mode", "circular", "--max-size", "16MiB"]),
    ("ring_smaller_than_the_disk", "ring", ["--mode", "ring", "--max-size", "1MiB"]),
]:
    register(f"full_disk/{name}", modes, name, mode, more)


@case
def smallest_disks(t):
    """Disks with room for a head, for less, and for nothing: exit 4 with a message, and no file that cannot be read."""
    log(t, 500)
    folder = disk(t, MIB)
    for free in [0, 4096, 8192, 16384, 65536, 131072]:
        with open(os.path.join(folder, "filler"), "wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, MIB - free) if free < MIB else None
        run = t.taut("record", t.path("log.jsonl"), "-o", "x.taut", cwd=folder, codes={4})
        t.check(run, run.stderr.strip(), "a message")
        t.check(run, ".taut-" not in run.text and ".part" not in run.text, "the name that was asked for", ascii(run.text[-200:]))
        for name in os.listdir(folder):
            if name.endswith(".taut"):
                t.taut("info", name, cwd=folder, codes={0, 3})
            if name != "filler":
                path = os.path.join(folder, name)
                os.remove(path) if not os.path.isdir(path) else os.rmdir(path)


@case
def sidecar_takes_a_quarter(t):
    """The sidecar of a recording under way takes at most a quarter of the free space."""
    folder = disk(t, 32 * MIB)
    started = t.start("record", "streaming-world", "--threads", "4", "--set", "frames=1000000000", "-o", "x.taut", cwd=folder)
    most = 0
    for _ in range(40):
        started.pump(0.02)
        try:
            most = max(most, os.stat(os.path.join(folder, "x.taut.live")).st_blocks * 512)
        except FileNotFoundError:
            pass
    run = started.wait(30, [(0, signal.SIGINT)])
    t.check_end(run)
    t.check(run, most <= 8 * MIB, "a sidecar of at most 8 MiB on a disk of 32 MiB", f"{most / MIB:.1f} MiB")


OUTPUTS = {
    "replay": ["replay", "../complete.taut", "-o", "new.taut"],
    "recover": ["recover", "../killed/x.taut", "-o", "new.taut"],
    "jsonl": ["export", "../complete.taut", "--to", "jsonl", "-o", "new.jsonl"],
    "perfetto": ["export", "../complete.taut", "--to", "perfetto", "-o", "new.pftrace"],
    "parquet": ["export", "../complete.taut", "--to", "parquet", "-o", "lake"],
    "page": ["analyze", "../complete.taut", "--format", "html", "-o", "new.html"],
    "csv": ["query", "../complete.taut", "SELECT * FROM events", "--format", "csv", "-o", "new.csv"],
    "query_parquet": ["query", "../complete.taut", "SELECT * FROM events", "--format", "parquet", "-o", "new.parquet"],
    "demo": ["demo", "-o", "d"],
    "man": ["man", "-o", "d"],
}


@case
def other_outputs(t):
    """Any output on a full disk: exit 4, its name in the message, nothing unfinished left, an old output as it was."""
    t.fixture("complete.taut")
    t.fixture("killed")
    folder = disk(t, MIB)
    with open(os.path.join(folder, "filler"), "wb") as filler:
        os.posix_fallocate(filler.fileno(), 0, MIB)
    before = snapshot(t.folder)
    for name, command in OUTPUTS.items():
        run = t.taut(*command, cwd=folder, codes={4}, timeout_s=60, note="# on a full disk")
        t.unchanged(run, before)
        t.check(run, ".taut-" not in run.text and ".part" not in run.text, "the name that was asked for", ascii(run.text[-200:]))
        left = [made for made in os.listdir(folder) if made not in ("filler", "d", "lake")]
        t.check(run, not left, "nothing unfinished", str(left))
        for made in ["d", "lake"]:
            os.system(f"rm -rf '{os.path.join(folder, made)}'")


@case
def recover_in_place(t):
    """A recovery for which there is no space leaves the recording and its sidecar as they are."""
    t.fixture("killed", "source")
    size = occupied(t.path("source"))
    folder = disk(t, size + 64 * 1024)
    for name in ["x.taut", "x.taut.live"]:
        os.system(f"cp --sparse=always '{t.path('source/' + name)}' '{folder}/{name}'")
    with open(os.path.join(folder, "filler"), "wb") as filler:
        free = os.statvfs(folder)
        os.posix_fallocate(filler.fileno(), 0, max(4096, free.f_bavail * free.f_bsize - 4096))
    before = snapshot(t.folder)
    events = t.json("info", "x.taut", cwd=folder)["events"]
    run = t.taut("recover", "x.taut", cwd=folder, codes={0, 4}, timeout_s=60)
    if run.code == 4:
        t.unchanged(run, before)
    after = t.json("info", "x.taut", cwd=folder)["events"]
    t.check(run, after == events, f"{events} events", str(after))


@case
def cache_on_a_full_disk(t):
    """An answer does not depend on the cache."""
    t.taut("record", "streaming-world", "--set", "frames=1500", "-o", "large.taut", codes={0}, timeout_s=60)
    sql = "SELECT thread, count(*) FROM events GROUP BY thread ORDER BY thread"
    right = t.taut("query", "large.taut", sql, "--no-cache", codes={0}).stdout
    folder = disk(t, 64 * 1024)
    run = t.taut("query", "large.taut", sql, env=t.environment(TAUT_CACHE=folder), codes={0})
    t.check(run, run.stdout == right, "the answer without a cache")


@case
def snapshots_on_a_full_disk(t):
    """Snapshots that do not fit leave nothing unfinished, and the recording goes on."""
    folder = disk(t, 2 * MIB)
    run = t.taut("record", "small-level", "--snapshot-on", "CreateHeap", "-o", "x.taut", cwd=folder, codes={0, 4}, timeout_s=60)
    left = [name for name in os.listdir(folder) if name.endswith((".part", ".live"))]
    t.check(run, run.code == 4 or not left, "nothing unfinished", str(left))
    for name in os.listdir(folder):
        if name.endswith(".taut"):
            t.taut("info", name, cwd=folder, codes={0, 3})


@case
def limit_of_the_file_size(t):
    """RLIMIT_FSIZE as a full disk: what is lost is counted, whatever the limit."""
    log(t, 3000)
    produced = t.json("record", "log.jsonl", "--clock", "logical", "-o", "whole.taut", "-q", codes={0}, timeout_s=60)["events"]
    for limit in [100, 4096, 65536, 300_000, MIB]:
        name = f"x{limit}.taut"
        run = t.taut("record", "log.jsonl", "--clock", "logical", "-o", name, limits=Limits(file_size=limit), codes={4}, timeout_s=60, note=f"# ulimit -f, {limit} bytes")
        if os.path.exists(t.path(name)):
            info = t.json("info", name)
            check_losses(t, run, info, produced)
