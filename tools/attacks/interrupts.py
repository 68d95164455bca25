"""Commands stopped at random times: what was written is complete, what was not is gone, nothing else is changed."""

import os
import random
import signal

from harness import register, snapshot

# Exit codes where a handler was in place; before that the signal itself ends the process.
ENDED = {0, 1, 3, 4, 130, -signal.SIGINT, -signal.SIGTERM}

COMMANDS = {
    "record": ["record", "streaming-world", "--threads", "2", "--set", "frames=400", "-o", "new.taut"],
    "record_ring": ["record", "streaming-world", "--threads", "2", "--set", "frames=400", "-o", "new.taut", "--mode", "ring", "--max-size", "256KiB"],
    "record_circular": ["record", "streaming-world", "--threads", "2", "--set", "frames=400", "-o", "new.taut", "--mode", "circular", "--max-size", "256KiB"],
    "snapshots": ["record", "small-level", "-o", "new.taut", "--snapshot-on", "CreateHeap"],
    "replay": ["replay", "complete.taut", "--driver", "peer", "-o", "new.taut"],
    "recover": ["recover", "killed/x.taut", "-o", "new.taut"],
    "recover_in_place": ["recover", "k/x.taut"],
    "jsonl": ["export", "complete.taut", "--to", "jsonl", "-o", "new.jsonl"],
    "perfetto": ["export", "complete.taut", "--to", "perfetto", "-o", "new.pftrace"],
    "parquet": ["export", "complete.taut", "--to", "parquet", "-o", "lake"],
    "page": ["analyze", "complete.taut", "--format", "html", "-o", "new.html"],
    "query": ["query", "complete.taut", "SELECT * FROM events", "--format", "csv", "-o", "new.csv"],
    "demo": ["demo", "-o", "d"],
    "cache": ["query", "large.taut", "SELECT thread, count(*), max(stamp) FROM events GROUP BY thread"],
}


def stopped(t, name, number, times):
    """One command, stopped some times."""
    chance = random.Random(f"{t.options.seed} {name} {number}")
    t.fixture("complete.taut")
    if name in ("recover", "recover_in_place"):
        t.fixture("killed")
    if name == "cache":
        t.taut("record", "streaming-world", "--set", "frames=1500", "-o", "large.taut", codes={0}, timeout_s=60)
    t.write("notes.txt")
    for _ in range(times):
        if name == "recover_in_place":
            t.fixture("killed", "k")
        before = snapshot(t.folder)
        at_s = chance.uniform(0.002, 0.3)
        run = t.start(*COMMANDS[name], note=f"# {signal.Signals(number).name} at {at_s * 1000:.0f} ms").wait(40, [(at_s, number)])
        t.check_end(run, ENDED if number != signal.SIGKILL else ENDED | {-signal.SIGKILL})
        changed = ["k/x.taut", "k/x.taut.live"] if name == "recover_in_place" else []
        t.unchanged(run, before, except_for=changed)
        check_traces(t, run, number)
        clean(t, before)


def check_traces(t, run, number):
    """Every trace that is there can be read; after a signal with a handler nothing unfinished is left."""
    for name in os.listdir(t.folder):
        path = t.path(name)
        if name.endswith(".taut") and name not in ("complete.taut", "large.taut"):
            t.check(run, os.path.getsize(path) > 0, f"no empty {name}", "one of 0 bytes")
            info = t.taut("info", name, codes={0, 3})
            t.check(info, b"damaged" not in info.stderr, "a trace without damage")
        if number != signal.SIGKILL and run.code in (0, 130):
            left = name.endswith((".part", ".live", ".ring")) or name.startswith(".taut-")
            t.check(run, not left, "no unfinished file", name)
    if os.path.isdir(t.path("k")):
        info = t.taut("info", "k/x.taut", codes={0, 3})
        t.check(info, b"damaged" not in info.stderr, "a trace without damage")


def clean(t, before):
    """Removes what the command wrote."""
    import shutil

    for name in os.listdir(t.folder):
        if os.fsencode(name) not in before or name == "k":
            path = t.path(name)
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)


for name in COMMANDS:
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]:
        register(f"interrupts/{name}_{number.name.lower()}", stopped, name, number, 4)
