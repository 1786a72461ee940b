#!/usr/bin/env python3
"""Measures Vicino against libomp, Intel's libiomp5 and libgomp, all in one interleaved run.

    run.py --quick                      takes two minutes; without it, ten
    run.py --check                      only checks whether all answers are right
    run.py --only parallel,barrier      these constructs
    run.py --suites constructs,idle     these parts
    run.py --suites loops               loop kernels under all schedules: nineteen minutes; quick: four
    run.py --suites ilan                kernels whose loops leave the choice to the runtime: half an
                                        hour; quick: one round
    run.py --suites graphs              task graphs: half an hour; quick: five minutes
    run.py --suites crowded             several processes at once: 40 minutes; quick: two
    run.py --suites mpi                 ranks of MPI programs: 40 minutes; quick: one round
    run.py --runtimes libomp,vicino --extra before=FILE
    run.py --page bench/performance.md  rewrites the measured part of the page

A process that runs on another runtime than requested, or computes a wrong answer, is refused: nothing
is reported, and the status is 1.
"""

import argparse
import contextlib
import json
import pathlib
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from programs import packages  # noqa: E402
from report import cells, machine, page  # noqa: E402
from suites import chunks, constructs, crowd, crowded, graphs, idle, ilan, instructions  # noqa: E402
from suites import loops, mpi, quota, start, tasks, tuner  # noqa: E402

# Seconds, quick and full. `instructions` has no limit and takes about 15 s.
SUITES = {
    "constructs": (constructs, 50, 330),
    "tasks": (tasks, 60, 400),
    "crowd": (crowd, 15, 60),
    "quota": (quota, 20, 150),
    "idle": (idle, 10, 25),
    "instructions": (instructions, 0, 0),
    "start": (start, 5, 20),
    "tuner": (tuner, 40, 120),
    "chunks": (chunks, 20, 60),
    "loops": (loops, 200, 1100),
    "ilan": (ilan, 0, 1800),
    "graphs": (graphs, 0, 1700),
    "crowded": (crowded, 0, 2400),
    "mpi": (mpi, 0, 2400),
}
# They have their own pages: bench/loops/run, bench/ilan/run, bench/graphs/run, bench/crowded/run,
# bench/mpi/run.
APART = {"chunks", "loops", "ilan", "graphs", "crowded", "mpi"}
COMPILERS = {"clang": "clang++-19", "gcc": "g++-12"}
INTEL_OPENMP = "intel-openmp==2026.2.0"


def comma_list(text):
    return [part for part in text.split(",") if part]


def counts(text):
    words = comma_list(text)
    if not words or not all(word.isdecimal() and 1 <= int(word) <= 1000 for word in words):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of whole numbers from 1 to 1000, as 4,8")
    return [int(word) for word in words]


def positive(text):
    with contextlib.suppress(ValueError):
        if 0 < float(text) < 1e9:
            return float(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0, as 60")


def pair(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def parse():
    root = HERE.parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two minutes instead of ten")
    parser.add_argument("--check", action="store_true", help="answers only, at 1, 2, 3 and 7 threads")
    parser.add_argument("--suites", type=comma_list, metavar="A,B",
                        default=[name for name in SUITES if name not in APART],
                        help=f"{', '.join(SUITES)} (all but {', '.join(APART)})")
    parser.add_argument("--only", default="", metavar="A,B",
                        help="constructs, task kernels, loop kernels, parts of `graphs`, parts or cases of "
                             "`crowded`, parts, programs or MPIs of `mpi` to measure")
    parser.add_argument("--matrices", type=comma_list, default=[], metavar="A,B",
                        help="for `graphs`, as its programs have them, with @dissection or @metis behind one "
                             "for that order of its rows (cube:100@metis)")
    parser.add_argument("--copies", type=counts, default=[], metavar="N,M",
                        help="for `crowded`, how many copies at once (1,2,4,8,16; quick: 1,4,8)")
    parser.add_argument("--threads", type=lambda t: [int(n) for n in comma_list(t)], default=[1, 2],
                        metavar="N,M", help="team sizes for `constructs`, `tasks`, `loops`, `ilan` and `graphs` (1,2)")
    parser.add_argument("--runtimes", type=comma_list, default=[], metavar="A,B",
                        help="of: libomp, libiomp5, libgomp, vicino, libomp again (the control)")
    parser.add_argument("--extra", type=pair, action="append", default=[], metavar="NAME=FILE",
                        help="a further runtime, such as an earlier libvicino.so")
    parser.add_argument("--env", type=pair, action="append", default=[], metavar="NAME=VALUE",
                        help="a setting for every process; none is inherited")
    parser.add_argument("--seconds", type=positive, default=0, metavar="S",
                        help="about how long a suite may take: rounds are repeated until then")
    parser.add_argument("--ms", type=float, default=0, help="time for each construct and process")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/release",
                        help="where the programs and libvicino.so were built")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all figures, by round")
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE", help="page to rewrite")
    options = parser.parse_args()
    options.ms = options.ms or (15 if options.quick else 30)
    if unknown := set(options.suites) - set(SUITES):
        parser.error(f"unknown suite: {', '.join(sorted(unknown))}")
    return options


def intel_runtime(build):
    """Intel's runtime of PyPI, installed below the build; None, after a line that says why, if it cannot be."""
    place = build / "intel-openmp"
    try:
        packages.python_with(place, INTEL_OPENMP)
    except packages.Unavailable as why:
        print(f"without {cells.INTEL}: {why}", file=sys.stderr)
        return None
    return (place / "lib/libiomp5.so").resolve()


def progress(suite):
    def show(text):
        if sys.stderr.isatty():
            print(f"\r\033[K{suite}: {text}", end="", file=sys.stderr, flush=True)
    return show


def measure(bench, options):
    results = {}
    for name in options.suites:
        suite, quick, full = SUITES[name]
        seconds = options.seconds or (quick if options.quick else full)
        results[name] = suite.run(bench, options, seconds, progress(name))
    progress("done")("")
    return results


def check(bench):
    for cell in bench.cells():
        expect_refusals(bench, cell)
        for threads in (1, 2, 3, 7):
            lines = bench.run(cell, counting(bench, cell, bench.file(cell)), threads)
            print(f"{cell}, {threads} threads: {len(lines) - 1} constructs right", flush=True)
    crowded.check(bench)


def counting(bench, cell, runtime):
    return [bench.program("micro", cell), "--runtime", runtime, "--count", "100"]


def expect_refusals(bench, cell):
    """A process is refused if it runs on another runtime than the one given, or if its `single` is broken."""
    broken = f"LD_PRELOAD={bench.programs / 'broken.so'}"
    for command in (counting(bench, cell, "/proc/self/exe"),
                    ["env", broken, *counting(bench, cell, bench.file(cell))]):
        try:
            bench.run(cell, command, 2)
        except cells.Refused:
            continue
        sys.exit(f"{cell}: not refused: {' '.join(command)}")


def text_of(results, facts, noise):
    parts = [page.preamble(facts, noise)]
    for name, data in results.items():
        parts.append(f"## {SUITES[name][0].TITLE}\n\n{SUITES[name][0].report(data)}")
    return "\n".join(parts)


def perform(bench, options):
    if options.check:
        return check(bench)
    facts = machine.facts({c: COMPILERS[c] for c in bench.compilers}, bench.runtimes, bench.settings)
    if cells.INTEL in facts["runtimes"]:
        facts["runtimes"][cells.INTEL] = INTEL_OPENMP.replace("==", " ") + " (PyPI)"
    noise = machine.Noise()
    results = measure(bench, options)
    return report(options, results, facts, noise.shares())


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that control groups are removed
    with tempfile.TemporaryDirectory() as scratch:
        bench = cells.Bench(options.build / "bench", options.build / "lib/libvicino.so",
                            dict(options.extra), options.runtimes, dict(options.env), scratch,
                            intel_runtime(options.build.resolve()))
        if not bench.compilers:
            sys.exit(f"no programs in {options.build}/bench: build the target bench_programs")
        if cells.OURS not in bench.runtimes:
            print(f"no libvicino.so in {options.build}/lib: peers only", file=sys.stderr)
        try:
            perform(bench, options)
        except (cells.Refused, cells.TimedOut) as why:
            sys.exit(f"\nrefused: {why}")


def report(options, results, facts, noise):
    text = text_of(results, facts, noise)
    if options.json:
        options.json.write_text(json.dumps({"machine": facts, "noise": noise, **results}))
    if options.page:
        page.rewrite(options.page, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
