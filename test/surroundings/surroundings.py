"""What the tests of this folder share: they compile programs and run them on Vicino.

Each script takes the library and a folder for programs as its last two arguments.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "omp"), str(HERE.parents[1] / "bench")]

from harness import build, runtime  # noqa: E402
from report import cgroup  # noqa: E402

WORK = pathlib.Path(sys.argv.pop()).resolve()
LIBRARY = pathlib.Path(sys.argv.pop()).resolve()
PREFIXES = ("OMP_", "KMP_", "GOMP_", "VICINO_")
TIMEOUT = 60


def compiler():
    for name in ("gcc-12", "clang-19"):
        if build.available(name, HERE / "team.c"):
            return name
    raise unittest.SkipTest("neither gcc-12 nor clang-19 is installed")


def program(name, by=None, flags=()):
    return build.build(HERE / f"{name}.c", by or compiler(), list(flags), WORK / "surroundings")


def run_program(case, binary, *arguments, prefix=(), join=None, **settings):
    """Runs the program, which must end well, and returns (output, error). The caller's OpenMP settings
    do not reach it. `prefix`: a command that runs it; `join`: called in the child before it begins."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(PREFIXES)}
    environment.update({k: str(v) for k, v in settings.items()})
    argv = [str(word) for word in (*prefix, binary, *arguments)]
    done = subprocess.run(argv, env=environment, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=TIMEOUT, check=False, preexec_fn=join)
    case.assertEqual(done.returncode, 0, f"{argv} {settings}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Case(unittest.TestCase):
    def run_on_vicino(self, name, *arguments, by=None, **options):
        """Runs a program that has no other runtime; see run_program()."""
        binary = program(name, by)
        on = runtime.Runtime(LIBRARY, WORK)
        self.assertIsNone(on.complaint(binary))
        return run_program(self, binary, *arguments, **on.environment(), **options)

    def sizes(self, *asked, **options):
        """The sizes of regions that ask for the sizes `asked`; 0 asks for none. No warnings allowed."""
        output, error = self.run_on_vicino("team", *asked, **options)
        self.assertEqual(error, "")
        return [int(word) for word in output.split()]

    @contextlib.contextmanager
    def in_group(self, group):
        """A control group of report.cgroup; the test is skipped if none can be made."""
        try:
            with group as join:
                yield join
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))
