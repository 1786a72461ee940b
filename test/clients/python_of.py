"""A Python that has a client's packages, which are installed once per folder.

    python_of.py NAME FOLDER     prints its path; says why if there is none
"""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "catalog"), str(HERE.parents[1] / "bench/programs")]

import packages  # noqa: E402

BASE = ("numpy==1.26.4", "scipy==1.11.4", "threadpoolctl==3.5.0")


def client(name):
    return importlib.import_module(f"{name}_client")


def python_of(name, folder):
    """Throws packages.Unavailable if pip cannot get them. All clients share the folder."""
    place = Path(folder) / "python"
    packages.python_with(place, *BASE)
    return packages.python_with(place, *client(name).PINS)


if __name__ == "__main__":
    try:
        print(python_of(*sys.argv[1:]))
    except packages.Unavailable as why:
        sys.exit(str(why))
