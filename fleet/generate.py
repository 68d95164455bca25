"""Makes a fleet of small traces and its lake: generate.py TAUT FOLDER TRACES

Workloads, drivers, seeds, branches and commits differ; each batch of traces is exported into FOLDER/lake as soon as it is recorded, as the
runs of a CI would be. Prints a JSON object: seconds of recordings and exports, bytes of traces and lake, files.
"""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BATCH = 50
RUNS = [
    ["small-level", "--set", "frames=8", "--set", "meshes=6", "--set", "textures=4", "--set", "constants=12"],
    ["streaming-world", "--set", "frames=2", "--set", "threads=2"],
    ["game-session", "--set", "frames=6"],
    ["pix-single-frame"],
]
DRIVERS = ["reference", "peer", "legacy", "large-pages", "tightest"]


def size(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main():
    taut, folder, traces = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    runs = folder / "runs"
    runs.mkdir(parents=True)

    def record(number):
        name, *sets = RUNS[number % len(RUNS)]
        driver = DRIVERS[number // len(RUNS) % len(DRIVERS)]
        file = runs / f"{number:06}.taut"
        seed = [] if name == "pix-single-frame" else ["--seed", str(number)]
        line = [taut, "record", name, *sets, *seed, "--driver", driver, "-o", str(file), "--quiet"]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        return file

    recording, exporting = 0.0, 0.0
    for batch in range(0, traces, BATCH):
        began = time.perf_counter()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            files = list(pool.map(record, range(batch, min(batch + BATCH, traces))))
        recorded = time.perf_counter()
        commit, branch = batch // BATCH, "main" if batch // BATCH % 3 else "other"
        tags = ["--tag", f"commit={commit:07x}", "--tag", f"branch={branch}"]
        line = [taut, "export", *files, "--to", "parquet", "-o", folder / "lake", *tags, "--quiet"]
        subprocess.run(line, check=True)
        recording += recorded - began
        exporting += time.perf_counter() - recorded
    lake = folder / "lake"
    told = {
        "traces": traces,
        "recording_s": round(recording, 1),
        "exporting_s": round(exporting, 1),
        "trace_bytes": size(runs),
        "lake_bytes": size(lake),
        "lake_files": sum(1 for file in lake.rglob("*.parquet")),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
