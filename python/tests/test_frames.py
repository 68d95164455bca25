"""Queries as Arrow streams."""

import gc

import pytest

import tautline as taut

SQL = "SELECT stamp, thread, name FROM events ORDER BY stamp, thread LIMIT 1000"


def test_a_frame_can_be_read_twice(trace):
    frame = trace.query("SELECT count(*) AS n FROM events")
    assert frame.columns == ["n"]
    assert len(frame) == 1 and len(frame) == 1


def test_libraries_read_the_same_rows(trace):
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    frame = trace.query(SQL)
    rows = frame.arrow().to_pylist()
    assert rows and isinstance(frame.arrow(), pyarrow.Table)
    assert polars.DataFrame(frame).to_dicts() == rows == frame.polars().to_dicts()


def test_pandas_reads_the_same_rows(trace):
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = trace.query(SQL)
    assert frame.pandas().to_dict("records") == frame.arrow().to_pylist()


def test_duckdb_reads_a_frame(trace):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    frame = trace.query(SQL)  # noqa: F841 - DuckDB finds it by its name
    assert duckdb.sql("SELECT count(*) FROM frame").fetchall() == [(1000,)]


def test_batches_have_all_rows(trace):
    total = trace.query("SELECT count(*) AS n FROM events")
    pytest.importorskip("pyarrow")
    assert sum(len(batch) for batch in trace.table("events", columns=["stamp"])) == total.arrow()["n"][0].as_py()
    assert [batch.columns for batch in trace.table("events", columns=["thread", "stamp"])][0] == ["thread", "stamp"]


def test_an_empty_result_has_its_columns(trace):
    pytest.importorskip("pyarrow")
    frame = trace.query("SELECT stamp, name FROM events WHERE stamp < 0")
    assert frame.arrow().column_names == frame.columns == ["stamp", "name"]
    assert len(frame) == 0


def test_a_batch_without_rows_is_left_out(trace):
    pyarrow = pytest.importorskip("pyarrow")
    frame = trace.table("events", columns=["stamp"])
    assert all(len(batch) > 0 for batch in frame)
    batches = list(pyarrow.RecordBatchReader.from_stream(frame))
    assert batches and all(batch.num_rows > 0 for batch in batches)


def test_text_has_the_type_string_view(trace):
    pyarrow = pytest.importorskip("pyarrow")
    assert trace.query("SELECT name FROM events LIMIT 1").arrow().schema.field("name").type == pyarrow.string_view()


def test_numbers_and_nulls_are_those_of_the_command(trace, path, command):
    pytest.importorskip("pyarrow")
    for sql in ("SELECT * FROM resources", "SELECT * FROM heaps", "SELECT * FROM messages", SQL):
        assert trace.query(sql).arrow().to_pylist() == command("query", path, sql)


def test_every_table_can_be_read(trace):
    pytest.importorskip("pyarrow")
    for table in trace.tables:
        assert trace.table(table.full_name or table.name).arrow().column_names == table.columns, table.name


def test_several_traces_have_a_column_with_their_name(path, trace):
    pytest.importorskip("pyarrow")
    frame = taut.query({"a": path, "b": trace}, "SELECT trace, count(*) AS n FROM events GROUP BY trace ORDER BY trace")
    rows = frame.arrow().to_pylist()
    assert [row["trace"] for row in rows] == ["a", "b"] and rows[0]["n"] == rows[1]["n"]


def test_streams_dropped_half_read_end_their_queries(trace):
    import threading
    import time

    for _ in range(200):
        iterator = iter(trace.table("events"))
        next(iterator)
        del iterator
    gc.collect()
    native = trace._native
    readers = [iter(trace.table("events")) for _ in range(16)]
    for reader in readers:
        next(reader)
    # Queries with waiting readers do not block others.
    done = threading.Event()
    threading.Thread(target=lambda: (len(taut.query({"t": trace}, SQL)), done.set())).start()
    deadline = time.monotonic() + 60
    while not done.wait(0.05):
        assert time.monotonic() < deadline
    assert native is trace._native


def test_buffers_are_not_copied(trace):
    pyarrow = pytest.importorskip("pyarrow")
    batch = next(iter(trace.table("events", columns=["stamp"])))
    first, second = (pyarrow.table(batch).column("stamp").chunk(0).buffers()[1].address for _ in range(2))
    assert first == second


def test_a_stream_outlives_its_trace(path):
    pyarrow = pytest.importorskip("pyarrow")
    trace = taut.open(path)
    reader = pyarrow.RecordBatchReader.from_stream(trace.query("SELECT stamp FROM events"))
    expected = len(trace.query("SELECT stamp FROM events"))
    del trace
    gc.collect()
    assert reader.read_all().num_rows == expected


def test_a_stream_is_imported_once(trace):
    pyarrow = pytest.importorskip("pyarrow")
    capsule = trace.query(SQL).__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert pyarrow.table(Once()).num_rows == 1000
    with pytest.raises(Exception):
        pyarrow.table(Once())


def test_a_page_of_a_frame_escapes_texts(trace):
    text = trace.query("SELECT '<script>' AS a")._repr_html_()
    assert "&lt;script&gt;" in text and "<script>" not in text


def test_eight_threads_share_a_trace(trace):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: len(trace.query(SQL)), range(16)))
    assert counts == [1000] * 16
