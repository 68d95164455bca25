"""Results of operations: the values of the commands."""

import doctest
import html
import importlib
import os
import pickle
import pkgutil
import shutil
import subprocess
import sys
import warnings

import pytest

import tautline as taut
from conftest import ROOT


def test_info_is_that_of_the_command(trace, path, command):
    assert trace.info == command("info", path)
    assert trace.inspect(verify=True) == command("info", path, "--verify")


def test_reports_are_those_of_the_command(trace, path, command):
    assert trace.report() == command("analyze", path)
    alignment = trace.report("alignment")
    assert alignment.figures == command("analyze", path, "--report", "alignment")["reports"]["alignment"]
    assert str(alignment) == alignment.verdict and alignment.verdict
    assert "<html" in alignment.html()


def test_a_replay_is_that_of_the_command(trace, path, command):
    assert trace.replay() == command("replay", path)
    assert trace.replay(tight=True) == command("replay", path, "--tight", "on")
    assert trace.replay(driver="peer") == command("replay", path, "--driver", "peer")


def test_a_what_if_writes_its_changes(trace, path, tmp_path, command):
    ours, theirs = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert trace.replay(tight=True, changes=ours) == command("replay", path, "--tight", "on", "--changes", theirs)
    assert ours.read_bytes() == theirs.read_bytes() != b""


def test_placements_are_those_of_the_command(trace, path, command):
    values = trace.replay(place=["best-fit", "tlsf"], block_size=[1 << 24])
    expected = command("replay", path, "--place", "best-fit,tlsf", "--block-size", "16MiB")

    def without_times(document):
        return {**document, "policies": [{**policy, "ns_per_allocation": 0} for policy in document["policies"]]}

    assert without_times(values) == without_times(expected) and len(values.policies) == 2
    with pytest.raises(taut.OptionError, match="no-such-policy"):
        trace.replay(place=["no-such-policy"])


def test_options_that_exclude_each_other_are_wrong(trace, tmp_path):
    for options in ({"repeat": 2, "tight": True}, {"repeat": 0}, {"workers": 0}, {"task_ns": 10**9 + 1}, {"sweep": "n_min=50", "output": tmp_path / "x.taut"}):
        with pytest.raises(taut.OptionError):
            trace.replay(**options)
    assert not (tmp_path / "x.taut").exists()


def test_a_report_of_a_budget_and_a_baseline_is_that_of_the_command(trace, path, tmp_path, command):
    baseline = tmp_path / "baseline.taut"
    taut.record("small-level", baseline, driver="peer", clock="logical")
    assert trace.report("alignment", baseline=baseline) == command(
        "analyze", path, "--report", "alignment", "--baseline", baseline
    )


def test_a_lake_has_the_rows_of_its_traces(trace, path, tmp_path, command):
    pytest.importorskip("pyarrow")
    command("export", path, "--to", "parquet", "-o", tmp_path / "lake")
    lake = taut.lake(tmp_path / "lake")
    sql = "SELECT stamp, name FROM events ORDER BY stamp, thread"
    assert lake.query(sql).arrow().to_pylist() == trace.query(sql).arrow().to_pylist()
    assert len(lake.traces) == 1
    for table in lake.tables:
        assert len(lake.table(table.name)) == len(trace.table(table.name)), table.name
    with pytest.raises(taut.TraceError):
        taut.lake(tmp_path / "missing")


def test_a_lake_that_disappears_raises(path, tmp_path, command):
    command("export", path, "--to", "parquet", "-o", tmp_path / "lake")
    lake = taut.lake(tmp_path / "lake")
    shutil.rmtree(tmp_path / "lake")
    with pytest.raises(taut.TautError):
        len(lake.table("events"))


def test_a_replay_writes_a_trace(trace, path, tmp_path, command):
    ours, theirs = tmp_path / "a.taut", tmp_path / "b.taut"
    values = trace.replay(tight=True, output=ours)
    assert values == command("replay", path, "--tight", "on", "-o", theirs)
    assert len(taut.open(ours).table("events")) == len(taut.open(theirs).table("events"))
    assert taut.diff(path, ours).identical is False


def test_a_diff_is_that_of_the_command(path, tmp_path, command):
    other = tmp_path / "other.taut"
    taut.record("small-level", other, driver="peer", clock="logical")
    differences = taut.diff(path, other)
    assert differences == command("diff", path, other)
    assert str(differences) and html.escape(str(differences)) in differences._repr_html_()


def test_the_kit_is_that_of_the_command(command):
    results = taut.hlk("peer")
    assert results == command("hlk", "--driver", "peer")
    assert [check.id for check in results.checks if check.status == "fail"] == []
    one = results.checks[0].id
    assert [check.id for check in taut.hlk(check=one).checks] == [one]


def test_a_recording_is_that_of_the_command(tmp_path, command):
    ours, theirs = tmp_path / "a.taut", tmp_path / "b.taut"
    values = taut.record("small-level", ours, set={"frames": 20}, seed=5, threads=1, clock="logical")
    options = ("--set", "frames=20", "--seed", 5, "--threads", 1, "--clock", "logical")
    expected = command("record", "small-level", "-o", theirs, *options)
    assert {**values, "file": None} == {**expected, "file": None}
    assert ours.read_bytes() == theirs.read_bytes()


def test_an_export_is_that_of_the_command(trace, path, tmp_path, command):
    ours, theirs = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    values = trace.export(ours, to="jsonl")
    command("export", path, "--to", "jsonl", "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes() and values.bytes == len(ours.read_bytes())


def test_a_complete_trace_needs_no_recovery(path, command):
    assert taut.recover(path) == command("recover", path)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_killed_recording_is_read_and_recovered(tmp_path, command):
    output, copy = tmp_path / "killed.taut", tmp_path / "copy"
    program = (
        "import os, signal, sys, threading, time\n"
        "import tautline as taut\n"
        "threading.Thread(target=lambda: (time.sleep(1), os.kill(os.getpid(), signal.SIGKILL))).start()\n"
        "taut.record('streaming-world', sys.argv[1], set={'frames': 100000})\n"
    )
    subprocess.run([sys.executable, "-c", program, output], check=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        info = taut.open(output).info
        assert info == command("info", output) and not info.complete and info.events > 0
        shutil.copytree(tmp_path, copy)
        recovered = taut.recover(output)
    assert recovered == {**command("recover", copy / output.name), "file": str(output)}
    assert recovered.events == info.events and taut.open(output).info.complete


def test_values_cannot_be_changed_and_can_be_copied(trace):
    info = trace.info
    with pytest.raises(TypeError):
        info["events"] = 0
    with pytest.raises(TypeError):
        info.events = 0
    with pytest.raises(AttributeError, match="expected one of"):
        info.no_such_value
    assert pickle.loads(pickle.dumps(info)) == info


def test_examples_of_the_documentation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    modules = [importlib.import_module(f"tautline.{name}") for _, name, _ in pkgutil.iter_modules(taut.__path__)]
    results = [doctest.testmod(module) for module in [taut, *modules]]
    assert sum(result.failed for result in results) == 0 and sum(result.attempted for result in results) > 10


def test_options_of_a_recording_are_those_of_the_command(tmp_path, command):
    ours, theirs = tmp_path / "a.taut", tmp_path / "b.taut"
    values = taut.record(
        "small-level", ours, threads=1, clock="logical", providers=["api", "task"], buffer_size=4 << 10, buffers=2,
        on_full="block", sync_interval=0, flush_interval=0.5, max_time=600, max_size=1 << 24, mode="sequential",
    )
    options = (
        "--threads", 1, "--clock", "logical", "--providers", "api,task", "--buffer-size", "4KiB", "--buffers", 2,
        "--on-full", "block", "--sync-interval", "0s", "--flush-interval", "500ms", "--max-time", "10m",
        "--max-size", "16MiB", "--mode", "sequential",
    )
    expected = command("record", "small-level", "-o", theirs, *options)
    assert {**values, "file": None} == {**expected, "file": None}
    # Blocks depend on time: only their content is the same.
    assert taut.diff(ours, theirs).identical
    assert taut.open(ours).info.providers["ddi"] == 0


def test_a_ring_and_a_snapshot_are_recorded(tmp_path):
    ring = tmp_path / "ring.taut"
    taut.record("streaming-world", ring, set={"frames": 2000}, mode="ring", max_size=1 << 20)
    assert taut.open(ring).info.lost_events == 0 and ring.stat().st_size < 2 << 20
    taut.record("small-level", tmp_path / "x.taut", snapshot_on="CreateHeap")
    assert taut.open(tmp_path / "x.1.taut").info.events > 0


@pytest.mark.parametrize(
    "options, why",
    [
        ({"clock": "logicl"}, "logical"),
        ({"mode": "rign"}, "ring"),
        ({"on_full": "wait"}, "block"),
        ({"mode": "ring"}, "max-size"),
        ({"buffer_size": 4095}, "4KiB to 64MiB"),
        ({"buffers": 0}, "1 to 65536"),
        ({"max_size": 65535}, "64KiB or more"),
        ({"flush_interval": 0.0005}, "1ms or more"),
        ({"sync_interval": -1.0}, "sync_interval"),
        ({"max_time": float("nan")}, "max_time"),
        ({"providers": ["apu"]}, "api"),
        ({"snapshot_on": "CreateHaep"}, "CreateHeap"),
    ],
)
def test_a_wrong_option_of_a_recording_names_what_is_expected(tmp_path, options, why):
    with pytest.raises(taut.OptionError, match=why):
        taut.record("small-level", tmp_path / "x.taut", **options)
    assert not list(tmp_path.iterdir())


def test_a_budget_of_heaps_is_that_of_the_command(trace, path, command):
    options = ("--heap-budget", "DEFAULT=1MiB,UPLOAD=4096")
    report = trace.report(heap_budget={"DEFAULT": 1 << 20, "UPLOAD": 4096})
    assert report == command("analyze", path, *options) != trace.report()
    for wrong in ({"heap_budget": {"VRAM": 1}}, {"scan_out_ratio": 0.0}, {"memory_pj_per_byte": -1.0}):
        with pytest.raises(taut.OptionError, match="expected"):
            trace.report(**wrong)


def test_examples_of_the_page(tmp_path, monkeypatch, command):
    pytest.importorskip("polars")
    page = (ROOT / "docs/python.md").read_text()
    lines = [line[4:] for line in page.splitlines() if line.startswith("    ") and "pip install" not in line]
    assert len(lines) > 10
    monkeypatch.chdir(tmp_path)
    for name in ("ma", "a", "b"):
        taut.record("small-level", f"{name}.taut", clock="logical")
    command("export", "ma.taut", "--to", "parquet", "-o", "lake")
    for line in lines:
        exec(line, globals())
    assert len(taut.open("ma.taut").table("resources").polars()) > 0
