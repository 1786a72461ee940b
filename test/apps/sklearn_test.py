"""scikit-learn's wheel, which carries a renamed libgomp, gives the same labels on Vicino.

    sklearn_test.py VICINO FOLDER
"""

import sys
from pathlib import Path

from on_vicino import Vicino, own, python_with

PINS = ("scikit-learn==1.5.2", "numpy==1.26.4", "scipy==1.11.4", "joblib==1.4.2", "threadpoolctl==3.5.0")
WORK = Path(__file__).with_name("sklearn_work.py")


def labels(run):
    return [line for line in run.out.splitlines() if line.startswith(("kmeans", "boosting"))]


def main(vicino, folder):
    python = python_with(Path(folder) / "sklearn", *PINS)
    expected = labels(own([python, WORK, "2"]))
    assert len(expected) == 2, expected
    for threads in ("1", "2", "5"):
        run = Vicino(vicino).run([python, WORK, threads])
        assert "vicino True" in run.out, run.out
        assert labels(run) == expected, f"{threads} threads:\n{expected}\n{run.out}"
        assert "GOMP_parallel" in run.served, run.served
        # threadpoolctl took Vicino for an OpenMP runtime, by its file's name, and set its threads.
        assert f"limited to {threads}\n" in run.out, run.out
        print(f"{threads} threads: same labels, {len(run.served)} entry points served by Vicino")


if __name__ == "__main__":
    main(*sys.argv[1:])
