"""Exceptions. The native part raises them by these names."""

from __future__ import annotations

from typing import Optional, Sequence

__all__ = ["OptionError", "OutputError", "QueryError", "TautError", "TautWarning", "TraceError"]


class TautError(Exception):
    """Error of this package."""


class TautWarning(UserWarning):
    """Part of the input that was left out: damage of a trace, a part of a workload's file."""


class TraceError(TautError):
    """A file cannot be read as a trace or a lake. An error of the system is the cause (``__cause__``)."""

    def __init__(
        self,
        message: str,
        path: Optional[str] = None,
        offset: Optional[int] = None,
        what: Optional[str] = None,
        expected: Optional[str] = None,
        found: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset
        self.what = what
        self.expected = expected
        self.found = found


class QueryError(TautError):
    """A text is not SQL, or names something that does not exist. Line and column count from 1."""

    def __init__(
        self, message: str, line: Optional[int] = None, column: Optional[int] = None, known: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.known = list(known)


class OptionError(TautError, ValueError):
    """An option names something that does not exist, or has a value that is not allowed."""

    def __init__(self, message: str, known: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.known = list(known)


class OutputError(TautError, OSError):
    """A file cannot be written."""

    def __init__(self, message: str, errno: Optional[int] = None, path: Optional[str] = None) -> None:
        super().__init__(message)
        self.errno = errno
        self.filename = path

    def __str__(self) -> str:
        return str(self.args[0])
