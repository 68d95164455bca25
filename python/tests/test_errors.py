"""Exceptions and damage."""

import os
import warnings

import pytest

import tautline as taut
from conftest import corpus


def test_a_wrong_query_has_a_position(trace):
    with pytest.raises(taut.QueryError) as raised:
        len(trace.query("SELECT\n  stmp FROM events"))
    assert (raised.value.line, raised.value.column) == (2, 3)
    assert "stamp" in raised.value.known[0]


def test_a_missing_file_has_the_error_of_the_system():
    with pytest.raises(taut.TraceError) as raised:
        taut.open("missing.taut")
    assert raised.value.path == "missing.taut"
    assert isinstance(raised.value.__cause__, FileNotFoundError)


def test_a_file_of_another_kind_has_what_was_expected(tmp_path):
    file = tmp_path / "text.taut"
    file.write_bytes(b"a text, and not a trace at all" * 10)
    with pytest.raises(taut.TraceError) as raised:
        taut.open(file)
    error = raised.value
    assert error.offset == 0 and error.expected and error.found and error.what
    assert os.path.samefile(error.path, file)


def test_a_wrong_option_names_the_nearest(trace, tmp_path):
    with pytest.raises(taut.OptionError) as raised:
        taut.record("small-level", tmp_path / "x.taut", driver="referense")
    assert raised.value.known == ["reference"]
    assert isinstance(raised.value, ValueError)
    with pytest.raises(taut.OptionError, match="did you mean"):
        trace.report(bugdet="x")
    with pytest.raises(taut.OptionError):
        taut.open("a\0b")


def test_an_output_is_no_input(path):
    before = path.read_bytes()
    with pytest.raises(taut.TautError):
        taut.open(path).replay(output=path)
    assert path.read_bytes() == before


def test_an_output_that_cannot_be_written_is_an_error_of_the_system(tmp_path):
    with pytest.raises((taut.OutputError, taut.OptionError)) as raised:
        taut.record("small-level", tmp_path / "missing" / "x.taut")
    assert isinstance(raised.value, OSError)


def test_damage_is_a_value_and_one_warning(path, tmp_path):
    damaged = tmp_path / "damaged.taut"
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    damaged.write_bytes(content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        trace = taut.open(damaged)
        for _ in range(2):
            len(trace.table("events"))
    assert [warning.category for warning in caught] == [taut.TautWarning]
    assert trace.damage and trace.damage[0].offset > 0


@pytest.mark.parametrize("folder", ["fuzz/corpus", "traces/corpus"])
def test_no_file_of_a_corpus_ends_in_another_exception(folder):
    files = corpus(folder)
    if not files:
        pytest.skip(f"no folder {folder}")
    opened = 0
    for file in files:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                trace = taut.open(file)
                opened += 1
                trace.info, trace.damage
                len(trace.query("SELECT count(*) FROM events"))
                trace.replay()
            except taut.TautError:
                pass
    assert folder != "traces/corpus" or opened


@pytest.mark.skipif(os.name == "nt", reason="paths are text on Windows")
def test_a_path_need_not_be_utf_8(path, tmp_path):
    odd = os.path.join(os.fsencode(tmp_path), b"\xff.taut")
    with open(odd, "wb") as file:
        file.write(path.read_bytes())
    assert taut.open(odd).info == taut.open(path).info
