"""The tuner's cost for loops that are too short for it: one loop with VICINO_EXPLORE and without.

The construct is `runtime_1us`, a loop of a microsecond with schedule(runtime), a million times in a
process. The target is a cost of 2 % at most. The peers are not measured.
"""

import collections

from report import cells, page, stats
from suites import constructs

TITLE = "The tuner at loops of a microsecond"
MS = 1500  # for one process: a million executions
CONTROL = "off again"  # the method's result where there is no difference
WAYS = {"off": "false", "on": "true", CONTROL: "false"}


def run(bench, options, seconds, progress):
    """{"samples": {threads: {cell: {way: [ns]}}}}"""
    jobs = [(cell, way, threads) for cell in bench.cells() if cell.runtime not in cells.PEERS
            for way in WAYS for threads in options.threads if threads > 1]
    samples = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for _, (cell, way, threads) in cells.interleaved(jobs, seconds, 3, progress):
        line, = constructs.measure(bench, cell, threads, "runtime_1us", max(options.ms, MS),
                                   settings={"VICINO_EXPLORE": WAYS[way]})
        samples[threads][str(cell)][way].append(line["ns"])
    return {"samples": samples}


def report(data):
    rows = []
    for threads, by_cell in sorted(data["samples"].items()):
        for name, by_way in sorted(by_cell.items()):
            off, on, control = (by_way[way] for way in WAYS)
            rows.append([name, threads, *(page.figure(stats.median(ns)) for ns in (off, on)),
                         _ratio(on, off), _ratio(control, off)])
    return [page.table(["ns an execution", "threads", "without", "with the tuner", "ratio",
                        "ratio of the control"], rows)]


def _ratio(values, reference):
    return page.ratio(stats.ratio(values, [reference]), 3)
