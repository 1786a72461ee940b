#!/usr/bin/env python3
"""Counts where the memory accesses of loops go, in guests with many NUMA nodes; writes results.md.

    run.py --page bench/locality/results.md
                                            both machines, three seeds
    run.py --quick                          one machine, one seed, printed
    run.py --check                          only checks all answers, on this machine, without guests
    run.py --from FILE --page …             writes the page again from a file that --json wrote
    run.py --kernels triad --machines 4x4 --seeds 1,2,3,4,5

A wrong answer, a wrong runtime or a schedule that a runtime does not know ends the run with status 1.
"""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import guests as guests_of_the_lab  # noqa: E402
import tables  # noqa: E402
from report import cells, machine, page  # noqa: E402

COMPILERS = {"clang": "clang++-19", "gcc": "g++-12"}


def comma_list(text):
    return [part for part in text.split(",") if part]


def machine_list(text):
    known = guests_of_the_lab.CPUS
    if unknown := set(comma_list(text)) - set(known):
        raise argparse.ArgumentTypeError(f"no machine '{unknown.pop()}'; known: {', '.join(known)}")
    return comma_list(text)


def seed_list(text):
    if not all(part.isdecimal() for part in comma_list(text)):
        raise argparse.ArgumentTypeError(f"'{text}': whole numbers from 0, with commas between")
    return [int(part) for part in comma_list(text)]


def parse():
    root = HERE.parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="4x4 and one seed, unless they are given")
    parser.add_argument("--check", action="store_true", help="answers only, on this machine")
    parser.add_argument("--machines", type=machine_list, metavar="A,B", help="of: 4x4, 8x8 (both)")
    parser.add_argument("--seeds", type=seed_list, metavar="N,M", help="samples (1,2,3)")
    parser.add_argument("--kernels", type=comma_list, default=[], metavar="A,B",
                        help="triad, stencil, spmv, triangles (all; on 8x8 triad and spmv)")
    parser.add_argument("--runtimes", type=comma_list, default=["libomp", "libgomp", "vicino"],
                        metavar="A,B", help="of: libomp, libgomp, vicino (all)")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=2, help="guests at a time (2)")
    parser.add_argument("--time-limit", type=int, default=900, metavar="SECONDS", help="of a guest (900)")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/release",
                        help="where programs, lab and libvicino.so were built (build/release)")
    parser.add_argument("--lab", type=pathlib.Path, default=root / "lab/lab")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all counts")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE",
                        help="counts of an earlier run, instead of a run")
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE", help="page to rewrite")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.machines = options.machines or (["4x4"] if options.quick else list(guests_of_the_lab.CPUS))
    options.seeds = options.seeds or ([1] if options.quick else [1, 2, 3])
    return options


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def kernels_of(program):
    """[{"kernel": …, "chunk": …, "about": …}]"""
    listing = subprocess.run([program, "--list", "all"], text=True, capture_output=True, check=True)
    return [json.loads(line) for line in listing.stdout.split("\n") if line.startswith("{")]


def preamble(facts, data):
    def each(values):
        return ", ".join(map(str, sorted(set(values))))

    counted = data["guests"]
    quanta = each(guest["parameters"]["quantum"] for guest in counted)
    model = " ".join(f"{name}={value}" for name, value in counted[0]["parameters"].items()
                     if name != "quantum")
    rows = [
        ("taken", facts["date"]),
        ("machines", each(guest["machine"] for guest in counted) + " (`lab/lab --list`), emulated by QEMU"),
        ("seeds", each(guest["seed"] for guest in counted) + ", the model's clock"),
        *((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
        *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
        ("settings", " ".join(f"{k}={v}" for k, v in facts["settings"].items())),
        ("model", f"{model}; quantum, by seed: {quanta}"),
        *((f"kernel: {row['kernel']}, c = {row['chunk']}", row["about"]) for row in data["kernels"]),
    ]
    return "".join(f"- {name}: {value}\n" for name, value in rows)


def notes(runner):
    for failure in runner.again:
        yield f"Run again under another seed, because the lab failed: {failure}."


def check(bench, runner):
    """Checks answers with four threads, and that wrong answers, teams and runtimes are refused."""
    runner.prepare([])
    runner.write_inputs("check", 4)
    right = pathlib.Path(runner.inputs("check")).read_bytes()
    pathlib.Path(runner.inputs("damaged")).write_bytes(right[:-8] + bytes(8))
    for cell in bench.native_cells():
        def run(inputs="check", threads="4", runtime=None, cell=cell):
            command = runner.counting(cell, inputs, {"OMP_NUM_THREADS": threads}, ())
            command[command.index("--runtime") + 1] = runtime or runner.runtime(cell)
            return subprocess.run(command, env=bench.environment(cell), text=True, capture_output=True,
                                  timeout=120, check=False)

        done = run()
        if done.returncode:
            raise cells.Refused(f"{cell}: status {done.returncode}: {done.stderr.strip()}")
        for status, wrong in ((4, run("damaged")), (5, run(threads="3")), (3, run(runtime="/proc/self/exe"))):
            if wrong.returncode != status:
                raise cells.Refused(f"{cell}: status {wrong.returncode} where {status} was due")
        print(f"{cell}: {done.stdout.count('true')} answers right", flush=True)
    return None


def measure(bench, options, scratch):
    runner = guests_of_the_lab.Runner(bench, options.build, options.lab, scratch, options)
    if options.check:
        return check(bench, runner)
    runner.prepare(options.machines)
    facts = machine.facts({c: COMPILERS[c] for c in bench.compilers}, bench.runtimes,
                          guests_of_the_lab.SETTINGS)
    listed = kernels_of(next(bench.programs.glob("locality-*")))
    counted = runner.run(progress)
    progress("")
    seen = {region["kernel"] for guest in counted for region in guest["regions"]}
    return {"facts": facts, "kernels": [row for row in listed if row["kernel"] in seen],
            "guests": counted, "notes": list(notes(runner))}


def write(options, data):
    if options.json:
        options.json.write_text(json.dumps(data, indent=1), encoding="utf-8")
    text = preamble(data["facts"], data) + "\n" + tables.report(data["guests"], data["notes"])
    if options.page:
        page.rewrite(options.page, text)
    else:
        print(text)


def main():
    options = parse()
    if options.source:
        return write(options, json.loads(options.source.read_text(encoding="utf-8")))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that guests end and files are removed
    with tempfile.TemporaryDirectory() as scratch:
        bench = cells.Bench(options.build / "bench", options.build / "lib/libvicino.so", {},
                            options.runtimes, {}, scratch)
        if not list(bench.programs.glob("locality-*")):
            sys.exit(f"no programs in {bench.programs}: build the target bench_programs")
        if cells.OURS not in bench.runtimes:
            print(f"no libvicino.so in {options.build}/lib: peers only", file=sys.stderr)
        try:
            data = measure(bench, options, scratch)
        except (cells.Refused, guests_of_the_lab.LabFailed) as why:
            sys.exit(f"\nrefused: {why}")
    if data:
        write(options, data)
    return None


if __name__ == "__main__":
    main()
