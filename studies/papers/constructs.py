"""Constructs on 16 and 64 CPUs: modelled time of one, on three runtimes."""

from report import cells, page
from report.guests import BOUND, Run

# Microseconds of a batch. The first regions with tasks take longer, while the threads learn how short the tasks are.
SHORT, LONG = "100", "1000"
# Turns of the CPUs short enough for a construct of a microsecond.
MODEL = ("quantum=100",)
FAMILIES = (
    "parallel,parallel_for,for,for_nowait,barrier,single,parallel_reduction,for_reduction",
    "static_chunk,dynamic,dynamic_loop,guided,ordered,critical,lock_contended",
    "parallel_tasks,master_tasks,taskwait,nested_tasks,taskloop_whole,barrier_tasks",
)
PLACES = {"close": BOUND, "spread": (("OMP_PROC_BIND", "spread"), ("OMP_PLACES", "cores"))}
CELLS = (cells.Cell("clang", "libomp"), cells.Cell("clang", cells.OURS),
         cells.Cell("gcc", "libgomp"), cells.Cell("gcc", cells.OURS))


def run_of(cell, family, threads, place):
    batch = LONG if "task" in family else SHORT
    return Run("8x8", cell, "micro", ("--only", family, "--ms", "0", "--batch-us", batch),
               (*PLACES[place], ("OMP_NUM_THREADS", str(threads))), model=MODEL)


class Part:
    """A team of so many threads, bound so."""

    def __init__(self, threads, place):
        self.threads, self.place = threads, place

    def runs(self, _options):
        for cell in CELLS:
            for family in FAMILIES:
                yield run_of(cell, family, self.threads, self.place)

    def text(self, guests, _options):
        """Each compiler's program on Vicino over the same program on the compiler's own runtime."""
        rows = [row_of(guests, family, name, self.threads, self.place)
                for family in FAMILIES for name in family.split(",")]
        return page.table(["ns of one", *map(str, CELLS), "clang's over libomp", "gcc's over libgomp"], rows)


def row_of(guests, family, name, threads, place):
    times = [time_of(guests, run_of(cell, family, threads, place), name) for cell in CELLS]
    libomp, ours_clang, libgomp, ours_gcc = times
    return [name, *map(shown, times), over(ours_clang, libomp), over(ours_gcc, libgomp)]


def time_of(guests, run, name):
    found = guests[run]
    times = [line["ns"] for line in found["lines"] if line["kind"] == "time" and line["construct"] == name] \
        if found else []
    return times[0] if times else None


def shown(ns):
    return "" if ns is None else page.figure(ns)


def over(ours, peer):
    return "" if ours is None or peer is None else f"{ours / peer:.2f}"


CLOSE, SPREAD = Part(16, "close"), Part(16, "spread")
ALL = Part(64, "close")         # they fill the machine, so spread is the same
