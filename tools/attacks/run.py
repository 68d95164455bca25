#!/usr/bin/env python3
"""Attacks on the command line: every case runs `taut` in a process of its own with limits on time, memory and files.

    python3 tools/attacks/run.py                                 every case, against target/debug/taut
    python3 tools/attacks/run.py --only side_files/              the cases whose names have this text
    python3 tools/attacks/run.py --long --rounds 500 --seed 7    a longer run: more files, and random combinations by seed
    python3 tools/attacks/run.py --hostile FOLDER                also each trace of a folder of hostile files

A line per failing or skipped case; the last line says how many passed, failed and were skipped. Exit code 1 if any failed.
"""

import argparse
import json
import os
import select
import shutil
import sys
import tempfile
import time
import traceback

# The repository's folder stays as it is.
sys.dont_write_bytecode = True

import cache_and_outputs  # noqa: F401  (modules register their cases)
import descriptors  # noqa: F401
import fixtures
import full_disk  # noqa: F401
import hangs  # noqa: F401
import hostile_traces
import interrupts  # noqa: F401
import memory  # noqa: F401
import names_and_numbers  # noqa: F401
import random_attacks
import side_files  # noqa: F401
import stack  # noqa: F401
from known import KNOWN
from harness import CASE_TIMEOUT_S, CASES, LONG, Attack, Failed, Skipped, kill_group

# Cases that use most of the machine's time run first, so that the last minute is not one long case on one core.
SLOW_FIRST = ["full_disk/", "memory/", "descriptors/", "side_files/early"]


def main():
    """Runs the chosen cases."""
    options = arguments()
    taut = os.path.abspath(options.taut)
    if not os.access(taut, os.X_OK):
        print(f"{options.taut}: no such program; build it with `cargo build -p taut-cli -p taut-tables`", file=sys.stderr)
        return 2
    random_attacks.register_rounds(options.seed, options.rounds)
    if options.hostile:
        hostile_traces.register_folder(os.path.abspath(options.hostile))
    chosen = [name for name in CASES if options.long or name not in LONG]
    names = [name for name in chosen if not options.only or any(text in name for text in options.only)]
    names.sort(key=lambda name: not any(name.startswith(text) for text in SLOW_FIRST))
    if options.list:
        print("\n".join(names))
        return 0
    # Folders and sockets have short paths there, and user 65534 can reach them.
    parent = tempfile.mkdtemp(prefix="taut-attacks-")
    os.chmod(parent, 0o755)
    try:
        return run_all(names, taut, parent, options)
    finally:
        remove(parent)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default="target/debug/taut", metavar="PATH", help="the program [default: target/debug/taut]")
    parser.add_argument("--only", action="append", metavar="TEXT", help="only cases whose names have this text; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, metavar="N", help="cases at a time")
    parser.add_argument("--seed", type=int, default=20261126, metavar="N", help="seed of the random combinations")
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="random combinations")
    parser.add_argument("--hostile", metavar="FOLDER", help="folder of hostile traces, each tried with every command")
    parser.add_argument("--long", action="store_true", help="also the cases that are too long for every change")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--retry", action="store_true", help="run each failed case once more, alone")
    parser.add_argument("--times", action="store_true", help="print the slowest cases and the processor time")
    return parser.parse_args()


def run_all(names, taut, parent, options):
    """Runs the cases, some at a time, and prints what failed."""
    prepared = os.path.join(parent, "fixtures")
    os.makedirs(prepared)
    env = Attack(taut, prepared, os.path.join(parent, "first", "case"), options).environment()
    try:
        fixtures.prepare(taut, prepared, env)
    except (RuntimeError, OSError) as error:
        print(f"FAILED preparing the inputs: {error}")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    times, failed, jobs, retries = [], [], options.jobs, options.retry
    waiting, running = list(reversed(names)), {}
    while waiting or running or failed:
        if not waiting and not running:
            print(f"once more, alone: {', '.join(failed)}", flush=True)
            waiting, failed, jobs, retries = failed, [], 1, False
            counts["failed"] -= len(waiting)
        while waiting and len(running) < jobs:
            name = waiting.pop()
            pid, pipe = start(name, taut, prepared, os.path.join(parent, f"case-{len(times) + len(running)}-{len(waiting)}"), options)
            running[pipe] = (pid, name, time.monotonic())
        for pipe in select.select(list(running), [], [], 0.2)[0]:
            pid, name, began = running.pop(pipe)
            result, cpu_s = finish(name, pid, pipe)
            times.append((cpu_s, time.monotonic() - began, name))
            counts[result] += 1
            if result == "failed" and retries:
                failed.append(name)
        for pipe, (pid, name, began) in running.items():
            if time.monotonic() - began > CASE_TIMEOUT_S:
                kill_group(pid)
    if options.times:
        for cpu_s, wall_s, name in sorted(times, reverse=True)[:40]:
            print(f"{cpu_s:6.1f} s of a processor, {wall_s:6.1f} s  {name}")
        print(f"{sum(entry[0] for entry in times):6.1f} s of a processor in all")
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    print(text + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


def start(name, taut, prepared, folder, options):
    """Starts a case in a process of its own; returns its id and a pipe for the result."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    os.close(reader)
    os.setsid()
    result = run_case(name, taut, prepared, folder, options)
    with os.fdopen(writer, "w") as pipe:
        json.dump(result, pipe)
    os._exit(0)


def run_case(name, taut, prepared, folder, options):
    """Runs a case and describes its result."""
    user_folder = os.path.join(folder, "user")
    os.makedirs(user_folder)
    os.chmod(folder, 0o755)
    function, case_arguments = CASES[name]
    try:
        function(Attack(taut, prepared, user_folder, options), *case_arguments)
        return {"result": "passed"}
    except Failed as failed:
        text = f"$ {failed.command}; expected {failed.expected}; found {failed.found}"
        return {"result": "failed", "text": text.replace("\n", "\\n")}
    except Skipped as reason:
        return {"result": "skipped", "text": str(reason)}
    except Exception:  # noqa: BLE001  a fault of the script is a failing case, not the end of the run
        return {"result": "failed", "text": "the script itself: " + traceback.format_exc().replace("\n", " | ")}
    finally:
        remove(folder)


def finish(name, pid, pipe):
    """Collects a case's result and prints it unless it passed."""
    with os.fdopen(pipe) as stream:
        text = stream.read()
    _, status, usage = os.wait4(pid, 0)
    ended = f"the case's process ended with {os.waitstatus_to_exitcode(status)}, after {CASE_TIMEOUT_S} s if with -9"
    result = json.loads(text) if text else {"result": "failed", "text": ended}
    if name in KNOWN:
        result = as_known(name, result)
    if result["result"] != "passed":
        print(f"{result['result'].upper()} {name}: {result['text']}", flush=True)
    return result["result"], usage.ru_utime + usage.ru_stime


def as_known(name, result):
    """The result of a case that is known to fail."""
    if result["result"] == "failed":
        return {"result": "skipped", "text": f"known to fail: {KNOWN[name]}"}
    return result


def remove(folder):
    """Removes a folder whatever the modes of what is in it."""
    def again(function, path, _):
        try:
            os.chmod(os.path.dirname(path), 0o700)
            function(path)
        except OSError:
            pass

    shutil.rmtree(folder, onerror=again)


if __name__ == "__main__":
    sys.exit(main())
