"""Contents of the build: drivers, machines, workloads, schema; and requests to a recording in progress."""

from __future__ import annotations

import json
from typing import Any, Iterable, List, Mapping, Optional

from . import _tautline
from ._options import Path, Settings, path_text, settings
from ._values import Values, parse as _parse

__all__ = ["alloc_info", "cache", "control", "drivers", "machines", "schema", "tile_info", "workloads"]


def drivers(name: Optional[str] = None) -> Any:
    """The driver models, or the named one with its profile. The values of ``taut drivers``.

    >>> import tautline as taut
    >>> "reference" in [driver.name for driver in taut.drivers()]
    True
    """
    return _parse(_tautline.listed("drivers", name))


def machines(name: Optional[str] = None) -> Any:
    """The machines, or the named one with its profile. The values of ``taut machines``."""
    return _parse(_tautline.listed("machines", name))


def workloads(name: Optional[str] = None) -> Any:
    """The bundled workloads, or the named one with its parameters. The values of ``taut workloads``."""
    return _parse(_tautline.listed("workloads", name))


def schema() -> Values:
    """Every API call, DDI call and mark with its fields. The values of ``taut schema``."""
    values: Values = _parse(_tautline.schema())
    return values


def cache(*, clear: bool = False) -> Values:
    """The cached tables of ``taut query``, which this package does not use. The values of ``taut cache``."""
    values: Values = _parse(_tautline.cache(clear))
    return values


def control(
    file: Path, request: str = "status", provider: Optional[str] = None, *, timeout: float = 10.0
) -> Values:
    """Sends a request to a recording in progress, of any process. The values of ``taut control``.

    Requests: ``status``, ``snapshot``, ``enable`` and ``disable`` (of a provider), ``stop``. The timeout is in seconds.
    """
    values: Values = _parse(_tautline.control(path_text(file), request, provider, timeout))
    return values


def alloc_info(
    descriptions: Iterable[Mapping[str, Any]],
    *,
    driver: Optional[str] = None,
    rules: str = "1.618",
    setting: Settings = (),
) -> List[Values]:
    """Size and alignment of resource descriptions. The values of ``taut alloc-info``; a wrong one has ``error``."""
    lines = [json.dumps(description) for description in descriptions]
    values: List[Values] = _parse(_tautline.answers("alloc-info", lines, driver, rules, settings(setting)))
    return values


def tile_info(positions: Iterable[Mapping[str, Any]]) -> List[Values]:
    """Offsets of bytes in tiled surfaces. The values of ``taut tile-info``; a wrong position has ``error``.

    >>> import tautline as taut
    >>> taut.tile_info([{"id": 1, "layout": "tile_y", "x_bytes": 16, "y": 4, "pitch_bytes": 128}])
    [{'id': 1, 'offset_bytes': 512}]
    """
    lines = [json.dumps(position) for position in positions]
    values: List[Values] = _parse(_tautline.answers("tile-info", lines, None, "1.618", []))
    return values
