"""Asks DuckDB the questions of a file and compares its answers with those that the file has."""

import csv
import json
import math
import re
import sys
from decimal import Decimal
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).parents[3] / "fleet"))
from ask import plan  # noqa: E402

TABLES = "events calls ddi_calls resources heaps placements memory phases messages passes tasks draws".split()


def world(lake, names):
    """A database with the lake's tables as views, of these traces only."""
    database = duckdb.connect()
    several = len(names) > 1
    stored, views = plan(lake, TABLES, "duckdb")
    for table, file in stored:
        files = [f"{lake}/{file}/trace={trace}/{file}.parquet" for trace in names]
        rows = f"read_parquet({files}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)"
        database.execute(f"CREATE VIEW {table} AS SELECT * FROM {rows}")
    for view in views:
        database.execute(view)
    # As they are called in the questions: one trace has no column `trace`, several have their names in it.
    database.execute("CREATE SCHEMA asked")
    for table in TABLES:
        called = "CASE trace " + " ".join(f"WHEN '{trace}' THEN '{name}'" for trace, name in names.items()) + " END"
        columns = f"{called} AS trace, * EXCLUDE (trace)" if several else "* EXCLUDE (trace)"
        database.execute(f"CREATE VIEW asked.{table} AS SELECT {columns} FROM main.{table}")
    database.execute("SET search_path = 'asked'")
    return database


def plain(value):
    if isinstance(value, Decimal):
        return float(value) if value != value.to_integral_value() else int(value)
    return value


def alike(one, other):
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    # JSON has no number for these.
    if isinstance(one, str) and isinstance(other, float):
        return one.lower() == str(other)
    return one == other


def sortable(row):
    return [(value is None, isinstance(value, str), value if value is not None else 0) for value in row]


NULL = "<null>"
# DuckDB 1.5 (the program) and 2.0 (the module) differ: null or an error.
VERSIONS_DIFFER = {"SELECT 1 // 0", "SELECT 1 % 0", "SELECT ln(0), ln(-1), ln(0.5), ln(NULL::DOUBLE), sqrt(-1)"}


def typed(text, theirs):
    """Rows of CSV, each cell as a value of the kind that the column has in the other answer."""
    rows = list(csv.reader(text.splitlines()))
    kinds = [next((type(row[place]) for row in theirs if row[place] is not None), str) for place in range(len(theirs[0]))]
    plain_text = {bool: lambda cell: cell == "true", int: int, float: float}

    def value(cell, kind):
        return None if cell == NULL else plain_text.get(kind, str)(cell)

    return [[value(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in rows]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    worlds = {of: world(given["lake"], names) for of, names in given["names"].items()}
    equal, refused, different = 0, 0, 0
    for answer in given["answers"]:
        sql = answer["sql"]
        try:
            theirs = [[plain(value) for value in row] for row in worlds[answer["of"]].execute(sql).fetchall()]
        except duckdb.Error as error:
            theirs = str(error).splitlines()[0]
        if answer["refused"] is not None:
            refused += 1
            print(f"refused: {sql}\n  {answer['refused']}\n  DuckDB: {str(theirs)[:100]}")
            continue
        if "csv" in answer and sql in VERSIONS_DIFFER:
            print(f"not compared: {sql}")
            continue
        if "csv" in answer:
            # An error is in both answers.
            theirs = [] if isinstance(theirs, str) else theirs
            ours = typed(answer["csv"], theirs) if theirs else answer["csv"].splitlines()
        else:
            ours = [list(row.values()) for row in json.loads(answer["rows"])]
        same = isinstance(theirs, list)
        if same:
            if not re.search(r"ORDER BY [^)]*$", sql):
                ours, theirs = sorted(ours, key=sortable), sorted(theirs, key=sortable)
            same = len(ours) == len(theirs) and all(
                len(one) == len(other) and all(map(alike, one, other)) for one, other in zip(ours, theirs)
            )
        if same:
            equal += 1
        else:
            different += 1
            print(f"DIFFERENT: {sql}\n  ours   {str(ours)[:300]}\n  DuckDB {str(theirs)[:300]}")
    print(f"{equal} equal, {refused} refused, {different} different")
    sys.exit(1 if different else 0)


main()
