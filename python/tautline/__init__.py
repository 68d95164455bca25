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
import os
import sys
import warnings
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _tautline
from ._errors import OptionError, OutputError, QueryError, TautError, TautWarning, TraceError
from ._frames import Batch, Frame
from ._values import Report, Values, parse as _parse

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
    "diff",
    "hlk",
    "lake",
    "open",
    "query",
    "record",
    "recover",
]

atexit.register(_tautline.remove_unfinished)

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Progress = Union[bool, Callable[[int, int], Any], None]
Settings = Union[Mapping[str, Any], Sequence[str]]


def _path(path: Path) -> str:
    name = os.fsdecode(path)
    if "\0" in name:
        raise OptionError(f"{name!r}: expected a path, found a NUL character")
    return name


def _optional(path: Optional[Path]) -> Optional[str]:
    return None if path is None else _path(path)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _settings(values: Settings) -> List[str]:
    if isinstance(values, Mapping):
        return [f"{key}={_text(value)}" for key, value in values.items()]
    return [values] if isinstance(values, str) else list(values)


def _bar(done: int, total: int) -> None:
    share = f"{100 * done // total:3} %" if total else f"{done}"
    sys.stderr.write(f"\r{share}")
    sys.stderr.flush()


class _Progress:
    """Function for the native part; a bar ends with its line."""

    def __init__(self, progress: Progress) -> None:
        self.is_bar = progress is True
        self.function = _bar if progress is True else (progress or None)

    def __enter__(self) -> Any:
        return self.function

    def __exit__(self, *_: Any) -> None:
        if self.is_bar:
            sys.stderr.write("\n")


def _quoted(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


def _table(source: Any, name: str, columns: Optional[Iterable[str]]) -> Frame:
    selected = "*" if columns is None else ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    frame: Frame = source.query(f"SELECT {selected} FROM {_quoted(name)}")
    return frame


class Trace:
    """An open trace. Its file was read into memory: a change of the file has no effect."""

    def __init__(self, path: Path) -> None:
        self._native = _tautline.open(_path(path))
        self._warned = False
        self._warn()

    def _warn(self) -> None:
        damage = [] if self._warned else self._native.damage_met()
        if damage:
            self._warned = True
            more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
            warnings.warn(f"{self.path}: damaged at {damage[0]}{more}", TautWarning, stacklevel=3)

    @property
    def path(self) -> str:
        """Path of the file."""
        return os.fspath(self._native.path)

    @property
    def info(self) -> Values:
        """Header, threads, counts and losses: the values of ``taut info``."""
        return self.inspect()

    def inspect(self, *, verify: bool = False) -> Values:
        """The values of ``taut info``; with ``verify``, every block is checked."""
        values: Values = _parse(self._native.info(verify))
        return values

    @property
    def damage(self) -> List[Values]:
        """Damaged parts: offset, what, expected, found, events_lost."""
        damage: List[Values] = _parse(self._native.damage())
        return damage

    @property
    def tables(self) -> List[Values]:
        """Tables that a query can name: name, full_name, columns, records."""
        tables: List[Values] = _parse(self._native.tables())
        return tables

    def query(self, sql: str) -> Frame:
        """A query over the tables of the trace."""
        return Frame(lambda sql: _tautline.query([("trace", self._native)], None, sql), sql, self._warn)

    def table(self, name: str, *, columns: Optional[Iterable[str]] = None) -> Frame:
        """A table, or some of its columns."""
        return _table(self, name, columns)

    def report(self, *names: str, **options: Any) -> Report:
        """Results of reports: of those named, or of all that apply.

        Options: ``budget``, ``baseline`` (paths), ``fit_frames``, ``fit_tolerance``, ``cache_geometry``,
        ``scan_out_ratio``, ``memory_pj_per_byte``, ``link_pj_per_byte``.
        """
        known: Dict[str, Any] = {
            "budget": None,
            "baseline": None,
            "fit_frames": None,
            "fit_tolerance": None,
            "cache_geometry": None,
            "scan_out_ratio": 1.0,
            "memory_pj_per_byte": None,
            "link_pj_per_byte": None,
        }
        _check_options(options, known)
        arguments = {**known, **options, "report": list(names)}
        for path in ("budget", "baseline"):
            arguments[path] = _optional(arguments[path])
        native = self._native
        text, verdict = _tautline.report(self._native, arguments, "json")
        report: Report = _parse(text, verdict, Report)
        object.__setattr__(report, "_render", lambda form: _tautline.report(native, arguments, form)[0])
        return report

    def replay(
        self,
        *,
        driver: Optional[str] = None,
        machine: Optional[str] = None,
        rules: Optional[str] = None,
        setting: Settings = (),
        tight: Union[bool, str, None] = None,
        change: Sequence[str] = (),
        workers: Optional[int] = None,
        task_ns: Optional[int] = None,
        changes: Optional[Path] = None,
        sweep: Optional[str] = None,
        place: Sequence[str] = (),
        block_size: Sequence[int] = (64 << 20,),
        dedicated_above: int = 32 << 20,
        repeat: int = 1,
        until: Optional[int] = None,
        output: Optional[Path] = None,
        limit: int = 10,
        force: bool = False,
        progress: Progress = None,
    ) -> Values:
        """Replays the trace: as recorded, or with changes. The values of ``taut replay``."""
        arguments = {
            "driver": driver,
            "machine": machine,
            "rules": rules,
            "setting": _settings(setting),
            "tight": ("on" if tight else "off") if isinstance(tight, bool) else tight,
            "change": list(change),
            "workers": workers,
            "task_ns": task_ns,
            "changes": _optional(changes),
            "sweep": sweep,
            "place": list(place),
            "block_size": list(block_size),
            "dedicated_above": dedicated_above,
            "repeat": repeat,
            "until": until,
            "output": _optional(output),
            "limit": limit,
            "force": force,
        }
        with _Progress(progress) as function:
            text = _tautline.replay(self._native, arguments, function)
        values: Values = _parse(text)
        return values

    def export(self, output: Path, *, to: str = "perfetto", force: bool = False, progress: Progress = None) -> Values:
        """Writes the trace for another tool: ``perfetto``, ``jsonl`` or ``etl``."""
        with _Progress(progress) as function:
            text, damage = _tautline.export(self._native, to, _path(output), force, function)
        if damage:
            warnings.warn(f"{self.path}: damaged at {damage[0]}", TautWarning, stacklevel=2)
        values: Values = _parse(text)
        return values

    def __repr__(self) -> str:
        return f"Trace({self.path!r})"

    def _repr_html_(self) -> str:
        return self.info._repr_html_()


class Lake:
    """A folder of traces that ``taut export --to parquet`` wrote."""

    def __init__(self, path: Path) -> None:
        self.path = _path(path)
        self._native = _tautline.open_lake(self.path)

    @property
    def traces(self) -> List[str]:
        """Ids of the traces."""
        return list(self._native.traces)

    @property
    def tables(self) -> List[Values]:
        """Tables that a query can name: name, full_name, columns, records."""
        tables: List[Values] = _parse(self._native.tables())
        return tables

    def query(self, sql: str) -> Frame:
        """A query over the tables of all traces, which have a first column ``trace``."""
        return Frame(lambda sql: _tautline.query([], self._native, sql), sql, lambda: None)

    def table(self, name: str, *, columns: Optional[Iterable[str]] = None) -> Frame:
        """A table, or some of its columns."""
        return _table(self, name, columns)

    def __repr__(self) -> str:
        return f"Lake({self.path!r})"


def _check_options(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in options:
        if name not in known:
            import difflib

            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
            raise OptionError(f"unknown option {name!r}: {hint}", near or list(known))


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
    force: bool = False,
    progress: Progress = None,
) -> Values:
    """Records a bundled workload, or the input in a file. The values of ``taut record``."""
    arguments = {
        "workload": _path(workload),
        "output": _optional(output),
        "driver": driver,
        "machine": machine,
        "rules": rules,
        "setting": _settings(setting),
        "seed": seed,
        "threads": threads,
        "set": _settings(set),
        "clock": clock,
        "force": force,
    }
    with _Progress(progress) as function:
        text, notes = _tautline.record(arguments, function)
    for note in notes:
        warnings.warn(f"{arguments['workload']}: {note}", TautWarning, stacklevel=2)
    values: Values = _parse(text)
    return values


def recover(path: Path, *, output: Optional[Path] = None, force: bool = False) -> Values:
    """Completes a recording that was not ended, in place or in another file. The values of ``taut recover``."""
    values: Values = _parse(_tautline.recover(_path(path), _optional(output), force))
    return values


def diff(a: Union[Path, Trace], b: Union[Path, Trace]) -> Values:
    """Differences of two traces. The values of ``taut diff``."""
    first, second = (trace if isinstance(trace, Trace) else Trace(trace) for trace in (a, b))
    text, verdict = _tautline.diff(first._native, second._native)
    values: Values = _parse(text, verdict)
    return values


def hlk(
    driver: Optional[str] = None, *, rules: str = "1.618", setting: Settings = (), check: Optional[str] = None
) -> Values:
    """Results of the conformance kit on a driver model. The values of ``taut hlk``."""
    text = _tautline.hlk(driver, rules, _settings(setting), check)
    values: Values = _parse(text)
    failed = sum(one.status == "fail" for one in values.checks)
    object.__setattr__(values, "_verdict", f"{values.driver}: {failed} of {len(values.checks)} checks failed")
    return values
