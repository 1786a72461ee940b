"""MKL, a client of Intel's libiomp5, computes on Vicino.

    mkl_test.py VICINO FOLDER
"""

import sys
from pathlib import Path

from on_vicino import Vicino, own, python_with

WORK = Path(__file__).with_name("mkl_work.py")


def main(vicino, folder):
    python = python_with(Path(folder) / "mkl", "mkl==2024.2.2", "intel-openmp==2024.2.1")
    for threads in ("1", "2", "3"):
        for run in (own([python, WORK, threads]), Vicino(vicino).run([python, WORK, threads])):
            assert run.out == f"threads {threads}\n", run.out
            if threads != "1":
                assert "__kmpc_fork_call" in run.served, run.served
        print(f"{threads} threads: exact, {len(run.served)} entry points served by Vicino")


if __name__ == "__main__":
    main(*sys.argv[1:])
