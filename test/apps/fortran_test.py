"""A Fortran program of either compiler solves its equations on Vicino.

    fortran_test.py VICINO PROGRAM...
"""

import sys

from on_vicino import Vicino, own

# No compiler can have inlined these entry points away.
FORKS = {"GOMP_parallel", "__kmpc_fork_call"}


def expected(team):
    return f"team {team}\neach thread once T\nsolved T\nright T\n"


def main(vicino, *programs):
    for program in programs:
        assert own([program], OMP_NUM_THREADS="2").out == expected(2)
        for threads in (1, 2, 4, 7, 64):
            run = Vicino(vicino).run([program], OMP_NUM_THREADS=str(threads))
            assert run.out == expected(threads), f"{program}, {threads} threads:\n{run.out}"
            assert FORKS & set(run.served), run.served
        print(f"{program}: solved at 1 to 64 threads, {len(run.served)} entry points served")


if __name__ == "__main__":
    main(*sys.argv[1:])
