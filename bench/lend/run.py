#!/usr/bin/env python3
"""run.py [--build DIR] [--rounds N] [--layer]: what lending cores brings, in medians of interleaved runs.

Two ranks on two CPUs, started by each MPI's launcher: one has twice the work (1.33 would be the best possible
gain), or both have the same (1.00). Prints the time without lending over the time with it, and the spread."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"],
          "mpich": ["mpiexec.mpich", "-n", "2"]}
# Name, steps, regions a step, factor, microseconds of a region on one core
CASES = [("twice the work, 20 ms", 20, 50, 2, 400),
         ("twice the work, 5 ms", 60, 20, 2, 250),
         ("twice the work, regions of 4 ms", 15, 5, 2, 4000),
         ("even, 20 ms", 20, 50, 1, 400),
         ("even, 5 ms", 60, 20, 1, 250),
         ("even, 0.5 ms", 400, 4, 1, 125),
         ("even, regions of 4 ms", 15, 5, 1, 4000)]


def run(mpi, program, case, lend, build, layer):
    _, steps, regions, factor, us = case
    environment = os.environ | {"VICINO_LEND": "true" if lend else "false", "LAYER": str(int(layer))}
    if layer:
        command = [build / "bin" / "vicino", "run", "--", program]
    else:
        environment["LD_LIBRARY_PATH"] = str(build / "lib" / "vicino" / "replace")
        command = [program]
    # Open MPI passes only its own variables on to other machines; here all ranks inherit them.
    ran = subprocess.run([*LAUNCH[mpi], *command, str(steps), str(regions), str(factor), str(us)],
                         env=environment, capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    seconds, checksum, _ = ran.stdout.split()
    return float(seconds), checksum


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--layer", action="store_true", help="MPI_Allreduce under vicino run, not by hand")
    parser.add_argument("--mpi", choices=sorted(LAUNCH), action="append")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        for mpi in options.mpi or sorted(LAUNCH):
            program = Path(folder) / f"uneven.{mpi}"
            subprocess.run([f"mpicc.{mpi}", "-O2", "-fopenmp", HERE / "uneven.c", "-o", program], check=True,
                           env=os.environ | {"OMPI_CC": "gcc-12", "MPICH_CC": "gcc-12"})
            for case in CASES:
                times, checksums = {False: [], True: []}, set()
                for _ in range(options.rounds):
                    for lend in (False, True):
                        seconds, checksum = run(mpi, program, case, lend, build, options.layer)
                        times[lend].append(seconds)
                        checksums.add(f"{float(checksum):.5g}")
                if len(checksums) != 1:
                    sys.exit(f"different answers: {checksums}")
                ratios = sorted(a / b for a, b in zip(times[False], times[True]))
                quarter = len(ratios) // 4
                print(f"{mpi:8} {case[0]:32} {statistics.median(times[False]) / statistics.median(times[True]):.3f}"
                      f"  (pairs {ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f})"
                      f"  {1e3 * statistics.median(times[False]) / case[1]:.2f} ms a step", flush=True)


if __name__ == "__main__":
    main()
