"""iCh and NiCh at their paper's sizes, by a model (main.cpp): three quarters of an hour on two cores.

All of it is computed: the same sources give the same figures on each machine.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from loops import validation, verdicts
from report import command, guests

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "results.md"
TARGETS = ("bench_paper_loops", "bench_programs", "bench_loops_programs")
PICTURES = ()
# Up to the paper's largest; 128 threads on the EPYC are beyond it.
THREADS = {"epyc": (1, 2, 8, 16, 32, 64, 128), "xeon": (1, 2, 8, 16, 24, 48, 96), "knl": (1, 2, 17, 68, 136, 272)}
# Programs in the order of their cost. The last three take minutes with each number of threads, so they are run at the
# machines' ends, with one seed, and with bounds on the EPYC alone.
LONG = ("kmeans", "synthetic-uniform", "lu", "pathfinder", "bfs-uniform", "bfs-power")
HEAVY = LONG[3:]
SEEDS = (2, 3)      # beside 1: at the machines' ends
FEW = ("synthetic-up", "synthetic-down", "boxes")   # loops of some thousand iterations
# A loop of 16 million iterations asks its cyclic schedule as often; blocks are faster by far (Tri shows it).
CYCLIC = (*FEW, "synthetic-long", "triangles", "kmeans", "lu")
QUICK = ("synthetic-up", "synthetic-down", "boxes", "triangles")


def add_options(parser):
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of this machine (all)")
    parser.add_argument("--programs", type=command.words_of(verdicts.TITLES), metavar="A,B",
                        help=f"{', '.join(verdicts.TITLES)} (all)")
    parser.add_argument("--machines", type=command.words_of(THREADS), metavar="A,B",
                        help=f"{', '.join(THREADS)} (all)")
    guests.add_options(parser)


def schedules_of(program, own=True):
    """The paper's, and Vicino's `own`."""
    found = ["static", "libgomp-dynamic,3", "libgomp-guided", "ich,paper", "nich,paper"]
    if program in CYCLIC:
        found.append("static_chunked,1")
    if program in (*FEW, "synthetic-long", "lu"):
        found.append("libgomp-dynamic,1")
    return [*found, *(("ich", "nich") if own else ())]


def jobs(options):
    """[(what it is for, arguments)], the cheap ones of each kind first."""
    programs = options.programs or (QUICK if options.quick else list(verdicts.TITLES))
    machines = options.machines or (["epyc"] if options.quick else list(THREADS))
    programs = sorted(programs, key=lambda name: LONG.index(name) if name in LONG else -1)
    of_each = [(program, machine) for program in programs for machine in machines]
    on_epyc = programs if "epyc" in machines else ()
    for program, machine in of_each:
        # LUD's loops on 272 threads are shorter than their ends.
        at_ends = machine != "epyc" and program in HEAVY or (program, machine) == ("lu", "knl")
        threads = verdicts.ENDS[machine] if at_ends or program.startswith("bfs") else THREADS[machine]
        yield "speed", [program, machine, threads, 1, "value", schedules_of(program), ()]
    for program in on_epyc:
        for seed in (1,) if options.quick or program in LONG else (1, *SEEDS):
            names = [f"nich,paper,{each}" for each in verdicts.VARIED]
            yield "parameters", [program, "epyc", (16, 32, 64), seed, "value", ["nich,paper", *names], ()]
            for what, more in (("updates", ()), ("fixed", ("--fixed",))):
                names = [f"nich,paper,epsilon={each}" for each in verdicts.EPSILONS]
                yield what, [program, "epyc", (32, 64), seed, "value", names, more]
    for name, (sets, of_programs, schedules) in verdicts.EXPERIMENTS.items():
        for program in on_epyc:
            if program in of_programs:
                yield f"experiment: {name}", [program, "epyc", (64,), 1, "value", schedules,
                                              [part for each in sets for part in ("--set", each)]]
    for program, machine in of_each:    # not where it would claim 16 million iterations one by one
        if program in CYCLIC and program != "triangles":
            yield "speed", [program, machine, verdicts.ENDS[machine][1:], 1, "value", ["dynamic"], ()]
    if options.quick:
        return
    for bound, seed in (("low", 1), ("high", 1), *(("value", seed) for seed in SEEDS)):
        for program, machine in of_each:
            if program not in HEAVY or (machine == "epyc" and bound != "value"):
                yield "speed", [program, machine, verdicts.ENDS[machine], seed, bound, schedules_of(program, False), ()]


class Model:
    """The program, with what all its runs have in common."""

    def __init__(self, options):
        self.program = options.build / "bench/paper_loops/loops"
        if not self.program.exists():
            sys.exit(f"no {self.program}: build the target bench_paper_loops")

    def output(self, *arguments):
        done = subprocess.run([self.program, "--keep", self.program.parent, *arguments], text=True, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.program.name} {' '.join(arguments)}: status {done.returncode}")
        return json.loads(done.stdout)

    def run(self, job):
        what, (program, machine, threads, seed, bound, schedules, more) = job
        rows = self.output("--program", program, "--machine", machine, "--threads", ",".join(map(str, threads)),
                           "--seed", str(seed), "--bound", bound, *more,
                           *(part for name in schedules for part in ("--schedule", name)))
        print(f"{what}: {program} on {machine}, seed {seed}, {bound}", file=sys.stderr, flush=True)
        return [row | {"what": what, "seed": seed, "bound": bound} for row in rows]


def compute(options):
    """What an earlier run has left in --from is not run again, and what is run goes to --json as it comes."""
    model = Model(options)
    for old in () if options.source else model.program.parent.glob("*.levels"):     # another version's graphs
        old.unlink()
    made = json.loads(options.source.read_text(encoding="utf-8"))["jobs"] if options.source else {}
    data = {"written_by": command.written_by(options.build), "parameters": model.output("--parameters"),
            "works": model.output("--works"), "jobs": made, "lab": []}
    todo = [job for job in jobs(options) if json.dumps(job) not in made]
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        futures = {pool.submit(model.run, job): job for job in todo}
        for done in concurrent.futures.as_completed(futures):
            made[json.dumps(futures[done])] = done.result()
            keep(options, data)
    data["lab"] = [] if options.quick else in_lab(options, model)
    keep(options, data)
    return data


def keep(options, data):
    if options.json:
        options.json.write_text(json.dumps(data), encoding="utf-8")


def in_lab(options, model):
    json_of_all, options.json = options.json, None      # guests keep what they make in --json
    try:
        return validation.rows(options, model, options.machines or THREADS)
    finally:
        options.json = json_of_all


def parts(options):
    if options.source and not options.json:
        return verdicts.report(json.loads(options.source.read_text(encoding="utf-8")))
    return verdicts.report(compute(options))
