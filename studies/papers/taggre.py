"""Taggre and Nas on two Xeon X5570 of four cores: tables I to XV of the paper, with systems as small as the caches."""

import dataclasses
import statistics

from papers import orders
from report import cells, page
from report.guests import Run, samples

MACHINE = "2x4x5570"
GCC, PEER = cells.Cell("gcc", cells.OURS), cells.Cell("gcc", "libgomp")     # oneTBB's program has no OpenMP
ONE_SOCKET, BOTH = 4, 8     # threads
NONE, FRONT = "", "F(32)"
# The rows of a thirty-second of Cube_100 and of SPE10, as the machine's caches are a thirty-second of the real ones.
MATRICES = {"Cube": "cube:32", "SPE10": "spe10:19x69x27"}
FILLS = (0, 1, 2)
COARSE = {"natural": "CD(4)", "dissection": "D(400)"}       # by the order of the rows
OPERATIONS = {"factorisation": ("factor",), "triangular solves": ("forward", "backward")}
OFF = (("VICINO_PAGES", "off"),)
VERDICTS = "the paper's tables"
# Where graphs run: on so many threads, with all pages on one node; or on both sockets, with pages on both.
VICINO, TBB = "Vicino", "oneTBB"
INTERLEAVED, NAS, AS_THEIRS = "interleaved", "Nas", "Nas, its vectors as the paper's"
# The paper's speed-ups over serial loops: without aggregation, with F(32), and with CD(4) or D(400):
# {(operation, threads, order): {matrix: [by fill]}}
PAPER = {
    ("factorisation", ONE_SOCKET, "natural"): {"Cube": ((0.20, 1.06, 2.23), (0.46, 1.54, 2.81), (1.30, 2.58, 3.47)),
                                               "SPE10": ((0.65, 1.89, 3.09), (1.39, 2.30, 3.22), (1.87, 2.19, 3.32))},
    ("factorisation", ONE_SOCKET, "dissection"): {"Cube": ((0.46, 2.17, 2.26), (1.29, 1.70, 2.78), (1.74, 1.94, 3.12)),
                                                  "SPE10": ((0.74, 1.93, 2.16), (1.98, 1.67, 2.82), (2.43, 1.85, 3.12))},
    ("factorisation", BOTH, "natural"): {"Cube": ((0.28, 1.27, 2.54), (0.65, 1.89, 3.79), (1.47, 3.06, 3.91)),
                                         "SPE10": ((0.97, 2.48, 3.78), (2.24, 3.80, 5.72), (3.37, 3.97, 6.21))},
    ("factorisation", BOTH, "dissection"): {"Cube": ((0.41, 3.10, 3.31), (1.31, 2.70, 4.77), (1.96, 3.18, 5.46)),
                                            "SPE10": ((0.71, 2.59, 3.09), (2.48, 2.81, 5.00), (3.29, 3.12, 5.57))},
    ("triangular solves", ONE_SOCKET, "natural"): {"Cube": ((0.23, 0.88, 1.90), (0.27, 0.82, 1.97), (0.34, 0.92, 2.05)),
                                                   "SPE10": ((0.40, 1.08, 1.93), (0.62, 1.37, 2.22), (0.85, 1.58, 2.39))},
    ("triangular solves", ONE_SOCKET, "dissection"): {"Cube": ((0.20, 1.19, 1.34), (0.31, 0.94, 1.39), (0.34, 0.95, 1.50)),
                                                      "SPE10": ((0.37, 1.39, 1.52), (0.65, 1.32, 1.77), (0.72, 1.35, 1.89))},
    ("triangular solves", BOTH, "natural"): {"Cube": ((0.27, 1.27, 2.44), (0.35, 1.54, 2.82), (0.45, 1.40, 2.98)),
                                             "SPE10": ((0.53, 1.63, 2.52), (0.96, 2.39, 3.77), (1.38, 2.79, 4.14))},
    ("triangular solves", BOTH, "dissection"): {"Cube": ((0.18, 1.41, 1.67), (0.32, 1.36, 1.92), (0.36, 1.37, 2.08)),
                                                "SPE10": ((0.35, 1.64, 1.82), (0.80, 2.12, 2.71), (0.90, 2.19, 2.90))}}
TABLES = dict(zip(PAPER, ("III", "IV", "V", "VI", "VII", "VIII", "IX", "X")))
PLACED, PLACED_NAMES = ((TBB, BOTH), INTERLEAVED, NAS), ("oneTBB", "oneTBB, interleaved", "Nas")
# Speed-ups on both sockets of TBB, of TBB with interleaved pages, and of Nas.
NAS_PAPER = {
    ("factorisation", "natural"): {"Cube": ((2.54, 2.68, 2.80), (3.79, 3.86, 3.95), (3.91, 5.82, 6.19)),
                                   "SPE10": ((3.78, 5.10, 5.34), (5.72, 5.84, 6.64), (6.21, 6.34, 6.84))},
    ("factorisation", "dissection"): {"Cube": ((3.31, 3.65, 3.95), (4.77, 4.90, 5.14), (5.46, 5.54, 5.72)),
                                      "SPE10": ((3.09, 3.70, 4.00), (5.00, 5.01, 5.57), (5.57, 5.62, 6.06))},
    ("triangular solves", "natural"): {"Cube": ((2.44, 3.51, 2.66), (2.82, 3.68, 2.95), (2.98, 3.76, 3.18)),
                                       "SPE10": ((2.52, 3.58, 3.24), (3.77, 4.04, 4.43), (4.14, 4.41, 4.96))},
    ("triangular solves", "dissection"): {"Cube": ((1.67, 2.11, 1.92), (1.92, 2.25, 2.07), (2.08, 2.42, 2.24)),
                                          "SPE10": ((1.82, 2.26, 2.19), (2.71, 2.82, 3.08), (2.90, 3.01, 3.32))}}
NAS_TABLES = dict(zip(NAS_PAPER, ("XII", "XIII", "XIV", "XV")))
# Aggregation over the sequential factorisation (tables III, IV and XI): {order: {matrix: [by fill]}}
OVERHEAD_PAPER = {"natural": {"Cube": (0.908 / 0.056, 1.119 / 0.142, 1.315 / 0.611), "SPE10": (1.217 / 0.262, 1.527 / 0.721, 1.918 / 1.936)},
                  "dissection": {"Cube": (2.330 / 0.129, 3.224 / 0.495, 3.554 / 0.828),
                                 "SPE10": (2.541 / 0.276, 3.518 / 1.375, 3.816 / 2.247)}}


@dataclasses.dataclass(frozen=True)
class System:
    matrix: str
    fill: int
    order: str

    def __str__(self):
        return f"{self.matrix}, ILU({self.fill}), {self.order}"

    def of(self, table):
        return table[self.matrix][self.fill]


SYSTEMS = tuple(System(matrix, fill, order) for order in COARSE for matrix in MATRICES for fill in FILLS)


def runs(options):
    for sample in samples(options):
        for system in SYSTEMS:
            yield from runs_of(system, *sample).values()


def runs_of(system, seed, bound):
    """{where: run}"""
    strings = (NONE, FRONT, COARSE[system.order])

    def run_of(cell, threads, pages, coarse, cpus=()):
        arguments = ("--matrix", MATRICES[system.matrix], "--order", system.order, "--fill", str(system.fill), "--pages", pages,
                     "--rounds", "1", "--steps", "1", *cpus, *(word for text in coarse for word in ("--coarse", text)))
        places = ",".join(f"{{{cpu}}}" for cpu in range(threads))
        return Run(MACHINE, cell, "graphs/vicino" if cell is GCC else "graphs/tbb_groups", arguments,
                   (("OMP_PROC_BIND", "close"), ("OMP_PLACES", places), ("OMP_NUM_THREADS", str(threads)), *OFF), seed, bound)

    found = {(VICINO, threads): run_of(GCC, threads, "one", strings) for threads in (ONE_SOCKET, BOTH)}
    # oneTBB does not bind its threads.
    found |= {(TBB, ONE_SOCKET): run_of(PEER, ONE_SOCKET, "one", strings, ("--cpus", str(ONE_SOCKET))),
              (TBB, BOTH): run_of(PEER, BOTH, "one", strings), INTERLEAVED: run_of(PEER, BOTH, "interleaved", strings[-1:]),
              NAS: run_of(GCC, BOTH, "flexible", strings[-1:])}
    if system.matrix == "Cube":
        found[AS_THEIRS] = run_of(GCC, BOTH, "matrix", strings[-1:])
    return found


class Times:
    """Of a system, in one sample."""

    def __init__(self, guests, system, seed, bound):
        self.system = system
        made = {where: guests[run]["lines"] for where, run in runs_of(system, seed, bound).items()}
        self.graphs = {where: {line["coarse"]: line for line in lines if line["kind"] == "graph"} for where, lines in made.items()}
        self.serial = next(line for line in made[VICINO, ONE_SOCKET] if line["kind"] == "serial")

    def speed(self, where, operation, coarse):
        """Over the serial loops, with all pages on one node."""
        serial, graph = (sum(line[key][0] for key in OPERATIONS[operation]) for line in (self.serial, self.graphs[where][coarse]))
        return serial / graph

    def coarsened(self, runtime, operation, threads):
        """Without aggregation, with F(32), with the best string."""
        return [self.speed((runtime, threads), operation, coarse) for coarse in (NONE, FRONT, COARSE[self.system.order])]

    def placed(self, operation, ways=PLACED):
        return [self.speed(where, operation, COARSE[self.system.order]) for where in ways]


def found_by_sample(guests, options):
    """[{system: Times}], without what was over its time limit"""
    return [{system: Times(guests, system, *sample) for system in SYSTEMS
             if all(guests[run] for run in runs_of(system, *sample).values())} for sample in samples(options)]


def text(guests, options):
    made = found_by_sample(guests, options)
    done = [system for system in SYSTEMS if all(system in sample for sample in made)]
    if not done:
        return "All were over their time limit.\n"
    verdicts, details = [], []
    for (operation, threads, order), number in TABLES.items():
        if systems := [system for system in done if system.order == order]:
            theirs, ours = ({system: spread_of([sample[system].coarsened(runtime, operation, threads) for sample in made])
                             for system in systems} for runtime in (TBB, VICINO))
            name = title(number, operation, order, threads)
            columns = ["none", FRONT, COARSE[order]]
            verdicts.append([f"{name}: {', '.join(columns)}", *verdict(systems, PAPER[operation, threads, order], theirs)])
            details.append(page.table([name, *columns, *(f"Vicino: {column}" for column in columns)],
                                      rows_of(systems, PAPER[operation, threads, order], theirs, ours)))
    for (operation, order), number in NAS_TABLES.items():
        if systems := [system for system in done if system.order == order]:
            figures = {system: spread_of([sample[system].placed(operation) for sample in made]) for system in systems}
            others = {system: spread_of([sample[system].placed(operation, (AS_THEIRS,)) for sample in made])
                      for system in systems if system.matrix == "Cube"}
            name = title(number, operation, order, BOTH)
            verdicts.append([f"{name}: {', '.join(PLACED_NAMES)}", *verdict(systems, NAS_PAPER[operation, order], figures)])
            details.append(page.table([name, *PLACED_NAMES, "Nas, its vectors as the paper's"],
                                      rows_of(systems, NAS_PAPER[operation, order], figures, others)))
    verdicts += in_words(made, done)
    return "\n".join([page.table([VERDICTS, "here", "verdict"], verdicts), graphs_of(made[0], done), *details])


def title(number, operation, order, threads):
    return f"{number}: {operation}, {'one socket' if threads == ONE_SOCKET else 'two sockets'}, {order} order"


def spread_of(found):
    """[(least, greatest)] of each column, over the samples."""
    return [(min(column), max(column)) for column in zip(*found)]


def verdict(systems, paper, figures):
    """Of the rows in which the order is the paper's: the columns' ranges must not meet."""
    def order_of(row):
        return sorted(range(len(row)), key=lambda i: row[i])

    def is_right(system, ranks):
        row, right = figures[system], order_of(system.of(paper))
        return all(row[slow][1] < row[fast][0] for slow, fast in ranks(right))

    def neighbours(right):
        return zip(right, right[1:])

    def to_the_best(right):
        return [(slow, right[-1]) for slow in right[:-1]]

    same, best = (sum(is_right(system, ranks) for system in systems) for ranks in (neighbours, to_the_best))
    over = [figure / system.of(paper)[-1] for system in systems for figure in figures[system][-1]]
    word = ("reproduced in order" if same == len(systems) else "same sign" if best == len(systems) else
            "in most" if best > len(systems) / 2 else "not reproduced")
    return [f"{same} of {len(systems)} rows in its order, its best is first in {best}; {orders.spread(over)} of its last column", word]


def in_words(made, done):
    """What the paper says of tables XII to XV in its text."""
    rows = []
    for operation, sentence in (("factorisation", "XII, XIII: Nas is ahead of TBB by 1 to 40 %"),
                                ("triangular solves", "XIV, XV: Nas is ahead of TBB, by 12.36 % in the mean")):
        gains = [100 * (nas / tbb - 1) for sample in made for system in done for tbb, _, nas in [sample[system].placed(operation)]]
        rows.append([sentence, f"{min(gains):.1f} to {max(gains):.1f} %, in the mean {statistics.mean(gains):.1f}",
                     "reproduced" if min(gains) >= 0 else "in most" if statistics.median(gains) > 0 else "not reproduced"])
    cubes = [(turns / theirs, turns / ours) for sample in made for system in done if system.matrix == "Cube"
             for turns, ours, theirs in [sample[system].placed("triangular solves", (INTERLEAVED, NAS, AS_THEIRS))]]
    if cubes:
        theirs, ours = zip(*cubes)
        rows.append(["XIV, XV, Cube: interleaved pages are ahead of Nas, whose vectors lie as a static loop touches them",
                     f"over Nas with such vectors {orders.spread(theirs)}; over Nas with vectors by their rows {orders.spread(ours)}",
                     "reproduced" if min(theirs) > 1 else "not reproduced" if max(theirs) < 1 else "in most"])
    return rows


def rows_of(systems, paper, figures, further):
    """Each cell of the paper's columns: here, and in brackets in the paper."""
    def shown(row):
        return [orders.spread(column) for column in row]

    rows = [[f"{system.matrix}, ILU({system.fill})",
             *(f"{here} ({there:.2f})" for here, there in zip(shown(figures[system]), system.of(paper))), *shown(further.get(system, []))]
            for system in systems]
    width = max(map(len, rows))
    return [row + [""] * (width - len(row)) for row in rows]


def graphs_of(sample, done):
    """Tables I, II and XI, of the first sample."""
    rows = []
    for system in done:
        times = sample[system]
        serial = times.serial
        coarse, front = (times.graphs[VICINO, ONE_SOCKET][string] for string in (COARSE[system.order], FRONT))
        rows.append([str(system), str(serial["rows"]), str(serial["edges"]), f"{front['units']}, {coarse['units']}",
                     f"{serial['factor'][0] / 1e6:.2f}", f"{coarse['coarsening'] / 1e6:.1f}",
                     f"{coarse['coarsening'] / serial['factor'][0]:.1f} ({system.of(OVERHEAD_PAPER[system.order]):.1f})"])
    return page.table(["I, II, XI: the graphs", "rows", "edges", f"aggregates of {FRONT}, of CD(4) or D(400)",
                       "serial factorisation, ms", "aggregation, ms", "over the factorisation"], rows)
