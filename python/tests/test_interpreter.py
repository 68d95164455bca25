"""Signals, forks, threads, and files that change."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import tautline as taut

UNIX = pytest.mark.skipif(os.name == "nt", reason="signals and forks of Unix")


def run(program, *arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)], capture_output=True, text=True, timeout=120
    )


@UNIX
def test_an_interrupted_replay_leaves_no_file(tmp_path):
    recorded, output = tmp_path / "long.taut", tmp_path / "replayed.taut"
    taut.record("streaming-world", recorded, set={"frames": 3000})
    done = run(
        """
        import os, signal, sys, threading, time
        import tautline as taut
        trace = taut.open(sys.argv[1])
        at = [0]
        def interrupt():
            time.sleep(0.3)
            at[0] = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            trace.replay(output=sys.argv[2], repeat=50)
            print("no interrupt")
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - at[0])
        """,
        recorded,
        output,
    )
    word, seconds = done.stdout.split()
    assert word == "interrupted" and float(seconds) < 1, done
    assert list(tmp_path.iterdir()) == [recorded]


@UNIX
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_after_use_raises_at_once(path):
    done = run(
        """
        import os, sys, time
        import tautline as taut
        trace = taut.open(sys.argv[1])
        len(trace.query("SELECT count(*) FROM events"))
        child = os.fork()
        if child == 0:
            try:
                len(trace.query("SELECT count(*) FROM events"))
                os._exit(1)
            except taut.TautError as error:
                os._exit(0 if "use spawn" in str(error) else 2)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                print(os.waitstatus_to_exitcode(status))
                break
            time.sleep(0.05)
        """,
        path,
    )
    assert done.stdout.split() == ["0"], done


def _events(path):
    return taut.open(path).info.events


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_a_pool_that_open_a_trace_themselves(path, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no start method {method}")
    done = run(
        f"""
        import multiprocessing, sys
        import tautline as taut
        def events(path):
            return taut.open(path).info.events
        if __name__ == "__main__":
            sys.path.insert(0, "tests")
            from test_interpreter import _events
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                print(*pool.map(_events, [sys.argv[1]] * 2))
        """,
        path,
    )
    events = str(_events(path))
    assert done.stdout.split() == [events, events], done


@UNIX
def test_a_file_that_is_shortened_while_open_ends_no_process(path, tmp_path):
    file = tmp_path / "shortened.taut"
    file.write_bytes(path.read_bytes())
    done = run(
        """
        import os, sys
        import tautline as taut
        trace = taut.open(sys.argv[1])
        events = len(trace.table("events"))
        os.truncate(sys.argv[1], 100)
        print(len(trace.table("events")) == events, trace.damage)
        """,
        file,
    )
    assert done.returncode == 0 and done.stdout.split() == ["True", "[]"], done


def test_another_thread_runs_while_a_query_runs(trace):
    def rate(seconds):
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            count += 1
        return count

    stop = threading.Event()

    def work():
        while not stop.is_set():
            len(trace.query("SELECT count(*) FROM events a, events b WHERE a.stamp = b.stamp"))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert rate(0.3) > 1000
    finally:
        stop.set()
        thread.join()


def test_the_package_installs_no_signal_handler(tmp_path):
    done = run(
        """
        import signal, sys
        names = [name for name in ("SIGINT", "SIGTERM", "SIGBUS", "SIGUSR1", "SIGPIPE") if hasattr(signal, name)]
        before = [signal.getsignal(getattr(signal, name)) for name in names]
        text = open("/proc/self/status").read() if __import__("os").path.exists("/proc/self/status") else ""
        # glibc itself handles 32 and 33 in a process with threads.
        own = 3 << 31
        caught = lambda text: [int(line.split()[1], 16) & ~own for line in text.splitlines() if line.startswith("SigCgt")]
        import tautline as taut
        taut.open(taut.record("small-level", sys.argv[1]).file).replay()
        after = [signal.getsignal(getattr(signal, name)) for name in names]
        now = open("/proc/self/status").read() if text else ""
        print(before == after and caught(text) == caught(now))
        """,
        tmp_path / "signals.taut",
    )
    assert done.stdout.split() == ["True"] and done.stderr == "", done


def test_progress_that_raises_stops_the_work(tmp_path):
    class Stop(Exception):
        pass

    def progress(done, total):
        raise Stop

    output = tmp_path / "x.taut"
    with pytest.raises(Stop):
        taut.record("streaming-world", output, set={"frames": 100000}, progress=progress)
    assert taut.open(output).damage == []


@pytest.mark.parametrize(
    "work",
    [
        lambda trace, folder, progress: trace.replay(output=folder / "x.taut", progress=progress),
        lambda trace, folder, progress: trace.replay(tight=True, progress=progress),
        lambda trace, folder, progress: trace.export(folder / "x.jsonl", to="jsonl", progress=progress),
    ],
    ids=["replay", "what-if", "export"],
)
def test_progress_that_raises_stops_work_on_a_trace(tmp_path, work):
    class Stop(Exception):
        pass

    def progress(done, total):
        raise Stop

    path = tmp_path / "recorded.taut"
    taut.record("streaming-world", path, set={"frames": 3000})
    with pytest.raises(Stop):
        work(taut.open(path), tmp_path, progress)
    assert [file.name for file in tmp_path.iterdir() if not file.name.startswith(".")] == ["recorded.taut"]


def test_progress_receives_what_is_done_and_all(tmp_path):
    seen = []
    output = tmp_path / "x.taut"
    taut.record("streaming-world", output, set={"frames": 300}, progress=lambda done, total: seen.append((done, total)))
    assert seen and all(done <= total for done, total in seen if total)


@UNIX
def test_the_end_of_the_interpreter_during_a_query_is_clean(path):
    done = run(
        """
        import sys
        import tautline as taut
        rows = iter(taut.open(sys.argv[1]).table("events"))
        next(rows)
        """,
        path,
    )
    assert (done.returncode, done.stderr) == (0, ""), done


assert signal  # The programs of the tests import it.
