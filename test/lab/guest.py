"""lab/lab as the tests here run it."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "lab"
LAB = FOLDER / "lab"

sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))     # the launcher's modules, for tests of one of them


def lab(*arguments, **options):
    """What ended: status, and output and errors as bytes."""
    return subprocess.run([LAB, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, **options)
