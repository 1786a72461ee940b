"""The cost of distributing a loop under each schedule, for one iteration with an empty body.

The construct is `dynamic`, a loop with schedule(dynamic,1). VICINO_SCHEDULE replaces its schedule by
Vicino's; the peers run it unchanged, and so libomp's static_steal cannot be measured here. A schedule
that distributes many iterations at once has little to do here, which is its purpose; the kernels show
how well it balances.
"""

import collections
import subprocess

from report import cells, page, schedules, stats
from suites import constructs

TITLE = "Cost of an iteration of an empty loop, by schedule"
AS_IT_IS = "dynamic,1"


def run(bench, options, seconds, progress):
    """{"samples": {threads: {cell: {schedule: [ns]}}}}"""
    jobs = [(cell, schedule, settings, threads) for cell in bench.native_cells()
            for schedule, settings in rows(bench, cell).items()
            for threads in options.threads if threads > 1]
    samples = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for _, (cell, schedule, settings, threads) in cells.interleaved(jobs, seconds, 3, progress):
        line, = constructs.measure(bench, cell, threads, "dynamic", options.ms, settings=settings)
        samples[threads][str(cell)][schedule].append(line["ns"])
    return {"samples": samples}


def rows(bench, cell):
    if cell.runtime in cells.PEERS or cell.runtime == cells.CONTROL:
        return {AS_IT_IS: {}}
    asked = subprocess.run([bench.program("micro", cell), "--count", "1", "--only", "dynamic"],
                           env={**bench.environment(cell, 2), **schedules.QUESTION}, text=True,
                           capture_output=True, check=False)
    names = schedules.known(asked.stderr)["VICINO_SCHEDULE"]
    return {AS_IT_IS: {}, **{name: {"VICINO_SCHEDULE": name} for name in names}}


def report(data):
    parts = []
    for threads, by_cell in sorted(data["samples"].items()):
        names = sorted(by_cell)
        order = list(dict.fromkeys(schedule for name in names for schedule in by_cell[name]))
        peers = {}  # the better one of each compiler's
        for name in names:
            compiler, runtime = name.split(" ", 1)
            if runtime in cells.PEERS:
                ns = stats.median(by_cell[name][AS_IT_IS])
                peers[compiler] = min(ns, peers.get(compiler, ns))
        lines = []
        for schedule in order:
            row = [schedule, *(page.median(by_cell[name].get(schedule)) for name in names)]
            for compiler, peer in sorted(peers.items()):
                ours = by_cell.get(f"{compiler} {cells.OURS}", {}).get(schedule)
                row.append(f"{stats.median(ours) / peer:.2f}" if ours else "")
            lines.append(row)
        header = [f"ns, {threads} threads", *names,
                  *(f"to the better peer's {AS_IT_IS}, {compiler}" for compiler in sorted(peers))]
        parts.append(page.table(header, lines))
    return parts
