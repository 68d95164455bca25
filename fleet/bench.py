"""Times questions of a lake beside DuckDB's: bench.py TAUT LAKE [TRACE] [--repeat N]

With a trace, which the lake is of: six questions, in `taut query TRACE` the first time (nothing kept), again (tables kept in a cache of
its own), and in DuckDB over the lake. Without: the ten of fleet/queries, in `taut query LAKE` and in DuckDB. Interleaved, medians. A
time of taut is that of the whole process less that of a process that answers `SELECT 1`; of DuckDB it is that of the question alone, in a
connection of its own, when the views are made.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from ask import duckdb_engine

SIX = {
    "events by name and thread": "SELECT name, thread, count(*) AS n FROM events GROUP BY name, thread",
    "count of events": "SELECT count(*) AS n FROM events",
    "events of a name by thread": "SELECT thread, count(*) AS n FROM events WHERE name = 'CreatePlacedResource' GROUP BY thread",
    "calls by name": "SELECT name, count(*) AS n, avg(duration_ns) AS mean_ns FROM calls GROUP BY name",
    "resources by format": "SELECT format, count(*) AS n, sum(size_bytes) AS bytes FROM resources GROUP BY format",
    "resources with heaps": "SELECT h.heap_type, count(*) AS n FROM resources r JOIN heaps h ON r.heap = h.heap GROUP BY h.heap_type",
}


def taut(program, of, sql, cache):
    began = time.perf_counter()
    done = subprocess.run(
        [program, "query", of, "-", "--format", "json"],
        env=dict(os.environ, TAUT_CACHE=cache),
        input=sql.encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return time.perf_counter() - began, json.loads(done.stdout)


def duckdb(lake, sql):
    ask = duckdb_engine(lake, [sql])
    began = time.perf_counter()
    rows = ask(sql)
    return time.perf_counter() - began, rows


def measure(questions, repeat, ways, start):
    print(f"{'question':<34}" + "".join(f"{name:>12}" for name in ways))
    for name, sql in questions.items():
        times, rows = {way: [] for way in ways}, set()
        for _ in range(repeat):
            for way, ask in ways.items():
                took, answer = ask(sql)
                times[way].append(took)
                rows.add(len(answer))
        if len(rows) != 1:
            raise SystemExit(f"{name}: answers have {sorted(rows)} rows")
        least = {way: statistics.median(took) - (start if way != "DuckDB" else 0) for way, took in times.items()}
        print(f"{name:<34}" + "".join(f"{took:>10.3f} s" for took in least.values()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("taut")
    parser.add_argument("lake")
    parser.add_argument("trace", nargs="?")
    parser.add_argument("--repeat", type=int, default=5)
    asked = parser.parse_args()
    of = asked.trace or asked.lake
    with tempfile.TemporaryDirectory() as cache:
        start = statistics.median(taut(asked.taut, of, "SELECT 1 AS one", "")[0] for _ in range(asked.repeat))
        print(f"start of the process: {start:.3f} s")
        ways = {"DuckDB": lambda sql: duckdb(asked.lake, sql)}
        if asked.trace:
            for sql in SIX.values():
                taut(asked.taut, of, sql, cache)
            first, again = (lambda sql: taut(asked.taut, of, sql, "")), (lambda sql: taut(asked.taut, of, sql, cache))
            measure(SIX, asked.repeat, {"first": first, "again": again} | ways, start)
        else:
            files = sorted(Path(__file__).with_name("queries").glob("*.sql"))
            questions = {file.stem: file.read_text(encoding="utf-8") for file in files}
            measure(questions, asked.repeat, {"taut": lambda sql: taut(asked.taut, of, sql, "")} | ways, start)


if __name__ == "__main__":
    main()
