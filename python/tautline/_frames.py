"""Results of queries as Arrow streams."""

from __future__ import annotations

import html
import importlib
from typing import Any, Callable, Iterator, List, Optional

from . import _tautline
from ._schema import requested_formats

__all__ = ["Batch", "Frame"]

_SHOWN_ROWS = 10


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed: pip install {name}") from error


class _Rows:
    """Rows that have an Arrow C stream."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise NotImplementedError

    def polars(self) -> Any:
        """The rows as a ``polars.DataFrame``."""
        return _library("polars").DataFrame(self._whole())

    def arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``."""
        return _library("pyarrow").table(self._whole())

    def pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``; needs pyarrow, too."""
        _library("pandas")
        return self.arrow().to_pandas()

    def _whole(self) -> Any:
        return self


class _Capsule:
    """Stream that another library imports once."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._capsule


class Batch(_Rows):
    """Some rows of a query."""

    def __init__(self, native: Any) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._native.stream(requested_formats(requested_schema))

    def __len__(self) -> int:
        return len(self._native)

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        return list(self._native.columns)


class Frame(_Rows):
    """A query. Each use runs it again: a stream, an iteration, a conversion, ``len``."""

    def __init__(self, start: Callable[[str], Any], sql: str, after: Callable[[], None]) -> None:
        self._start = start
        self._after = after
        self._columns: Optional[List[str]] = None
        self.sql = sql

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._start(self.sql).stream(requested_formats(requested_schema))

    def _each(self) -> Iterator[Any]:
        batches = self._start(self.sql)
        while True:
            batch = batches.next()
            if batch is None:
                self._after()
                return
            self._columns = list(batch.columns)
            yield batch

    def __iter__(self) -> Iterator[Batch]:
        for batch in self._each():
            if len(batch):
                yield Batch(batch)

    def __len__(self) -> int:
        return sum(len(batch) for batch in self._each())

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        if self._columns is None:
            next(self._each())
        return list(self._columns or [])

    def _whole(self) -> Any:
        # An interrupt stops the query here; a library that reads a stream notices none.
        return _Capsule(_tautline.Batch.stream_of(list(self._each())))

    def __repr__(self) -> str:
        return f"Frame({self.sql!r})"

    def _repr_html_(self) -> str:
        batch = next(self._each())
        head = "".join(f"<th>{html.escape(name)}</th>" for name in batch.columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in batch.texts(_SHOWN_ROWS)
        )
        return f"<table><tr>{head}</tr>{rows}</table>"
