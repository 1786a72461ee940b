"""Static fractions on a node of 16 cores: static, mixed, staggered and vsched on a stencil, n-body and CG."""

from papers import orders
from report import cells, page
from report.guests import BOUND, Run, samples, times

MACHINE, THREADS = "4x4", 16
CLANG = cells.Cell("clang", cells.OURS)
# kernel: (its title, --scale, the paper's order of schedules in its words, fastest first)
KERNELS = {
    "jacobi": ("stencil", 0.05, (("vsched", "mixed"), ("guided",), ("static",))),
    "galaxy": ("n-body", 0.02, (("vsched",), ("mixed",), ("guided",), ("dynamic",), ("static",))),
    "cg": ("CG", 0.04, (("mixed",), ("static",))),
}
SCHEDULES = {"static": "static", "dynamic": "dynamic_shared", "guided": "guided", "mixed": "mixed",
             "staggered": "staggered", "vsched": "vsched"}


def runs(options):
    for sample in samples(options):
        for kernel in KERNELS:
            for schedule in SCHEDULES:
                yield run_of(kernel, schedule, *sample)


def run_of(kernel, schedule, seed, bound):
    """Two runs in a process: what a site learns in the first, it has in the second, which counts."""
    return Run(MACHINE, CLANG, f"loops/{kernel}",
               ("--scale", str(KERNELS[kernel][1]), "--repeat", "2", "--no-yardstick"),
               (*BOUND, ("OMP_NUM_THREADS", str(THREADS)), ("VICINO_SCHEDULE", SCHEDULES[schedule])), seed, bound)


def text(guests, options):
    rows = []
    for kernel, (title, _, order) in KERNELS.items():
        found = [{name: time_of(guests, run_of(kernel, name, *sample)) for name in SCHEDULES}
                 for sample in samples(options)]
        if not all(all(at.values()) for at in found):
            rows.append([f"{title} ({kernel})", *["over its time limit"] * (len(SCHEDULES) - 1), "", "", ""])
            continue
        taus = [orders.tau(order, at) for at in found]
        rows.append([f"{title} ({kernel})",
                     *(orders.spread([at["static"] / at[name] for at in found]) for name in list(SCHEDULES)[1:]),
                     orders.shown(order), orders.spread(taus), orders.verdict(taus)])
    return (f"{MACHINE}, {THREADS} threads: speed over static\n\n"
            + page.table(["", *list(SCHEDULES)[1:], "the paper's order", "τ", "verdict"], rows))


def time_of(guests, run):
    found = times(guests[run])
    return found and found[-1]
