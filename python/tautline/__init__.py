"""Traces of a Direct3D runtime and its driver: SQL over their tables, reports, recording and replay.

>>> import tautline as taut
>>> recorded = taut.record("small-level", "doc.taut", clock="logical")
>>> trace = taut.open("doc.taut")
>>> trace.info.events == recorded.events
True
>>> trace.query("SELECT count(*) AS events FROM events").columns
['events']
>>> trace.replay().identical
True

A result has the keys of ``taut --json``; each key is an attribute too. Options have the names and defaults of ``taut``.
"""

from __future__ import annotations

import atexit
import warnings
from typing import List, Mapping, Optional, Sequence, Tuple, Union

from . import _tautline
from ._errors import OptionError, OutputError, QueryError, TautError, TautWarning, TraceError
from ._frames import Batch, Frame
from ._listing import alloc_info, cache, control, drivers, machines, schema, tile_info, workloads
from ._options import Path, Progress, Settings, Shown, optional, path_text, settings
from ._traces import Lake, Trace
from ._values import Report, Values, parse as _parse
from ._windows import etl_info, etl_profile, import_etl

__version__: str = _tautline.__version__

__all__ = [
    "Batch",
    "Frame",
    "Lake",
    "OptionError",
    "OutputError",
    "QueryError",
    "Report",
    "TautError",
    "TautWarning",
    "Trace",
    "TraceError",
    "Values",
    "alloc_info",
    "cache",
    "control",
    "diff",
    "drivers",
    "etl_info",
    "etl_profile",
    "hlk",
    "import_etl",
    "lake",
    "machines",
    "open",
    "query",
    "record",
    "recover",
    "schema",
    "tile_info",
    "workloads",
]

atexit.register(_tautline.remove_unfinished)


def open(path: Path) -> Trace:
    """Opens a trace."""
    return Trace(path)


def lake(path: Path) -> Lake:
    """Opens a lake."""
    return Lake(path)


def query(traces: Mapping[str, Union[Path, Trace]], sql: str) -> Frame:
    """A query over several traces, whose tables have a first column ``trace`` with the trace's name."""
    opened: List[Tuple[str, Trace]] = [
        (name, trace if isinstance(trace, Trace) else Trace(trace)) for name, trace in traces.items()
    ]
    if not opened:
        raise OptionError("traces: expected one trace or more, found none")

    def warn() -> None:
        for _, trace in opened:
            trace._warn()

    named = [(name, trace._native) for name, trace in opened]
    return Frame(lambda sql: _tautline.query(named, None, sql), sql, warn)


def record(
    workload: Path,
    output: Optional[Path] = None,
    *,
    driver: Optional[str] = None,
    machine: Optional[str] = None,
    rules: str = "1.618",
    setting: Settings = (),
    seed: int = 1,
    threads: Optional[int] = None,
    set: Settings = (),
    clock: str = "best",
    sync_interval: float = 1.0,
    buffer_size: int = 256 << 10,
    buffers: int = 64,
    on_full: str = "block",
    mode: str = "sequential",
    max_size: Optional[int] = None,
    max_time: Optional[float] = None,
    flush_interval: Optional[float] = None,
    providers: Sequence[str] = ("api", "ddi", "task", "memory"),
    snapshot_on: Optional[str] = None,
    force: bool = False,
    progress: Progress = None,
) -> Values:
    """Records a bundled workload, or the input in a file. The values of ``taut record``. Times are in seconds."""
    arguments = {
        "workload": path_text(workload),
        "output": optional(output),
        "driver": driver,
        "machine": machine,
        "rules": rules,
        "setting": settings(setting),
        "seed": seed,
        "threads": threads,
        "set": settings(set),
        "clock": clock,
        "sync_interval": sync_interval,
        "buffer_size": buffer_size,
        "buffers": buffers,
        "on_full": on_full,
        "mode": mode,
        "max_size": max_size,
        "max_time": max_time,
        "flush_interval": flush_interval,
        "providers": list(providers),
        "snapshot_on": snapshot_on,
        "force": force,
    }
    with Shown(progress) as function:
        text, notes = _tautline.record(arguments, function)
    for note in notes:
        warnings.warn(f"{arguments['workload']}: {note}", TautWarning, stacklevel=2)
    values: Values = _parse(text)
    return values


def recover(path: Path, *, output: Optional[Path] = None, force: bool = False) -> Values:
    """Completes a recording that was not ended, in place or in another file. The values of ``taut recover``."""
    values: Values = _parse(_tautline.recover(path_text(path), optional(output), force))
    return values


def diff(a: Union[Path, Trace], b: Union[Path, Trace]) -> Values:
    """Differences of two traces. The values of ``taut diff``."""
    first, second = (trace if isinstance(trace, Trace) else Trace(trace) for trace in (a, b))
    text, verdict = _tautline.diff(first._native, second._native)
    values: Values = _parse(text, verdict)
    return values


def hlk(
    driver: Optional[str] = None,
    *,
    rules: str = "1.618",
    setting: Settings = (),
    check: Optional[str] = None,
    cases: Optional[Path] = None,
    machine: Optional[str] = None,
) -> Values:
    """Results of the conformance kit on a driver model, of a file of cases, or of the manual test's grid on a machine. The
    values of ``taut hlk``.

    >>> import tautline as taut
    >>> [check.status for check in taut.hlk("peer", check="A-51").checks]
    ['pass']
    """
    values: Values = _parse(_tautline.hlk(driver, rules, settings(setting), check, optional(cases), machine))
    if cases is None and machine is None:
        failed = sum(one.status == "fail" for one in values.checks)
        object.__setattr__(values, "_verdict", f"{values.driver}: {failed} of {len(values.checks)} checks failed")
    return values
