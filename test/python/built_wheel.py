"""The wheel of the built tree, as `packaging/dist` makes it of a tree for any Linux."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging/python"))

import wheel  # noqa: E402

CPU = os.uname().machine
WHEN = 1764000001  # any time; a zip file keeps even seconds


def built_wheel(build, folder):
    """The installed tree and the wheel, both in the folder."""
    tree = folder / "tree"
    subprocess.run(["cmake", "--install", build, "--prefix", tree, "--strip"], check=True, stdout=subprocess.DEVNULL)
    return tree, wheel.make(tree, CPU, folder, WHEN)
