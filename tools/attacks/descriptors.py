"""Standard streams that fail, few descriptors, small limits and odd environments: an exit code of the contract, no panic."""

import os
import shutil
import signal
import stat
import subprocess

from harness import GIB, MIB, Failed, Limits, Started, case, register, snapshot

# Every command, with the code that it ends with when nothing is wrong.
COMMANDS = {
    "info": (["info", "x.taut"], 0),
    "info_json": (["info", "x.taut", "--json"], 0),
    "info_missing": (["info", "missing.taut"], 4),
    "info_unfinished": (["info", "u.taut"], 3),
    "info_text": (["info", "notes.txt"], 3),
    "dump": (["dump", "x.taut", "--limit", "200"], 0),
    "analyze": (["analyze", "x.taut"], 0),
    "analyze_page": (["analyze", "x.taut", "--format", "html", "-o", "page.html"], 0),
    "replay": (["replay", "x.taut"], 0),
    "replay_new": (["replay", "x.taut", "--driver", "peer", "-o", "new.taut"], 0),
    "diff": (["diff", "x.taut", "y.taut"], 1),
    "jsonl": (["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"], 0),
    "perfetto": (["export", "x.taut", "--to", "perfetto", "-o", "out.pftrace"], 0),
    "parquet": (["export", "x.taut", "--to", "parquet", "-o", "lake"], 0),
    "query": (["query", "x.taut", "SELECT count(*) FROM events"], 0),
    "query_csv": (["query", "x.taut", "SELECT * FROM events", "--format", "csv"], 0),
    "query_wrong": (["query", "x.taut", "SELEKT"], 2),
    "shell": (["shell", "x.taut"], 0),
    "recover": (["recover", "u.taut", "-o", "new.taut"], 3),
    "control": (["control", "--timeout", "1s", "x.taut", "status"], None),
    "record": (["record", "small-level", "-o", "new.taut"], 0),
    "record_ring": (["record", "small-level", "-o", "new.taut", "--mode", "ring", "--max-size", "256KiB"], 0),
    "record_stdout": (["record", "small-level", "-o", "-"], 0),
    "record_unknown": (["record", "no-such-workload", "-o", "new.taut"], 2),
    "demo": (["demo", "-o", "d"], 0),
    "alloc_info": (["alloc-info"], 0),
    "tile_info": (["tile-info"], 0),
    "hlk": (["hlk", "--check", "A-01"], None),
    "workloads": (["workloads"], 0),
    "drivers": (["drivers", "--json"], 0),
    "machines": (["machines"], 0),
    "schema": (["schema"], 0),
    "cache": (["cache"], 0),
    "cache_clear": (["cache", "clear"], 0),
    "completions": (["completions", "bash"], 0),
    "man": (["man"], 0),
    "help": (["--help"], 0),
    "help_record": (["record", "--help"], 0),
    "version": (["--version"], 0),
    "usage": (["no-such-command"], 2),
    "nothing": ([], 2),
    "bench_tile": (["bench", "tile", "--rounds", "1", "--max-size", "64"], 0),
}
STDIN = b'{"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}\n'
STDIN_OF = {"shell": b"SELECT count(*) FROM events;\n", "alloc_info": b'{"id":7,"descs":[]}\n'}


def inputs(t):
    """The files that the commands name."""
    t.fixture("complete.taut", "x.taut")
    t.fixture("other.taut", "y.taut")
    t.fixture("unfinished.taut", "u.taut")
    t.write("notes.txt")


def clean(t):
    """Removes what a command wrote."""
    for name in os.listdir(t.folder):
        if name not in ("x.taut", "y.taut", "u.taut", "notes.txt"):
            path = t.path(name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


def each(t, name, codes_of, **options):
    """Runs one command under the options, and checks that nothing of the user's is changed."""
    inputs(t)
    command, usual = COMMANDS[name]
    before = snapshot(t.folder)
    run = t.taut(*command, stdin=options.pop("stdin", STDIN_OF.get(name, STDIN)), **options)
    t.unchanged(run, before)
    if usual is not None:
        codes = codes_of(usual)
        t.check(run, run.code in codes, "exit " + " or ".join(map(str, sorted(codes))))
    return run


def stderr_full(t, name):
    """A standard error that takes nothing does not change the exit code."""
    with open("/dev/full", "wb") as full:
        each(t, name, lambda usual: {usual}, stderr=full, note="2>/dev/full")


def stderr_full_terminal_options(t, name):
    """The same with colours asked for."""
    with open("/dev/full", "wb") as full:
        inputs(t)
        t.taut("--color", "always", *COMMANDS[name][0], stderr=full, stdin=STDIN_OF.get(name, STDIN), note="2>/dev/full")


def stdout_full(t, name):
    """A standard output that takes nothing is exit 4 for a command that prints a result."""
    # Commands that say nothing there end as usual; with `-o` and in messages the result is elsewhere.
    with open("/dev/full", "wb") as full:
        each(t, name, lambda usual: {usual, 4}, stdout=full, note=">/dev/full")


def both_full(t, name):
    """Both streams full."""
    with open("/dev/full", "wb") as full:
        each(t, name, lambda usual: {usual, 4}, stdout=full, stderr=full, note=">/dev/full 2>&1")


def file_size_zero(t, name):
    """RLIMIT_FSIZE=0: nothing can be written to a file; pipes work."""
    each(t, name, lambda usual: {usual, 4}, limits=Limits(file_size=0), note="# ulimit -f 0")


def file_size_zero_files(t, name):
    """RLIMIT_FSIZE=0 with both streams in files."""
    with open(t.path("stdout.log"), "wb") as out, open(t.path("stderr.log"), "wb") as errors:
        each(t, name, lambda usual: {usual, 4}, limits=Limits(file_size=0), stdout=out, stderr=errors, note=">out 2>err # ulimit -f 0")


def few_descriptors(t, name):
    """`ulimit -n 8`."""
    each(t, name, lambda usual: {usual, 4}, limits=Limits(files=8), note="# ulimit -n 8")


def fewest_descriptors(t, name):
    """`ulimit -n 4`."""
    each(t, name, lambda usual: {usual, 4}, limits=Limits(files=4), note="# ulimit -n 4")


def small_address_space(t, name):
    """RLIMIT_AS of 160 MiB: an answer or a message."""
    inputs(t)
    limits = Limits(address_space=160 * MIB)
    started = t.start(*COMMANDS[name][0], limits=limits, stdin=STDIN_OF.get(name, STDIN), note="# ulimit -v 163840")
    run = started.wait(30)
    # Where the program cannot be loaded at all nothing of it runs.
    if run.code == 127 or b"error while loading shared libraries" in run.stderr:
        return
    t.check_end(run)


def closed_streams(t, name):
    """Closed standard streams: no message goes into a file of the user's."""
    inputs(t)
    before = snapshot(t.folder)
    command = COMMANDS[name][0]
    for closed in [(2,), (1,), (0,), (0, 1, 2)]:
        marks = " ".join(f"{number}>&-" for number in closed)
        started = Started([t.binary, *command], t.folder, env=t.environment(), limits=Limits(closed=closed), stdin=b"" if 0 not in closed else subprocess.DEVNULL, note=marks)
        run = started.wait(30)
        t.check_end(run)
        t.unchanged(run, before)
        for made in os.listdir(t.folder):
            if made.endswith(".taut") and made not in ("x.taut", "y.taut", "u.taut"):
                with open(t.path(made), "rb") as file:
                    t.check(run, file.read(5) == b"\x89TAUT", f"a trace in {made}", "something else")
        clean(t)


def gone_reader(t, name):
    """A reader that closes the pipe at once."""
    inputs(t)
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as stream:
        started = t.start(*COMMANDS[name][0], stdout=stream, stdin=STDIN_OF.get(name, STDIN), note="| true")
    run = started.wait(30)
    t.check_end(run, {0, 1, 2, 3, 4, 130, -signal.SIGPIPE})


ATTACKS = [
    stderr_full, stderr_full_terminal_options, stdout_full, both_full, file_size_zero, file_size_zero_files, few_descriptors,
    fewest_descriptors, small_address_space, closed_streams, gone_reader,
]


def all_commands(t, attack):
    """One attack on every command; the first fault of each command is kept."""
    faults = []
    for name in COMMANDS:
        try:
            attack(t, name)
        except Failed as failed:
            faults.append(failed)
        clean(t)
        # Two commands without an end are enough to know, and leave time to say so.
        if sum(fault.found.startswith("no end") for fault in faults) == 2:
            break
    if faults:
        first = faults[0]
        more = "; also ".join(f"$ {fault.command}: {fault.found}" for fault in faults[1:])
        raise Failed(first.command, first.expected, f"{first.found}" + (f" ({len(faults) - 1} more: {more})" if more else ""))


for attack in ATTACKS:
    register(f"descriptors/{attack.__name__}", all_commands, attack)

# Values of variables that programs and libraries read.
ENVIRONMENTS = [
    ("POLARS_MAX_THREADS", ["0", "-1", "x", "", "99999999999999999999", "1000000", "1"]),
    ("RAYON_NUM_THREADS", ["0", "-1", "x", "99999999999999999999", "1"]),
    ("COLUMNS", ["0", "1", "-1", "99999999999999", "x"]),
    ("TERM", ["", "dumb", "x" * 5000]),
    ("LC_ALL", ["", "C", "xx_XX.\udcff"]),
    ("TAUT_CACHE", ["", "relative", "/dev/null", "/dev/full", "/proc/self", "\udcff", "notes.txt", "/" + "x/" * 3000]),
    ("HOME", ["", "relative", "/dev/null", "/nonexistent"]),
    ("TMPDIR", ["", "/dev/null", "/nonexistent", "\udcff"]),
    ("XDG_CACHE_HOME", ["", "/dev/null"]),
    ("NO_COLOR", ["1"]),
    ("CLICOLOR_FORCE", ["1"]),
    ("RUST_LOG", ["trace"]),
    ("POLARS_VERBOSE", ["1"]),
    ("POLARS_FMT_MAX_ROWS", ["-1", "x"]),
    ("POLARS_TEMP_DIR", ["/dev/null", "/nonexistent"]),
    ("POLARS_FORCE_OOC", ["1"]),
    ("POLARS_CONCURRENCY_BUDGET", ["0", "x"]),
    ("RAYON_RS_NUM_CPUS", ["0", "x"]),
    ("MALLOC_ARENA_MAX", ["0"]),
]


def environment(t, name, values):
    """Each value of a variable, with commands that use SQL, memory and files."""
    inputs(t)
    before = snapshot(t.folder)
    for value in values:
        env = t.environment(**{name: value})
        for command in ["query", "parquet", "analyze", "info", "record", "jsonl", "cache", "replay"]:
            run = t.taut(*COMMANDS[command][0], env=env, note=f"# {name}={ascii(value[:40])}")
            t.unchanged(run, before)
            if name in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS"):
                t.check(run, run.code == COMMANDS[command][1], f"exit {COMMANDS[command][1]}")
            clean(t)


for name, values in ENVIRONMENTS:
    seldom = name not in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "TAUT_CACHE", "HOME")
    register(f"descriptors/environment_{name.lower()}", environment, name, values, long=seldom)


def fake_tables(t, script, mentions, codes=frozenset([4])):
    """What `taut` says when its helper program dies."""
    os.makedirs(t.path("bin"))
    shutil.copyfile(t.binary, t.path("bin/taut"))
    os.chmod(t.path("bin/taut"), 0o755)
    if script == "folder":
        os.makedirs(t.path("bin/taut-tables"))
    elif script == "text":
        t.write("bin/taut-tables", "no program\n")
    elif script is not None:
        t.write("bin/taut-tables", f"#!/bin/sh\n{script}\n")
        os.chmod(t.path("bin/taut-tables"), 0o755)
    t.fixture("complete.taut", "x.taut")
    for arguments in [["query", "x.taut", "SELECT 1"], ["export", "x.taut", "--to", "parquet", "-o", "lake"], ["shell", "x.taut"]]:
        run = Started([t.path("bin/taut"), *arguments], t.folder, env=t.environment(PATH="/usr/bin:/bin"), note=f"# taut-tables: {script}").wait(30)
        t.check_end(run, codes)
        if mentions:
            t.check(run, any(text.lower() in run.text.lower() for text in mentions), "a message with " + " or ".join(mentions), f"{run.ended()}")


for name, script, mentions in [
    ("killed", "kill -KILL $$", ["SIGKILL", "signal 9", "killed"]),
    ("aborted", "kill -ABRT $$", ["SIGABRT", "signal 6", "abort"]),
    ("segfault", "kill -SEGV $$", ["SIGSEGV", "signal 11", "segmentation"]),
    ("missing", None, ["taut-tables"]),
    ("not_executable", "text", ["taut-tables"]),
    ("folder", "folder", ["taut-tables"]),
]:
    register(f"descriptors/helper_{name}", fake_tables, script, mentions)


@case
def helper_ends_with_an_odd_code(t):
    """A code of the helper program outside the contract is none of `taut` either."""
    fake_tables(t, "exit 77", [], codes=frozenset([4]))


@case
def helper_runs_out_of_memory(t):
    """The real helper in too little memory: a message and a code, and the reason where it died."""
    t.fixture("complete.taut", "x.taut")
    for size in [300 * MIB, 400 * MIB, 600 * MIB, GIB]:
        run = t.taut("query", "x.taut", "SELECT * FROM events e0 CROSS JOIN events e1", limits=Limits(address_space=size), timeout_s=60, stdout=subprocess.DEVNULL)
        t.check(run, run.code == 0 or run.stderr.strip(), "a message")


def gone_folder(t):
    """A working folder that was removed."""
    inputs(t)
    x = t.path("x.taut")
    gone = t.path("gone")
    for command in [["info", x], ["query", x, "SELECT 1"], ["analyze", x], ["record", "small-level"], ["record", "small-level", "-o", "a.taut"], ["export", x, "--to", "jsonl", "-o", "a.jsonl"], ["demo", "-o", "d"], ["dump", "x.taut"], ["man", "-o", "."]]:
        os.makedirs(gone)
        reader, writer = os.pipe()
        os.set_inheritable(reader, True)
        # The shell removes its own folder before it becomes the program.
        line = 'rmdir "$PWD"; exec "$@"'
        run = Started(["/bin/sh", "-c", line, "sh", t.binary, *command], gone, env=t.environment(), note="# in a removed folder").wait(30)
        os.close(reader)
        os.close(writer)
        t.check_end(run)
        if os.path.isdir(gone):
            shutil.rmtree(gone)


register("descriptors/gone_folder", gone_folder)


@case
def no_permissions(t):
    """umask 777: files of the command's own may be unreadable, and it says so."""
    inputs(t)
    for name in ["record", "replay_new", "jsonl", "parquet", "analyze_page", "demo", "recover"]:
        t.taut(*COMMANDS[name][0], limits=Limits(umask=0o777), note="# umask 777")
        for made in os.listdir(t.folder):
            os.chmod(t.path(made), stat.S_IMODE(os.stat(t.path(made)).st_mode) | 0o700)
        for parent, folders, _ in os.walk(t.folder):
            for inner in folders:
                os.chmod(os.path.join(parent, inner), 0o700)
        clean(t)


@case
def many_files_few_descriptors(t):
    """200 traces with 64 descriptors: all of them or a message."""
    files = []
    for number in range(200):
        t.fixture("complete.taut", f"t{number:03}.taut")
        files.append(f"t{number:03}.taut")
    for command in [["query", *files, "SELECT count(*) FROM events"], ["analyze", *files, "--report", "alignment"], ["export", *files, "--to", "parquet", "-o", "lake"]]:
        t.taut(*command, limits=Limits(files=64), timeout_s=100, codes={0, 4})


def odd_arguments(t):
    """Empty, endless and unreadable words."""
    inputs(t)
    before = snapshot(t.folder)
    for command in [
        ["info", ""], ["info", b"\xff\xfe"], ["info", "x" * 100000], ["record", "small-level", "-o", ""], ["record", ""],
        ["record", "small-level", "-o", b"\xff.taut"], ["query", "x.taut", ""], ["query", "x.taut", b"SELECT \xff"], ["query", "", "SELECT 1"],
        ["export", "x.taut", "--to", "jsonl", "-o", ""], ["analyze", "x.taut", "-o", ""], ["dump", "x.taut", "--from", "99999999999999999999"],
        ["dump", "x.taut", "--limit", "18446744073709551615"], ["replay", "x.taut", "--repeat", "3", "--until", "0"],
        ["record", "small-level", "--set", "frames=99999999999999999999"], ["record", "small-level", "--set", "="], ["record", "small-level", "--threads", "4294967295"],
        ["control", "x.taut", "--timeout", "99999999999999y", "status"], ["record", "small-level", "--max-time", "99999999999999y", "-o", "n.taut"],
        ["record", "small-level", "--sync-interval", "584942417355y", "-o", "n2.taut"], ["record", "small-level", "--flush-interval", "1ns", "-o", "n3.taut"],
        ["record", "small-level", "--max-size", "18446744073709551615", "-o", "n4.taut"], ["record", "small-level", "--snapshot-on", ":=", "-o", "n5.taut"],
        ["query", "x.taut", "SELECT 1", "--rows", "18446744073709551615"], ["query", "x.taut", "SELECT 1", "--memory", "18446744073709551615"],
        ["query", "x.taut", "SELECT 1", "--memory", "0"], ["query", "x.taut", "SELECT 1", "--memory", "-1"], ["query", "x.taut", "SELECT 1", "--memory", "99999999999GiB"],
        ["bench", "tile", "--rounds", "1", "--max-size", "18446744073709551615"], ["recover", ""], ["recover", "x.taut", "-o", ""], ["demo", "-o", ""], ["man", "-o", ""],
    ]:
        signals = [(5, signal.SIGINT)] if command[0] in ("bench", "replay", "record") else []
        run = t.taut(*command, limits=Limits(address_space=4 * GIB, file_size=GIB), signals=signals, timeout_s=30)
        t.unchanged(run, before)


register("descriptors/odd_arguments", odd_arguments)
