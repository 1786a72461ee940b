"""Several threads of one program that lead teams, regions and oneTBB's loops in turns, and what threads take between
regions: in guests of the lab, under the model's clock.

A figure is how many times as long the work took as it takes if all CPUs share it evenly. The program measures on the
guest's clock how much work a microsecond is, and nothing outside of the guest disturbs it.
"""

import dataclasses

from report import cells, page, stats
from report.guests import Guests, Run
from suites.pages import QUICK_SEEDS, SEEDS, Kept

TITLE = "Several roots, and oneTBB in turns"
MACHINES = {"1x4": 4, "1x2": 2}     # and their CPUs
USUAL, QUICK = ("1x4", "1x2"), ("1x2",)
WALL_MS, WARM_MS = 40, 40           # of the regions that are timed, if all CPUs share them, and before them
LONGEST = 120                       # seconds; a peer's threads may poll for each other's CPUs for much longer

PASSIVE = (("OMP_WAIT_POLICY", "passive"),)
DYNAMIC = (("OMP_DYNAMIC", "true"),)
OURS = {"": (), "dynamic": DYNAMIC}
PEERS = {"": (), "passive": PASSIVE}     # threads that poll for ever hardly end


@dataclasses.dataclass(frozen=True)
class Case:
    program: str
    arguments: tuple

    def __str__(self):
        words = dict(zip(self.arguments[::2], self.arguments[1::2]))
        if self.program == "roots":
            return f"{words['--roots']} roots, {words['--kind']}, {words['--work-us']} µs"
        return f"turns of {words['--work-us']} µs" if words else "idle"


def roots(count, kind, us):
    return Case("roots", ("--roots", str(count), "--kind", kind, "--work-us", str(us)))


def turns(us):
    return Case("turns", ("--work-us", str(us)))


IDLE = Case("turns", ())
KINDS = ("static", "dynamic", "tasks")
CASES = (*(roots(4, kind, us) for kind in KINDS for us in (20, 200)), roots(4, "static", 2000),
         *(roots(count, kind, 200) for count in (2, 8) for kind in ("static", "tasks")),
         turns(50), turns(200), turns(1000), turns(4000), IDLE)
QUICK_CASES = (roots(4, "static", 200), roots(4, "tasks", 200), turns(200), IDLE)


def run(bench, options, _seconds, progress):
    """{"samples": [each run's figure], "made": when, "late": […], "cases": names in order}"""
    if not (bench.programs / "roots").is_dir():
        return {"skipped": "no programs: build the target bench_roots_programs"}
    cases = [case for case in (QUICK_CASES if options.quick else CASES)
             if (bench.programs / f"roots/{case.program}-{bench.compilers[0]}").exists()  # oneTBB may be missing
             and (not options.only or any(word in str(case) for word in options.only.split(",")))]
    if not cases:
        return {"skipped": f"no case with a program has one of the words '{options.only}'; there are {'; '.join(map(str, CASES))}; "
                           "the target bench_roots_programs builds the programs"}
    kept = Kept(options.jobs, min(LONGEST, options.time_limit), options.build / "bench/roots.guests.json")
    guests = Guests(bench, options.build, kept, progress)
    jobs = [(case, row, run_of(machine, cell, case, settings, seed))
            for seed in options.seeds or (QUICK_SEEDS if options.quick else SEEDS)
            for machine in options.machines or (QUICK if options.quick else USUAL)
            for case in cases for cell in bench.native_cells()
            for row, settings in rows_of(cell, case)]
    if options.source:
        guests.load(options.source, [job[-1] for job in jobs])
    guests.make(job[-1] for job in jobs)
    return {"samples": [sample_of(case, row, made, guests[made]) for case, row, made in jobs if guests[made]],
            "made": guests.when([job[-1] for job in jobs]), "commit": guests.commits([job[-1] for job in jobs]),
            "seeds": len({made.seed for *_, made in jobs}), "cases": list(map(str, cases)),
            "late": sorted({f"{row_name(made.cell, row)}, {case}, {made.machine}" for case, row, made in jobs
                            if not guests[made]})}


def rows_of(cell, case):
    """What a runtime is told. With dyn-var only several roots differ."""
    if cell.runtime in (cells.CONTROL, cells.INTEL):
        return []
    ours = cell.runtime not in cells.PEERS
    return [(name, settings) for name, settings in (OURS if ours else PEERS).items()
            if case.program == "roots" or name != "dynamic"]


def run_of(machine, cell, case, settings, seed):
    work = ("--idle",) if case == IDLE else (*case.arguments, "--warm-ms", str(WARM_MS), "--total-ms",
                                             str(WALL_MS * MACHINES[machine]))
    return Run(machine, cell, f"roots/{case.program}", work, settings, seed)


def row_name(cell, row):
    name = cell.runtime if cell.runtime in cells.PEERS else f"{cell.runtime} {cell.compiler}"
    return f"{name} {row}".strip()


def sample_of(case, row, made, found):
    line = found["lines"][-1]
    figure = {"ms": line["most_ns"] / 1e6} if case == IDLE else {
        "wall": line["wall_ns"] * MACHINES[made.machine] / line["work_ns"], "cpu": line["cpu_ns"] / line["work_ns"]}
    return {"case": str(case), "machine": made.machine, "row": row_name(made.cell, row),
            "peer": made.cell.runtime in cells.PEERS, **figure}


def preamble(facts, results):
    """The page's first lines: no figure is a time of this machine, and its load changes none."""
    data = results["roots"]
    rows = [*((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
            *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()
              if name not in (cells.CONTROL, cells.INTEL, cells.OURS))]
    return (page.badge("modelled", data.get("made"), data.get("commit"), data.get("seeds")) + "\n"
            + "".join(f"- {name}: {value}\n" for name, value in rows))


def values(data, machine, case, row, what):
    return [sample[what] for sample in data["samples"] if what in sample
            and (sample["machine"], sample["case"], sample["row"]) == (machine, case, row)]


def report(data):
    parts = []
    for machine in dict.fromkeys(sample["machine"] for sample in data["samples"]):
        rows = list(dict.fromkeys(sample["row"] for sample in data["samples"]))
        for title, what in (("wall time over the least time", "wall"), ("CPU time over that of the work", "cpu"),
                            ("ms of CPU time from 1 to 20 ms after a region", "ms")):
            lines = [[case, *(shown(values(data, machine, case, row, what)) for row in rows)]
                     for case in data["cases"]]
            lines = [line for line in lines if any(line[1:])]
            if lines:
                parts.append(page.Rows(f"{machine}: {title}", ["", *rows], lines, shown=what != "cpu"))
        parts.insert(0, verdicts(data, machine))
    if data["late"]:
        parts.append(f"No end within {LONGEST} s of the emulator's time: {'; '.join(data['late'])}.\n")
    return parts


def shown(found):
    """One sample has no spread."""
    return page.figure(found[0]) if len(found) == 1 else page.median(found)


def verdicts(data, machine):
    """The worst of ours, held against the goals."""
    of = [sample for sample in data["samples"] if sample["machine"] == machine and "wall" in sample]
    peers = {case: min((stats.median(values(data, machine, case, row, "wall"))
                        for row in {s["row"] for s in of if s["peer"] and s["case"] == case}), default=None)
             for case in data["cases"]}
    lines = []
    for row in dict.fromkeys(sample["row"] for sample in of if not sample["peer"]):
        found = {case: stats.median(values(data, machine, case, row, "wall")) for case in data["cases"]
                 if values(data, machine, case, row, "wall")}
        beside = {case: value / peers[case] for case, value in found.items() if peers[case]}
        lines.append([f"{row}, {machine}", worst({c: v for c, v in found.items() if "roots" in c}),
                      worst({c: v for c, v in found.items() if "turns" in c}), worst(beside)])
    return page.table(["worst case", "roots, over the least time", "turns, over the least time",
                       "over the better peer in its best setting"], lines)


def worst(found):
    return f"{max(found.values()):.2f} ({max(found, key=found.get)})" if found else ""
