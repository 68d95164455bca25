"""Every table of a trace, in every library, next to the Parquet file of ``taut export``."""

import os
import subprocess

import pytest

import tautline as taut
from conftest import PROGRAM, ROOT

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

#: Traces with rows in the tables that the demo leaves empty.
CORPUS = ["v1-hybrid-laptop", "v1-deferred-contexts", "v1-never-converges"]


def export(*arguments):
    words = [PROGRAM, *map(str, arguments), "--quiet"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Tables of the demo's traces, and of some of the corpus: name, frame, and path of a Parquet file with its rows."""
    if not os.path.exists(PROGRAM):
        pytest.skip(f"no program {PROGRAM}")
    folder = tmp_path_factory.mktemp("demo")
    export("demo", "-o", folder)
    files = sorted(folder.glob("*.taut"))
    assert [file.stem for file in files] == ["classic", "small-level", "tight"]
    found, files_of_lake = [], set()
    for file in [*files, *(ROOT / "traces/corpus" / f"{name}.taut" for name in CORPUS)]:
        lake = folder / f"lake-{file.stem}"
        export("export", file, "--to", "parquet", "-o", lake)
        trace = taut.open(file)
        of_lake = {path.parent.parent.name: path for path in lake.glob("*/trace=*/*.parquet")}
        # Without rows, a table of one kind of events has columns alone.
        for table in trace.tables:
            if table.records == 0:
                continue
            name = table.full_name or table.name
            path = of_lake.get(name)
            if path is None or not {*table.columns} <= {*parquet.read_schema(path).names}:
                # The lake has the events as calls with all arguments, and the others; it computes tables from these.
                path = lake / f"{name}.parquet"
                quoted = ".".join(f'"{part}"' for part in name.split("."))
                export("query", "--no-cache", file, f"SELECT * FROM {quoted}", "--format", "parquet", "-o", path)
            else:
                files_of_lake.add(name)
            found.append((f"{file.stem}: {name}", trace.table(name), path))
    assert len(files_of_lake) >= 17, files_of_lake
    return found


def test_pyarrow_has_the_columns_of_the_parquet_file(tables):
    rows = 0
    for name, frame, path in tables:
        found = frame.arrow()
        expected = parquet.read_table(path, columns=found.column_names, partitioning=None)
        for column in found.column_names:
            of_file = expected[column].cast(found[column].type)
            assert found[column].to_pylist() == of_file.to_pylist(), (name, column)
        rows += found.num_rows
    assert rows > 30_000


def test_polars_has_the_columns_of_the_parquet_file(tables):
    polars = pytest.importorskip("polars")
    for name, frame, path in tables:
        found = frame.polars()
        expected = polars.read_parquet(path, columns=found.columns, hive_partitioning=False)
        for column in found.columns:
            assert found[column].dtype == expected[column].dtype, (name, column)
            assert found[column].equals(expected[column]), (name, column)


def test_pandas_has_the_columns_of_the_parquet_file(tables):
    pandas = pytest.importorskip("pandas")
    for name, frame, path in tables:
        found = frame.pandas()
        expected = pandas.read_parquet(path, columns=list(found.columns), partitioning=None)
        for column in found.columns:
            pandas.testing.assert_series_equal(found[column], expected[column], obj=f"{name} {column}")


def test_duckdb_has_the_columns_of_the_parquet_file(tables):
    duckdb = pytest.importorskip("duckdb")
    for name, frame, path in tables:  # noqa: B007 - DuckDB finds the frame by its name
        found = duckdb.sql("SELECT * FROM frame")
        columns = ", ".join(f'"{column}"' for column in found.columns)
        expected = duckdb.sql(f"SELECT {columns} FROM read_parquet('{path}', hive_partitioning = false)")
        assert found.fetchall() == expected.fetchall(), name
