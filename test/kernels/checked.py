"""What the tests of the kernels in bench/loops and bench/ilan share: they build a kernel by one compiler,
run it on Vicino and read a test's command line.

    ..._test.py KERNEL COMPILER FOLDER RUNTIME WORK [--flags FLAGS] [--threads N,N]
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "bench")]

from harness import build  # noqa: E402
from harness.runs import SKIPPED, clean_environment  # noqa: E402
from harness.runtime import Runtime  # noqa: E402


class Kernel:
    SECONDS = 60  # of a run

    def __init__(self, options):
        source = options.folder / f"{options.kernel}.cpp"
        self.name = options.kernel
        self.program = build.build(source, options.compiler, options.flags.split(), options.work)
        runtime = Runtime(options.runtime, options.work)
        if complaint := runtime.complaint(self.program):
            sys.exit(complaint)
        self.environment = {**clean_environment(), **runtime.environment()}

    def run(self, settings, *arguments):
        return subprocess.run([self.program, *arguments], env={**self.environment, **settings},
                              text=True, capture_output=True, timeout=self.SECONDS, check=False)

    def refusal_complaints(self, refused):
        """`refused`: (arguments, how the refusal begins)"""
        for arguments, beginning in refused:
            done = self.run({}, *arguments)
            if done.returncode != 2 or not done.stderr.startswith(beginning):
                yield f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr}\n"


def main(description, threads, complaints_of):
    """complaints_of(options) gives one text for each fault that it finds."""
    parser = argparse.ArgumentParser(description=description.split("\n", maxsplit=1)[0])
    parser.add_argument("kernel")
    parser.add_argument("compiler", choices=("clang-19", "gcc-12"))
    parser.add_argument("folder", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("runtime")
    parser.add_argument("work", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--flags", default="")
    parser.add_argument("--threads", default=threads, type=lambda text: [int(n) for n in text.split(",")])
    options = parser.parse_args()
    if not build.available(options.compiler, pathlib.Path("x.cpp")):
        print(f"{options.compiler} is not installed")
        return SKIPPED
    complaints = list(complaints_of(options))
    print("".join(complaints), end="")
    return 1 if complaints else 0
