"""Runs lab/lab for the tests of this folder."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "lab"
LAB = FOLDER / "lab"

sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))     # the launcher's modules, for tests of one of them


def lab(*arguments, **options):
    """Returns the finished process: its status, and its output and errors as bytes."""
    return subprocess.run([LAB, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, **options)
