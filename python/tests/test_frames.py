"""Queries as Arrow streams."""

import gc
import os
import subprocess
import sys
import textwrap

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


@pytest.mark.parametrize("type_name", ["string", "large_string", "string_view"])
def test_a_requested_type_of_text_is_honoured(trace, type_name):
    pyarrow = pytest.importorskip("pyarrow")
    text = getattr(pyarrow, type_name)()
    # Columns without text keep their types; the schema of a conversion has all columns.
    missing = "CASE WHEN thread < 0 THEN name END AS missing"
    frame = trace.query(f"SELECT stamp, name, {missing} FROM events ORDER BY stamp, thread")
    plain = frame.arrow()
    assert plain.schema.field("name").type == pyarrow.string_view()
    schema = pyarrow.schema([plain.schema.field("stamp"), ("name", text), ("missing", text)])
    capsule = frame.__arrow_c_stream__(schema.__arrow_c_schema__())

    class Requested:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    reader = pyarrow.RecordBatchReader.from_stream(Requested())
    assert reader.schema == schema
    table = reader.read_all()
    table.validate(full=True)
    assert table.to_pylist() == plain.to_pylist() and table["name"][0].as_py() and table["missing"].null_count == len(table)
    assert pyarrow.table(frame, schema=schema).schema == schema
    batch = next(iter(frame))
    assert pyarrow.table(batch, schema=schema).schema == schema


def test_a_requested_type_of_an_empty_result_is_honoured(trace):
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema([("name", pyarrow.large_string())])
    assert pyarrow.table(trace.query("SELECT name FROM events WHERE stamp < 0"), schema=schema).schema == schema


def test_a_requested_type_that_is_no_text_is_ignored(trace):
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema([("name", pyarrow.int64()), ("other", pyarrow.string())])
    capsule = trace.query(SQL).__arrow_c_stream__(schema.__arrow_c_schema__())
    assert "arrow_array_stream" in repr(capsule)
    with pytest.raises(ValueError):
        trace.query(SQL).__arrow_c_stream__(capsule)


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


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory as Linux counts it")
def test_a_thousand_streams_dropped_half_read_need_no_memory(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "many.taut"
    taut.record("streaming-world", path, set={"frames": 3000})
    program = """
        import concurrent.futures, gc, resource, sys, time
        import pyarrow, tautline as taut
        def status(name):
            line = next(line for line in open("/proc/self/status") if line.startswith(name))
            return int(line.split()[1])
        trace = taut.open(sys.argv[1])
        rows = lambda: trace.table("calls", columns=["thread"])
        batches = sum(1 for _ in rows())
        def half_read(place):
            if place % 2:
                reader = pyarrow.RecordBatchReader.from_stream(rows())
                reader.read_next_batch()
            else:
                next(iter(rows()))
        for place in range(50):
            half_read(place)
        # Virtual memory includes 128 MiB for the stack of each thread.
        limit = 1024 * status("VmSize") + (4 << 30)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        before, threads = status("VmRSS"), status("Threads")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            assert len(list(pool.map(half_read, range(1000)))) == 1000
        gc.collect()
        deadline = time.monotonic() + 10
        while status("Threads") > threads and time.monotonic() < deadline:
            time.sleep(0.05)
        print(batches > 2, status("VmRSS") - before < 200 << 10, status("Threads") <= threads)
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), path], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["True", "True", "True"], done


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="threads as Linux counts them")
def test_an_iterator_dropped_while_its_thread_reads_ends_the_thread(tmp_path):
    path = tmp_path / "many.taut"
    taut.record("streaming-world", path, set={"frames": 3000})
    program = """
        import os, sys, time
        import tautline as taut
        trace = taut.open(sys.argv[1])
        count = lambda: len(os.listdir("/proc/self/task"))
        len(trace.table("calls", columns=["thread"]))
        time.sleep(0.5)
        pool = count()
        most = 0
        for _ in range(20):
            batches = taut._tautline.query([("trace", trace._native)], None, "SELECT * FROM calls")
            most = max(most, count())
            del batches
        deadline = time.monotonic() + 30
        while count() > pool and time.monotonic() < deadline:
            time.sleep(0.02)
        print(most > pool, count() <= pool)
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), path], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["True", "True"], done


def test_eight_threads_do_all_at_once_on_a_trace(trace):
    from concurrent.futures import ThreadPoolExecutor

    def work(place):
        if place % 3 == 0:
            return trace.replay()
        return trace.report() if place % 3 == 1 else trace.info

    expected = [work(place) for place in range(3)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(24))) == expected * 8


def test_eight_threads_share_a_trace(trace):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: len(trace.query(SQL)), range(16)))
    assert counts == [1000] * 16
