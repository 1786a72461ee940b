"""Programs whose arrays one thread fills, in guests with several nodes, under the model's clock: with what Vicino
does by itself for their pages, without it, with parallel first touch, and interleaved on the peers.

Equal runs have equal results, so a run is made once for each seed and bound. What was made is kept in
BUILD/bench/pages.guests.json after each guest. With --from FILE only those runs are made that are not in it, and what
else is in it is reported too: it must be of the same programs and the same library.
"""

import collections
import json

from report import cells, command, page
from report.guests import BOUND, Guests, Run, samples
from suites import pages_report

TITLE = "Arrays that one thread fills"
MACHINES = {"2x4": 8, "4x4": 16, "8x2": 16, "2x24": 48, "8x8": 64}     # and their CPUs
USUAL, QUICK = ("4x4", "8x8", "2x24", "8x2"), ("4x4",)
BOUNDS = ("value", "low", "high")
SEEDS, QUICK_SEEDS = [0, 1, 2], [0]
USUAL_BOUNDS, QUICK_BOUNDS = ["low", "high"], ["value"]
PEERS = ("libomp", "libgomp")
OFF = (("VICINO_PAGES", "off"),)
# Nobody reads these. The size of the environment decides where the stack begins, and by that how a run goes on in
# detail: with AS_OFF it is that of OFF, so that runs differ by what the runtime does and not by luck.
AS_OFF, ANOTHER = (("BENCH_PAGES", "auto"),), ("BENCH_CONTROL", "1")
STEPS = 200
# As many ways as an L3 cache has pages: then it does not matter to a cache which physical pages an array has.
USUAL_WAYS, WAYS = 64, {"8x2": 32}

# `ours`: on Vicino with nothing set, but for `settings`; on a peer threads are bound. The control is another
# sample of "off".
Column = collections.namedtuple("Column", "name ours settings arguments")
COLUMNS = (Column("off", True, OFF, ("--fill", "serial")),
           Column("auto", True, AS_OFF, ("--fill", "serial")),
           Column("profile", True, (("VICINO_PROFILE", "/tmp/pages"),), ("--fill", "serial", "--thrice")),
           Column("first touch", True, OFF, ("--fill", "parallel")),
           Column("first touch auto", True, AS_OFF, ("--fill", "parallel")),
           Column(pages_report.AGAIN, True, (*OFF, ANOTHER), ("--fill", "serial")),
           Column("interleaved", False, BOUND, ("--fill", "serial", "--interleave")),
           Column("peer", False, BOUND, ("--fill", "serial")))

Job = collections.namedtuple("Job", "program column run")
Asked = collections.namedtuple("Asked", "machines seeds bounds columns steps")
EVERYTHING = Asked(tuple(MACHINES), SEEDS, BOUNDS, (), STEPS)
Kept = collections.namedtuple("Kept", "jobs time_limit json")


def add_options(parser):
    parser.add_argument("--machines", type=command.words_of([*MACHINES, "1x2", "1x4"]), metavar="A,B",
                        help=f"for `pages`: {', '.join(MACHINES)} ({', '.join(USUAL)}; quick: {', '.join(QUICK)}); for "
                             "`roots`: 1x2, 1x4")
    parser.add_argument("--columns", type=command.words_of([column.name for column in COLUMNS]), metavar="A,B",
                        help=f"for `pages`: {'; '.join(column.name for column in COLUMNS)} (all)")
    parser.add_argument("--seeds", type=command.seeds, metavar="N,M",
                        help="for `pages` and `roots`, samples (0,1,2; quick: 0)")
    parser.add_argument("--bounds", type=command.words_of(BOUNDS), metavar="A,B",
                        help="for `pages`, of the model's numbers: value, low, high (low, high; quick: value)")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help=f"for `pages` ({STEPS})")


def run(bench, options, _seconds, progress):
    """{"samples": [each run's figures], "steps": n, "made": when, "late": […]}"""
    if not (programs := find_programs(bench, options.only)):
        return {"skipped": f"no program is called {options.only}" if options.only else
                           "no programs: build the target bench_pages_programs"}
    guests = Guests(bench, options.build, Kept(options.jobs, options.time_limit,
                                               options.build / "bench/pages.guests.json"), progress)
    jobs = list(jobs_of(bench, asked(options), programs))
    if options.source:
        jobs = list(dict.fromkeys([*jobs, *jobs_of(bench, EVERYTHING._replace(steps=options.steps),
                                                   find_programs(bench, ""))]))
        guests.load(options.source, [job.run for job in jobs])
    guests.make(job.run for job in jobs_of(bench, asked(options), programs))
    jobs = [job for job in jobs if job.run in guests.results]
    found = [figures(job, guests[job.run]) for job in jobs if guests[job.run]]
    expect_equal_answers(found)
    return {"samples": found, "steps": options.steps, "made": guests.when([job.run for job in jobs]),
            "commit": guests.commits([job.run for job in jobs]),
            "late": [str(job.run) for job in jobs if not guests[job.run]]}


def asked(options):
    quick = options.quick
    return Asked(options.machines or (QUICK if quick else USUAL), options.seeds or (QUICK_SEEDS if quick else SEEDS),
                 options.bounds or (QUICK_BOUNDS if quick else USUAL_BOUNDS), options.columns, options.steps)


def find_programs(bench, only):
    files = (bench.programs / "pages").glob(f"*-{bench.compilers[0]}")
    names = sorted(file.name.rpartition("-")[0] for file in files)
    return [name for name in names if not only or name in only.split(",")]


def jobs_of(bench, of, programs):
    """Machines with most CPUs first, so that no long guest runs alone at the end."""
    for machine in sorted(of.machines, key=MACHINES.get, reverse=True):
        for seed, bound in samples(of):
            for cell in bench.native_cells():
                for name in programs:
                    for column in columns_of(name, cell, of.columns):
                        yield Job(name, column.name, Run(
                            machine, cell, f"pages/{name}", (*column.arguments, "--steps", str(of.steps)),
                            column.settings, seed, bound, (f"l3_ways={WAYS.get(machine, USUAL_WAYS)}",)))


def columns_of(name, cell, wanted):
    if cell.runtime in (cells.CONTROL, cells.INTEL):
        return []
    return [column for column in COLUMNS if column.ours == (cell.runtime not in PEERS)
            and (name in pages_report.GAIN or column.ours and column.name != "profile")
            and (not wanted or column.name in wanted)]


def figures(job, found):
    """What is kept of a run: its times in ns, and the share of accesses that the CPU's own node answered."""
    line = next(line for line in found["lines"] if line["kind"] == "kernel")
    totals = found["regions"][-1]
    memory = totals["local"] + totals["same_package"] + totals["other_package"]
    return {"program": job.program, "column": job.column, "machine": job.run.machine,
            "compiler": job.run.cell.compiler, "runtime": job.run.cell.runtime, "seed": job.run.seed,
            "bound": job.run.bound,
            "local": totals["local"] / memory if memory else None, "told": told(found["told"]),
            **{key: line[key] for key in ("run_ns", "fill_ns", "sum_ns", "median_ns", "last_quarter_ns", "threads",
                                          "size", "steps", "checksum")}}


def told(text):
    """What the program's runtime said on standard error, without the lab's tables."""
    return [line for line in text.split("\n") if line.startswith(("vicino", "Vicino", "OMP:", "libgomp:"))]


def expect_equal_answers(found):
    first = {}
    for sample in found:
        key = tuple(sample[part] for part in ("program", "threads", "size", "steps"))
        if first.setdefault(key, sample)["checksum"] != sample["checksum"]:
            raise cells.Refused("wrong answer: " + "; ".join(
                json.dumps({part: one[part] for part in ("program", "machine", "compiler", "runtime", "column", "seed",
                                                         "bound", "checksum")}) for one in (first[key], sample)))


def check(bench):
    """Checks on this machine that answers depend on neither the runtime nor on who fills the arrays."""
    found = []
    for cell in bench.native_cells():
        for name in find_programs(bench, ""):
            for fill in ("serial", "parallel"):
                lines = bench.run(cell, [bench.program(f"pages/{name}", cell), "--fill", fill, "--size", "64", "--steps", "9",
                                         "--runtime", bench.file(cell)], 3)
                found.append({"program": name, "machine": "this one", "compiler": cell.compiler, "column": fill,
                              "runtime": cell.runtime, "seed": None, "bound": None} |
                             next(line for line in lines if line["kind"] == "kernel"))
    expect_equal_answers(found)
    return len(found)


def preamble(facts, results):
    """The page's first lines: no figure is a time of this machine."""
    data = results["pages"]
    names = {sample["runtime"] for sample in data.get("samples", ())}
    rows = [*((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
            *((f"runtime: {name}", version) for name, version in facts["runtimes"].items() if name in names),
            ("settings", "none for Vicino, but VICINO_PAGES=off where that is said; the peers have "
                         + " ".join(f"{name}={value}" for name, value in BOUND)),
            *([("settings of all", " ".join(f"{k}={v}" for k, v in facts["settings"].items()))]
              if facts["settings"] else [])]
    made_with = sorted({f"{sample['seed']}, {sample['bound']}" for sample in data.get("samples", ())})
    return (page.badge("modelled", data.get("made"), data.get("commit"), len(made_with)) + "\n"
            + "".join(f"- {name}: {value}\n" for name, value in rows))


def report(data):
    return pages_report.parts(data)
