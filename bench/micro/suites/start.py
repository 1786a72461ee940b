"""The cost of being linked against OpenMP: a whole process with one empty region, or with none."""

import collections
import os
import time

from report import cells, page, stats

TITLE = "Process start"


def run(bench, options, seconds, progress):
    native = bench.native_cells()
    for cell in native:
        bench.run(cell, [bench.program("start", cell), "check", bench.file(cell)], 2)
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    jobs = [(cell, mode) for cell in native for mode in ("none", "region")]
    for _, (cell, mode) in cells.interleaved(jobs, seconds, 10, progress):
        samples[str(cell)][mode].append(_wall_ms(bench, cell, mode))
    return {"samples": samples}


def _wall_ms(bench, cell, mode):
    """posix_spawn and wait, without subprocess's own millisecond around them."""
    program = bench.program("start", cell)
    env = bench.environment(cell, 2)
    start = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(program, [program, mode], env), 0)
    wall = time.perf_counter() - start
    if status:
        raise cells.Refused(f"{cell}: start {mode}: status {status}")
    return wall * 1e3


def report(data):
    rows = [[name, *(f"{stats.median(by[mode]):.2f} ({stats.spread(by[mode]):.2f})"
                     for mode in ("none", "region"))] for name, by in sorted(data["samples"].items())]
    return page.table(["ms", "no region", "one region of 2 threads"], rows)
