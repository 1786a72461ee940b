"""A kernel of bench/ilan at its small size: right in each form, at each team size.

    ilan_test.py KERNEL COMPILER FOLDER RUNTIME WORK [--flags FLAGS] [--threads N,N]

Each run has steps enough for the tuner to try all that it tries, and a second one in the same
process, with what it has chosen.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/omp")]

from harness import build  # noqa: E402
from harness.runtime import Runtime  # noqa: E402
from run import SKIPPED, clean_environment  # noqa: E402

FORMS = ("taskloop", "runtime", "auto", "serial")
# All schedules are tested with the kernels of bench/loops.
SETTINGS = ({}, {"OMP_SCHEDULE": "dynamic"}, {"VICINO_SCHEDULE": "hierarchical"})
STEPS = 60
# (arguments, how the refusal begins)
REFUSED = [(("--form", "parallel"), "no form 'parallel'; accepted: taskloop, runtime, auto, serial"),
           (("--size", "0"), "not a value for --size: '0'; accepted: a "),
           (("--size", "3000000000"), "not a value for --size: '3000000000'; accepted: a "),
           (("--steps", "2x"), "not a value for --steps: '2x'; accepted: a whole number from 1"),
           (("--repeat", "-1"), "not a value for --repeat: '-1'; accepted: a whole number from 1"),
           (("--steps",), "unknown argument, or one without its value: '--steps'; accepted: --form"),
           (("--scale", "5"), "unknown argument, or one without its value: '--scale'; accepted: --form")]


class Kernel:
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
                              text=True, capture_output=True, timeout=120, check=False)

    def complaint(self, form, settings):
        """What is wrong with two runs in one process; None if nothing is."""
        done = self.run(settings, "--form", form, "--small", "--steps", str(STEPS), "--repeat", "2")
        if done.returncode == 0 and not done.stderr and self.reported(done.stdout, form):
            return None
        shown = " ".join(f"{k}={v}" for k, v in settings.items())
        return f"{shown} --form {form}: exit status {done.returncode}\n{done.stdout}{done.stderr}"

    def reported(self, stdout, form):
        line = json.loads(stdout)
        wanted = {"kind": "kernel", "kernel": self.name, "form": form, "steps": STEPS}
        return wanted.items() <= line.items() and len(line["ns"]) == len(line["cpu_ns"]) == 2


def refusal_complaints(kernel):
    for arguments, beginning in REFUSED:
        done = kernel.run({}, *arguments)
        if done.returncode != 2 or not done.stderr.startswith(beginning):
            yield f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr}\n"


def all_runs(threads):
    for form in FORMS:
        teams = threads if form != "serial" else threads[:1]
        for settings in SETTINGS if form == "runtime" else SETTINGS[:1]:
            yield from ((form, {"OMP_NUM_THREADS": str(n), **settings}) for n in teams)


def test(options):
    kernel = Kernel(options)
    complaints = [complaint for form, settings in all_runs(options.threads)
                  if (complaint := kernel.complaint(form, settings))]
    complaints += refusal_complaints(kernel)
    print("".join(complaints), end="")
    return 1 if complaints else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernel")
    parser.add_argument("compiler", choices=("clang-19", "gcc-12"))
    parser.add_argument("folder", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("runtime")
    parser.add_argument("work", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--flags", default="")
    parser.add_argument("--threads", default="1,2,3,8", type=lambda text: [int(n) for n in text.split(",")])
    options = parser.parse_args()
    if not build.available(options.compiler, pathlib.Path("x.cpp")):
        print(f"{options.compiler} is not installed")
        return SKIPPED
    return test(options)


if __name__ == "__main__":
    sys.exit(main())
