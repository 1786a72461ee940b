"""Under a real launcher `vicino topo` tells each rank's share: as docs/explain/mpi.md says, and no core twice while
there are enough.

    shares_test.py MPI VICINO
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "bench")]

from harness.runs import clean_environment  # noqa: E402
from report import launch  # noqa: E402

NAMES = {"openmpi": "Open MPI", "mpich": "Hydra (MPICH, Intel MPI)"}


def lines(mpi, vicino, ranks, binding, settings):
    """MPICH's launcher forwards the end of its input, and dies by SIGPIPE where a rank has ended before that:
    here its input does not end."""
    command = [*launch.command(mpi, ranks, binding), vicino, "topo"]
    ends = os.pipe()
    try:
        done = subprocess.run(command, stdin=ends[0], text=True, capture_output=True, timeout=60, check=True,
                              env={**clean_environment(), **settings})
    finally:
        for end in ends:
            os.close(end)
    return sorted(line for line in done.stdout.splitlines() if line.startswith("rank "))


def cpus_of(line):
    """The numbers behind the last `CPU` or `CPUs` of a line."""
    text = line.rpartition(": CPU")[2].lstrip("s ").split(", to")[0]
    found = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


def complaints(mpi, vicino):
    cpus = os.sched_getaffinity(0)
    for ranks in (1, 2, 4):
        told = lines(mpi, vicino, ranks, "none", {})
        heads = [f"rank {rank} of {ranks} on this machine, by {NAMES[mpi]}: CPU" for rank in range(ranks)]
        if len(told) != ranks or not all(line.startswith(head) for line, head in zip(told, heads)):
            yield f"{ranks} ranks: {told}\n"
            continue
        shares = [cpus_of(line) for line in told]
        if ranks <= len(cpus) and (set.union(*shares) != cpus or sum(map(len, shares)) != len(cpus)):
            yield f"{ranks} ranks do not divide {cpus}: {told}\n"
        bound = [line for line in told if "bound" in line]
        if bound:
            yield f"{ranks} ranks that are not bound: {bound}\n"
    off = lines(mpi, vicino, 2, "none", {"VICINO_RANKS": "off"})
    if len(off) != 2 or not all(line.endswith("all CPUs, because VICINO_RANKS is off") for line in off):
        yield f"VICINO_RANKS=off: {off}\n"
    if len(cpus) >= 2:
        kept = lines(mpi, vicino, 2, "core", {})
        if len(kept) != 2 or not all(line.endswith("to which it was bound when it began") for line in kept):
            yield f"bound by the launcher: {kept}\n"


def main():
    found = list(complaints(*sys.argv[1:]))
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
