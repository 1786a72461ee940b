"""iCh and NiCh against OpenMP's schedules, on all cores of an EPYC 7713 and of two Xeon 8160."""

from papers import orders
from report import cells, page
from report.guests import BOUND, Run, samples, times

THREADS = {"1x64": 64, "2x24": 48}
# program: (--scale, its inputs). An iteration of the exponential loads is long, so there are few.
PROGRAMS = {
    "bfs": (0.1, ("bfs-uniform", "bfs-power")),
    "triangles": (1, ("triangles",)),
    "synthetic": (0.4, ("synthetic-uniform", "synthetic-up", "synthetic-down")),
    "kmeans": (0.1, ("kmeans",)),
    "boxes": (0.1, ("boxes",)),
    "pathfinder": (0.5, ("pathfinder",)),
    "lu": (0.5, ("lu",)),
}
USUAL = ("bfs", "triangles", "synthetic", "kmeans")     # all would take longer than a page may
TITLES = {"bfs-uniform": "BFS Uni", "bfs-power": "BFS Pow", "triangles": "Tri",
          "synthetic-uniform": "Syn Uni", "synthetic-up": "Syn Exp Inc", "synthetic-down": "Syn Exp Dec",
          "kmeans": "Kmeans", "boxes": "LavaMD", "pathfinder": "Path", "lu": "LUD"}
VICINO = cells.Cell("gcc", cells.OURS)
# The paper's five, of which static and dynamic are the best of their kinds; then what Vicino has without a
# preset. All are Vicino's, as all are libgomp's in the paper: so a region costs them the same.
SCHEDULES = {
    "static": ("static", "static_chunked,1"),
    "dynamic": ("dynamic_shared,1", "dynamic_shared,3"),
    "guided": ("guided",),
    "ich": ("ich,paper",),
    "nich": ("nich,paper",),
    "ich, Vicino's": ("ich",),
    "nich, Vicino's": ("nich",),
}
# What the text says of its figures at these threads, fastest first. It ranks nothing on Syn Uni on the Xeons.
SLOW_NICH = (("static", "dynamic", "guided", "ich"), ("nich",))
TWO_SLOW = (("static", "dynamic", "ich"), ("nich",), ("guided",))
AHEAD = (("guided", "ich", "nich"), ("static", "dynamic"))
PAPER = {
    "1x64": {"bfs-uniform": (("guided",), ("nich",), ("ich",), ("dynamic",)),
             "bfs-power": (("guided",), ("nich",), ("ich",), ("dynamic",)),
             "triangles": (("ich", "nich"), ("static", "dynamic")),
             "synthetic-uniform": (("nich",), ("static", "dynamic", "guided", "ich")),
             "synthetic-up": SLOW_NICH, "synthetic-down": TWO_SLOW,
             "kmeans": (("static", "guided", "ich", "nich"), ("dynamic",)),
             "boxes": (("static", "ich"), ("nich",)),
             "pathfinder": (("guided", "nich"), ("ich",), ("static", "dynamic")),
             "lu": AHEAD},
    "2x24": {"bfs-uniform": (("nich",), ("guided",), ("ich",), ("dynamic",)),
             "bfs-power": (("guided",), ("ich", "nich"), ("dynamic",)),
             "triangles": (("ich", "nich"), ("static", "dynamic")),
             "synthetic-up": SLOW_NICH, "synthetic-down": TWO_SLOW,
             "kmeans": (("ich", "nich"), ("guided",)),
             "boxes": (("static", "ich"), ("nich",)),
             "pathfinder": (("guided", "nich"), ("ich",), ("static", "dynamic")),
             "lu": AHEAD},
}


def machines(options):
    return [name for name in THREADS if name in options.machines] or ["1x64"]


def runs(options):
    for sample in samples(options):
        for machine in machines(options):
            for program in options.programs:
                for schedule in SCHEDULES.values():
                    for name in schedule:
                        yield run_of(machine, program, name, *sample)


def run_of(machine, program, schedule, seed, bound):
    return Run(machine, VICINO, f"loops/{program}",
               ("--scale", str(PROGRAMS[program][0]), "--repeat", "1", "--no-yardstick"),
               (*BOUND, ("OMP_NUM_THREADS", str(THREADS[machine])), ("VICINO_SCHEDULE", schedule)), seed, bound)


def time_of(guests, run, name):
    """None if the run was over its time limit."""
    found = times(guests[run], name)
    return found and found[0]


def times_of(guests, machine, program, name, seed, bound):
    """{schedule: ns}, without those that were over their time limit."""
    found = {}
    for schedule, tried in SCHEDULES.items():
        made = [time_of(guests, run_of(machine, program, text, seed, bound), name) for text in tried]
        if all(made):
            found[schedule] = min(made)
    return found


def text(guests, options):
    parts = []
    for machine in machines(options):
        rows = [row_of(guests, options, machine, program, name)
                for program in options.programs for name in PROGRAMS[program][1]]
        parts.append(f"{machine}, {THREADS[machine]} threads: speed over static\n\n"
                     + page.table(["", *list(SCHEDULES)[1:], "NiCh over iCh", "the paper's order", "τ",
                                   "verdict"], rows))
    return "\n".join(parts)


def row_of(guests, options, machine, program, name):
    found = [times_of(guests, machine, program, name, *sample) for sample in samples(options)]
    title = f"{TITLES[name]} ({name})"
    if any(len(at) < len(SCHEDULES) for at in found):
        return [title, *["over its time limit"] * (len(SCHEDULES) - 1), "", "", "", ""]
    speeds = [orders.spread([at["static"] / at[schedule] for at in found]) for schedule in list(SCHEDULES)[1:]]
    order = PAPER[machine].get(name)
    taus = [orders.tau(order, at) for at in found] if order else []
    return [title, *speeds, orders.spread([at["ich"] / at["nich"] for at in found]),
            orders.shown(order) if order else "no order", orders.spread(taus) if taus else "",
            orders.verdict(taus) if taus else ""]
