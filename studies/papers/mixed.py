"""Static fractions on nodes of 16 cores: static, mixed, staggered and vsched on a stencil, n-body and CG, on cores
that are late now and then and on cores that are not."""

from papers import orders
from report import cells, page
from report.guests import BOUND, Run, samples, times

THREADS = 16
# (machine, the lab's --noise). The papers' gains are of late cores on a node whose cores have one memory.
PAPER = ("1x16", "os")
CASES = (PAPER, ("1x16", ""), ("4x4", "os"))
CLANG = cells.Cell("clang", cells.OURS)
# kernel: (its title, --scale, the paper's order of schedules in its words, fastest first)
KERNELS = {
    "jacobi": ("stencil", 0.4, (("vsched", "mixed"), ("guided",), ("static",))),
    "galaxy": ("n-body", 0.1, (("vsched",), ("mixed",), ("guided",), ("dynamic",), ("static",))),
    "cg": ("CG", 0.4, (("mixed",), ("static",))),
}
SCHEDULES = {"static": "static", "dynamic": "dynamic_shared", "guided": "guided", "mixed": "mixed",
             "staggered": "staggered", "vsched": "vsched"}
CHUNKED = [name for name in SCHEDULES if name != "static"]


def runs(options):
    for sample in samples(options):
        for case in CASES:
            for kernel in KERNELS:
                for schedule in SCHEDULES:
                    yield run_of(case, kernel, schedule, *sample)


def run_of(case, kernel, schedule, seed, bound):
    """Two runs in a process: what a site learns in the first, it has in the second, which counts."""
    machine, noise = case
    return Run(machine, CLANG, f"loops/{kernel}",
               ("--scale", str(KERNELS[kernel][1]), "--repeat", "2", "--no-yardstick"),
               (*BOUND, ("OMP_NUM_THREADS", str(THREADS)), ("VICINO_SCHEDULE", SCHEDULES[schedule])), seed, bound,
               (f"noise={noise}",) if noise else ())


def name_of(case):
    machine, noise = case
    return f"{machine}, noise {noise}" if noise else machine


def title_of(kernel):
    return f"{KERNELS[kernel][0]} ({kernel})"


def found_of(guests, options, case, kernel):
    """Speeds over static; how far their order is the paper's, τ by sample; and the verdict."""
    found = [{name: time_of(guests, run_of(case, kernel, name, *sample)) for name in SCHEDULES}
             for sample in samples(options)]
    if not all(all(at.values()) for at in found):
        return ["over its time limit"] * len(CHUNKED), "", ""
    taus = [orders.tau(KERNELS[kernel][2], at) for at in found]
    speeds = [orders.spread([at["static"] / at[name] for at in found]) for name in CHUNKED]
    return speeds, orders.spread(taus), orders.verdict(taus)


def text(guests, options):
    ours, elsewhere = [], []
    for kernel, (_, _, order) in KERNELS.items():
        speeds, tau, verdict = found_of(guests, options, PAPER, kernel)
        ours.append([title_of(kernel), *speeds, orders.shown(order), tau, verdict])
        for case in CASES[1:]:
            speeds, tau, _ = found_of(guests, options, case, kernel)
            elsewhere.append([title_of(kernel), name_of(case), *speeds, tau])
    return (f"{name_of(PAPER)}, {THREADS} threads: speed over static\n\n"
            + page.table(["", *CHUNKED, "the paper's order", "τ", "verdict"], ours)
            + "\nThe same elsewhere:\n\n" + page.table(["", "machine", *CHUNKED, "τ"], elsewhere))


def time_of(guests, run):
    found = times(guests[run])
    return found and found[-1]
