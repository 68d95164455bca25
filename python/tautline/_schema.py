"""Requested types of columns, from a schema of the Arrow C data interface."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Dict, Tuple

__all__ = ["requested_formats"]

#: ``struct ArrowSchema``: format, name, metadata, flags, n_children, children, dictionary, release, private_data.
_SCHEMA = struct.Struct("PPPqqPPPP")
_STRUCT = b"+s"


def _schema(address: int) -> Tuple[bytes, bytes, int, int]:
    """Format, name, number and address of the children of a schema."""
    form, name, _, _, count, children, _, release, _ = _SCHEMA.unpack(ctypes.string_at(address, _SCHEMA.size))
    if not release:
        return b"", b"", 0, 0
    return ctypes.string_at(form), ctypes.string_at(name) if name else b"", count, children


def requested_formats(capsule: Any) -> Dict[str, str]:
    """Formats of the columns by name; of no column without a schema. The schema lives as long as its capsule."""
    if capsule is None:
        return {}
    address_of = ctypes.pythonapi.PyCapsule_GetPointer
    address_of.restype = ctypes.c_void_p
    address_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    form, _, count, children = _schema(address_of(capsule, b"arrow_schema"))
    if form != _STRUCT:
        return {}
    columns = struct.unpack(f"{count}P", ctypes.string_at(children, count * struct.calcsize("P"))) if count else ()
    return {name.decode(): form.decode() for form, name, _, _ in map(_schema, columns)}
