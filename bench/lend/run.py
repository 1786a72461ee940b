#!/usr/bin/env python3
"""run.py [--build DIR] [--rounds N] [--layer]: what lending cores brings, in medians of interleaved runs.

Two ranks on two CPUs, started by each MPI's launcher: one has twice the work (1.33 would be the best possible
gain), or both have the same (1.00). Prints the time without lending over the time with it, and the spread.
A pair of runs counts only if other processes used less than 3 % of the CPUs meanwhile."""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
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
    library = build / "lib"
    preload = f"{library}/libvicino.so:{library}/vicino/libvicino-{mpi}.so" if layer else f"{library}/libvicino.so"
    command = ["env", f"LD_PRELOAD={preload}", program]
    # Open MPI passes only its own variables on to other machines; here all ranks inherit them.
    ran = subprocess.run([*LAUNCH[mpi], *command, str(steps), str(regions), str(factor), str(us)],
                         env=environment, capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    seconds, checksum, _ = ran.stdout.split()
    return float(seconds), checksum


def busy():
    """Seconds of CPU time that the machine has used, and of these what this script's children have."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK"), used.ru_utime + used.ru_stime


def foreign_share(before, after, seconds):
    return (after[0] - before[0] - (after[1] - before[1])) / (seconds * os.cpu_count())


def wait_for_quiet():
    while True:
        before, begin = busy(), time.monotonic()
        time.sleep(0.2)
        if foreign_share(before, busy(), time.monotonic() - begin) < 0.05:
            return


def quiet_pair(once):
    """The results of once(False) and once(True), in a time when nothing else runs."""
    while True:
        wait_for_quiet()
        before, begin = busy(), time.monotonic()
        pair = once(False), once(True)
        if foreign_share(before, busy(), time.monotonic() - begin) < 0.03:
            return pair


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--layer", action="store_true", help="MPI_Allreduce under vicino run, not by hand")
    parser.add_argument("--only", default="", help="only cases with these words")
    parser.add_argument("--mpi", choices=sorted(LAUNCH), action="append")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        for mpi in options.mpi or sorted(LAUNCH):
            program = Path(folder) / f"uneven.{mpi}"
            subprocess.run([f"mpicc.{mpi}", "-O2", "-fopenmp", HERE / "uneven.c", "-o", program], check=True,
                           env=os.environ | {"OMPI_CC": "gcc-12", "MPICH_CC": "gcc-12"})
            for case in (case for case in CASES if options.only in case[0]):
                times, checksums = {False: [], True: []}, set()
                for _ in range(options.rounds):
                    pair = quiet_pair(lambda lend: run(mpi, program, case, lend, build, options.layer))
                    for lend, (seconds, checksum) in zip((False, True), pair):
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
