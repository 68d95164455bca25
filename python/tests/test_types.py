"""Annotations: a program that uses everything, and the native part's stubs."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


def check(*arguments):
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=HERE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_reports_nothing():
    if not importlib.util.find_spec("mypy"):
        pytest.skip("no mypy")
    check("mypy", "--strict", "--cache-dir", os.devnull, str(HERE / "typed_use.py"), "tautline")


def test_stubs_are_those_of_the_native_part():
    if not importlib.util.find_spec("mypy"):
        pytest.skip("no mypy")
    check("mypy.stubtest", "tautline")


def test_pyright_reports_nothing():
    if not importlib.util.find_spec("pyright"):
        pytest.skip("no pyright")
    check("pyright", "--warnings", "--pythonpath", sys.executable, str(HERE / "typed_use.py"), "tautline")
