#!/usr/bin/env python3
"""layer.py [--build DIR] [--rounds N] [--mpi NAME]: what the PMPI layer costs, in medians of interleaved runs.

Two ranks, each bound to a core, exchange messages of 8 bytes and reduce 8 bytes: messages.c. Prints the time with the
layer over the time without it, and the quartiles of the pairs. A program under vicino run has libvicino.so as well."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "core", "-n", "2"],
          "mpich": ["mpiexec.mpich", "-bind-to", "core", "-n", "2"]}
PREFIXES = ("OMP_", "KMP_", "GOMP_", "VICINO_", "OMPI_", "PMIX_", "PMI_", "MPI_", "HYDRA_", "MPICH_")
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(PREFIXES)}


def run(mpi, program, preload):
    ran = subprocess.run([*LAUNCH[mpi], "env", f"LD_PRELOAD={preload}", program], check=True, stdout=subprocess.PIPE,
                         text=True, timeout=60, env=ENVIRONMENT)
    return [float(word) for word in ran.stdout.split()]


def run_pair(mpi, program, preload, turn):
    """Without the layer and with it; every second pair is run in the other order."""
    preloads = ["", preload]
    times = {each: run(mpi, program, each) for each in (preloads[::-1] if turn % 2 else preloads)}
    return [times[each] for each in preloads]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--mpi", choices=sorted(LAUNCH), action="append")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    library = options.build.resolve() / "lib"
    with tempfile.TemporaryDirectory() as folder:
        for mpi in options.mpi or sorted(LAUNCH):
            program = Path(folder) / f"messages.{mpi}"
            subprocess.run([f"mpicc.{mpi}", "-O2", HERE / "messages.c", "-o", program], check=True,
                           env=ENVIRONMENT | {"OMPI_CC": "gcc-12", "MPICH_CC": "gcc-12"})
            layer = [library / "libvicino.so", library / "vicino" / f"libvicino-{mpi}.so"]
            for file in layer:   # the loader only warns
                if not file.exists():
                    sys.exit(f"there is no {file}")
            preload = ":".join(map(str, layer))
            pairs = [run_pair(mpi, program, preload, turn) for turn in range(options.rounds)]
            for i, what in enumerate(("round trip", "allreduce")):
                without, with_layer = (statistics.median(pair[k][i] for pair in pairs) for k in (0, 1))
                ratios = sorted(pair[1][i] / pair[0][i] for pair in pairs)
                quarter = len(ratios) // 4
                print(f"{mpi:8} {what:10} {with_layer / without:.3f}  (pairs {ratios[quarter]:.3f} to "
                      f"{ratios[-1 - quarter]:.3f})  {without:.0f} ns without, {with_layer:.0f} ns with", flush=True)


if __name__ == "__main__":
    main()
