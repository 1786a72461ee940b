"""Many short loops under a CPU quota, against the same work without OpenMP.

Threads that spin use up the quota of those that work: then the whole process stands still until the
next period. Each case runs serially and on each runtime inside the same control group. CPU time is
reported beside wall time: with a quota of at most one core CPU time determines the wall time, and other
load on the machine does not change it.
"""

import collections
import subprocess

from report import cells, page, stats
from report.cgroup import NoQuota, cpu_quota

TITLE = "Under a CPU quota"
LENGTHS_US = (10, 100, 1000)
THREADS = (0, 2, 4)  # 0: OMP_NUM_THREADS unset
# Several periods of 100 ms: within the first one a quota of one core lets two threads run side by side.
WORK_MS = 600
QUOTAS = (0.5, 1, 1.5)
TIMEOUT = 20


def run(bench, options, seconds, progress):
    """{"samples": {(quota, threads, length) as text: {cell or "serial": [[wall, CPU]]}}}"""
    try:
        with cpu_quota(1):
            pass
    except NoQuota as reason:
        return {"skipped": str(reason)}
    quotas = (1,) if options.quick else QUOTAS
    native = bench.native_cells()
    speed = subprocess.run([bench.program("quota", native[0]), "calibrate"],
                           env=bench.environment(native[0]), capture_output=True, text=True,
                           check=True).stdout.strip()
    jobs = [(quota, threads, length, cell) for quota in quotas for length in LENGTHS_US
            for threads in THREADS for cell in native]
    jobs += [(quota, None, length, native[0]) for quota in quotas for length in LENGTHS_US]
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    for _, (quota, threads, length, cell) in cells.interleaved(jobs, seconds, 1, progress):
        key = f"{quota} {length} {'serial' if threads is None else threads}"
        name = "serial" if threads is None else str(cell)
        samples[key][name].append(_once(bench, cell, quota, threads, length, speed))
    return {"samples": samples}


def _once(bench, cell, quota, threads, length, speed):
    mode = "serial" if threads is None else "parallel"
    command = [bench.program("quota", cell), mode, str(length), str(WORK_MS), speed]
    with cpu_quota(quota) as join:
        try:
            lines = bench.run(cell, command + ([bench.file(cell)] if threads is not None else []),
                              threads, TIMEOUT, join)
        except cells.TimedOut:
            return None
    return lines[-1]["seconds"], lines[-1]["cpu"]


def report(data):
    names = sorted({n for by in data["samples"].values() for n in by if n != "serial"})
    rows = []
    for key, by_cell in data["samples"].items():
        quota, length, threads = key.split()
        if threads == "serial":
            continue
        serial = data["samples"][f"{quota} {length} serial"]["serial"]
        rows.append((float(quota), int(length), int(threads),
                     *(_times(by_cell.get(n), serial) for n in names)))
    rows = [[f"{q:g} cores, {l} µs, {t or 'default'} threads", *rest]
            for q, l, t, *rest in sorted(rows)]
    return [page.table(["wall (CPU) time / serial", *names], rows)]


def _times(values, serial):
    """A run that timed out has no CPU time, and the other runs must not hide it."""
    if not values or not all(serial):
        return ""
    serial_wall, serial_cpu = (stats.median(s) for s in zip(*serial))
    if not all(values):
        return f"over {TIMEOUT / serial_wall:.0f}"
    wall, cpu = (stats.median(v) for v in zip(*values))
    return f"{wall / serial_wall:.2f} ({cpu / serial_cpu:.2f})"
