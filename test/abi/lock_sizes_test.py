#!/usr/bin/env python3
"""lock_sizes_test.py LIBRARY CC...: lock_sizes.c on Vicino, as each compiler builds it."""
import sys
import tempfile
from pathlib import Path

from program import compile_unit, execute, link_with

SOURCE = Path(__file__).with_name("lock_sizes.c")


def main() -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        unit, program = Path(folder, "lock_sizes.o"), Path(folder, "lock_sizes")
        for compiler in sys.argv[2:]:
            compile_unit(compiler, SOURCE, unit)
            link_with(compiler, Path(sys.argv[1]), unit, program)
            ended = execute(program)
            print(f"{compiler}: status {ended.returncode} {ended.stdout}{ended.stderr}")
            failures += ended.returncode != 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
