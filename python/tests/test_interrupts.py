"""Interrupts: each operation raises KeyboardInterrupt within 0.1 s, and what it has written is complete."""

import gzip
import subprocess
import sys
import textwrap

import pytest

import tautline as taut
from conftest import ROOT
from test_interpreter import UNIX

#: Limit of an interrupt, in seconds. The fastest of some attempts counts: other programs share the machine.
LIMIT = 0.1
ATTEMPTS = 5

#: Operations that are repeated without an end, on the trace ``t`` of the file ``f``, in the folder ``d``.
OPERATIONS = {
    "query": "len(t.query('SELECT stamp % 1000 AS part, thread, count(*) FROM events GROUP BY 1, 2'))",
    "batches": "[len(batch) for batch in t.table('events')]",
    "conversion": "t.table('events').polars()",
    "open": "taut.open(f)",
    "info": "t.inspect(verify=True)",
    "dump": "t.dump()",
    "report": "t.report()",
    "replay": "t.replay(repeat=100)",
    "what-if": "t.replay(tight=True, output=d + '/tight.taut', force=True)",
    "diff": "taut.diff(t, t)",
    "hlk": "taut.hlk()",
    "export": "t.export(d + '/x.jsonl', to='jsonl')",
    "recover": "taut.recover(f, output=d + '/whole.taut', force=True)",
    "record": "taut.record('streaming-world', d + '/x.taut', set={'frames': 10000000})",
    "record of threads": "taut.record('streaming-world', d + '/x.taut', set={'frames': 10000000}, threads=4)",
}

PROGRAM = """
import os, signal, sys, threading, time
import tautline as taut
f, d, operation, attempts = sys.argv[1:]
t = taut.open(f)
for attempt in range(int(attempts)):
    at = [0]
    def interrupt():
        time.sleep(0.3)
        at[0] = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        while True:
            eval(operation)
    except KeyboardInterrupt:
        print(time.monotonic() - at[0], flush=True)
    thread.join()
os._exit(0)
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A trace of half a million events."""
    path = tmp_path_factory.mktemp("long") / "long.taut"
    taut.record("streaming-world", path, set={"frames": 2000})
    return path


@UNIX
@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_interrupt_takes_a_tenth_of_a_second(long, tmp_path, operation):
    if operation == "conversion":
        pytest.importorskip("polars")
    words = [sys.executable, "-c", textwrap.dedent(PROGRAM), long, tmp_path, OPERATIONS[operation], str(ATTEMPTS)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    times = [float(time) for time in done.stdout.split()]
    assert len(times) == ATTEMPTS and min(times) < LIMIT and max(times) < 2, done
    print(operation, *(f"{1000 * time:.0f} ms" for time in times))
    written = sorted(path.name for path in tmp_path.iterdir())
    if operation.startswith("record"):
        info = taut.open(tmp_path / "x.taut").info
        assert written == ["x.taut"] and info.complete and info.interrupted and info.events > 0
        assert taut.open(tmp_path / "x.taut").replay().identical
    elif operation == "recover":
        # An attempt can end before its interrupt.
        assert not [name for name in written if name != "whole.taut" and not name.startswith(".")]


@UNIX
def test_an_interrupt_before_the_calls_leaves_no_trace(tmp_path):
    """A large input is read before the recording begins."""
    log = tmp_path / "log.jsonl"
    with gzip.open(ROOT / "testdata/d3d12ma-tight.jsonl.gz", "rt") as lines:
        first, *rest = lines.read().splitlines(keepends=True)
    with open(log, "w") as file:
        file.write(first)
        for _ in range(30):
            file.writelines(rest)
    operation = "taut.record(f, d + '/x.taut')"
    program = textwrap.dedent(PROGRAM).replace("t = taut.open(f)\n", "")
    words = [sys.executable, "-c", program, log, tmp_path, operation, "3"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    times = [float(time) for time in done.stdout.split()]
    assert len(times) == 3 and min(times) < LIMIT, done
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["log.jsonl"]
