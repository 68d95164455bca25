"""Caches, lakes and outputs: what a command did not make stays, what it reads is never written."""

import os
import shutil
import signal

import side_files
from harness import Limits, Skipped, case, register, snapshot
from hangs import KEPT, cached_group, large_trace


@case
def cache_clear_in_a_folder_of_photos(t):
    """`cache clear` removes no `folder/*/NAME.table` that it did not make, and not the folder."""
    for name in ["photos/holiday.table", "photos/a.jpg", "0123456789abcdef/events.table", "0123456789abcdef/events.parquet", "letters/dinner.table", "x.table", ".hidden/y.table"]:
        t.write(f"mine/{name}", "precious\n")
    os.makedirs(t.path("mine/empty"))
    before = snapshot(t.folder)
    for command in [["cache"], ["cache", "clear"]]:
        run = t.taut(*command, env=t.environment(TAUT_CACHE=t.path("mine")), note="# TAUT_CACHE=mine")
        t.unchanged(run, before)


@case
def cache_clear_keeps_an_empty_folder(t):
    """An empty folder that TAUT_CACHE names is the user's."""
    os.makedirs(t.path("mine"))
    run = t.taut("cache", "clear", env=t.environment(TAUT_CACHE=t.path("mine")), codes={0})
    t.check(run, os.path.isdir(t.path("mine")), "the folder mine", "none")


@case
def cache_clear_follows_no_link(t):
    """Links in the cache, and a cache that is a link."""
    t.write("photos/holiday.table", "precious\n")
    os.makedirs(t.path("mine"))
    os.symlink(t.path("photos"), t.path("mine/0123456789abcdef"))
    os.symlink(t.path("photos"), t.path("link"))
    t.write("group/0123456789abcdef/calls.table", "precious\n")
    os.symlink(t.path("group"), t.path("other"))
    before = snapshot(t.folder)
    for name in ["mine", "link", "other", "photos", "."]:
        run = t.taut("cache", "clear", env=t.environment(TAUT_CACHE=t.path(name)), note=f"# TAUT_CACHE={name}")
        t.unchanged(run, before)


@case
def cache_clear_removes_its_own(t):
    """Tables that a query made are removed, and the user's files in between stay."""
    env = t.environment()
    large_trace(t)
    cache = env["TAUT_CACHE"]
    group = cached_group(cache)
    for name in ["holiday.table", "a.jpg"]:
        with open(os.path.join(group, name), "w") as file:
            file.write("precious\n")
    run = t.taut("cache", "clear", codes={0})
    left = sorted(os.listdir(group))
    t.check(run, left == ["a.jpg", "holiday.table"], "a.jpg and holiday.table alone", str(left))


def cached_link(t, plant):
    """A query that makes tables writes through no link that stands for one."""
    env = t.environment()
    questions = large_trace(t)
    cache = env["TAUT_CACHE"]
    group = cached_group(cache)
    t.write("precious.txt", "precious\n")
    for name in os.listdir(group):
        os.remove(os.path.join(group, name))
        if plant == "link":
            os.symlink(t.path("precious.txt"), os.path.join(group, name))
        elif plant == "hard":
            os.link(t.path("precious.txt"), os.path.join(group, name))
        else:
            os.symlink(t.path("nowhere.txt"), os.path.join(group, name))
    before = snapshot(t.folder)
    for command in [*(["query", "large.taut", sql] for sql in questions), ["cache"], ["cache", "clear"]]:
        run = t.taut(*command)
        # A link to the file may go; the file itself may not.
        after = snapshot(t.folder)[b"precious.txt"]
        t.check(run, after[5] == before[b"precious.txt"][5], "precious.txt as it was")
        t.check(run, not os.path.exists(t.path("nowhere.txt")), "nothing at the end of a dangling link", "nowhere.txt")


for plant in ["link", "hard", "dangling"]:
    register(f"cache_and_outputs/cached_{plant}", cached_link, plant, long=plant == "hard")


def damaged_table(t, kind):
    """A cached table that is cut, changed or another trace's gives no wrong answer."""
    env = t.environment()
    large_trace(t)
    right = t.taut("query", "large.taut", KEPT, "--no-cache", codes={0}).stdout
    cache = env["TAUT_CACHE"]
    group = cached_group(cache)
    for name in sorted(os.listdir(group)):
        path = os.path.join(group, name)
        size = os.path.getsize(path)
        with open(path, "r+b") as file:
            if kind == "cut":
                file.truncate(size // 2)
            elif kind == "empty":
                file.truncate(0)
            else:
                file.seek(size // 2)
                byte = file.read(1)
                file.seek(size // 2)
                file.write(bytes([byte[0] ^ 1]) if byte else b"")
    run = t.taut("query", "large.taut", KEPT, codes={0})
    t.check(run, run.stdout == right, "the answer without a cache", ascii(run.text[:200]))


for kind in ["cut", "empty", "bit"]:
    register(f"cache_and_outputs/damaged_table_{kind}", damaged_table, kind, long=kind != "bit")


@case
def cache_of_another_user(t):
    """A cache that user 65534 may write gives no answers to this user."""
    if os.geteuid() != 0:
        raise Skipped("needs root: another user's file")
    env = t.environment()
    large_trace(t)
    right = t.taut("query", "large.taut", KEPT, "--no-cache", codes={0}).stdout
    for parent, _, files in os.walk(env["TAUT_CACHE"]):
        for name in files:
            os.chown(os.path.join(parent, name), 65534, 65534)
            os.chmod(os.path.join(parent, name), 0o666)
    run = t.taut("query", "large.taut", KEPT, codes={0})
    t.check(run, run.stdout == right, "the answer without a cache")


# Commands with an output, as a function of its name; and inputs that they read.
WRITES = {
    "record": lambda out: ["record", "small-level", "-o", out],
    "replay": lambda out: ["replay", "complete.taut", "--driver", "peer", "-o", out],
    "changes": lambda out: ["replay", "complete.taut", "--driver", "peer", "--changes", out],
    "recover": lambda out: ["recover", "unfinished.taut", "-o", out],
    "jsonl": lambda out: ["export", "complete.taut", "--to", "jsonl", "-o", out],
    "perfetto": lambda out: ["export", "complete.taut", "--to", "perfetto", "-o", out],
    "lake": lambda out: ["export", "complete.taut", "--to", "parquet", "-o", out],
    "page": lambda out: ["analyze", "complete.taut", "--format", "html", "-o", out],
    "report_csv": lambda out: ["analyze", "complete.taut", "--format", "csv", "-o", out],
    "report_json": lambda out: ["analyze", "complete.taut", "--format", "json", "-o", out],
    "report_parquet": lambda out: ["analyze", "complete.taut", "--format", "parquet", "-o", out],
    "report_table": lambda out: ["analyze", "complete.taut", "-o", out],
    "markdown": lambda out: ["analyze", "complete.taut", "--format", "markdown", "-o", out],
    "junit": lambda out: ["analyze", "complete.taut", "--baseline", "complete.taut", "--budget", "budget.toml", "--junit", out],
    "csv": lambda out: ["query", "complete.taut", "SELECT * FROM resources", "--format", "csv", "-o", out],
    "json": lambda out: ["query", "complete.taut", "SELECT * FROM resources", "--format", "json", "-o", out],
    "parquet": lambda out: ["query", "complete.taut", "SELECT * FROM resources", "--format", "parquet", "-o", out],
}


def prepare(t):
    """Inputs of all commands."""
    t.fixture("complete.taut")
    t.fixture("unfinished.taut")
    t.write("budget.toml", '[alignment]\n"peak.waste_ratio" = { max_more_than_baseline = 0.01 }\n')


def over(t, name, plant):
    """An output over a file of another kind, or through a link, is refused or leaves what it leads to."""
    prepare(t)
    plant(t, "out")
    before = snapshot(t.folder)
    codes = {2, 4} if plant in (side_files.text_file, side_files.binary_file, side_files.hard_link, side_files.link_to_file) else {0, 1, 2, 3, 4}
    run = t.taut(*WRITES[name]("out"), codes=codes, limits=Limits(file_size=1 << 30), timeout_s=20)
    # What is no file takes the output or refuses it, and stays what it is.
    t.unchanged(run, before)


for name in WRITES:
    for plant in [side_files.text_file, side_files.binary_file, side_files.link_to_file, side_files.hard_link, side_files.link_loop, side_files.link_to_full, side_files.unix_socket, side_files.folder]:
        if name == "lake" and plant is side_files.folder:
            continue
        register(f"cache_and_outputs/over_{plant.__name__}_{name}", over, name, plant)


def output_is_input(t, name, how):
    """An output that is the input, by any name, is exit 2."""
    prepare(t)
    source = "unfinished.taut" if name == "recover" else "complete.taut"
    out = source
    if how == "link":
        os.symlink(source, t.path("out"))
        out = "out"
    elif how == "hard":
        os.link(t.path(source), t.path("out"))
        out = "out"
    elif how == "dots":
        os.makedirs(t.path("d"))
        out = f"d/../{source}"
    elif how == "fd":
        out = "/dev/fd/9"
    before = snapshot(t.folder)
    for force in [[], ["--force"]]:
        run = t.taut(*WRITES[name](out), *force, codes={2, 3, 4})
        t.unchanged(run, before)


for name in WRITES:
    if name not in ("record",):
        for how in ["same", "link", "hard", "dots", "fd"]:
            if not (name == "lake" and how == "fd"):
                register(f"cache_and_outputs/output_is_input_{how}_{name}", output_is_input, name, how)


def second_output(t, name):
    """An output that is another input: budget, baseline, driver, scenario, log."""
    prepare(t)
    t.fixture("other.taut")
    for made in os.listdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "scenarios")):
        if made == "levels.toml":
            shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "scenarios", made), t.path("s.toml"))
    drivers = t.taut("drivers", "peer")
    t.write("d.toml", drivers.stdout)
    t.fixture("scene")
    before = snapshot(t.folder)
    run = t.taut(*SECOND[name], codes={1, 2, 3, 4})
    t.unchanged(run, before)


SECOND = {
    "budget": ["analyze", "complete.taut", "--budget", "budget.toml", "--format", "csv", "-o", "budget.toml", "--force"],
    "junit_budget": ["analyze", "complete.taut", "--budget", "budget.toml", "--junit", "budget.toml", "--force"],
    "junit_output": ["analyze", "complete.taut", "--budget", "budget.toml", "--junit", "same.txt", "--format", "csv", "-o", "same.txt", "--force"],
    "baseline": ["analyze", "complete.taut", "--baseline", "other.taut", "--format", "html", "-o", "other.taut", "--force"],
    "driver": ["record", "small-level", "--driver", "d.toml", "-o", "d.toml", "--force"],
    "replay_driver": ["replay", "complete.taut", "--driver", "d.toml", "-o", "d.toml", "--force"],
    "scenario": ["record", "s.toml", "-o", "s.toml", "--force"],
    "scene": ["record", "scene/scene.gltf", "-o", "scene/scene.gltf", "--force"],
    "scene_buffer": ["record", "scene/scene.gltf", "-o", "scene/buffer.bin", "--force"],
    "scene_image": ["record", "scene/scene.gltf", "-o", "scene/image.png", "--force"],
    "changes": ["replay", "complete.taut", "--driver", "peer", "--changes", "x.out", "-o", "x.out", "--force"],
    "sidecar": ["recover", "unfinished.taut", "-o", "unfinished.taut.live"],
    "second_trace": ["query", "complete.taut", "other.taut", "SELECT 1", "--format", "csv", "-o", "other.taut", "--force"],
    "lake_input": ["export", "complete.taut", "other.taut", "--to", "parquet", "-o", "other.taut", "--force"],
}
for name in SECOND:
    if name != "sidecar":
        register(f"cache_and_outputs/second_{name}", second_output, name)


@case
def output_named_as_a_side_file(t):
    """An output whose name is a side file of the input, or of itself, does no harm."""
    t.fixture("killed")
    before = snapshot(t.folder)
    for command in [
        ["recover", "killed/x.taut", "-o", "killed/x.taut.live", "--force"],
        ["export", "killed/x.taut", "--to", "jsonl", "-o", "killed/x.taut.live", "--force"],
        ["query", "killed/x.taut", "SELECT 1", "--format", "csv", "-o", "killed/x.taut.live", "--force"],
        ["analyze", "killed/x.taut", "--format", "html", "-o", "killed/x.taut.live", "--force"],
        ["replay", "killed/x.taut", "--until", "1", "-o", "killed/x.taut.live", "--force"],
        ["record", "small-level", "-o", "killed/x.taut.live", "--force"],
    ]:
        run = t.taut(*command, codes={2, 3, 4}, timeout_s=60)
        t.unchanged(run, before)


@case
def output_into_a_ring(t):
    """Nor does an output into the folder of a ring recording."""
    t.fixture("ring")
    before = snapshot(t.folder)
    newest = max(os.listdir(t.path("ring/x.taut.ring")), key=int)
    for command in [["export", "ring/x.taut", "--to", "jsonl", "-o", f"ring/x.taut.ring/{newest}", "--force"], ["recover", "ring/x.taut", "-o", f"ring/x.taut.ring/{newest}", "--force"]]:
        run = t.taut(*command, codes={2, 3, 4}, timeout_s=60)
        t.unchanged(run, before)


@case
def lake_in_a_folder_of_files(t):
    """An export into a folder with files changes none of them."""
    t.fixture("complete.taut")
    for name in ["notes.txt", "events/diary", "traces/letter.txt", "calls/trace=1/a.parquet", "calls/trace=1/notes", "traces/0.parquet", ".hidden"]:
        t.write(f"mine/{name}", "precious\n")
    before = snapshot(t.folder)
    for _ in range(2):
        run = t.taut("export", "complete.taut", "--to", "parquet", "-o", "mine", codes={0, 2, 4})
        t.unchanged(run, before)


@case
def lake_follows_no_link(t):
    """Tables of a lake that are links into a folder of the user's."""
    t.fixture("complete.taut")
    t.write("photos/a.jpg", "precious\n")
    os.makedirs(t.path("lake"))
    for name in ["traces", "calls", "resources"]:
        os.symlink(t.path("photos"), t.path(f"lake/{name}"))
    before = snapshot(t.path("photos"))
    run = t.taut("export", "complete.taut", "--to", "parquet", "-o", "lake", codes={0, 2, 4})
    after = snapshot(t.path("photos"))
    t.check(run, all(after.get(name) == was for name, was in before.items()), "photos as it was")


@case
def replaced_output_keeps_what_it_leads_to(t):
    """A trace replaced through a link replaces or refuses; neither loses both."""
    t.taut("record", "small-level", "-o", "x.taut", codes={0})
    os.makedirs(t.path("archive"))
    os.rename(t.path("x.taut"), t.path("archive/x.taut"))
    os.symlink("archive/x.taut", t.path("x.taut"))
    run = t.taut("record", "small-level", "-o", "x.taut", codes={0, 2})
    t.check(run, os.path.islink(t.path("x.taut")), "the link", "none")
    t.taut("info", "archive/x.taut", codes={0})
    t.check(run, sorted(os.listdir(t.path("archive"))) == ["x.taut"], "one trace in archive", str(os.listdir(t.path("archive"))))


@case
def old_output_survives_a_failure(t):
    """A new output that cannot be written leaves the old one."""
    prepare(t)
    for name in WRITES:
        if name in ("lake",):
            continue
        out = "old.taut" if name in ("record", "replay", "recover") else "old.out"
        t.taut(*WRITES[name](out), "--force")
        before = snapshot(t.folder)
        run = t.taut(*WRITES[name](out), "--force", limits=Limits(file_size=100), codes={4, 0, 1}, note="# ulimit -f, 100 bytes")
        t.unchanged(run, before)
        run = t.taut(*WRITES[name](out), "--force", signals=[(0.01, signal.SIGINT)], codes={0, 1, 3, 130, -signal.SIGINT})
        if run.code == 130:
            t.unchanged(run, before)
        os.remove(t.path(out)) if os.path.exists(t.path(out)) else None
