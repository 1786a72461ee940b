"""How the ranks of an MPI program are started on this machine, by each MPI."""

import os

MPIS = ("openmpi", "mpich")


def command(mpi, ranks, binding="none", cores=1):
    """The launcher and its options, before a program. `binding`: none, or core: `cores` to each rank.

    Open MPI counts cores and refuses more ranks than there are, and root, unless told otherwise. Ranks that are
    more than the cores yield when they wait, by Open MPI's own choice; so do they with MPICH."""
    if mpi == "mpich":
        return ["mpiexec.mpich", "-n", str(ranks), *(["-bind-to", f"core:{cores}"] if binding == "core" else [])]
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    bind = ["--bind-to", "none"]
    if binding == "core":
        bind = ["--bind-to", "core:overload-allowed", "--map-by", f"slot:PE={cores}" if cores > 1 else "core"]
    return ["mpirun.openmpi", *root, "--oversubscribe", *bind, "-n", str(ranks)]
