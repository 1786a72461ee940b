"""What the model's times say of the paper's figures and tables: ranks, sensitivities, claims, tables."""


from loops import claims, validation
from loops.found import ALL, EPSILONS, TITLES, VARIED, VICINOS, Found
from papers import orders
from papers.nich import PAPER as OF_TEXT
from report import page

ENDS = {"epyc": (2, 64), "xeon": (2, 48, 96), "knl": (2, 68, 136)}
MACHINES = {"epyc": "EPYC 7713", "xeon": "two Xeon 8160", "knl": "KNL 7250"}
ALIKE = 0.01    # times that differ by less have no order
# What is set for an experiment, beside the machine's own numbers; of which programs; and with which schedules.
TRIED = ("static", "libgomp-guided", "ich,paper", "nich,paper", "nich,paper,group=1", "nich,paper,update=1",
         "nich,paper,update=8")
LIGHT = tuple(name for name in TITLES if name not in ("bfs-uniform", "bfs-power", "pathfinder"))
EXPERIMENTS = {
    "clocks of 20 % spread": (("spread=0.2",), tuple(TITLES), TRIED),
    "threads begin late": (("fork=20000",), LIGHT, TRIED),
    "distances of 10 cycles": (("distance=10",), ("kmeans",), ("libgomp-dynamic,3", "static", "libgomp-guided", "ich,paper",
                                                              "nich,paper")),
}
IN_EXPERIMENTS = ("static", "libgomp-dynamic,3", "libgomp-guided", "ich,paper", "nich,paper", "nich,paper,group=1",
                  "nich,paper,update=1", "nich,paper,update=8")
TWO = ("static", "dynamic")
ON_KNL = {"bfs-uniform": (("guided",), ("nich",), ("ich",), TWO), "bfs-power": (("guided",), ("nich",), ("ich",), TWO),
          "triangles": (("ich", "nich"), ("dynamic",)), "synthetic-up": OF_TEXT["1x64"]["synthetic-up"],
          "synthetic-down": OF_TEXT["1x64"]["synthetic-down"],
          "kmeans": (("static", "guided", "ich", "nich"), ("dynamic",)), "boxes": (("ich",), ("nich",)),
          "pathfinder": (("guided",), ("ich",), ("nich",), TWO), "lu": (("ich",), ("nich",), TWO)}
# What the paper's text says is ahead of what, fastest first.
ORDERS = {("epyc", 64): OF_TEXT["1x64"], ("xeon", 48): OF_TEXT["2x24"], ("xeon", 96): OF_TEXT["2x24"],
          ("knl", 68): ON_KNL, ("knl", 136): ON_KNL}
# Table 2 with standard frequencies: means of updates of a deque on 32 and 64 cores.
TABLE_2 = {"synthetic-uniform": (0.88, 0.88), "synthetic-up": (31, 28), "synthetic-down": (38, 31),
           "triangles": (70, 85), "bfs-uniform": (24, 150), "bfs-power": (14, 160), "kmeans": (27, 21),
           "boxes": (1.6, 6.4), "pathfinder": (3.3, 34), "lu": (380, 510)}
TABLE_1 = {"synthetic-uniform": (2, 0, 0), "synthetic-up": (1e5, 9.9e9, 1e6), "synthetic-down": (1e5, 9.9e9, 1e6),
           "triangles": (6.3, 5.9, 84), "bfs-uniform": (48, 82, 110), "bfs-power": (83, 2.2e4, 120),
           "kmeans": (260, 1.1e6, 1.1e6), "boxes": (8.8e8, 7.8e17, 1.9e5), "pathfinder": (6, 2e-8, 1),
           "lu": (5.4e4, 2.4e7, 1.6e4)}


def ranks(found):
    """[Rows of one machine and number of threads]: speed-ups, the paper's order, τ and the verdict."""
    for (machine, threads), by_program in ORDERS.items():
        rows = []
        for program, title in TITLES.items():
            times = [at for sample in found.samples(machine) if (at := found.times(program, machine, threads, sample))]
            if not times:
                continue
            order = by_program.get(program)
            taus = [orders.tau(order, at, ALIKE) for at in times] if order else []
            rows.append([title, *(found.speedup(program, machine, threads, name) for name in ALL),
                         orders.shown(order) if order else "", orders.spread(taus) if taus else "",
                         f"{taus[0]:.2f}" if taus else "", orders.verdict(taus) if taus else ""])
        if rows:
            yield page.Rows(f"{MACHINES[machine]}, {threads} threads: speed-up over static on 2",
                            ["", *ALL, "the paper's order", "τ, seeds and bounds", "τ, values", "verdict"], rows, shown=True)


def curves(found):
    """Figures 2 to 5: all numbers of threads."""
    for machine, title in MACHINES.items():
        rows = [[TITLES[program], threads, *(found.speedup(program, machine, threads, name) for name in ALL)]
                for program in TITLES for threads in found.threads(program, machine)]
        if rows:
            yield page.Rows(f"{title}: speed-ups over static on 2 threads", ["", "threads", *ALL], rows)


def sensitivity(found):
    rows = []
    for program, title in TITLES.items():
        for threads in (16, 32, 64):
            if (slower := [found.slower(program, threads, f"nich,paper,{each}") for each in VARIED])[0]:
                rows.append([title, threads, *(orders.spread(each, 0) for each in slower)])
    return page.Rows("Figures 6 and 7: per cent slower than NiCh with p_q = 4 and K_update = 4, EPYC 7713, three seeds",
                     ["", "threads", *(each.replace("group", "p_q").replace("update", "K") for each in VARIED)], rows,
                     shown=True)


def work(works):
    rows = [[TITLES[row["program"]], f"{row['iterations']:g}",
             *(text for name, paper in zip(("mean", "variance", "range"), TABLE_1[row["program"]])
               for text in (f"{paper:.2g}", f"{row[name]:.2g}"))] for row in works if row["program"] in TABLE_1]
    return page.Rows("Table 1: work per iteration, the paper's and here",
                     ["", "iterations", "mean", "here", "variance", "here", "range", "here"], rows, shown=True)


def updates(found):
    rows = []
    for program, paper in TABLE_2.items():
        cells = []
        for threads, mean in zip((32, 64), paper):
            there = [found.updates(what, program, threads, 0.33) for what in ("updates", "fixed")]
            if there[0] is None:
                break
            cells += [f"{mean:g}", f"{there[0][0]:.1f}", f"{there[1][0]:.1f}", f"{there[0][2]:.0f}"]
        if len(cells) == 8:
            rows.append([TITLES[program], *cells])
    return page.Rows("Table 2: updates of a deque's chunk size on 32 and 64 cores, EPYC 7713, means of three seeds",
                     ["", *("32: the paper's mean", "here", "fixed clocks", "range"),
                      *("64: the paper's mean", "here", "fixed clocks", "range")], rows, shown=True)


def experiments(found):
    rows = []
    for name, (_, programs, _) in EXPERIMENTS.items():
        for program in programs:
            at = {each: found.mean(f"experiment: {name}", program, 64, each) for each in IN_EXPERIMENTS}
            if base := at["nich,paper"]:
                many = found.mean_updates(f"experiment: {name}", program, 64, "nich,paper")
                rows.append([f"{name}: {TITLES[program]}",
                             *(f"{each / base:.2f}" if each else "" for each in at.values()), f"{many:.1f}"])
    return page.Rows("Experiments on 64 threads of the EPYC 7713: time over that of nich,paper",
                     ["", *IN_EXPERIMENTS, "updates of a deque, nich,paper"], rows, shown=True)


def parameters(rows):
    return page.Rows("Parameters", ["machine", "parameter", "value", "low", "high", "unit", "what", "source"],
                     [[row["machine"] or "all", row["name"], *(f"{row[end]:g}" for end in ("value", "low", "high")),
                       row["unit"], row["meaning"], row["source"]] for row in rows])


def best_tau(found):
    """How the numbers of updates here are ordered against the paper's, by Kendall's τ."""
    for column, threads in enumerate((32, 64)):
        pairs = [(paper[column], at[0]) for program, paper in TABLE_2.items()
                 if (at := found.updates("updates", program, threads, 0.33)) is not None]
        if len(pairs) > 2:
            yield threads, orders.of_pairs(pairs)


def report(data):
    found = Found([row for rows in data["jobs"].values() for row in rows])
    by = data["written_by"]
    parts = [page.badge("virtual", by["date"], by["commit"], 3),
             f"Seeds 1, 2 and 3 with the values, seed 1 with all numbers at their low and high bounds; {len(found.rows)} runs.\n"]
    rows = list(claims.rows(found))
    if rows:
        parts += [page.Rows("The paper's claims", claims.HEAD, rows, shown=True)]
    parts += [*ranks(found), sensitivity(found), work(data["works"]), updates(found)]
    taus = [f"{tau:.2f} on {threads} cores" for threads, tau in best_tau(found)]
    if taus:
        parts.append(f"Kendall's τ between the paper's means and these: {', '.join(taus)}.\n")
    if data.get("lab"):
        parts += validation.table(data["lab"])
    return [*parts, experiments(found), *curves(found), parameters(data["parameters"])]


