"""Why an addition before each barrier costs what it costs: who follows whom at the line with the sum."""

from papers.orders import spread
from report import cells, page
from report.guests import BOUND, Run, samples

MACHINE, THREADS, GROUP, PACKAGE = "8x8", 64, 4, 32
CELLS = (cells.Cell("gcc", "libgomp"), cells.Cell("gcc", cells.OURS))
# As the constructs have it.
MODEL = ("quantum=100",)


def runs(options):
    for sample in samples(options):
        for cell in CELLS:
            yield run_of(cell, *sample)


def run_of(cell, seed, bound):
    return Run(MACHINE, cell, "handovers", ("--group", str(GROUP), "--package", str(PACKAGE)),
               (*BOUND, ("OMP_NUM_THREADS", str(THREADS))), seed, bound, MODEL)


def text(guests, options):
    rows = []
    for cell in CELLS:
        found = [counted(guests, run_of(cell, *sample)) for sample in samples(options)]
        rows.append([cell, *(spread([line[name] for line in found], digits) for name, digits in (
            ("barrier_ns", 0), ("ns", 0), ("group", 1), ("package", 1), ("beyond", 1)))]
                    if all(found) else [cell, *["over its time limit"] * 5])
    return (f"{THREADS} threads, close: ns of a barrier, and how often the line goes on, of {THREADS - 1} times\n\n"
            + page.table(["", "barrier", "addition and barrier", "within a cache group", "within a package",
                          "to the other package"], rows))


def counted(guests, run):
    found = guests[run]
    return found and next(line for line in found["lines"] if line["kind"] == "handovers")
