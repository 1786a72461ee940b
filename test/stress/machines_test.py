#!/usr/bin/env python3
"""The stress program of tasks on recorded machines, under each task scheduler.

    machines_test.py sample COMPILER    each machine and each scheduler at least once
    machines_test.py MACHINE COMPILER   one machine: every scheduler, at each team size

The machines are read from the folder test/machines, the schedulers from `vicino settings`; a new one
is included without a change here.
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import build, programs, runs  # noqa: E402
from harness.runtime import Runtime  # noqa: E402

TEAMS = (1, 2, 3, 8, 64)


def machines():
    found = sorted((HERE.parent / "machines").glob("*.xml"))
    return found or sys.exit("no machine in test/machines")


def schedulers(vicino):
    text = subprocess.run([vicino, "settings"], text=True, capture_output=True, check=True).stdout
    match = re.search(r"^VICINO_TASKS\n.*\n +Values: one of (.+)$", text, re.M)
    return match[1].split(", ") if match else sys.exit("'vicino settings' lists no task schedulers")


def sample(compiler, known):
    """Pairs the two lists; the shorter one repeats. Each compiler gets other pairs."""
    shift = compiler.startswith("clang")
    for i in range(max(len(machines()), len(known))):
        yield (machines()[i % len(machines())], known[(i + shift) % len(known)],
               TEAMS[(i + 3 * shift) % len(TEAMS)], i)


def whole(machine, known):
    return [(machine, scheduler, threads, seed) for seed, scheduler in enumerate(known)
            for threads in TEAMS]


def fault(argv, base, case, options):
    """None if the run went well, or else what was wrong. The program prints only its seed, and the
    runtime would print a warning if it could not use a setting."""
    machine, scheduler, threads, seed = case
    settings = {"VICINO_MACHINE": str(machine), "VICINO_TASKS": scheduler,
                "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "close"}
    command = [*argv, str(seed), options.seconds]
    status, output = runs.run_once(command, {**base, **settings}, options.timeout)
    if status == 0 and output == f"seed {seed}\n":
        return None
    reason = "warns" if status == 0 else runs.describe(status, 0)
    return " ".join([f"{k}={v}" for k, v in settings.items()] + command) + f": {reason}\n{output}"


def cases_of(options):
    known = schedulers(options.vicino)
    if options.what == "sample":
        return list(sample(options.compiler, known))
    for machine in machines():
        if machine.stem == options.what:
            return whole(machine, known)
    names = ", ".join(machine.stem for machine in machines())
    sys.exit(f"no machine '{options.what}'; there are {names}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", metavar="sample|MACHINE")
    parser.add_argument("compiler")
    parser.add_argument("--vicino", required=True, help="the command")
    parser.add_argument("--runtime", required=True, help="the library")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for programs")
    parser.add_argument("--flags", default="", help="more compiler flags")
    parser.add_argument("--seconds", default="0.5", help="for one run")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run")
    options = parser.parse_args()
    options.arguments, options.work = "", options.work.resolve()
    program = next(p for p in programs.find(HERE) if p.name == "tasks")
    if not build.available(options.compiler, program.source):
        print(f"{options.compiler} is not installed")
        return runs.SKIPPED
    argv = runs.prepare(program, options.compiler, options)
    runtime = Runtime(options.runtime, options.work)
    if complaint := runtime.complaint(argv[0]):
        sys.exit(complaint)
    base = {**runs.clean_environment(), **runtime.environment(), **program.environment}
    faults = 0
    for case in cases_of(options):
        if text := fault(argv, base, case, options):
            faults += 1
            print(text, flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
