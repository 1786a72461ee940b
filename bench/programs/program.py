"""The description of a program in a file of `catalog`. A new program is one new file; see README.md."""

import dataclasses
import re
import shlex
from collections.abc import Callable

FULL, SMALL = 0, 1  # indices of a size's two values


@dataclasses.dataclass(frozen=True)
class Program:
    """Text between @ signs is replaced in `files`, `prepare`, `command`, `result` and `env`: @NAME@ by
    a size, @python@ by the Python that has the packages of PyPI, @bin@ by the folder of their commands,
    @work@ by the work folder.
    """

    about: str                      # what it computes, in a few words: a cell of the table
    command: str                    # run in the work folder, without a shell; `sh -c '…'` for several
    debian: str = ""                # packages; the first one's version is shown
    pypi: str = ""                  # packages with versions, the first of which is shown. All that are
                                    # needed must be named, because pip follows no dependencies here. The
                                    # version shown is of a PyPI package if there is one, else of Debian's
    recommends: bool = False        # whether apt installs recommended packages too
    sizes: dict[str, tuple] = dataclasses.field(default_factory=dict)  # name: (full, small)
    files: dict[str, str] = dataclasses.field(default_factory=dict)    # scripts, by name
    make: Callable | None = None    # make(folder, size): writes the input; random numbers have a seed
    prepare: str = ""               # bash, run once in the work folder after `files` and `make`
    writes: str = ""                # patterns of files that the command writes, removed before each run
    result: str = ""                # bash; its output is checked instead of the program's own
    keep: str = ""                  # expression: only lines in which it is found are checked
    relative: float = 0.0           # the tolerance for numbers with a point; all else must be the same
    absolute: float = 0.0
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    openmp: bool = True             # False: it has no OpenMP, must only work, and is not timed
    in_make_test: bool = False      # whether `make test` runs it too, with the small input
    seconds: float = 1.0            # about how long one run takes on two cores
    known: tuple[str, ...] = ()     # modules of it that are rows of src/config/known_modules.cpp, as
                                    # VICINO_EXPLAIN names them: they are tried with fewer threads, too
    note: str = ""                  # a note for readers of the table

    def filled(self, text, which, **more):
        values = {name: value[which] for name, value in self.sizes.items()} | more
        def value(match):
            if match[1] not in values:
                raise ValueError(f"@{match[1]}@ is no size of the program; it has {', '.join(values)}")
            return str(values[match[1]])
        return re.sub(r"@(\w+)@", value, text)

    def words(self, which, **more):
        return shlex.split(self.filled(self.command, which, **more))

    def size(self, which):
        return {name: value[which] for name, value in self.sizes.items()}
