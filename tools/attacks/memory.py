"""Memory and time that inputs can make a command take."""

import gzip
import os
import re
import subprocess

import containers
from harness import GIB, MIB, Limits, Skipped, bound, case, register
from names_and_numbers import on_terminal

BASE = 256 * MIB
# Address space above the memory bound: code, thread stacks, and maps that nothing touches.
SPARE = GIB

READERS = {
    "info": ["info", "x.taut"],
    "dump": ["dump", "x.taut"],
    "analyze": ["analyze", "x.taut"],
    "replay": ["replay", "x.taut"],
    "recover": ["recover", "x.taut", "-o", "new.taut"],
}
EXPORTS = {
    "jsonl": ["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"],
    "perfetto": ["export", "x.taut", "--to", "perfetto", "-o", "out.pftrace"],
}


def bounded(t, command, limit, timeout_s=25, codes=None, **options):
    """Runs a command under its memory bound, in address space of the bound and 1 GiB."""
    # A mapped input takes address space of its whole size, holes included, and memory only where it is read.
    mapped = sum(os.path.getsize(t.path(name)) for name in options.pop("maps", ["x.taut"]) if os.path.exists(t.path(name)))
    limits = Limits(address_space=limit + SPARE + mapped, file_size=8 * GIB)
    arguments = {} if codes is None else {"codes": codes}
    run = t.taut(*command, limits=limits, timeout_s=timeout_s, **arguments, **options)
    t.check_memory(run, limit)
    return run


def clean(t):
    """Removes what the commands wrote."""
    for name in ["new.taut", "out.jsonl", "out.pftrace"]:
        if os.path.exists(t.path(name)):
            os.remove(t.path(name))


# Sidecars: size and number of slots, what each claims, and which slots have a line.
SPARSE = {
    "large_slots": (1 << 30, 5, None, 1),
    "large_claims": (1 << 30, 5, (1 << 30) - 64, 1),
    "many_slots": (1 << 18, 20000, None, 1),
    "many_claims": (1 << 18, 20000, (1 << 18) - 64, 5000),
    "small_slots": (4096, 1 << 20, None, 1),
    "few_claims": (1 << 26, 80, (1 << 26) - 64, 16),
}


def sparse_sidecar(t, kind, source):
    """A sidecar of 5 GiB of holes costs what it occupies; next to a complete trace its page alone is read."""
    path = t.fixture(source, "x.taut")
    with open(path, "rb") as file:
        key = containers.key_of(file.read(24))
    slot_bytes, slots, claimed, every = SPARSE[kind]
    containers.sparse_sidecar(t.path("x.taut.live"), key, slot_bytes, slots, claimed, every)
    limit = bound(t.path("x.taut"), t.path("x.taut.live"))
    for name, command in [*READERS.items(), *EXPORTS.items(), ("query", ["query", "x.taut", "SELECT count(*) FROM events"])]:
        run = bounded(t, command, limit, timeout_s=10, maps=["x.taut", "x.taut.live"] if source == "unfinished.taut" else ["x.taut"])
        if source == "complete.taut" and name == "info":
            t.check(run, run.wall_s < 5, "an answer within 5 s", f"{run.wall_s:.1f} s")
            t.check(run, run.code == 0, "exit 0")
        clean(t)


for kind in SPARSE:
    for source in ["complete.taut", "unfinished.taut"]:
        register(f"memory/sparse_sidecar_{kind}_{source.split('.')[0]}", sparse_sidecar, kind, source)


def sparse_killed(t):
    """The sidecar of a killed recording, lengthened by 5 GiB of holes, still gives its events."""
    t.fixture("killed/x.taut", "x.taut")
    t.fixture("killed/x.taut.live", "x.taut.live")
    before = t.json("info", "x.taut")
    limit = bound(t.path("x.taut"), t.path("x.taut.live"))
    os.truncate(t.path("x.taut.live"), 5 * GIB)
    for command in READERS.values():
        bounded(t, command, limit, timeout_s=60 if command[0] != "info" else 10, maps=["x.taut", "x.taut.live"])
        clean(t)
    after = t.json("info", "x.taut")
    t.check("taut info x.taut", before["events"] == after["events"], f"{before['events']} events", str(after["events"]))


register("memory/sparse_killed", sparse_killed)


def segment(t, kind):
    """A segment that has no end or is nothing but holes."""
    path = t.fixture("unfinished.taut", "x.taut")
    with open(path, "rb") as file:
        key = containers.key_of(file.read(24))
    os.makedirs(t.path("x.taut.ring"))
    place = t.path("x.taut.ring/0")
    if kind == "zero":
        os.symlink("/dev/zero", place)
    else:
        with open(place, "wb") as file:
            file.write(containers.segment_head(key, 0) if kind == "holes_with_head" else b"")
            file.truncate(5 * GIB)
    limit = bound(t.path("x.taut"), place)
    for command in [*READERS.values(), *EXPORTS.values()]:
        bounded(t, command, limit, timeout_s=20, maps=["x.taut", "x.taut.ring/0"] if kind != "zero" else ["x.taut"])
        clean(t)


for kind in ["zero", "holes", "holes_with_head"]:
    register(f"memory/segment_{kind}", segment, kind)


def lists(t, source, name):
    """A few kilobytes whose blocks have lists of 16 million elements."""
    t.fixture(source, "x.taut")
    limit = bound(t.path("x.taut"))
    commands = {**READERS, **EXPORTS, "query": ["query", "x.taut", "SELECT * FROM lists", "-o", "out.json", "--format", "json"]}
    commands["query_count"] = ["query", "x.taut", "SELECT count(*) FROM lists"]
    commands["events"] = ["query", "x.taut", "SELECT * FROM events"]
    commands["verify"] = ["info", "x.taut", "--verify"]
    commands["diff"] = ["diff", "x.taut", "x.taut"]
    # Writing text of so many elements takes its time; the bound is on memory.
    null = subprocess.DEVNULL if name in ("dump", "jsonl") else None
    command = commands[name]
    if name in ("jsonl", "perfetto"):
        command = [*command[:-1], "-"]
        null = subprocess.DEVNULL
    if name in ("query", "events"):
        # SQL has its own limit, and a list value counts; an answer or a message, within it.
        run = t.taut(*command, limits=Limits(address_space=4 * GIB), timeout_s=100, stdout=null)
        t.check_memory(run, 2 * GIB)
        return
    slow = {"dump": "lists-1.taut", "jsonl": "lists-8.taut"}.get(name)
    if slow and source == "lists-60.taut":
        t.fixture(slow, "x.taut")
    bounded(t, command, limit, timeout_s=100, stdout=null)


for source in ["lists-1.taut", "lists-8.taut", "lists-60.taut"]:
    for name in [*READERS, *EXPORTS, "query", "query_count", "events", "verify", "diff"]:
        register(f"memory/{source.split('.')[0]}_{name}", lists, source, name, long=source == "lists-60.taut" or name in ("dump", "jsonl") or source == "lists-8.taut" and name in ("query", "diff", "verify"))


def sql(t, name, text, limit, answers, more):
    """A question that would take more than its limit ends in a message and exit 1, or has an answer within it."""
    t.fixture("complete.taut", "x.taut")
    limits = Limits(address_space=limit + SPARE, file_size=GIB)
    run = t.taut("query", "x.taut", text, *more, limits=limits, timeout_s=60, codes={0} if answers else {1, 2})
    t.check_memory(run, limit + BASE)
    if not answers:
        t.check(run, len(run.stderr) > 10, "a message")


def questions():
    """Names, texts, memory, and whether an answer is expected."""
    join = " CROSS JOIN ".join(f"events e{number}" for number in range(4))
    doubling = ["WITH c0 AS (SELECT stamp FROM events)"]
    doubling += [f"c{n} AS (SELECT * FROM c{n - 1} UNION ALL SELECT * FROM c{n - 1})" for n in range(1, 40)]
    equal = "SELECT count(*) FROM " + " JOIN ".join(["events e0", *(f"events e{n} ON e0.thread = e{n}.thread" for n in range(1, 4))])
    return [
        ("join_four", f"SELECT * FROM {join}", 2 * GIB, False),
        ("join_four_on", equal, 2 * GIB, False),
        ("join_four_sorted", f"SELECT e0.stamp FROM {join} ORDER BY e1.stamp", 2 * GIB, False),
        ("doubling", ", ".join(doubling) + " SELECT * FROM c39", 2 * GIB, False),
        ("doubling_sorted", ", ".join(doubling) + " SELECT stamp FROM c39 ORDER BY stamp", 2 * GIB, False),
        ("in_numbers", f"SELECT count(*) FROM events WHERE stamp IN ({','.join(map(str, range(200000)))})", 2 * GIB, True),
        ("not_in_numbers", f"SELECT count(*) FROM events WHERE stamp NOT IN ({','.join(map(str, range(200000)))})", 2 * GIB, True),
        ("in_texts", f"SELECT count(*) FROM resources WHERE format IN ({','.join(repr('t%d' % n) for n in range(200000))})", 2 * GIB, True),
    ]


def long_question(t, name, text, limit, answers):
    """A question longer than an argument may be comes from standard input."""
    t.fixture("complete.taut", "x.taut")
    limits = Limits(address_space=limit + SPARE, file_size=GIB)
    run = t.taut("query", "x.taut", "-", stdin=text.encode(), limits=limits, timeout_s=60, codes={0, 1} if answers else {1, 2})
    t.check_memory(run, limit + BASE)
    t.check(run, run.wall_s < 20, "an end within 20 s", f"{run.wall_s:.0f} s")


for name, text, limit, answers in questions():
    if len(text) > 100_000:
        register(f"memory/sql_{name}", long_question, name, text, limit, answers)
    else:
        register(f"memory/sql_{name}", sql, name, text, limit, answers, [])
        register(f"memory/sql_{name}_with_limit", sql, name, text, 512 * MIB, answers, ["--memory", "256MiB"])


@case
def sql_survives_in_the_shell(t):
    """On a terminal the shell answers the next question after one that was over its limit."""
    t.fixture("complete.taut", "x.taut")
    lines = [questions()[0][1] + ";", "SELECT 40 + 2;", "SELECT 40 + 2;", "SELECT 40 + 2;", ".quit"]
    # Half the machine's memory is much: the limit is the one that the shell sees.
    run = on_terminal(t, "shell", "x.taut", lines=lines, limits=Limits(address_space=3 * GIB), timeout_s=60)
    t.check(run, re.search(rb"\b42\b", run.stdout), "the answer 42 after the first question's message", ascii(run.text[-200:]))


# What a command reads to its end: name of the file, command.
TEXTS = {
    "driver": ("d.toml", ["record", "small-level", "--driver", "d.toml", "-o", "o.taut"]),
    "replay_driver": ("d.toml", ["replay", "complete.taut", "--driver", "d.toml"]),
    "hlk_driver": ("d.toml", ["hlk", "--driver", "d.toml"]),
    "alloc_driver": ("d.toml", ["alloc-info", "--driver", "d.toml"]),
    "machine": ("m.toml", ["record", "small-level", "--machine", "m.toml", "-o", "o.taut"]),
    "machine_shown": ("m.toml", ["machines", "m.toml"]),
    "driver_shown": ("d.toml", ["drivers", "d.toml"]),
    "scenario": ("s.toml", ["record", "s.toml", "-o", "o.taut"]),
    "shader": ("h.toml", ["record", "pix-single-frame", "--set", "shader=h.toml", "-o", "o.taut"]),
    "memory_dump": ("d.json", ["record", "d.json", "-o", "o.taut"]),
    "presents": ("p.csv", ["record", "p.csv", "-o", "o.taut"]),
    "scene": ("s.gltf", ["record", "s.gltf", "-o", "o.taut"]),
    "binary_scene": ("s.glb", ["record", "s.glb", "-o", "o.taut"]),
    "call_log": ("l.jsonl", ["record", "l.jsonl", "-o", "o.taut"]),
    "packed_call_log": ("l.jsonl.gz", ["record", "l.jsonl.gz", "-o", "o.taut"]),
    "budget": ("b.toml", ["analyze", "complete.taut", "--budget", "b.toml"]),
    "baseline": ("b.taut", ["analyze", "complete.taut", "--baseline", "b.taut"]),
    "cases": ("c.json", ["hlk", "--cases", "c.json"]),
    "alloc_info": ("a.jsonl", ["alloc-info", "a.jsonl"]),
    "tile_info": ("t.jsonl", ["tile-info", "t.jsonl"]),
    "info": ("x.taut", ["info", "x.taut"]),
    "dump": ("x.taut", ["dump", "x.taut"]),
    "diff": ("x.taut", ["diff", "complete.taut", "x.taut"]),
    "query": ("x.taut", ["query", "x.taut", "SELECT 1"]),
    "recover": ("x.taut", ["recover", "x.taut"]),
    "replay": ("x.taut", ["replay", "x.taut"]),
    "export": ("x.taut", ["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"]),
}
# Texts under a maximum size say so.
SAYS_LARGER = {
    "driver", "replay_driver", "hlk_driver", "alloc_driver", "machine", "scenario", "shader", "memory_dump", "presents", "scene",
    "budget", "cases", "alloc_info",
}
# Inputs whose kind is found by their first bytes: zeros are of no kind, so the file is refused before its size matters.
FOUND_BY_CONTENT = {"scenario", "memory_dump", "presents", "scene"}


def endless(t, name, kind):
    """An input without an end is "larger than N"."""
    t.fixture("complete.taut")
    file, command = TEXTS[name]
    if kind == "zero":
        os.symlink("/dev/zero", t.path(file))
    else:
        with open(t.path(file), "wb") as sparse:
            sparse.truncate(5 * GIB)
    # A text of the maximum size is read whole, and its pieces are made of it.
    run = bounded(t, command, BASE + 64 * MIB, timeout_s=20, codes={1, 2, 3, 4}, maps=[file] if kind == "sparse" else [])
    if name in SAYS_LARGER:
        refused_for_content = name in FOUND_BY_CONTENT and ": expected a" in run.text
        t.check_names(run, ": expected a" if refused_for_content else "larger than")


for name in TEXTS:
    for kind in ["zero", "sparse"]:
        register(f"memory/endless_{name}_{kind}", endless, name, kind)


def endless_stdin(t, name, command):
    """Standard input without an end."""
    t.fixture("complete.taut")
    with open("/dev/zero", "rb") as zero:
        bounded(t, command, BASE + 64 * MIB, timeout_s=20, codes={1, 2, 3, 4}, stdin=zero)


for name, command in {
    "alloc_info": ["alloc-info"],
    "tile_info": ["tile-info"],
    "question": ["query", "complete.taut", "-"],
    "shell": ["shell", "complete.taut"],
    "trace": ["info", "-"],
    "dump": ["dump", "-"],
    "query": ["query", "-", "SELECT 1"],
    "export": ["export", "-", "--to", "jsonl"],
}.items():
    register(f"memory/endless_stdin_{name}", endless_stdin, name, command)


@case
def endless_scenario_shader(t):
    """A shader that a scenario names without an end."""
    os.symlink("/dev/zero", t.path("h.toml"))
    t.write("s.toml", 'name = "s"\n[shaders]\nh = ["h.toml"]\n[[phase]]\nname = "p"\nsteps = [{ play = "h", frames = 1, draws = 1 }]\n')
    bounded(t, ["record", "s.toml", "-o", "o.taut"], BASE + 64 * MIB, codes={1, 2, 3, 4})


@case
def long_line_of_a_call_log(t):
    """A line of 1 GiB."""
    with open(t.path("l.jsonl"), "wb") as file:
        file.write(b'{"call":"')
        file.truncate(GIB)
    bounded(t, ["record", "l.jsonl", "-o", "o.taut"], BASE + 128 * MIB, codes={2, 3, 4})


@case
def packed_line_of_a_call_log(t):
    """A file of 2 MiB whose one line has 2 GiB."""
    member = gzip.compress(bytes(16 * MIB))
    t.write("l.jsonl.gz", gzip.compress(b'{"call":"') + member * 128)
    bounded(t, ["record", "l.jsonl.gz", "-o", "o.taut"], BASE + 128 * MIB, timeout_s=60, codes={2, 3, 4})


@case
def scene_that_claims_much(t):
    """A scene whose accessors, buffers and images claim more than there is."""
    most = (1 << 63) - 1
    for number, text in enumerate([
        f'{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{most}}}],"bufferViews":[{{"buffer":0,"byteLength":{most}}}]}}',
        f'{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":64}}],"bufferViews":[{{"buffer":0,"byteLength":64}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":{1 << 40},"type":"MAT4"}}]}}',
        '{"asset":{"version":"2.0"},"nodes":[' + ",".join(["{}"] * 300000) + "]}",
    ]):
        t.write("s.gltf", text)
        run = t.taut("record", "s.gltf", "-o", f"o{number}.taut", limits=Limits(address_space=3 * GIB), timeout_s=60)
        size = os.path.getsize(t.path(f"o{number}.taut")) if os.path.exists(t.path(f"o{number}.taut")) else 0
        t.check_memory(run, BASE + 4 * (len(text) + size) + 64 * MIB)


def many_traces(t, command):
    """Each of 200 open traces takes at most 1 MiB."""
    peaks = []
    for count in [1, 200]:
        for number in range(count):
            if not os.path.exists(t.path(f"t{number:03}.taut")):
                t.fixture("complete.taut", f"t{number:03}.taut")
        files = [f"t{number:03}.taut" for number in range(count)]
        run = t.taut(command[0], *files, *command[1:], timeout_s=100, codes={0})
        peaks.append(run.peak_bytes)
    each = (peaks[1] - peaks[0]) / 199
    t.check(run, each <= MIB, "at most 1 MiB per open trace", f"{each / MIB:.2f} MiB, {peaks[1] / MIB:.0f} MiB in all")


for name, command in {
    "query": ["query", "SELECT count(*) FROM events"],
    "resources": ["query", "SELECT sum(size_bytes) FROM resources"],
    "analyze": ["analyze", "--report", "alignment"],
    "export": ["export", "--to", "parquet", "-o", "lake"],
}.items():
    register(f"memory/many_traces_{name}", many_traces, command)


def general(t, source, name, command):
    """Peak memory of a command is at most 256 MiB and four times its inputs."""
    t.fixture(source, "x.taut")
    bounded(t, command, bound(t.path("x.taut")), timeout_s=60)


for source in ["complete.taut", "pix.taut", "nested.taut", "late-stamps.taut", "escapes.taut"]:
    for name, command in READERS.items():
        register(f"memory/general_{source.split('.')[0]}_{name}", general, source, name, command)


@case
def general_killed(t):
    """The same of a killed recording and its sidecar."""
    t.fixture("killed")
    limit = bound(t.path("killed"))
    for command in READERS.values():
        if command[0] in ("dump", "replay"):
            command = command + (["--limit", "1000"] if command[0] == "dump" else ["--until", "1"])
        bounded(t, command, limit, timeout_s=100, cwd=t.path("killed"), maps=["killed/x.taut", "killed/x.taut.live"])


def general_record(t, mode):
    """Recording takes at most 256 MiB and four times the written file."""
    more = {"sequential": [], "ring": ["--mode", "ring", "--max-size", "1MiB"], "circular": ["--mode", "circular", "--max-size", "1MiB"]}[mode]
    command = ["record", "streaming-world", "--set", "frames=1000", "-o", "x.taut", *more]
    run = t.taut(*command, codes={0}, timeout_s=60)
    t.check_memory(run, bound(t.path("x.taut")))


for mode in ["sequential", "ring", "circular"]:
    register(f"memory/general_record_{mode}", general_record, mode)


def options_that_ask_for_much(t, arguments):
    """Buffers, sizes and counts of the command line cannot take the machine's memory."""
    run = t.taut("record", *arguments, "-o", "x.taut", limits=Limits(address_space=4 * GIB, file_size=GIB), timeout_s=60)
    t.check_memory(run, bound(t.path("x.taut")))


for number, arguments in enumerate([
    ["small-level", "--buffer-size", "64MiB", "--buffers", "65536"],
    ["small-level", "--buffer-size", "64MiB", "--buffers", "65536", "--mode", "ring", "--max-size", "1MiB"],
    ["small-level", "--mode", "circular", "--max-size", "1000000GiB"],
    ["small-level", "--threads", "64", "--buffer-size", "64MiB", "--on-full", "drop", "--set", "frames=2"],
]):
    register(f"memory/options_{number}", options_that_ask_for_much, arguments)


@case
def cgroup_limit_counts(t):
    """A limit on address space counts as memory for SQL: a message, not an abort."""
    t.fixture("complete.taut", "x.taut")
    name, text, _, _ = questions()[0]
    run = t.taut("query", "x.taut", text, limits=Limits(address_space=GIB), timeout_s=60, codes={1})
    if run.code == 0:
        raise Skipped("the question is small here")
