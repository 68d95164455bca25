"""Files next to a recording: no command destroys, adopts or follows one that is not its own."""

import os
import random
import re
import signal
import socket
import time

import containers
from harness import MIB, Failed, Limits, Skipped, case, register, snapshot

RECORD = ["record", "small-level", "-o", "x.taut"]
MODES = {
    "sequential": [],
    "circular": ["--mode", "circular", "--max-size", "256KiB"],
    "ring": ["--mode", "ring", "--max-size", "256KiB"],
}


# What may stand where a file of the recording belongs. Each makes `name` and returns nothing.

def text_file(t, name):
    t.write(name, "notes\n")


def empty_file(t, name):
    t.write(name, "")


def binary_file(t, name):
    t.write(name, bytes(range(256)) * 64)


def link_to_file(t, name):
    t.write("precious.txt", "precious\n")
    os.symlink(os.path.relpath(t.path("precious.txt"), os.path.dirname(t.path(name))), t.path(name))


def hard_link(t, name):
    t.write("precious.txt", "precious\n")
    os.link(t.path("precious.txt"), t.path(name))


def dangling_link(t, name):
    os.symlink("nowhere.txt", t.path(name))


def link_loop(t, name):
    os.symlink(os.path.basename(name), t.path(name))


def folder(t, name):
    t.write(f"{name}/diary", "diary\n")


def empty_folder(t, name):
    os.makedirs(t.path(name))


def link_to_folder(t, name):
    t.write("photos/1", "a\n")
    os.symlink(t.path("photos"), t.path(name))


def fifo(t, name):
    os.mkfifo(t.path(name))


def unix_socket(t, name):
    here = os.getcwd()
    os.chdir(os.path.dirname(t.path(name)))
    try:
        socket.socket(socket.AF_UNIX).bind(os.path.basename(name))
    finally:
        os.chdir(here)


def link_to_zero(t, name):
    os.symlink("/dev/zero", t.path(name))


def link_to_full(t, name):
    os.symlink("/dev/full", t.path(name))


def page_of_another_trace(t, name):
    t.write(name, containers.page(0x12345678, 4096, 2) + bytes(8192))


def part_of_a_page(t, name):
    t.write(name, containers.page(0x12345678, 4096, 2)[:100])


def read_only_text(t, name):
    os.chmod(t.write(name, "notes\n"), 0o400)


def foreign_empty_file(t, name):
    if os.geteuid() != 0:
        raise Skipped("needs root: another user's file")
    path = t.write(name, "")
    os.chmod(path, 0o666)
    os.chown(path, 65534, 65534)


PLANTS = [
    text_file, empty_file, binary_file, link_to_file, hard_link, dangling_link, link_loop, folder, empty_folder, link_to_folder,
    fifo, unix_socket, link_to_zero, link_to_full, page_of_another_trace, part_of_a_page, read_only_text, foreign_empty_file,
]


def sidecar_place(t, plant, mode):
    """A recording refuses a foreign `x.taut.live` and names it."""
    plant(t, "x.taut.live")
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *MODES[mode], codes={2})
    t.unchanged(run, before)
    t.check_names(run, "x.taut.live")
    t.check(run, not os.path.lexists(t.path("x.taut")), "no trace of a refused recording", "x.taut")


for plant in PLANTS:
    for mode in MODES if plant in (text_file, link_to_file) else ["sequential"]:
        register(f"side_files/live_{plant.__name__}_{mode}", sidecar_place, plant, mode)


def ring_place(t, plant, mode):
    """A recording leaves a foreign `x.taut.ring` alone; in a mode that needs the folder it refuses."""
    plant(t, "x.taut.ring")
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *MODES[mode], codes={0, 2} if plant is empty_folder or mode == "sequential" else {2})
    # The folder's own content may change where the recording may use it; what was in it may not.
    t.unchanged(run, before, except_for=["x.taut.ring"] if plant is empty_folder else [])
    if run.code == 2:
        t.check_names(run, "x.taut.ring")


for plant in [text_file, link_to_file, dangling_link, link_loop, empty_folder, link_to_folder, fifo, link_to_zero]:
    for mode in MODES if plant in (link_to_folder, text_file) else ["ring"]:
        register(f"side_files/ring_{plant.__name__}_{mode}", ring_place, plant, mode)

NUMBERED = ["2024", "0", "1", "007", "18446744073709551615", "99999999999999999999", "+1", "-1", "1.txt", "0.part", ".0"]


def ring_content(t, mode):
    """A diary in `x.taut.ring/` survives, whatever numbers its files have as names."""
    for name in NUMBERED:
        t.write(f"x.taut.ring/{name}", f"diary {name}\n")
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *MODES[mode], codes={0, 2} if mode == "sequential" else {2})
    t.unchanged(run, before)


def ring_segment(t, plant):
    """A segment that is not one of this trace survives."""
    os.makedirs(t.path("x.taut.ring"))
    plant(t, "x.taut.ring/0")
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *MODES["ring"], codes={2})
    t.unchanged(run, before)
    t.check_names(run, "x.taut.ring")


for mode in MODES:
    register(f"side_files/ring_content_{mode}", ring_content, mode)
for plant in [text_file, empty_file, link_to_file, hard_link, dangling_link, folder, fifo, link_to_zero]:
    register(f"side_files/ring_segment_{plant.__name__}", ring_segment, plant)


@case
def segment_of_another_trace(t):
    """A valid segment of another recording is somebody's data."""
    t.write("x.taut.ring/0", containers.segment_head(0x12345678, 0) + b"data of another recording")
    before = snapshot(t.folder)
    t.unchanged(t.taut(*RECORD, *MODES["ring"], codes={2}), before)


@case
def sidecar_of_a_complete_recording_is_cleaned(t):
    """A normal recording leaves the trace and nothing else, twice in a row."""
    for _ in range(2):
        t.taut(*RECORD, codes={0})
        found = sorted(os.listdir(t.folder))
        if found != ["x.taut"]:
            raise Failed("record small-level -o x.taut", "x.taut alone", found)


def own_leftovers(t, name):
    """An unfinished recording is refused and stays as it is; `recover` completes it, and removes its side files."""
    t.fixture(name)
    os.rename(t.path(name), t.path("k"))
    before = snapshot(t.folder)
    run = t.taut("record", "small-level", "-o", "k/x.taut", codes={2})
    t.unchanged(run, before)
    t.taut("recover", "k/x.taut", codes={0})
    found = sorted(os.listdir(t.path("k")))
    t.check(run, found == ["x.taut"], "x.taut alone after recover", str(found))


register("side_files/unfinished_is_refused", own_leftovers, "killed")
register("side_files/unfinished_ring_is_refused", own_leftovers, "ring")


def over_complete(t, options, code):
    """A complete trace is replaced without --force only by a recording of the same workload, driver and settings."""
    t.taut("record", "small-level", "-o", "x.taut", codes={0})
    before = snapshot(t.folder)
    run = t.taut("record", *options, "-o", "x.taut", codes={code})
    if code == 2:
        t.unchanged(run, before)
        t.check_names(run, "x.taut")
        t.taut("record", *options, "-o", "x.taut", "--force", codes={0})


for name, options, code in [
    ("same", ["small-level"], 0),
    ("seed", ["small-level", "--seed", "2"], 0),
    ("workload", ["texture-upload", "--set", "width=64", "--set", "height=64"], 2),
    ("driver", ["small-level", "--driver", "peer"], 2),
    ("parameter", ["small-level", "--set", "frames=3"], 2),
    ("rules", ["small-level", "--rules", "1.619.4"], 2),
    ("setting", ["small-level", "--setting", "strict=true"], 2),
]:
    register(f"side_files/over_complete_{name}", over_complete, options, code)


@case
def foreign_sidecar_does_not_control(t):
    """User 65534 cannot end a recording of this user through an empty file that anyone may write."""
    if os.geteuid() != 0:
        raise Skipped("needs root: another user's file")
    os.chmod(t.folder, 0o1777)
    path = t.write("y.taut.live", "")
    os.chmod(path, 0o666)
    os.chown(path, 65534, 65534)
    before = snapshot(t.folder)
    run = t.taut("record", "small-level", "-o", "y.taut", codes={2})
    t.unchanged(run, before)


@case
def own_sidecar_is_private(t):
    """The side files of a recording under way are readable by this user alone."""
    for mode in MODES:
        started = t.start("record", "streaming-world", "--set", "frames=1000000000", "-o", f"{mode}.taut", *MODES[mode])
        deadline = time.monotonic() + 10
        while not os.path.exists(t.path(f"{mode}.taut")) and time.monotonic() < deadline:
            started.pump(0.01)
        status = os.stat(t.path(f"{mode}.taut.live"))
        run = started.wait(20, [(0, signal.SIGINT)])
        t.check_end(run, {0, 130})
        t.check(run, status.st_mode & 0o077 == 0, "mode 0600 of x.taut.live", oct(status.st_mode & 0o777))


def early(t, number, attempts):
    """A recording that is stopped in its first 50 ms leaves no side file without content."""
    chance = random.Random(t.options.seed)
    for _ in range(attempts):
        at_s = chance.uniform(0, 0.05)
        run = t.start(*RECORD).wait(20, [(at_s, number)])
        if number != signal.SIGKILL:
            # Before its handlers are in place the signal itself ends the process.
            t.check(run, run.code in (0, 130, -number), "exit 0 or 130")
        # A killed process cannot remove a temporary file that has no name of the user's yet.
        for name in [name for name in os.listdir(t.folder) if name.startswith("x.taut")]:
            size = os.path.getsize(t.path(name))
            t.check(run, size > 0, f"no empty file after {run.command} and {signal.Signals(number).name} at {at_s * 1000:.1f} ms", f"empty {name}")
        live = os.path.exists(t.path("x.taut.live"))
        if number != signal.SIGKILL:
            t.check(run, not live, f"no x.taut.live after {signal.Signals(number).name} at {at_s * 1000:.1f} ms", f"one of {os.path.getsize(t.path('x.taut.live')) if live else 0} bytes")
        for name in os.listdir(t.folder):
            os.remove(t.path(name))


for number in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]:
    register(f"side_files/early_{number.name.lower()}", early, number, 40)


SNAPSHOT = ["--snapshot-on", "CreateHeap", "--clock", "logical"]


def snapshot_place(t, plant, name):
    """A snapshot does not replace a file that is not its own; the recording goes on."""
    plant(t, name)
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *SNAPSHOT, codes={0, 2, 4})
    t.unchanged(run, before)
    t.check(run, not os.path.exists(t.path("nowhere.txt")), "nothing at the end of a dangling link", "nowhere.txt")
    t.taut("info", "x.taut", codes={0})


for plant in [text_file, link_to_file, hard_link, dangling_link, link_loop, folder, fifo, link_to_zero]:
    for number in (1, 2):
        register(f"side_files/snapshot_{number}_{plant.__name__}", snapshot_place, plant, f"x.{number}.taut")


def part_place(t, plant, name):
    """A file with the ending `.part` is the user's as any other."""
    plant(t, name)
    before = snapshot(t.folder)
    run = t.taut(*RECORD, *SNAPSHOT, codes={0, 2, 4})
    t.unchanged(run, before)


for plant in [text_file, link_to_file, dangling_link, fifo, folder]:
    for name in ["x.taut.part", "x.1.taut.part"]:
        register(f"side_files/part_{plant.__name__}_{name.replace('.', '_')}", part_place, plant, name)


def recover_place(t, plant):
    """`recover` leaves a file with the ending `.part` alone."""
    t.fixture("killed")
    plant(t, "killed/x.taut.part")
    before = snapshot(t.path("killed"))
    run = t.taut("recover", "killed/x.taut", codes={0, 2, 4})
    after = snapshot(t.path("killed"))
    t.check(run, after.get(b"x.taut.part") == before[b"x.taut.part"], "x.taut.part as it was")


for plant in [text_file, link_to_file, dangling_link, fifo, folder]:
    register(f"side_files/recover_part_{plant.__name__}", recover_place, plant)


def recover_foreign(t, plant, source):
    """`recover` and `info` of a trace leave a foreign side file alone, and end."""
    t.fixture(source, "x.taut")
    plant(t, "x.taut.live")
    before = snapshot(t.folder)
    for command in [["info", "x.taut"], ["recover", "x.taut", "-o", "new.taut"], ["recover", "x.taut"], ["control", "--timeout", "1s", "x.taut", "stop"]]:
        run = t.taut(*command)
        t.unchanged(run, before, except_for=["x.taut"])


for plant in PLANTS:
    for source in ["complete.taut", "unfinished.taut"]:
        register(f"side_files/recover_{plant.__name__}_{source.split('.')[0]}", recover_foreign, plant, source)


def recover_ring(t, plant, source):
    """`recover` removes no file of `x.taut.ring/` that is not a segment of the trace."""
    t.fixture(source, "x.taut")
    plant(t, "x.taut.ring")
    before = snapshot(t.folder)
    for command in [["info", "x.taut"], ["recover", "x.taut"]]:
        t.unchanged(t.taut(*command), before, except_for=["x.taut"])


def diary(t, name):
    for number in NUMBERED:
        t.write(f"{name}/{number}", "diary\n")


for plant in [text_file, link_to_file, dangling_link, link_to_folder, diary, fifo, link_to_zero]:
    for source in ["complete.taut", "unfinished.taut"]:
        register(f"side_files/recover_ring_{plant.__name__}_{source.split('.')[0]}", recover_ring, plant, source)


@case
def recover_ring_with_a_diary(t):
    """`recover` of a ring recording removes its own segments alone."""
    t.fixture("ring")
    t.write("ring/x.taut.ring/2024", "diary\n")
    t.write("ring/x.taut.ring/notes.txt", "notes\n")
    before = snapshot(t.folder)
    run = t.taut("recover", "ring/x.taut")
    after = snapshot(t.folder)
    for name in [b"ring/x.taut.ring/2024", b"ring/x.taut.ring/notes.txt"]:
        t.check(run, after.get(name) == before[name], f"{name.decode()} as it was")


def demo_place(t, plant, name):
    """`demo -o` replaces nothing that it did not make."""
    os.makedirs(t.path("d"))
    plant(t, f"d/{name}")
    before = snapshot(t.folder)
    run = t.taut("demo", "-o", "d", codes={0, 2, 4})
    t.unchanged(run, before)


for plant in [text_file, link_to_file, dangling_link, folder, fifo]:
    for name in ["small-level.taut", "page.html", "classic.taut", "tight.taut"]:
        register(f"side_files/demo_{plant.__name__}_{name.replace('.', '_')}", demo_place, plant, name)


@case
def demo_over_a_person_s_recording(t):
    """`demo -o` does not replace a recording of another workload that has a name of the demo's."""
    t.taut("record", "small-level", "--driver", "peer", "-o", "small-level.taut", codes={0})
    t.taut("record", "small-level", "--driver", "peer", "-o", "tight.taut", codes={0})
    before = snapshot(t.folder)
    t.unchanged(t.taut("demo", "-o", ".", codes={2}), before)


@case
def pages_of_the_manual(t):
    """`man -o` replaces no file of another kind."""
    for plant, name in [(text_file, "taut.1"), (folder, "taut-info.1"), (link_to_file, "taut-dump.1"), (dangling_link, "taut-diff.1")]:
        plant(t, name)
        before = snapshot(t.folder)
        run = t.taut("man", "-o", ".", codes={0, 2, 4})
        # Links themselves must stay; a page may be written next to them.
        t.unchanged(run, {path: was for path, was in before.items() if re.match(rb"taut|precious", path)})
        for made in os.listdir(t.folder):
            if not os.path.isdir(t.path(made)):
                os.remove(t.path(made))


@case
def a_shared_folder(t):
    """In a folder that everybody may write to, user 65534 records next to root's files and changes none."""
    if os.geteuid() != 0:
        raise Skipped("needs root: another user")
    if not readable_by_others(t.binary):
        raise Skipped("the program is in a folder that user 65534 cannot reach")
    os.chmod(t.folder, 0o1777)
    t.write("x.taut.live", containers.page(1, 4096, 0))
    os.chmod(t.path("x.taut.live"), 0o666)
    t.write("z.taut.ring/0", "root's\n")
    os.chmod(t.path("z.taut.ring"), 0o777)
    before = snapshot(t.folder)
    nobody = Limits(uid=65534)
    env = t.environment(TAUT_CACHE="")
    for name, mode in [("x.taut", "sequential"), ("z.taut", "ring"), ("z.taut", "sequential")]:
        run = t.taut("record", "small-level", "-o", name, *MODES[mode], limits=nobody, env=env, codes={0, 2, 4})
        t.unchanged(run, before)


def readable_by_others(path):
    """Whether other users can run a program."""
    while path != "/":
        if not os.stat(path).st_mode & 0o001:
            return False
        path = os.path.dirname(path)
    return True


@case
def huge_sidecar_stays(t):
    """A file of 1 GiB of holes in the sidecar's place is not truncated."""
    with open(t.path("x.taut.live"), "wb") as file:
        file.truncate(1024 * MIB)
    before = snapshot(t.folder)
    t.unchanged(t.taut(*RECORD, codes={2}), before)
