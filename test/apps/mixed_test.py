"""A gcc-built and a clang-built library in one process are one team on Vicino.

    mixed_test.py VICINO PROGRAM GCC_SIDE CLANG_SIDE
"""

import sys

from on_vicino import Vicino, own

ONE_RUNTIME = """\
gcc: numbers 4 agree 4 held 4 sums 4
clang: numbers 4 agree 4 held 4 sums 4
same threads 1, of the process 4
nested: numbers 4 agree 4 held 4 sums 4
"""


def main(vicino, *command):
    # The control: two runtimes in one process are not taken for one.
    control = own(command).out
    assert control.count(" agree 0 ") == 3 and "same threads 0" in control, control
    run = Vicino(vicino).run(command)
    assert run.out == ONE_RUNTIME, f"expected\n{ONE_RUNTIME}got\n{run.out}"
    assert {"GOMP_parallel", "__kmpc_fork_call"} <= set(run.served), run.served
    print(f"one team of both compilers, {len(run.served)} entry points served by Vicino")


if __name__ == "__main__":
    main(*sys.argv[1:])
