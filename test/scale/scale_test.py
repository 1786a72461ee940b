#!/usr/bin/env python3
"""Very many tasks: that they all run, and that the work for each does not grow with their number.

    scale_test.py sizes COMPILER     10^5 levels of taskwait, 10^6 dependences on one address
    scale_test.py live COMPILER      10^7 tasks at once, in about 6 GB
    scale_test.py growth COMPILER    instructions at several small sizes, counted by valgrind
    scale_test.py schedulers COMPILER    growth under each task scheduler, also with two threads
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import build, programs, runs  # noqa: E402
from harness.runtime import Runtime  # noqa: E402

ON_ONE_ADDRESS = ("writers", "readers", "mixed", "exclusive")
SORTS = ("live", "deep", *ON_ONE_ADDRESS, "addresses")
STACK = 512 << 20  # each level of taskwait lies on the one before: 10^5 of them need some 60 MB
LIVE, BYTES = 10**7, 8 << 30


def sorts_for(compiler, sorts):
    return sorts + ("set",) if compiler.startswith("clang") else sorts


def allow_stack():
    """Sets the stack limit of the initial thread, in the child before it becomes the program."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if hard != resource.RLIM_INFINITY and hard < STACK:
        sys.exit(f"the hard limit of the stack is {hard} bytes; this test needs {STACK}: ulimit -Hs")
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, hard))


class Scale:
    def __init__(self, options):
        program = next(p for p in programs.find(HERE) if p.name == "scale")
        runtime = Runtime(options.runtime, options.work)
        self.program = str(build.build(program.source, options.compiler, program.flags,
                                       options.work))
        if complaint := runtime.complaint(self.program):
            sys.exit(complaint)
        self.base = {**runs.clean_environment(), **runtime.environment(),
                     "OMP_STACKSIZE": f"{STACK >> 10}K"}
        self.timeout, self.faults = options.timeout, []

    def run(self, sort, n, prefix=(), **settings):
        """Returns the program's output, or None after a fault."""
        command = [*prefix, self.program, sort, str(n)]
        shown = " ".join([f"{k}={v}" for k, v in settings.items()] + command)
        settings = {k: str(v) for k, v in settings.items()}
        try:
            done = subprocess.run(command, env={**self.base, **settings}, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=self.timeout,
                                  preexec_fn=allow_stack)
        except subprocess.TimeoutExpired:
            return self.fault(f"{shown}: did not end in time")
        if done.returncode:
            return self.fault(f"{shown}: {runs.describe(done.returncode, 0)}\n{done.stdout}")
        return done.stdout

    def fault(self, text):
        self.faults.append(text)
        print(text, flush=True)

    def instructions(self, sort, n, **settings):
        with tempfile.NamedTemporaryFile() as counts:
            prefix = ("valgrind", "--tool=callgrind", "--fair-sched=yes",
                      f"--callgrind-out-file={counts.name}", f"--main-stacksize={STACK}")
            output = self.run(sort, n, prefix, OMP_WAIT_POLICY="passive", **settings)
        if output is None:
            return None
        found = re.search(r"^==\d+== Collected : (\d+)", output, re.M)
        return int(found[1]) if found else self.fault(f"valgrind counted nothing:\n{output}")

    def check_growth(self, sort, n, times, most, **settings):
        """`times` as many tasks take at most `most` times the instructions. The instructions of a
        program with one task are subtracted from both counts."""
        counts = [self.instructions(sort, k, **settings) for k in (1, n, n * times)]
        if None in counts:
            return
        start, few, many = counts
        ratio = (many - start) / (few - start)
        if not 0 < ratio <= most:
            self.fault(f"{sort} {settings}: {few - start} instructions for {n} tasks, "
                       f"{many - start} for {n * times}: {ratio:.2f} times, over {most}")


def sizes(scale, options):
    for threads in (1, 2):
        scale.run("deep", 10**5, OMP_NUM_THREADS=threads)
        for sort in sorts_for(options.compiler, ON_ONE_ADDRESS):
            scale.run(sort, 10**6, OMP_NUM_THREADS=threads)
        scale.run("addresses", 10**5, OMP_NUM_THREADS=threads)


def live(scale, options):
    del options
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if available < BYTES:
        print(f"{available >> 20} MB of memory are free; this test needs {BYTES >> 20}")
        return runs.SKIPPED
    scale.run("live", LIVE, OMP_NUM_THREADS=2)
    scale.run("asleep", LIVE, OMP_NUM_THREADS=2)
    return 0


def growth(scale, options, **settings):
    # With one thread the count is the same in each run. The ratio is about 2.2 for n log n and 4
    # for n squared.
    for sort in sorts_for(options.compiler, SORTS):
        scale.check_growth(sort, 2000, 2, 2.3, OMP_NUM_THREADS=1, **settings)


def schedulers(scale, options):
    text = subprocess.run([options.vicino, "settings"], text=True, capture_output=True,
                          check=True).stdout
    names = re.search(r"^VICINO_TASKS\n.*\n +Values: one of (.+)$", text, re.M)[1].split(", ")
    for name in names:
        growth(scale, options, VICINO_TASKS=name)
        # Threads that look for tasks add instructions, so the bound is wide; n squared would give
        # 64.
        for sort in sorts_for(options.compiler, SORTS):
            scale.check_growth(sort, 2000, 8, 20, OMP_NUM_THREADS=2, VICINO_TASKS=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("sizes", "live", "growth", "schedulers"))
    parser.add_argument("compiler")
    parser.add_argument("--vicino", required=True, help="the command")
    parser.add_argument("--runtime", required=True, help="the library")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for programs")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run")
    options = parser.parse_args()
    options.work = options.work.resolve()
    if not build.available(options.compiler, HERE / "scale.cpp"):
        print(f"{options.compiler} is not installed")
        return runs.SKIPPED
    scale = Scale(options)
    skipped = globals()[options.what](scale, options)
    return 1 if scale.faults else skipped or 0


if __name__ == "__main__":
    sys.exit(main())
