"""Open traces and lakes."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from . import _tautline
from ._errors import TautWarning
from ._frames import Frame
from ._options import Path, Progress, Settings, Shown, check_options, optional, path_text, settings
from ._values import Report, Values, parse as _parse

__all__ = ["Lake", "Trace"]


def _quoted(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


def _table(source: Any, name: str, columns: Optional[Iterable[str]]) -> Frame:
    selected = "*" if columns is None else ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    frame: Frame = source.query(f"SELECT {selected} FROM {_quoted(name)}")
    return frame


class Trace:
    """An open trace. Its file was read into memory: a change of the file has no effect."""

    def __init__(self, path: Path) -> None:
        self._native = _tautline.open(path_text(path))
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
        ``scan_out_ratio``, ``memory_pj_per_byte``, ``link_pj_per_byte``,
        ``heap_budget`` (bytes by heap type).
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
            "heap_budget": {},
        }
        check_options(options, known)
        arguments = {**known, **options, "report": list(names)}
        for path in ("budget", "baseline"):
            arguments[path] = optional(arguments[path])
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
            "setting": settings(setting),
            "tight": ("on" if tight else "off") if isinstance(tight, bool) else tight,
            "change": list(change),
            "workers": workers,
            "task_ns": task_ns,
            "changes": optional(changes),
            "sweep": sweep,
            "place": list(place),
            "block_size": list(block_size),
            "dedicated_above": dedicated_above,
            "repeat": repeat,
            "until": until,
            "output": optional(output),
            "limit": limit,
            "force": force,
        }
        with Shown(progress) as function:
            text = _tautline.replay(self._native, arguments, function)
        values: Values = _parse(text)
        return values

    def export(self, output: Path, *, to: str = "perfetto", force: bool = False, progress: Progress = None) -> Values:
        """Writes the trace for another tool: ``perfetto``, ``jsonl`` or ``etl``."""
        with Shown(progress) as function:
            text, damage = _tautline.export(self._native, to, path_text(output), force, function)
        if damage:
            warnings.warn(f"{self.path}: damaged at {damage[0]}", TautWarning, stacklevel=2)
        values: Values = _parse(text)
        return values

    def dump(
        self,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        around: Optional[int] = None,
        thread: Optional[int] = None,
        event: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Values]:
        """Events with their fields, in order: the values of ``taut dump``. Tables (``query``) need less memory."""
        arguments = {"from": from_, "to": to, "around": around, "thread": thread, "event": event, "limit": limit}
        events: List[Values] = _parse(_tautline.dump(self._native, arguments))
        self._warn()
        return events

    def __repr__(self) -> str:
        return f"Trace({self.path!r})"

    def _repr_html_(self) -> str:
        return self.info._repr_html_()


class Lake:
    """A folder of traces that ``taut export --to parquet`` wrote."""

    def __init__(self, path: Path) -> None:
        self.path = path_text(path)
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
