#!/usr/bin/env python3
"""A hundred processes at once, each with its default number of threads: all answers are right, and all end.

Half of them are the stress program of constructs (mix.cpp), half that of tasks (tasks.cpp), each with
another seed, and half with OMP_DYNAMIC=true, which allows smaller teams. Both have three threads of the program
that lead teams. So a core has hundreds of threads, a thread that waits seldom waits for one that runs, and any
wait may last for many time slices.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "lab")]

from harness import build, programs, runs  # noqa: E402
from harness.runtime import Runtime  # noqa: E402
from launcher.process import die_with  # noqa: E402

PROGRAMS = ("mix", "tasks")


def commands(options):
    """For each process, what it runs, and its environment."""
    runtime = Runtime(options.runtime, options.work)
    built = []
    for program in [p for p in programs.find(HERE) if p.name in PROGRAMS]:
        argv = runs.prepare(program, options.compiler, options)
        if complaint := runtime.complaint(argv[0]):
            sys.exit(complaint)
        built.append((argv, {**runs.clean_environment(), **runtime.environment(), **program.environment}))
    for seed in range(options.processes):
        argv, environment = built[seed % len(built)]
        dynamic = {"OMP_DYNAMIC": "true"} if seed // len(built) % 2 else {}
        yield [*argv, str(seed), str(options.seconds)], environment | dynamic


def start(command, environment):
    """All that it prints stays in the pipe: it is a line or two."""
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            preexec_fn=die_with(os.getpid(), signal.SIGKILL))


def fault(process, seed, deadline):
    """None if the process has ended well, or else what was wrong."""
    try:
        output = process.communicate(timeout=max(0.01, deadline - time.monotonic()))[0]
    except subprocess.TimeoutExpired:
        return "it does not end"
    if process.returncode == 0 and output == f"seed {seed}\n":
        return None
    return f"status {process.returncode}\n{output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("--runtime", required=True, help="the library")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for programs")
    parser.add_argument("--flags", default="", help="more compiler flags")
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20, help="after which each process ends by itself")
    parser.add_argument("--timeout", type=float, default=240, help="seconds until all have ended")
    options = parser.parse_args()
    options.arguments, options.work = "", options.work.resolve()
    if not build.available(options.compiler, HERE / "mix.cpp"):
        print(f"{options.compiler} is not installed")
        return runs.SKIPPED
    all_commands = list(commands(options))
    running, faults = [], 0
    try:
        deadline = time.monotonic() + options.timeout
        running = [start(*command) for command in all_commands]
        for seed, process in enumerate(running):
            if text := fault(process, seed, deadline):
                faults += 1
                print(" ".join(all_commands[seed][0]) + ": " + text, flush=True)
    finally:
        for process in running:
            process.kill()
            process.wait()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
