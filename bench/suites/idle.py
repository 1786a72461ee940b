"""CPU time that a program's threads burn while it only sleeps, after its last region."""

import collections

from report import cells, page, stats

TITLE = "Idle after a region"
AFTER_MS = 100
FOR_MS = 500


def run(bench, options, seconds, progress):
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    jobs = [(cell, threads) for cell in bench.native_cells() for threads in (2, 4)]
    for _, (cell, threads) in cells.interleaved(jobs, seconds, 2, progress):
        command = [bench.program("idle", cell), str(AFTER_MS), str(FOR_MS), bench.file(cell)]
        line = bench.run(cell, command, threads)[-1]
        samples[f"{cell}, {threads} threads"]["first"].append(line["before_ms"])
        samples[f"{cell}, {threads} threads"]["then"].append(line["idle_ms"])
    return {"samples": samples}


def report(data):
    rows = [[name, f"{stats.median(by['first']):.1f}", f"{stats.median(by['then']):.1f}",
             f"{max(by['then']):.1f}"] for name, by in sorted(data["samples"].items())]
    return [page.table(["CPU time, ms", f"first {AFTER_MS} ms", f"next {FOR_MS} ms",
                        "highest of all rounds"], rows)]
