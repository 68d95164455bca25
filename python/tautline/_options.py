"""Options of operations, as the native part takes them."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union

from ._errors import OptionError

__all__ = ["Path", "Progress", "Settings", "Shown", "check_options", "optional", "path_text", "settings"]

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Progress = Union[bool, Callable[[int, int], Any], None]
Settings = Union[Mapping[str, Any], Sequence[str]]


def path_text(path: Path) -> str:
    name = os.fsdecode(path)
    if "\0" in name:
        raise OptionError(f"{name!r}: expected a path, found a NUL character")
    return name


def optional(path: Optional[Path]) -> Optional[str]:
    return None if path is None else path_text(path)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def settings(values: Settings) -> List[str]:
    if isinstance(values, Mapping):
        return [f"{key}={_text(value)}" for key, value in values.items()]
    return [values] if isinstance(values, str) else list(values)


def _bar(done: int, total: int) -> None:
    share = f"{100 * done // total:3} %" if total else f"{done}"
    sys.stderr.write(f"\r{share}")
    sys.stderr.flush()


class Shown:
    """Function for the native part; a bar ends with its line."""

    def __init__(self, progress: Progress) -> None:
        self.is_bar = progress is True
        self.function = _bar if progress is True else (progress or None)

    def __enter__(self) -> Any:
        return self.function

    def __exit__(self, *_: Any) -> None:
        if self.is_bar:
            sys.stderr.write("\n")


def check_options(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in options:
        if name not in known:
            import difflib

            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
            raise OptionError(f"unknown option {name!r}: {hint}", near or list(known))
