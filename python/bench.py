"""Speed of the package beside its baselines: medians in one process, as rows of bench/results.

    python python/bench.py TAUT [RESULTS.json]

TAUT is the release program, with taut-tables next to it; the package is that of ``pip install ./python``.
"""

import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow

# The folder of this file has the package's sources, without the native part.
sys.path.remove(str(pathlib.Path(__file__).parent.resolve()))

import tautline as taut  # noqa: E402

REPEAT = 7
SQL = "SELECT stamp, thread, stamp + thread AS both FROM events LIMIT 1000000"


def median(work, repeat=REPEAT):
    """Median of the seconds of ``work``."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def row(name, unit, target, measured, floor, met, command, note=""):
    machine = f"{os.cpu_count()} cores, {platform.processor() or platform.machine()}"
    date = datetime.date.today().isoformat()
    return {
        "name": name, "unit": unit, "target": target, "measured": round(measured, 3), "floor": floor, "met": met,
        "command": command, "date": date, "machine": machine, "note": note,
    }  # fmt: skip


def query(trace):
    frame = trace.query(SQL)
    rows = frame.arrow().num_rows
    assert rows == 1_000_000, rows
    # The batches stay in Rust: the query alone.
    rust, arrow = median(lambda: len(frame)), median(lambda: frame.arrow())
    return row("Python: arrow() of a million rows", "× the query in Rust", 1.1, arrow / rust, f"{1000 * rust:.0f} ms",
               arrow / rust <= 1.1, "python python/bench.py taut")  # fmt: skip


def buffers(trace):
    batch = next(iter(trace.query(SQL)))
    addresses = [
        [column.chunk(0).buffers()[1].address for column in pyarrow.table(batch).columns] for _ in range(2)
    ]
    import polars

    frame = polars.DataFrame(batch)
    own = [frame[name].to_arrow().buffers()[1].address for name in frame.columns]
    copied = sum(address not in own for address in addresses[0]) + (addresses[0] != addresses[1])
    return row("Python: buffers copied for a reader", "of 3 columns", 0, copied, None, copied == 0,
               "python python/bench.py taut", "addresses in pyarrow and polars")  # fmt: skip


def imports():
    def seconds(statement):
        return median(lambda: subprocess.run([sys.executable, "-c", statement], check=True), 9)

    empty = seconds("pass")
    ours, polars = seconds("import tautline") - empty, seconds("import polars") - empty
    return row("Python: import tautline", "× import polars", 0.2, ours / polars, f"{1000 * polars:.0f} ms",
               ours / polars <= 0.2, "python python/bench.py taut", f"{1000 * ours:.0f} ms")  # fmt: skip


def loop(trace):
    def rate(seconds):
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            count += 1
        return count / seconds

    alone, beside = [], []
    for _ in range(REPEAT):
        alone.append(rate(0.3))
        over = threading.Event()

        def work(over=over):
            while not over.is_set():
                len(trace.query(SQL))

        thread = threading.Thread(target=work)
        thread.start()
        beside.append(rate(0.3))
        over.set()
        thread.join()
    ratio = statistics.median(beside) / statistics.median(alone)
    return row("Python: loop in another thread while a query runs", "× its rate alone", 0.8, ratio, None, ratio >= 0.8,
               "python python/bench.py taut", "at least; the query uses all cores")  # fmt: skip


def memory(program, big):
    def peak(words):
        """Peak of the resident memory of a process and its children, in MiB."""
        code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        return int(done.stdout) / 1024

    sql = "SELECT stamp, thread FROM events"
    command = peak([program, "query", "--no-cache", big, sql, "--format", "csv"])
    code = "import sys, tautline; [0 for _ in tautline.open(sys.argv[1]).query(sys.argv[2])]"
    batches = peak([sys.executable, "-c", code, big, sql])
    ratio = batches / command
    return row("Python: batches of 19.2 million events, memory", "× taut query --format csv", 1.2, ratio,
               f"{command:.0f} MiB", ratio <= 1.2, "python python/bench.py taut",
               f"{batches:.0f} MiB; the file is in memory: {os.path.getsize(big) >> 20} MiB")  # fmt: skip


def commands(program, folder, path):
    def command(*words):
        subprocess.run([program, *map(str, words), "--quiet"], check=True, stdout=subprocess.DEVNULL)

    output = folder / "x.taut"
    recorded = median(lambda: command("record", "streaming-world", "--set", "frames=8000", "-o", output, "--force"), 5)
    ours = median(lambda: taut.record("streaming-world", output, set={"frames": 8000}, force=True), 5)
    replayed, of_file = median(lambda: command("replay", path), 5), median(lambda: taut.open(path).replay(), 5)
    return [
        row(f"Python: {name}", "× the command", 1.05, method / program_s, f"{1000 * program_s:.0f} ms",
            method / program_s <= 1.05, "python python/bench.py taut")  # fmt: skip
        for name, method, program_s in [("record()", ours, recorded), ("replay()", of_file, replayed)]
    ]


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, big = folder / "bench.taut", folder / "big.taut"
        taut.record("streaming-world", path, set={"frames": 8000})
        taut.record("streaming-world", big, threads=4, seed=7, set={"frames": 76000})
        trace = taut.open(path)
        rows = []
        for measured in (
            lambda: [query(trace)],
            lambda: [buffers(trace)],
            lambda: [imports()],
            lambda: [loop(trace)],
            lambda: [memory(program, str(big))],
            lambda: commands(program, folder, path),
        ):
            rows += measured()
            print(rows[-1]["name"], rows[-1]["measured"], rows[-1]["unit"], flush=True)
    text = "[\n" + ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


main()
