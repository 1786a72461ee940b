"""What the tests of this folder share: they compile programs and run them on Vicino.

Each script takes the library and a folder for programs as its last two arguments.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "bench")]

from harness import build, runtime  # noqa: E402
from harness.runs import clean_environment  # noqa: E402
from report import cgroup  # noqa: E402

WORK = pathlib.Path(sys.argv.pop()).resolve()
LIBRARY = pathlib.Path(sys.argv.pop()).resolve()
TIMEOUT = 60


def compiler():
    for name in ("gcc-12", "clang-19"):
        if build.available(name, HERE / "team.c"):
            return name
    raise unittest.SkipTest("neither gcc-12 nor clang-19 is installed")


def program(name, by=None, flags=()):
    return build.build(HERE / f"{name}.c", by or compiler(), list(flags), WORK / "surroundings")


def environment_with(settings):
    """The caller's OpenMP settings are not in it."""
    return clean_environment() | {k: str(v) for k, v in settings.items()}


def run_program(case, binary, *arguments, prefix=(), join=None, **settings):
    """Runs the program, which must end well, and returns (output, error). `prefix`: a command that runs it;
    `join`: called in the child before it begins."""
    environment = environment_with(settings)
    argv = [str(word) for word in (*prefix, binary, *arguments)]
    done = subprocess.run(argv, env=environment, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=TIMEOUT, check=False, preexec_fn=join)
    case.assertEqual(done.returncode, 0, f"{argv} {settings}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Others:
    """What other processes than those of `pids` take of the machine's CPUs from now on, its hypervisor included."""

    def __init__(self, pids):
        self._pids = list(pids)
        self._began, self._at = time.monotonic(), self._used()

    def _used(self):
        total = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        user, nice, system, _idle, _iowait, *interrupts_and_steal = map(int, total[:8])
        own = 0
        for pid in self._pids:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
            own += int(fields[11]) + int(fields[12])
        return (user + nice + system + sum(interrupts_and_steal) - own) / os.sysconf("SC_CLK_TCK")

    def share(self):
        return (self._used() - self._at) / (time.monotonic() - self._began) / os.cpu_count()


class Case(unittest.TestCase):
    MOST_OF_OTHERS = 0.1

    def skip_unless_quiet(self, others):
        """For what other processes can prevent."""
        if (share := others.share()) > self.MOST_OF_OTHERS:
            self.skipTest(f"other processes took {share:.0%} of the CPUs")

    def on_vicino(self, name, by=None):
        """A program that has no other runtime, and the variables that it needs."""
        binary = program(name, by)
        on = runtime.Runtime(LIBRARY, WORK)
        self.assertIsNone(on.complaint(binary))
        return binary, on.environment()

    def run_on_vicino(self, name, *arguments, by=None, **options):
        """See run_program()."""
        binary, variables = self.on_vicino(name, by)
        return run_program(self, binary, *arguments, **variables, **options)

    def command(self, name, *arguments, **settings):
        """What runs the program on Vicino, and its environment."""
        binary, variables = self.on_vicino(name)
        return [str(word) for word in (binary, *arguments)], environment_with(variables | settings)

    def sizes(self, *asked, **options):
        """The sizes of regions that ask for the sizes `asked`; 0 asks for none. No warnings allowed."""
        output, error = self.run_on_vicino("team", *asked, **options)
        self.assertEqual(error, "")
        return [int(word) for word in output.split()]

    def skip_if_busy(self):
        """For what other processes can prevent: more threads want to run than there are CPUs."""
        ready = int(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[3].split("/")[0])
        if ready > len(os.sched_getaffinity(0)):
            self.skipTest("the machine is busy")

    @contextlib.contextmanager
    def in_group(self, group):
        """A control group of report.cgroup; the test is skipped if none can be made."""
        try:
            with group as join:
                yield join
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))
