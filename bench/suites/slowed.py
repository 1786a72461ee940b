"""Loops of two threads, one of which shares its core with a busy process.

The rival takes a share s of core 1, so the two cores have 2 - s left. A loop that uses all of it takes
T/(2 - s), where T is the time of one thread alone; a static loop waits for the slow thread. A schedule
can be faster than static by the ratio of these two times; for a loop of even work that is
(2 - s) / (2 (1 - s)). This holds for calls of many time slices: see LONG_NS and LONGER.
"""

import contextlib
import os
import pathlib
import signal
import statistics
import subprocess
import sys

from report import cells, page, stats
from suites import loops_report

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from launcher.process import die_with  # noqa: E402

WITHIN = 0.1
# The operating system gives a core to one process for some ms at a time. A shorter loop meets its rival
# or does not, and at its end all threads wait for all in any case. So kernels whose calls take LONG_NS
# on one thread are run at LONGER times their size, under fewer schedules.
LONG_NS = 3e6
LONGER = 10
OF_LONG = {"default", "static", "dynamic", "guided", "ich", "nich", "mixed", "hierarchical",
           "dynamic,1", "guided,1", "static_steal"}


@contextlib.contextmanager
def rival():
    """Yields (settings, arguments, why there is no rival): the settings bind threads to two cores, and the
    rival is a process that never sleeps on the second core."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        yield {}, [], "it takes two cores"
        return
    settings = {"OMP_PLACES": ",".join(f"{{{core}}}" for core in cores), "OMP_PROC_BIND": "close"}
    attach = die_with(os.getpid(), signal.SIGKILL)

    def confine():
        attach()
        os.sched_setaffinity(0, cores[1:])

    with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], preexec_fn=confine) as busy:
        try:
            yield settings, ["--rival", str(busy.pid)], None
        finally:
            busy.kill()


def references(all_jobs):
    """Jobs of one thread, on the core that has no rival: they give T."""
    return [job for job in all_jobs if job.threads == 1 and job.schedule == "static" and
            job.cell.runtime in cells.PEERS]


def two_threads(all_jobs):
    return [job for job in all_jobs if job.threads == 2]


def long_kernels(found):
    """Kernels whose references take LONG_NS for a call."""
    return {kernel for by_kernel in found.get(1, {}).values() for kernel, alone in by_kernel.items()
            if is_long(alone, LONG_NS)}


def of_kernels(all_jobs, kernels):
    return [job for job in all_jobs if job.kernel in kernels]


def under_some_schedules(all_jobs):
    return [job for job in all_jobs if job.schedule in OF_LONG]


def is_long(alone, least=LONGER * LONG_NS):
    return any(stats.median(sample["ns"]) / sample["calls"] >= least for sample in alone.values())


def lost_share(sample):
    return statistics.median(taken / ns for taken, ns in zip(sample["rival_ns"], sample["ns"]))


def gains(by_row, alone):
    """{"share": lost, "predicted": …, row: speed over static}; None without both references."""
    static = loops_report.peers_static(by_row)
    if static is None or static not in alone:
        return None
    share = lost_share(by_row[static])
    time = stats.median(by_row[static]["ns"])
    one_thread = stats.median(alone[static]["ns"])
    return {"share": share, "predicted": time / (one_thread / (2 - share)),
            **{row: time / stats.median(sample["ns"]) for row, sample in by_row.items()}}


def report(data):
    if "skipped" in data:
        return [f"Skipped: {data['skipped']}.\n"]
    tables, rows = [], []
    for compiler, by_kernel in sorted(data.get(2, {}).items()):
        alone = data.get(1, {}).get(compiler, {})
        found = {kernel: gains(by_row, alone.get(kernel, {})) for kernel, by_row in sorted(by_kernel.items())}
        long_ms = LONGER * LONG_NS / 1e6
        for title, long in ((f"calls of {long_ms:g} ms and more", True), ("shorter calls", False)):
            part = {kernel: gain for kernel, gain in found.items()
                    if gain and is_long(alone[kernel]) == long}
            if part:
                tables.append(_table(f"One thread slowed, {compiler}, {title}: speed over the peer's static", part))
                rows += [[f"{compiler}, {title}, {row}", of_predicted] for row, of_predicted, *_ in tables[-1].rows
                         if row.partition(" ")[2] in loops_report.HEADLINE]
    return [page.table(["", tables[0].head[1]], rows), *tables] if tables else ["No kernel ran.\n"]


def reached(row, gains_of):
    """{kernel: the speed over static, divided by the prediction}"""
    return {kernel: gain[row] / gain["predicted"] for kernel, gain in gains_of.items() if row in gain}


def _table(title, found):
    names = dict.fromkeys(key for gain in found.values() for key in gain)
    rows = [[title, "", *(f"{gain[key]:.2f}" for gain in found.values())]
            for title, key in (("lost share of core 1", "share"), ("predicted", "predicted"))]
    for row in loops_report.in_order(name for name in names if " " in name):
        part = reached(row, found)
        near = sum(value >= 1 - WITHIN for value in part.values())
        rows.append([row, f"{statistics.median(part.values()):.2f}; {near} of {len(part)}",
                     *(f"{gain[row]:.2f}" if row in gain else "" for gain in found.values())])
    return page.Rows(title, ["", f"of predicted, median; within {WITHIN:.0%}",
                             *loops_report.columns(found).values()], rows)
