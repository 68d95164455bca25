#!/usr/bin/env python3
"""Generates etl/providers/*.tsv from field layouts in JSON: etl_tables.py FOLDER.

Origin of the layouts: the manifests of the Windows providers of builds 10240, 17134 and 18990, and published lists of
about 2022 and of Windows 11 26H1. Names and types are facts of those manifests. Lines are described in etl/src/tables.rs.
"""

import json
import pathlib
import sys

# Codes of types, in the order of etl/src/tables.rs.
CODES = dict(u8="B", i8="b", u16="H", i16="h", u32="I", i32="i", u64="Q", i64="q", f32="f", f64="d", bool32="?",
             ptr="P", guid="G", filetime="T", systemtime="Y", sid="S", wstr="W", str="A", bytes="X")
# Lists without a build number: the first build of the release that they describe.
BUILDS = {"2020s": 22000, "26H1": 28000}


def field(entry):
    name, kind, options = entry[0], entry[1], entry[2] if len(entry) > 2 else {}
    text = CODES[kind] + name
    for option, mark in (("count", "["), ("length", "("), ("map", "=")):
        if option in options:
            text += mark + options[option]
    return text


def table(source):
    lines = [f"P\t{source['guid']}\t{source['provider']}"]
    for name, mask in source["keywords"].items():
        lines.append(f"K\t{mask}\t{name}")
    for name, entry in source["maps"].items():
        prefix = "map_" + name
        values = [f"{int(value, 0):x}={text.removeprefix(prefix)}" for value, text in entry["values"].items()]
        lines.append("\t".join(["M" if entry["kind"] == "values" else "F", name, *values]))
    for event in source["events"]:
        builds = ",".join(f"{BUILDS.get(b, b)}:{count}" for b, count in event["known_from"].items())
        head = ["E", str(event["id"]), str(event["version"]), event["symbol"], builds]
        lines.append("\t".join(head + [field(f) for f in event["fields"]]))
        groups = {}
        for build, fields in event.get("other_layouts", {}).items():
            groups.setdefault("\t".join(field(f) for f in fields), []).append(f"{BUILDS.get(build, build)}:{len(fields)}")
        for fields, counts in groups.items():
            lines.append(f"O\t{','.join(counts)}\t{fields}")
    return "\n".join(lines) + "\n"


def main():
    out = pathlib.Path(__file__).parent.parent / "etl/providers"
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        source = json.loads(path.read_text())
        (out / f"{path.stem}.tsv").write_text(table(source))


main()
