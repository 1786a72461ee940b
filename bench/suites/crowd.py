"""More threads than cores: which runtime waits well when waiting threads keep others from running."""

import collections

from report import cells, page, stats
from suites import constructs

TITLE = "More threads than cores"
CONSTRUCTS = "parallel,for,dynamic_loop,barrier"
THREADS = (4, 8, 16)


def run(bench, options, seconds, progress):
    samples = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    jobs = [(cell, threads) for cell in bench.native_cells() for threads in THREADS]
    for _, (cell, threads), lines, _ in cells.measured(
            jobs, (seconds, 2, progress),
            lambda job: constructs.measure(bench, *job, CONSTRUCTS, options.ms, timeout=60), []):
        for line in lines:
            samples[threads][str(cell)][line["construct"]].append(line["ns"] / 1e3)
    return {"samples": samples}


def report(data):
    names = sorted({n for by_cell in data["samples"].values() for n in by_cell})
    rows = []
    for construct in CONSTRUCTS.split(","):
        for threads, by_cell in sorted(data["samples"].items()):
            values = [by_cell.get(n, {}).get(construct) for n in names]
            rows.append([f"{construct}, {threads} threads",
                         *(page.figure(stats.median(v)) if v else "no end" for v in values)])
    return [page.table(["µs", *names], rows)]
