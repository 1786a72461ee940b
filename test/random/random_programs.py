#!/usr/bin/env python3
"""Random OpenMP programs: draws, builds and runs them, and makes those that fail as small as they get.

    random_programs.py --runtime FILE [--count N] [--seed S] [--first K] [--compilers gcc-12,...]
           [--size N] [--seconds S] [--peer] [--keep DIR] [--jobs N]

Program K of seed S is always the same. Each checks its own answers, which the generator knows from a serial
interpretation (programs/base.py). Each program runs a few times, with settings that are drawn too. A failing one
loses constructs and clauses for as long as it fails; then it is run on its compiler's own runtime, and what is
left is printed, or kept in a folder. `--seed random` draws the seed and prints it. The exit status is 1 if a
program failed.
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import build, compilers, processor, runs  # noqa: E402
from harness.runtime import Runtime  # noqa: E402
from programs.fortran.grammar import FortranProgram  # noqa: E402
from programs.grammar import Program  # noqa: E402

SUFFIXES = {"c": ".c", "cpp": ".cpp", "fortran": ".f90"}
# What a user may set, and what must never change an answer. Vicino's own settings mean nothing to other runtimes.
SETTINGS = {
    "OMP_SCHEDULE": ["static", "dynamic,3", "guided", "nonmonotonic:dynamic"],
    "OMP_WAIT_POLICY": ["active", "passive"],
    "OMP_MAX_TASK_PRIORITY": ["5"],
    "OMP_PLACES": ["threads", "cores", "{0}"],
    "KMP_BLOCKTIME": ["0", "infinite"],
    "VICINO_TASKS": ["breadth_first", "cilk", "work_first", "dfwspt", "nas"],
    "VICINO_TASKLOOP": ["flat", "hierarchical"],
    "VICINO_TASKGRAPH": ["site"],
    "VICINO_SCHEDULE": ["nich", "ich", "vsched", "mixed", "steal", "trapezoid", "factoring", "staggered"],
    "VICINO_STATIC": ["measured", "tuned"],
    "VICINO_EXPLORE": ["false"],
}


def of_fortran(compiler):
    return compiler in compilers.of_language(".f90", [compiler])


class Case:
    """One program and how it is built."""

    def __init__(self, options, index):
        draw = random.Random(f"{options.seed}/{index}/case")
        self.index = index
        self.compiler = draw.choice(options.compilers)
        self.language = draw.choice(options.languages) if not of_fortran(self.compiler) else "fortran"
        self.level = draw.choice(["-O0", "-O1", "-O2", "-O3"])
        self.settings = [self.drawn_settings(draw) for _ in range(options.runs)]
        seed = f"{options.seed}/{index}"
        self.program = (FortranProgram(seed, self.compiler, options.size) if self.language == "fortran" else
                        Program(seed, self.language, self.compiler, options.size))

    @staticmethod
    def drawn_settings(draw):
        chosen = {name: draw.choice(values) for name, values in SETTINGS.items() if draw.randrange(4) == 0}
        return {**chosen, "OMP_CANCELLATION": draw.choice(["true", "true", "false"])}

    def __str__(self):
        return f"program {self.index} ({self.language}, {self.compiler} {self.level})"


class Failure(Exception):
    pass


def compile_program(case, text, options, stem):
    source = options.folder / f"{stem}{SUFFIXES[case.language]}"
    source.write_text(text)
    flags = [case.level, f"-I{HERE / 'programs'}", f"-I{HERE / 'programs/fortran'}", *options.flags.split()]
    command = [word for word in build.command_for(source, case.compiler, flags, False)
               if word not in ("-O2", "-Wall", "-Wextra", "-g1") or word == case.level]
    binary = options.folder / f"{stem}.run"
    # A compiler of Fortran writes module files to where it runs.
    with tempfile.TemporaryDirectory(dir=options.folder) as where:
        done = subprocess.run([*command, "-w", "-o", str(binary)], cwd=where, text=True, capture_output=True,
                              check=False)
    if done.returncode:
        raise Failure(f"does not compile\n{done.stderr}")
    return binary


def fault_of(binary, settings, runtime, options):
    """What went wrong in one run; None if nothing did."""
    environment = {**runs.clean_environment(), **runtime.environment(), **settings}
    status, output = runs.run_once([str(binary)], environment, options.timeout)
    if status == 0:
        return None
    shown = " ".join(f"{name}={value}" for name, value in settings.items())
    return f"{shown}\n{runs.describe(status, 0)}\n{output}"


class Trial:
    """Runs texts of one case."""

    def __init__(self, case, options):
        self.case, self.options, self.stem = case, options, f"program-{case.index}"
        self.runtime = Runtime(options.runtime, options.work)

    def fault(self, times=1, settings=None):
        """What is wrong with the case's program as it is now."""
        binary = None
        try:
            binary = compile_program(self.case, self.case.program.text(), self.options, self.stem)
            for chosen in settings or self.case.settings:
                for _ in range(times):
                    if fault := fault_of(binary, chosen, self.runtime, self.options):
                        return fault
            return None
        finally:
            for file in (binary, self.options.folder / (self.stem + SUFFIXES[self.case.language])):
                if file and file.exists():
                    file.unlink()

    def told(self, times, settings):
        """The same as text for people."""
        try:
            return self.fault(times, settings) or "right"
        except Failure as failure:
            return str(failure)


def changes(program):
    """Ways to make a program smaller, those that remove most first: each is (do, undo)."""
    for body in program.all_bodies():
        size = len(body)
        while size >= 1:
            for begin in range(0, len(body), size):
                old = list(body)
                yield (lambda b=body, i=begin, n=size: b.__delitem__(slice(i, i + n)),
                       lambda b=body, o=old: b.__setitem__(slice(None), o))
            size //= 2
    for body in program.all_bodies():
        for i, node in enumerate(body):
            inner = [below for lists in node.bodies() for below in lists]
            if node.hoists and inner:
                old = list(body)
                yield (lambda b=body, i=i, n=inner: b.__setitem__(slice(i, i + 1), n),
                       lambda b=body, o=old: b.__setitem__(slice(None), o))
    for body in program.all_bodies():
        for node in body:
            for name, value in node.simpler.items():
                old = getattr(node, name)
                if old != value:
                    yield (lambda n=node, a=name, v=value: setattr(n, a, v),
                           lambda n=node, a=name, o=old: setattr(n, a, o))


def reduce(trial, deadline):
    """Drops what the failure does not need, until nothing more can go or the time is up."""
    shrunk = True
    while shrunk and time.monotonic() < deadline:
        shrunk = False
        for do, undo in changes(trial.case.program):
            do()
            try:
                still = trial.fault(times=trial.options.repeat)
            except (Failure, KeyError):  # a name or a reduction is used that is gone
                still = None
            if still:
                shrunk = True
                break  # the list of changes is of the larger program
            undo()
            if time.monotonic() >= deadline:
                break


def report(trial, fault):
    """Makes a failing case small and says what it does here and on its compiler's runtime."""
    options, case = trial.options, trial.case
    before = case.program.constructs()
    if "does not compile" not in fault:
        reduce(trial, time.monotonic() + options.reduce)
        fault = trial.fault(times=20) or fault
    lines = [f"{case}: {case.program.constructs()} constructs left of {before}", fault]
    if options.peer:
        peer = Trial(case, argparse.Namespace(**{**vars(options), "runtime": "own"}))
        settings = [{"KMP_TEAMS_THREAD_LIMIT": "256", **s} for s in case.settings]
        lines.append(f"on its compiler's runtime: {peer.told(5, settings)}")
    text = case.program.text()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        file = options.keep / f"{options.seed}-{case.index}-{case.compiler}{SUFFIXES[case.language]}"
        mark = "!" if case.language == "fortran" else "//"
        file.write_text("".join(f"{mark} {line}\n" for line in "\n".join(lines).splitlines()) + text)
        lines.append(f"kept as {file}")
    else:
        lines.append(text)
    return "\n".join(lines)


def try_one(options, index):
    """None, or a report. Beyond the time that the run has, nothing is begun."""
    if time.monotonic() > options.deadline:
        return "late"
    trial = Trial(Case(options, index), options)
    try:
        fault = trial.fault()
    except Failure as failure:
        fault = str(failure)
    return report(trial, fault) if fault else None


def words(text):
    return [word for word in text.split(",") if word]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runtime", default="own", help="a shared library, or own: the compiler's")
    parser.add_argument("--count", type=int, default=20, help="programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--compilers", type=words, default=["gcc-12", "clang-19", "gfortran-12", "flang-19"])
    parser.add_argument("--languages", type=words, default=["c", "cpp"])
    parser.add_argument("--size", type=int, default=30, help="constructs of a program, about")
    parser.add_argument("--runs", type=int, default=3, help="of each program, with drawn settings")
    parser.add_argument("--repeat", type=int, default=5, help="runs of a smaller program that must all pass")
    parser.add_argument("--seconds", type=float, default=1e9, help="no program is begun later")
    parser.add_argument("--processor", type=processor.choose, help="another than this machine's, under qemu-user")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run")
    parser.add_argument("--reduce", type=float, default=300, help="seconds to make a failing program small")
    parser.add_argument("--flags", default="", help="more compiler flags")
    parser.add_argument("--peer", action="store_true", help="run what fails on its compiler's runtime too")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs that fail")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("random-programs"))
    options = parser.parse_args()
    if options.seed == "random":
        options.seed = str(random.SystemRandom().randrange(1 << 32))
    options.compilers = [c for c in options.compilers
                         if build.available(c, pathlib.Path("x.f90" if of_fortran(c) else "x.c"))]
    if not options.compilers:
        print("none of the compilers is installed")
        sys.exit(runs.SKIPPED)
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.deadline = time.monotonic() + options.seconds
    return options


def main():
    options = parse()
    print(f"seed {options.seed}", flush=True)
    failed = late = 0
    # A folder of its own: other runs have programs of the same numbers.
    with tempfile.TemporaryDirectory(dir=options.work) as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        options.folder = pathlib.Path(folder)
        indices = range(options.first, options.first + options.count)
        for result in pool.map(lambda index: try_one(options, index), indices):
            late += result == "late"
            if result not in (None, "late"):
                failed += 1
                print(result, flush=True)
    print(f"{options.count - late} programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
