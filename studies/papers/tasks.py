"""Task schedulers on a Sun X4600 M2 of 16 cores, with threads placed by priority and without."""

import functools
import pathlib
import subprocess

from papers import orders
from report import cells, page
from report.guests import Run, times

MACHINE, THREADS = "8x2", 16
LAB = pathlib.Path(__file__).resolve().parents[2] / "lab/lab"
CLANG, LIBOMP = cells.Cell("clang", cells.OURS), cells.Cell("clang", "libomp")
# kernel: its size. clang splits untied tasks, so a thread can go into the child and leave the parent to thieves.
# nqueens has BOTS' cut-off: without, a task takes a quarter of a microsecond, too short for one queue.
KERNELS = {"fft-untied": 18, "strassen-untied": 3, "sort-untied": 400_000,
           "sparselu-untied": 30, "nqueens_cut-untied": 12, "floorplan-untied": 6}
# The paper has the best of fifty runs: here it is the best of these seeds at least.
SEEDS = (0, 1)
PLAIN = ("breadth_first", "cilk", "work_first")
BY_DISTANCE = ("dfwspt", "dfwsrpt")
# The paper's speed-ups on 16 cores; its text has none for the rest. {(scheduler, by priority): speed-up}
PAPER = {
    "fft-untied": {("breadth_first", False): 2.39, ("cilk", False): 8.61, ("work_first", False): 9.3,
                   ("cilk", True): 9.92, ("work_first", True): 11.09, ("dfwspt", True): 11.78},
    "strassen-untied": {("work_first", False): 9.15, ("cilk", True): 8.13, ("work_first", True): 10.27,
                        ("dfwsrpt", True): 12.38},
    "sort-untied": {("cilk", False): 5.49, ("work_first", False): 5.41, ("cilk", True): 5.99,
                    ("work_first", True): 5.95, ("dfwspt", True): 6.32},
    "sparselu-untied": {("work_first", False): 13.97, ("work_first", True): 14.70},
    "nqueens_cut-untied": {("breadth_first", False): 15.93, ("breadth_first", True): 16.15},
    "floorplan-untied": {},
}
# The paper's order, fastest first, where its text ranks others than those that have a figure.
PAPER_ORDERS = {
    "sparselu-untied": ((("cilk", True),), (("work_first", True),), (("work_first", False),),
                        (("breadth_first", False),)),
    "nqueens_cut-untied": ((("breadth_first", True),), (("breadth_first", False),),
                       (("cilk", False), ("work_first", False))),
    "floorplan-untied": ((("cilk", True),), (("work_first", True),), (("work_first", False),),
                         (("breadth_first", False),)),
}
CURVES_TITLE = "Speed-up over one thread of work-first"
# {its name: (cell, scheduler, by priority)}.
TEAMS = (1, 2, 6, THREADS)
CURVES = {"libomp": (LIBOMP, None, False), "breadth_first": (CLANG, "breadth_first", False),
          "work_first": (CLANG, "work_first", False), "dfwspt, placed": (CLANG, "dfwspt", True)}
# {(kernel, curve): {threads: speed-up}}
PAPER_ON_FEWER = {("fft-untied", "breadth_first"): {6: 4.43}}
CASES = (*((name, False) for name in PLAIN), *((name, True) for name in PLAIN + BY_DISTANCE))


def runs(options):
    for bound in options.bounds:
        for seed in seeds(options):
            for kernel in KERNELS:
                for case in CASES:
                    yield run_of(options, kernel, *case, seed, bound)
            if (seed, bound) == (options.seeds[0], options.bounds[0]):
                yield from curve_runs(options)


def curve_runs(options):
    for kernel in KERNELS:
        for cell, *case in CURVES.values():
            for threads in TEAMS:
                yield curve_run(options, kernel, cell, case, threads)


def curve_run(options, kernel, cell, case, threads):
    return run_of(options, kernel, *case, options.seeds[0], options.bounds[0], cell, threads)


def seeds(options):
    return sorted({*options.seeds, *SEEDS})


def run_of(options, kernel, scheduler, by_priority, seed, bound, cell=CLANG, threads=THREADS):
    places = by_rank(options.build) if by_priority else "cores"
    chosen = (("VICINO_TASKS", scheduler),) if scheduler else ()
    return Run(MACHINE, cell, f"tasks/{kernel}", ("--size", str(KERNELS[kernel]), "--repeat", "1"),
               (("OMP_PROC_BIND", "close"), ("OMP_PLACES", places), ("OMP_NUM_THREADS", str(threads)), *chosen),
               seed, bound)


@functools.cache
def by_rank(build):
    """Places in the order in which `vicino topo --priorities` gives them to threads on that machine."""
    lab = [str(LAB), "--machine", MACHINE, "--build", str(build / "lab")]
    done = subprocess.run([*lab, "--", str(build / "bin/vicino"), "topo", "--priorities"], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return places_of(done.stdout) if done.returncode == 0 else refuse(done)


def refuse(done):
    raise cells.Refused(f"vicino topo --priorities: status {done.returncode}: {done.stderr.strip()[-400:]}")


def places_of(told):
    """The line `the order in which threads take cores: 4-9 0-1` as OMP_PLACES."""
    line = next(line for line in told.split("\n") if "in which threads take cores:" in line)
    cores = []
    for part in line.split(":")[1].split():
        first, _, last = part.partition("-")
        cores += range(int(first), int(last or first) + 1)
    return ",".join(f"{{{core}}}" for core in cores)


def text(guests, options):
    rows, ranks = [], []
    for kernel in KERNELS:
        found = [best_of(guests, options, kernel, bound) for bound in options.bounds]
        if not all(found):
            rows.append([kernel, *["over its time limit"] * len(CASES)])
            continue
        base, paper = ("work_first", False), PAPER[kernel]
        rows.append([kernel, *(orders.spread([at[base] / at[case] for at in found]) for case in CASES)])
        if base in paper:
            rows.append(["the paper", *(f"{paper[case] / paper[base]:.2f}" if case in paper else "" for case in CASES)])
        order = paper_order(kernel)
        taus = [orders.tau(order, at) for at in found]
        ranks.append([kernel, orders.shown([map(name_of, group) for group in order]), orders.spread(taus),
                      orders.verdict(taus)])
    tried = ", ".join(map(str, seeds(options)))
    return (f"{THREADS} threads, the best of seeds {tried}: speed over work-first without placement\n\n"
            + page.table(["", *map(name_of, CASES)], rows) + "\n"
            + page.table(["", "the paper's order", "τ", "verdict"], ranks)
            + f"\n{drawn(guests, options)}")


def paper_order(kernel):
    paper = PAPER[kernel]
    return PAPER_ORDERS.get(kernel) or [(case,) for case in sorted(paper, key=paper.get, reverse=True)]


def curves(guests, options):
    """{kernel: {curve: [speed-up at each of TEAMS, None if over its time limit]}}"""
    found = {}
    for kernel in KERNELS:
        made = {name: [time_of(guests, curve_run(options, kernel, cell, case, threads)) for threads in TEAMS]
                for name, (cell, *case) in CURVES.items()}
        base = made["work_first"][0]
        found[kernel] = {name: [ns and base and base / ns for ns in made_in] for name, made_in in made.items()}
    return found


def drawn(guests, options):
    """What picture.py draws."""
    return table_of(curves(guests, options))


def table_of(found):
    rows = []
    for kernel, of_kernel in found.items():
        rows += [[f"{kernel}, {name}", *(f"{speed:.2f}" if speed else "over its time limit" for speed in speeds)]
                 for name, speeds in of_kernel.items()]
        rows += paper_rows(kernel)
    return page.Rows(CURVES_TITLE, ["threads", *map(str, TEAMS)], rows)


def paper_rows(kernel):
    for name, (_, *case) in CURVES.items():
        paper = {THREADS: PAPER[kernel].get(tuple(case)), **PAPER_ON_FEWER.get((kernel, name), {})}
        if any(paper.values()):
            yield [f"the paper's {kernel.removesuffix('-untied')}, {name}", *(paper.get(n) or "" for n in TEAMS)]


def best_of(guests, options, kernel, bound):
    """{case: ns} of the best seed, as the paper has the best of fifty runs; None if one was over its time limit."""
    found = {case: [time_of(guests, run_of(options, kernel, *case, seed, bound)) for seed in seeds(options)]
             for case in CASES}
    return {case: min(made) for case, made in found.items()} if all(map(all, found.values())) else None


def name_of(case):
    return case[0] + (", placed" if case[1] else "")


def time_of(guests, run):
    return times(guests[run])
