"""Task graphs: ILU(k) and BiCGStab by rows, against the same loops without a graph; the cost of managing a
task; and what the machine's memory allows.

A process makes one system and measures, in turns, the serial loops and the graphs of all coarse strings.
So a speed-up is a ratio of two times of one round of one process.

Not all can be measured equally often in half an hour. A peer's process takes minutes where its tasks are not
coarsened, and each process takes minutes on the field at full size. So peers run once, and on the small systems
only, and the field at full size runs once. The time that is left belongs to the others.
"""

import collections
import math
import time

from report import cells
from suites import graphs_report

TITLE = "Task graphs"
TIMEOUT = 600
# A system is a matrix and, behind "@", the order of its rows, if it is not the natural one.
SMALL = ("cube:40", "spe10:10x22x85")
MEDIUM = ("cube:100",)
DISSECTED = ("cube:100", "spe10:30x110x85")  # in a nested-dissection order
LARGE = ("spe10",)
DISSECTIONS = ("metis", "dissection")  # METIS is optional
FILLS = (0, 1, 2)
STEPS = 2  # of the solver: each has two forward and two backward solves
# Runs in which an automatic graph may try coarse strings before it is measured. On one thread it tries none.
SEARCHES, ALONE = 60, 2
SHAPES = ("chain", "square", "layers", "none", "cube")
TASKS, QUICK_TASKS = 1_000_000, 125_000
PEERS_COARSE = ("", "CD(4)")
PARTS = ("empty", "memory", "cube", "spe10")

# `row` is how the back end is called in tables; `cell` says on what the program runs.
BackEnd = collections.namedtuple("BackEnd", "row program cell ours")
# `kind`: "matrix", "empty" or "memory"; `case`: (matrix, fill), a shape or a number of bytes.
Job = collections.namedtuple("Job", "kind case backend threads")


def run(bench, options, seconds, progress):
    """{"samples": {threads: {matrix: {fill: {row: {coarse: sample}}}}}, "empty": {threads: {shape: {row:
    sample}}}, "memory": {threads: {matrix: {fill: {loop: GB/s}}}}, "bytes": {matrix: {fill: sizes}},
    "strings": […], "late": […]}"""
    backends = back_ends(bench)
    if not backends:
        return {"skipped": "no programs: build the target bench_graphs_programs"}
    wanted = set(options.only.split(",")) if options.only else set(PARTS)
    if unknown := wanted - set(PARTS):
        return {"skipped": f"no part is called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}"}
    strings = coarse_strings(bench, backends)
    found = {"samples": {}, "empty": {}, "memory": {}, "late": [], "strings": strings, "bytes": {}}
    start = time.monotonic()
    dissection = dissection_of(bench, backends)
    jobs = list(jobs_of(backends, options, wanted, dissection))

    def measure(work, seconds, end):
        for _, job, lines, others in cells.measured(work, (seconds, 1, progress), lambda job: once(
                bench, job, strings, options.quick), found["late"], name_of):
            keep(found, job, lines, others)
            if time.monotonic() > end:
                return

    measure(jobs, 0, math.inf)  # one round
    if "memory" in wanted:
        measure_memory(bench, found, options.threads)
    if time.monotonic() < start + seconds:
        measure([job for job in jobs if is_short(job)], seconds, start + seconds)
    return found


def matrix_of(system):
    return system.partition("@")[0]


def is_short(job):
    """Whether there is time to measure a job more than once."""
    return job.backend.ours and (job.kind == "empty" or matrix_of(job.case[0]) not in LARGE)


def dissection_of(bench, backends):
    """METIS, unless it is not installed."""
    command = [*command_for(bench, backends[0]), "--matrix", "cube:4", "--order"]
    for order in DISSECTIONS:
        try:
            bench.run(backends[0].cell, [*command, order], 1)
        except cells.Refused:
            continue
        return order
    raise cells.Refused("no nested-dissection order is accepted")


def back_ends(bench):
    """gcc's programs, and on libomp that of clang, whose runtime it is."""
    found = []
    for cell in bench.native_cells():
        if cell.runtime == cells.CONTROL:
            continue
        ours = cell.runtime not in cells.PEERS
        if ours and cell.compiler != "gcc":
            continue
        if ours:
            found.append(BackEnd(f"{cell.runtime} graph", "vicino", cell, True))
        found.append(BackEnd(f"{cell.runtime} depend tasks", "depend", cell, False))
    for way, name in (("flow", "flow graph"), ("groups", "task_group")):
        found.append(BackEnd(f"oneTBB {name}", f"tbb_{way}", cells.Cell("gcc", "oneTBB"), False))
    return [b for b in found if (bench.programs / "graphs" / f"{b.program}-{b.cell.compiler}").exists()]


def coarse_strings(bench, backends):
    """Those of the paper, and "automatic" if the library has it."""
    strings = list(graphs_report.STRINGS)
    ours = [b for b in backends if b.ours]
    try:
        for backend in ours:
            bench.run(backend.cell, [*command_for(bench, backend), "--matrix", "cube:4", "--coarse",
                                     graphs_report.AUTOMATIC], 2)
    except cells.Refused:
        return strings
    return [*strings, graphs_report.AUTOMATIC]


def systems_of(options, dissection):
    """(for all back ends, for Vicino's graphs only)"""
    if options.matrices:
        return options.matrices, ()
    if options.quick:
        return SMALL, (f"{SMALL[0]}@{dissection}",)
    return SMALL, (*MEDIUM, *(f"{matrix}@{dissection}" for matrix in DISSECTED), *LARGE)


def jobs_of(backends, options, wanted, dissection):
    small, ours = systems_of(options, dissection)
    for threads in options.threads:
        for backend in backends:
            for system in (*small, *(ours if backend.ours else ())):
                if matrix_of(system).partition(":")[0] in wanted:
                    yield from (Job("matrix", (system, fill), backend, threads) for fill in FILLS)
            if "empty" in wanted:
                yield from (Job("empty", shape, backend, threads) for shape in SHAPES)


def command_for(bench, backend):
    command = [bench.program(f"graphs/{backend.program}", backend.cell)]
    return command + (["--runtime", bench.file(backend.cell)] if backend.cell.runtime in bench.runtimes else [])


def once(bench, job, strings, quick):
    command = command_for(bench, job.backend)
    if job.kind == "empty":
        command += ["--shape", job.case, "--tasks", str(QUICK_TASKS if quick else TASKS),
                    "--rounds", "5" if job.backend.ours else "3"]
    else:
        system, fill = job.case
        order = system.partition("@")[2] or "natural"
        rounds = 3 if is_short(job) else 2 if job.backend.ours else 1
        command += ["--matrix", matrix_of(system), "--order", order, "--fill", str(fill),
                    "--rounds", str(rounds), "--steps", str(STEPS),
                    "--searches", str(SEARCHES if job.threads > 1 else ALONE)]
        for coarse in strings if job.backend.ours else PEERS_COARSE:
            command += ["--coarse", coarse]
    try:
        return bench.run(job.backend.cell, command, job.threads, TIMEOUT)
    except cells.Refused as why:
        raise cells.Refused(f"{name_of(job)}: {why}") from None


def name_of(job):
    case = job.case if job.kind == "empty" else f"{job.case[0]}, ILU({job.case[1]})"
    return f"{job.backend.row}, {case}, {job.threads} thread{'s' if job.threads > 1 else ''}"


def keep(found, job, lines, others):
    if job.kind == "empty":
        loop = next(line for line in lines if line["kind"] == "loop")["run"]
        line = next(line for line in lines if line["kind"] == "empty")
        sample = (found["empty"].setdefault(job.threads, {}).setdefault(job.case, {})
                  .setdefault(job.backend.row, {"ns": [], "others": []}))
        sample["ns"] += [(run - alone) / line["tasks"] for run, alone in zip(line["run"], loop)]
        sample["others"] += [others] * len(loop)
        return
    matrix, fill = job.case
    by_row = found["samples"].setdefault(job.threads, {}).setdefault(matrix, {}).setdefault(fill, {})
    serial = next(line for line in lines if line["kind"] == "serial")
    found["bytes"].setdefault(matrix, {})[fill] = {k: serial[k] for k in ("rows", "edges", "bytes", "sweep")}
    by_coarse = by_row.setdefault(job.backend.row, {})
    for line in lines:
        if line["kind"] == "graph":
            keep_graph(by_coarse, serial, line, others)


def keep_graph(by_coarse, serial, line, others):
    sample = by_coarse.setdefault(line["coarse"], {
        "serial": collections.defaultdict(list), "ns": collections.defaultdict(list), "others": [],
        "coarsening": [], "units": line["units"], "unit_edges": line["unit_edges"]})
    for operation in graphs_report.MEASURED:
        sample["serial"][operation] += serial[operation]
        sample["ns"][operation] += line[operation]
    sample["others"] += [others] * len(line["factor"])
    sample["coarsening"].append(line["coarsening"])
    sample["explanation"] = line["explanation"]


def measure_memory(bench, found, team_sizes):
    """Sets GB/s of a triad and of a sum, on as many bytes as a forward and a backward solve read."""
    cell = cells.Cell(bench.compilers[-1], next(iter(bench.runtimes)))
    for matrix, by_fill in found["bytes"].items():
        for fill, figures in by_fill.items():
            for threads in team_sizes:
                line, = bench.run(cell, [bench.program("graphs/memory", cell), "--bytes",
                                         str(max(figures["bytes"], 1000)), "--threads", str(threads)], threads)
                (found["memory"].setdefault(threads, {}).setdefault(matrix, {}))[fill] = {
                    "triad": line["triad"], "sum": line["sum"]}


def report(data):
    return [*graphs_report.parts(data), *(f"No end within {TIMEOUT} s: {job}.\n" for job in data["late"])]
