"""Pipes, devices and folders where a file is expected next to a named one: every command ends."""

import os

from harness import MIB, Failed, Limits, Skipped, case, register, snapshot
from side_files import fifo, folder, link_loop, link_to_zero, unix_socket

# A command that waits for a pipe waits for ever; none of these takes a tenth of this.
TIMEOUT_S = 20
# What opens without blocking and never ends is found by its memory, not by the machine's.
LIMITS = Limits(address_space=2048 * MIB)


def fifo_with_writer(t, name):
    """A pipe whose writer never writes."""
    os.mkfifo(t.path(name))
    os.open(t.path(name), os.O_RDWR)


def unreadable(t, name):
    """A file that this user may not read; root reads all."""
    if os.geteuid() == 0:
        raise Skipped("root reads every file")
    os.chmod(t.write(name), 0)


def link_to_fifo(t, name):
    """A link to a pipe."""
    os.mkfifo(t.path("pipe"))
    os.symlink(t.path("pipe"), t.path(name))


PLANTS = [fifo, fifo_with_writer, link_to_fifo, link_to_zero, folder, link_loop, unix_socket, unreadable]

# Every command that reads a trace, with what stands for the trace as `x.taut`.
READERS = {
    "info": ["info", "x.taut"],
    "info_verify": ["info", "x.taut", "--verify"],
    "dump": ["dump", "x.taut", "--limit", "5"],
    "dump_follow": ["dump", "x.taut", "--follow", "--limit", "5"],
    "analyze": ["analyze", "x.taut"],
    "replay": ["replay", "x.taut"],
    "diff": ["diff", "x.taut", "x.taut"],
    "jsonl": ["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"],
    "perfetto": ["export", "x.taut", "--to", "perfetto", "-o", "out.pftrace"],
    "parquet": ["export", "x.taut", "--to", "parquet", "-o", "lake"],
    "query": ["query", "x.taut", "SELECT count(*) FROM events"],
    "shell": ["shell", "x.taut"],
    "recover": ["recover", "x.taut", "-o", "new.taut"],
    "recover_in_place": ["recover", "x.taut"],
    "status": ["control", "--timeout", "1s", "x.taut", "status"],
    "stop": ["control", "--timeout", "1s", "x.taut", "stop"],
    "record": ["record", "small-level", "-o", "x.taut"],
    "bench_replay": ["bench", "replay", "x.taut", "--repeat", "1"],
    "bench_read": ["bench", "read", "x.taut", "--repeat", "1"],
}


def next_to_a_trace(t, plant, place, source):
    """Every reader of a trace ends, whatever stands where its side file belongs."""
    for name, command in READERS.items():
        if source == "complete.taut" and name.startswith("bench"):
            continue
        for path in ["x.taut", "new.taut", "out.jsonl", "out.pftrace"]:
            if os.path.exists(t.path(path)):
                os.remove(t.path(path))
        t.fixture(source, "x.taut")
        if not os.path.lexists(t.path(place)):
            os.makedirs(os.path.dirname(t.path(place)), exist_ok=True)
            plant(t, place)
        before = snapshot(t.folder)
        run = t.taut(*command, timeout_s=TIMEOUT_S, limits=LIMITS, stdin=b"SELECT count(*) FROM events;\n")
        t.unchanged(run, before, except_for=["x.taut"])


for plant in PLANTS:
    for place in ["x.taut.live", "x.taut.ring", "x.taut.ring/0"]:
        for source in ["complete.taut", "unfinished.taut"]:
            label = place[7:].replace("/", "_")
            # The short run has every command with a pipe and with a device, which are what never ends.
            seldom = plant not in (fifo, link_to_zero) or source == "complete.taut" and place != "x.taut.live"
            register(f"hangs/{label}_{plant.__name__}_{source.split('.')[0]}", next_to_a_trace, plant, place, source, long=seldom)


def in_a_killed_ring(t, plant):
    """A segment of a real ring recording that was replaced."""
    for name, command in READERS.items():
        if name.startswith("bench") or name == "record":
            continue
        where = f"ring-{name}"
        t.fixture("ring", where)
        inside = t.path(f"{where}/x.taut.ring")
        newest = max(os.listdir(inside), key=int)
        os.remove(os.path.join(inside, newest))
        os.chdir(inside)
        plant(t, f"{where}/x.taut.ring/{newest}") if plant is not link_to_fifo else os.symlink("/dev/null", newest)
        t.taut(*command, cwd=t.path(where), timeout_s=TIMEOUT_S, limits=LIMITS, stdin=b"SELECT count(*) FROM events;\n")


for plant in [fifo, fifo_with_writer, link_to_zero, folder, link_loop, unix_socket]:
    register(f"hangs/killed_ring_{plant.__name__}", in_a_killed_ring, plant, long=plant not in (fifo, link_to_zero))


def scene_file(t, plant, name):
    """A buffer or image of a scene that is no regular file."""
    t.fixture("scene")
    os.remove(t.path(f"scene/{name}"))
    plant(t, f"scene/{name}")
    for more in [[], ["--set", "api=d3d11"]]:
        t.taut("record", "scene/scene.gltf", "-o", "s.taut", *more, timeout_s=TIMEOUT_S, limits=LIMITS)
        if os.path.exists(t.path("s.taut")):
            os.remove(t.path("s.taut"))


for plant in PLANTS:
    for name in ["buffer.bin", "image.png"]:
        register(f"hangs/scene_{name.split('.')[0]}_{plant.__name__}", scene_file, plant, name)


def scenario_shader(t, plant):
    """A shader that a scenario names."""
    plant(t, "loop.toml")
    t.write("s.toml", 'name = "s"\n[shaders]\nloop = ["loop.toml"]\n[[phase]]\nname = "p"\nsteps = [{ play = "loop", frames = 1, draws = 1 }]\n')
    # A person may name a pipe as a shader; a scenario from elsewhere may not make the command wait.
    t.taut("record", "s.toml", "-o", "s.taut", timeout_s=TIMEOUT_S, limits=LIMITS)


for plant in [fifo, link_to_zero, folder, link_loop]:
    register(f"hangs/scenario_shader_{plant.__name__}", scenario_shader, plant)


def lake_files(t, plant):
    """Files of a lake, one of each kind replaced."""
    t.fixture("lake")
    found = []
    for parent, _, files in os.walk(t.path("lake")):
        found += [os.path.relpath(os.path.join(parent, name), t.folder) for name in files]
    kinds = {}
    for name in sorted(found):
        parts = name.split(os.sep)
        if parts[1] in ("traces", "calls", "resources", "figures"):
            kinds.setdefault((parts[1], os.path.splitext(name)[1] or os.path.basename(name)), name)
    for name in kinds.values():
        os.rename(t.path(name), t.path("aside"))
        plant(t, name)
        for sql in ["SELECT count(*) FROM calls", "SELECT count(*) FROM traces", "SELECT count(*) FROM resources"]:
            t.taut("query", "lake", sql, timeout_s=TIMEOUT_S, limits=LIMITS)
        t.fixture("complete.taut")
        t.taut("export", "complete.taut", "--to", "parquet", "-o", "lake", timeout_s=TIMEOUT_S, limits=LIMITS)
        for rest in [name, "pipe", "aside"]:
            if os.path.isdir(t.path(rest)) and not os.path.islink(t.path(rest)):
                for inner in os.listdir(t.path(rest)):
                    os.remove(os.path.join(t.path(rest), inner))
                os.rmdir(t.path(rest))
            elif rest != "aside" and os.path.lexists(t.path(rest)):
                os.remove(t.path(rest))
        if os.path.exists(t.path("aside")):
            os.rename(t.path("aside"), t.path(name))


for plant in [fifo, fifo_with_writer, link_to_fifo, link_to_zero, folder, link_loop]:
    register(f"hangs/lake_{plant.__name__}", lake_files, plant, long=plant not in (fifo, link_to_zero))


def lake_folders(t, plant):
    """A table's folder of a lake that is something else."""
    for name in ["traces", "calls"]:
        lake = t.fixture("lake", f"lake-{name}")
        os.rename(os.path.join(lake, name), t.path(f"aside-{name}"))
        plant(t, f"lake-{name}/{name}")
        t.taut("query", f"lake-{name}", "SELECT count(*) FROM calls", timeout_s=TIMEOUT_S, limits=LIMITS)
        t.fixture("complete.taut")
        t.taut("export", "complete.taut", "--to", "parquet", "-o", f"lake-{name}", timeout_s=TIMEOUT_S, limits=LIMITS)
        os.remove(t.path("complete.taut"))
        if os.path.lexists(t.path("pipe")):
            os.remove(t.path("pipe"))


for plant in [fifo, link_to_zero, link_loop]:
    register(f"hangs/lake_folder_{plant.__name__}", lake_folders, plant)


# Stamps make large tables; this question makes and keeps one.
KEPT = "SELECT thread, count(*), max(stamp) FROM events GROUP BY thread ORDER BY thread"


def cached_tables(folder):
    """Files of a cache."""
    found = []
    for parent, _, files in os.walk(folder):
        found += [os.path.join(parent, name) for name in files if name.endswith(".table")]
    return sorted(found)


def cached_group(folder):
    """The folder of a cache that has the tables of one trace."""
    tables = cached_tables(folder)
    if not tables:
        raise Failed("taut query large.taut", "cached tables", "none")
    return os.path.dirname(tables[0])


def large_trace(t):
    """A trace whose tables are kept."""
    t.taut("record", "streaming-world", "--set", "frames=1500", "--tables", "-o", "large.taut", codes={0}, timeout_s=60)
    questions = [KEPT, "SELECT count(*) FROM calls", "SELECT count(*) FROM resources"]
    for sql in questions:
        t.taut("query", "large.taut", sql, codes={0}, timeout_s=60)
    return questions


@case
def cached_table_that_is_no_file(t):
    """A cached table that is a pipe, device, folder or loop is passed over."""
    env = t.environment()
    questions = large_trace(t)
    tables = cached_tables(env["TAUT_CACHE"])
    if not tables:
        raise Failed(f"taut query large.taut {KEPT!r}", "a cached table", "none")
    for plant in [fifo, fifo_with_writer, link_to_zero, folder, link_loop]:
        for table in tables:
            if os.path.isdir(table):
                continue
            # `cache clear` of the round before may have removed it.
            os.makedirs(os.path.dirname(table), exist_ok=True)
            if os.path.lexists(table):
                os.remove(table)
            plant(t, table)
        for command in [*(["query", "large.taut", sql] for sql in questions), ["cache"], ["cache", "clear"]]:
            t.taut(*command, timeout_s=TIMEOUT_S, limits=Limits(address_space=4096 * MIB))
        for table in tables:
            if os.path.islink(table) or os.path.lexists(table) and not os.path.isdir(table):
                os.remove(table)
            elif os.path.isdir(table):
                os.remove(os.path.join(table, "diary"))
                os.rmdir(table)
        for sql in questions:
            t.taut("query", "large.taut", sql, codes={0}, timeout_s=60)


@case
def history_of_the_shell(t):
    """A history file of the shell that is a pipe."""
    t.fixture("complete.taut")
    for name in [".local/state/taut/history", ".taut_history", ".cache/taut/history", ".local/share/taut/history", "cache/history"]:
        path = os.path.join(t.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.mkfifo(path)
    env = t.environment(XDG_STATE_HOME=os.path.join(t.home, ".local/state"))
    run = t.taut("shell", "complete.taut", stdin=b"SELECT 1;\n", env=env, timeout_s=TIMEOUT_S)
    t.check(run, run.code == 0, "exit 0")
