"""Every command with ``--json`` and its method: the same value, on every trace of the repository."""

import json
import os
import pathlib
import subprocess
import warnings

import pytest

import tautline as taut
from conftest import PROGRAM, ROOT

#: Command, and its method; the list of the program's commands is compared with this one.
METHODS = {
    "alloc-info": taut.alloc_info,
    "analyze": taut.Trace.report,
    "cache": taut.cache,
    "control-disable": taut.control,
    "control-enable": taut.control,
    "control-snapshot": taut.control,
    "control-status": taut.control,
    "control-stop": taut.control,
    "diff": taut.diff,
    "drivers": taut.drivers,
    "dump": taut.Trace.dump,
    "etl-info": taut.etl_info,
    "etl-profile": taut.etl_profile,
    "export": taut.Trace.export,
    "hlk": taut.hlk,
    "import": taut.import_etl,
    "info": taut.Trace.inspect,
    "machines": taut.machines,
    "query": taut.query,
    "record": taut.record,
    "recover": taut.recover,
    "replay": taut.Trace.replay,
    "schema": taut.schema,
    "tile-info": taut.tile_info,
    "workloads": taut.workloads,
}

#: Commands without a method, and the reason.
WITHOUT_METHOD = {
    "bench-abi": "measures the program",
    "bench-capture": "measures the program",
    "bench-contexts": "measures the program",
    "bench-etl": "measures the program",
    "bench-present": "measures the program",
    "bench-read": "measures the program",
    "bench-record": "measures the program",
    "bench-replay": "measures the program",
    "bench-tile": "measures the program",
    "completions": "of the command line",
    "demo": "record, replay and report of a workload",
    "duckdb": "starts the program of DuckDB, which reads frames",
    "man": "of the command line",
    "run": "ends with the exit code of a program on this terminal",
    "shell": "queries on a terminal",
}

#: Trace with which each trace is compared.
OTHER = ROOT / "traces/corpus/v1-small-level.taut"


def run(*arguments, stdin=None):
    """Exit code and standard output of the program."""
    words = [PROGRAM, *map(str, arguments), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, input=stdin, check=False)
    return done.returncode, done.stdout


def document(*arguments, stdin=None):
    """JSON document of the program; ``None`` if the command has failed without one."""
    code, text = run(*arguments, stdin=stdin)
    assert code in (0, 1, 2, 3, 4), (code, arguments)
    return json.loads(text) if text else None


def records(*arguments, stdin=None):
    """JSON Lines of the program."""
    return [json.loads(line) for line in run(*arguments, stdin=stdin)[1].splitlines()]


def value(call):
    """Value of a method; ``None`` if it raises an exception of the package."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", taut.TautWarning)
        try:
            return call()
        except taut.TautError:
            return None


@pytest.fixture(scope="module", autouse=True)
def program():
    if not os.path.exists(PROGRAM):
        pytest.skip(f"no program {PROGRAM}")


def test_every_command_with_json_has_a_method(tmp_path):
    subprocess.run([PROGRAM, "man", "-o", tmp_path], check=True)
    pages = {page.stem: page.read_text() for page in tmp_path.glob("taut-*.1")}
    groups = [name for name in pages if any(other.startswith(name + "-") for other in pages)]
    with_json = {name[len("taut-") :] for name, text in pages.items() if r"\-\-json" in text and name not in groups}
    assert with_json == {*METHODS, *WITHOUT_METHOD} and not {*METHODS} & {*WITHOUT_METHOD}
    tested = {name.split()[0] for name in [*OF_TRACES, *OF_INPUTS, *OF_RECORDINGS]}
    assert tested == {*METHODS}
    for method in METHODS.values():
        assert method.__doc__, method


def traces():
    """Traces of the repository; of the compressed ones, those that pyarrow can decompress."""
    return sorted([*(ROOT / "traces/corpus").glob("*.taut"), *(ROOT / "testdata").rglob("*.taut*")])


@pytest.fixture(scope="module")
def file(request, tmp_path_factory):
    """Path of a trace in a folder of its own, with its sidecar."""
    source = request.param
    folder = tmp_path_factory.mktemp("trace")
    if source.suffix == ".zst":
        pyarrow = pytest.importorskip("pyarrow")
        target = folder / source.stem
        with pyarrow.input_stream(str(source), compression="zstd") as stream:
            target.write_bytes(stream.read())
        return target
    for part in source.parent.glob(source.name + "*"):
        (folder / part.name).write_bytes(part.read_bytes())
    return folder / source.name


def _rows(frame):
    pytest.importorskip("pyarrow")
    return frame.arrow().to_pylist()


def _export(file, folder, form):
    ours, theirs = folder / "ours", folder / "theirs"
    expected = document("export", file, "--to", form, "-o", theirs)
    found = value(lambda: taut.open(file).export(ours, to=form))
    assert (expected is None) == (found is None)
    if expected is not None:
        assert ours.read_bytes() == theirs.read_bytes()
        assert found.bytes == expected["bytes"] and list(found) == list(expected)
    return None, None


def _recover(file, folder):
    expected = document("recover", file, "-o", folder / "theirs")
    found = value(lambda: taut.recover(file, output=folder / "ours"))
    if expected is not None:
        assert (folder / "ours").read_bytes() == (folder / "theirs").read_bytes()
        expected["file"] = found["file"] if found else None
    return expected, found


#: Command and options, and a function of a trace and a folder: the command's value and the method's.
OF_TRACES = {
    "info": lambda file, _: (document("info", file), value(lambda: taut.open(file).info)),
    "info --verify": lambda file, _: (
        document("info", file, "--verify"),
        value(lambda: taut.open(file).inspect(verify=True)),
    ),
    "analyze": lambda file, _: (document("analyze", file), value(lambda: taut.open(file).report())),
    "replay": lambda file, _: (document("replay", file), value(lambda: taut.open(file).replay())),
    "replay --tight": lambda file, _: (
        document("replay", file, "--tight", "on"),
        value(lambda: taut.open(file).replay(tight=True)),
    ),
    "diff": lambda file, _: (document("diff", file, OTHER), value(lambda: taut.diff(file, OTHER))),
    "dump": lambda file, _: (records("dump", file), value(lambda: taut.open(file).dump()) or []),
    "dump --limit": lambda file, _: (
        records("dump", file, "--limit", 5, "--thread", 1),
        value(lambda: taut.open(file).dump(limit=5, thread=1)) or [],
    ),
    "query": lambda file, _: (
        document("query", "--no-cache", file, "SELECT * FROM resources"),
        value(lambda: _rows(taut.open(file).query("SELECT * FROM resources"))),
    ),
    "export --to jsonl": lambda file, folder: _export(file, folder, "jsonl"),
    "export --to perfetto": lambda file, folder: _export(file, folder, "perfetto"),
    "recover": _recover,
}


@pytest.mark.parametrize("command", OF_TRACES)
@pytest.mark.parametrize("file", traces(), ids=lambda path: path.name, indirect=True)
def test_the_value_of_a_trace_is_that_of_the_command(file, command, tmp_path):
    expected, found = OF_TRACES[command](file, tmp_path)
    assert found == expected


DESCRIPTION = {"id": 1, "descs": [{"dimension": "buffer", "width": 1000}]}
POSITION = {"id": 1, "layout": "tile_y", "x_bytes": 16, "y": 4, "pitch_bytes": 128}


def _answers(command, method, lines):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return records(command, stdin=text), method(lines)


def _record(folder):
    options = ("--set", "frames=20", "--threads", 1, "--clock", "logical")
    expected = document("record", "small-level", "-o", folder / "theirs.taut", *options)
    found = taut.record("small-level", folder / "ours.taut", set={"frames": 20}, threads=1, clock="logical")
    assert (folder / "ours.taut").read_bytes() == (folder / "theirs.taut").read_bytes()
    return {**expected, "file": None}, {**found, "file": None}


def _etl(folder):
    """A Windows trace next to the repository."""
    files = sorted((ROOT.resolve().parent / "shared").rglob("*.etl"), key=lambda path: path.stat().st_size)
    if not files:
        pytest.skip("no Windows trace next to the repository")
    return files[0]


def _import(folder):
    etl = _etl(folder)
    expected = document("import", etl, "-o", folder / "theirs.taut")
    found = value(lambda: taut.import_etl(etl, folder / "ours.taut"))
    assert (folder / "ours.taut").read_bytes() == (folder / "theirs.taut").read_bytes()
    return {**expected, "file": None}, {**found, "file": None}


CASES = ROOT / "testdata/dxgi-cases.json"

#: Command and options, and a function of a folder: the command's value and the method's.
OF_INPUTS = {
    "alloc-info": lambda _: _answers("alloc-info", taut.alloc_info, [DESCRIPTION, {"id": 2, "wrong": 1}]),
    "tile-info": lambda _: _answers("tile-info", taut.tile_info, [POSITION, {**POSITION, "layout": "wrong"}]),
    "cache": lambda _: (document("cache"), taut.cache()),
    "drivers": lambda _: (document("drivers"), taut.drivers()),
    "drivers NAME": lambda _: (document("drivers", "peer"), taut.drivers("peer")),
    "machines": lambda _: (document("machines"), taut.machines()),
    "machines NAME": lambda _: (document("machines", "hybrid-laptop"), taut.machines("hybrid-laptop")),
    "workloads": lambda _: (document("workloads"), taut.workloads()),
    "workloads NAME": lambda _: (document("workloads", "small-level"), taut.workloads("small-level")),
    "schema": lambda _: (document("schema"), taut.schema()),
    "hlk": lambda _: (document("hlk", "--driver", "peer"), taut.hlk("peer")),
    "hlk --cases": lambda _: (document("hlk", "--cases", CASES), taut.hlk(cases=CASES)),
    "hlk --machine": lambda _: (document("hlk", "--machine", "narrow-laptop"), taut.hlk(machine="narrow-laptop")),
    "etl-profile": lambda _: (document("etl", "profile"), taut.etl_profile()),
    "etl-info": lambda folder: (document("etl", "info", _etl(folder)), value(lambda: taut.etl_info(_etl(folder)))),
    "import": _import,
    "record": _record,
}


@pytest.mark.parametrize("command", OF_INPUTS)
def test_the_value_of_an_input_is_that_of_the_command(command, tmp_path, monkeypatch):
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    expected, found = OF_INPUTS[command](tmp_path)
    assert found == expected and found


#: Requests to a recording, whose counts change: the command, and keys that do not.
OF_RECORDINGS = {
    "control-status": ("status", None, {"process", "providers"}),
    "control-disable": ("disable", "ddi", {"process", "providers"}),
    "control-enable": ("enable", "ddi", {"process", "providers"}),
    "control-snapshot": ("snapshot", None, {"lost_events"}),
    "control-stop": ("stop", None, {"process"}),
}


@pytest.mark.skipif(os.name == "nt", reason="a recording of another process")
def test_answers_of_a_recording_are_those_of_the_command(tmp_path):
    file = tmp_path / "running.taut"
    start = [PROGRAM, "record", "streaming-world", "--set", "frames=1000000", "-o", file, "--quiet"]
    recording = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while value(lambda: taut.control(file)) is None:
            assert recording.poll() is None
        for request, provider, same in list(OF_RECORDINGS.values())[:-1]:
            found = taut.control(file, request, provider)
            expected = document("control", file, request, *([provider] if provider else []))
            assert found.keys() == expected.keys()
            assert {key: found[key] for key in same} == {key: expected[key] for key in same}
        assert taut.control(file, "stop") == {"process": recording.pid}
        assert recording.wait(timeout=60) == 0
        assert value(lambda: taut.control(file)) is None
    finally:
        recording.kill()
        recording.wait()
    assert pathlib.Path(file).exists()
