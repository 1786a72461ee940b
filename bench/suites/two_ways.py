"""Two ranks, run two ways in pairs: with lending and without; with the PMPI layer and without.

These have no page: docs/design/lend.md and docs/explain/mpi.md have figures. A pair counts if others left the CPUs alone.
"""

import collections
import itertools
import statistics

from report import cells, launch, page, stats

TIMEOUT = 120
# `ways`: the settings without and with; `under`: whether the program runs under `vicino run`, without and with.
Case = collections.namedtuple("Case", "name program arguments binding ways under")
# Name, steps, regions a step, factor, microseconds of a region on one core. Twice the work could gain 1.33.
STEPS = (("twice the work, 20 ms", 20, 50, 2, 400), ("twice the work, 5 ms", 60, 20, 2, 250),
         ("twice the work, regions of 4 ms", 15, 5, 2, 4000), ("even, 20 ms", 20, 50, 1, 400),
         ("even, 5 ms", 60, 20, 1, 250), ("even, 0.5 ms", 400, 4, 1, 125), ("even, regions of 4 ms", 15, 5, 1, 4000))
LENT = [{"VICINO_LEND": "false"}, {"VICINO_LEND": "true"}]


class Suite:
    def __init__(self, title, cases):
        self.TITLE, self.cases = title, cases

    def run(self, bench, options, seconds, progress):
        """{"samples": {"case, MPI": {figure: [[without, with] by pair], "others": […]}}}"""
        cell = cells.Cell("gcc", cells.OURS)
        jobs = [(case, mpi) for case in self.cases for mpi in launch.MPIS
                if program(bench, case, mpi).exists() and options.only in f"{case.name}, {mpi}"]
        if cells.OURS not in bench.runtimes or not jobs:
            return {"skipped": "no libvicino.so, no such case, or no programs: install an MPI and build bench_mpi_programs"}
        samples = collections.defaultdict(lambda: collections.defaultdict(list))
        turns = itertools.cycle((1, -1))  # every second pair is run in the other order
        for _, (case, mpi), pair, others in cells.measured(
                jobs, (seconds, 1 if options.quick else 7, progress),
                lambda job: pair_of(bench, cell, *job, next(turns)), None):
            if pair[0].get("checksum") != pair[1].get("checksum"):
                raise cells.Refused(f"{case.name}, {mpi}: different answers: {pair}")
            sample = samples[f"{case.name}, {mpi}"]
            for name in (name for name in pair[0] if name.endswith("ns")):
                sample[name].append([line[name] for line in pair])
            sample["others"].append(others)
        return {"samples": samples}

    @staticmethod
    def report(data):
        rows = []
        for name, sample in data["samples"].items():
            for figure in (figure for figure in sample if figure != "others"):
                pairs = stats.quietest(sample[figure], sample["others"])
                without, with_it = (stats.median(side) for side in zip(*pairs))
                ratios = [b / a for a, b in pairs]
                found = {"ratio": with_it / without}
                if len(pairs) > 1:
                    found["low"], _, found["high"] = statistics.quantiles(ratios, n=4, method="inclusive")
                rows.append([f"{name}, {figure.removesuffix('_ns')}", page.ratio(found, 3),
                             page.duration(without), page.duration(with_it)])
        return [page.table(["time with it over that without (quartiles of pairs)", "ratio", "without", "with"], rows)]


def program(bench, case, mpi):
    return bench.programs / f"mpi/{case.program}-{mpi}-gcc"


def pair_of(bench, cell, case, mpi, turn):
    """The lines without and with."""
    return [once(bench, cell, case, mpi, way) for way in (0, 1)[::turn]][::turn]


def once(bench, cell, case, mpi, way):
    under = [str(bench.programs.parent / "bin/vicino"), "run", "--"] if case.under[way] else []
    command = [*launch.command(mpi, 2, case.binding), *under, str(program(bench, case, mpi)),
               *map(str, case.arguments)]
    return bench.run(cell, command, timeout=TIMEOUT, settings=case.ways[way])[-1]


LEND = Suite("Lending, between two ranks of a core each", [
    Case(f"{name}{by_hand}", "uneven", (*arguments, layer), "none", LENT, [layer, layer])
    for layer, by_hand in ((1, ""), (0, ", by hand")) for name, *arguments in STEPS])
LAYER = Suite("The PMPI layer, between two bound ranks", [Case("8 bytes", "messages", (), "core", [{}, {}], [False, True])])
