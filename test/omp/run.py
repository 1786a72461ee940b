#!/usr/bin/env python3
"""Builds and runs OpenMP feature programs on one runtime.

    run.py list                          every test, as `name compiler`
    run.py test NAME COMPILER            one program at each team size
    run.py all [--match REGEX] [-j N]    all tests, and a summary
    run.py build [--match REGEX] [-j N]  builds all, for a later `all` with the same folder of --work
    run.py faults [--match REGEX]        checks that programs fail on a runtime with a fault
    options: --runtime own|FILE, --threads 1,2,4,7,64, --folder DIR of sources, --work DIR,
             --compilers gcc-16,clang-23, --older: the compilers are older than the programs
             --processor aarch64: programs for it, under qemu-user
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness import build, compilers, processor, programs  # noqa: E402
from harness.runs import SKIPPED, clean_environment, describe, prepare, run_once  # noqa: E402
from harness.runtime import Runtime  # noqa: E402

Outcome = collections.namedtuple("Outcome", "ok message is_built", defaults=(True,))


def run_program(program, compiler, options):
    """Runs one program at each team size; stops at the first size that fails."""
    argv = prepare(program, compiler, options)
    runtime = Runtime(options.runtime, options.work)
    if complaint := runtime.complaint(argv[1] if program.library else argv[0]):
        return Outcome(False, complaint)
    base = {**clean_environment(), **runtime.environment()}
    for threads in program.threads or options.threads:
        settings = {"OMP_NUM_THREADS": str(threads), **program.environment, **options.extra}
        status, output = run_once(argv, {**base, **settings}, options.timeout)
        if status != program.status:
            shown = " ".join(f"{k}={v}" for k, v in settings.items())
            reason = describe(status, program.status)
            return Outcome(False, f"{shown} {program.name}: {reason}\n{output}")
    return Outcome(True, "")


def outcome_of(program, compiler, options):
    try:
        return run_program(program, compiler, options)
    except build.CompileError as error:
        return Outcome(False, f"does not compile\n{error}", False)


def run_test(options):
    for program in programs.find(options.folder):
        if program.name == options.name:
            if not build.available(options.compiler, program.source):
                print(f"{options.compiler} is not installed")
                return SKIPPED
            outcome = outcome_of(program, options.compiler, options)
            print(outcome.message, end="")
            return 0 if outcome.ok else 1
    sys.exit(f"no program '{options.name}' in {options.folder}")


def verdict(program, compiler, outcome, options):
    known = options.runtime == "own" and program.fails_on_peer(compiler)
    if known:
        return "known" if not outcome.ok else "PASSES NOW"
    if options.older and not outcome.is_built:
        return "refused"
    return "ok" if outcome.ok else "FAILED"


def chosen_tests(options):
    return [(p, c) for p in programs.find(options.folder) for c in p.compilers(options.compilers)
            if re.search(options.match, f"{p.name}/{c}") and not (p.native and processor.is_emulated())]


def run_build(options):
    """Tells what does not compile."""
    def complaint(test):
        try:
            prepare(*test, options)
        except build.CompileError as error:
            return f"{test[0].name}/{test[1]} does not compile\n{error}"
        return ""

    tests = chosen_tests(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        complaints = list(filter(None, pool.map(complaint, tests)))
    print("\n".join([*complaints, f"{len(tests)} tests, {len(complaints)} do not compile"]))
    return 1 if complaints and not options.older else 0


def run_all(options):
    tests = chosen_tests(options)
    counts = collections.Counter()

    def timed(test):
        start = time.monotonic()
        return (*test, outcome_of(*test, options), time.monotonic() - start)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, compiler, outcome, seconds in pool.map(timed, tests):
            word = verdict(program, compiler, outcome, options)
            counts[word] += 1
            print(f"{word:8} {seconds:6.1f} s  {program.name}/{compiler}", flush=True)
            if word == "FAILED":
                print(outcome.message.rstrip(), flush=True)
    print(", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    # A compiler that builds next to nothing is broken, or is not there.
    return 1 if counts["FAILED"] or counts["refused"] > counts["ok"] else 0


def faults(folder):
    for line in (folder / "faults" / "faults.txt").read_text().splitlines():
        fault, *names = line.split()
        if fault != "#":
            yield from ((fault, name) for name in names)


def run_faults(options):
    """Runs each program with each fault that it must notice, with a few threads and many times: a
    race that a missing barrier allows need not happen in one run."""
    known = {p.name: p for p in programs.find(options.folder)}
    source, unnoticed = options.folder / "faults" / "faults.c", 0
    options.threads = [4] * 20
    for fault, name in faults(options.folder):
        if not re.search(options.match, name):
            continue
        library = build.build(source, "gcc-12", [f"-D{fault}"], options.work, shared=True)
        options.extra = {"LD_PRELOAD": str(library)}
        compiler = next(c for c in known[name].compilers() if c.startswith("g"))
        outcome = outcome_of(known[name], compiler, options)
        if outcome.ok:
            unnoticed += 1
            print(f"{name} does not notice {fault}", flush=True)
        elif options.verbose:
            print(f"{fault}: {outcome.message}")
    return 1 if unnoticed else 0


def run_list(options):
    sanitizers = options.sanitize.split(",")
    for program in programs.find(options.folder):
        if any(name in sanitizers for name in program.unsanitized):
            continue
        for compiler in program.compilers(options.compilers):
            print(program.name, compiler)
    return 0


def parse():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--folder", type=pathlib.Path, default=here)
    common.add_argument("--runtime", default="own")
    common.add_argument("--threads", default="1,2,4,7,64",
                        type=lambda s: [int(n) for n in s.split(",")])
    common.add_argument("--compilers", type=lambda s: s.split(","), default=compilers.HERE)
    common.add_argument("--older", action="store_true", help="what does not compile is no failure")
    common.add_argument("--processor", type=processor.choose, help="another than this machine's")
    common.add_argument("--timeout", type=float, default=60, help="seconds for one run")
    common.add_argument("--flags", default="", help="more compiler flags")
    common.add_argument("--arguments", default="", help="passed to the program")
    common.add_argument("--work", type=pathlib.Path, default=here.parents[1] / "build/omp-programs",
                        help="where programs are built (build/omp-programs)")
    commands = parser.add_subparsers(required=True, dest="command")
    listing = commands.add_parser("list", parents=[common])
    listing.add_argument("--sanitize", default="", help="leave out what cannot run with these")
    listing.set_defaults(action=run_list)
    one = commands.add_parser("test", parents=[common])
    one.add_argument("name")
    one.add_argument("compiler")
    one.set_defaults(action=run_test)
    broken = commands.add_parser("faults", parents=[common])
    broken.add_argument("--match", default="")
    broken.add_argument("-v", "--verbose", action="store_true")
    broken.set_defaults(action=run_faults)
    for name, action in (("all", run_all), ("build", run_build)):
        every = commands.add_parser(name, parents=[common])
        every.add_argument("--match", default="")
        every.add_argument("-j", "--jobs", type=int, default=1)
        every.set_defaults(action=action)
    options = parser.parse_args()
    options.extra = {}
    options.folder, options.work = options.folder.resolve(), options.work.resolve()
    return options


if __name__ == "__main__":
    chosen = parse()
    sys.exit(chosen.action(chosen))
