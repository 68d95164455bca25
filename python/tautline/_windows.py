"""Windows traces (.etl)."""

from __future__ import annotations

import warnings
from typing import Iterable, List, Optional

from . import _tautline
from ._errors import TautWarning
from ._options import Path, optional, path_text
from ._values import Values, parse as _parse

__all__ = ["etl_info", "etl_profile", "import_etl"]


def _warn(file: str, damage: List[str], unsupported: List[str]) -> None:
    for event in unsupported:
        warnings.warn(f"{file}: {event}: its fields have structures or unknown types", TautWarning, stacklevel=3)
    if damage:
        more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
        warnings.warn(f"{file}: {damage[0]}{more}", TautWarning, stacklevel=3)


def etl_info(file: Path, *, manifest: Iterable[Path] = ()) -> Values:
    """Session, clock, providers, events and losses of a Windows trace. The values of ``taut etl info``."""
    name = path_text(file)
    text, damage, unsupported = _tautline.etl_info(name, [path_text(path) for path in manifest])
    _warn(name, damage, unsupported)
    values: Values = _parse(text)
    return values


def etl_profile() -> Values:
    """Providers and keywords of a recording on Windows. The values of ``taut etl profile``."""
    values: Values = _parse(_tautline.etl_profile())
    return values


def import_etl(
    file: Path,
    output: Optional[Path] = None,
    *,
    provider: Iterable[str] = (),
    process: Iterable[int] = (),
    from_: Optional[int] = None,
    to: Optional[int] = None,
    all: bool = False,
    manifest: Iterable[Path] = (),
    redact: bool = False,
    force: bool = False,
) -> Values:
    """Imports the events of a Windows trace. The values of ``taut import``."""
    name = path_text(file)
    arguments = {
        "file": name,
        "output": optional(output),
        "provider": list(provider),
        "process": list(process),
        "from": from_,
        "to": to,
        "all": all,
        "manifest": [path_text(path) for path in manifest],
        "redact": redact,
        "force": force,
    }
    text, damage, unsupported = _tautline.import_etl(arguments)
    _warn(name, damage, unsupported)
    values: Values = _parse(text)
    return values
