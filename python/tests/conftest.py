"""Traces and programs of the tests."""

import json
import os
import pathlib
import subprocess

import pytest

import tautline as taut

ROOT = pathlib.Path(os.environ.get("TAUTLINE_ROOT", "."))
PROGRAM = os.environ.get("TAUTLINE_PROGRAM", "taut")


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    """Path of a recorded trace."""
    path = tmp_path_factory.mktemp("trace") / "recorded.taut"
    taut.record("small-level", path, clock="logical")
    return path


@pytest.fixture(scope="session")
def trace(path):
    return taut.open(path)


@pytest.fixture(scope="session")
def command():
    """Function that runs taut with ``--json`` and returns its document; skips without the program."""
    if not os.path.exists(PROGRAM):
        pytest.skip(f"no program {PROGRAM}")

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True)
        assert done.returncode in (0, 1, 3), done.stderr
        return json.loads(done.stdout)

    return run


def corpus(*folders):
    """Files of folders of the repository."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file())
