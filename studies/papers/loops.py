"""Loops that leave their schedule to the runtime, against each fixed schedule of two runtimes."""

from papers import orders
from report import cells, page
from report.guests import BOUND, Run, chosen, samples, times

MACHINES, QUICK = ("4x4", "2x24", "8x8"), ("4x4",)
STEPS = 100
# Under a fixed schedule each step is like the others, and under one shared counter some kernels take thirty times as
# long as under the choice. So fewer steps are run with these, and their time is scaled.
SLOW, FEWER = ("dynamic", "guided"), 10
# name: its size. The data are a few times as large as the scaled caches.
KERNELS = {"cg": 4000, "sp": 16, "ft": 16, "hydro": 12, "matmul": 96}
LLVM, VICINO = cells.Cell("clang", "libomp"), cells.Cell("clang", cells.OURS)
FIXED = {
    "libomp static": (LLVM, ("OMP_SCHEDULE", "static")),
    "libomp dynamic": (LLVM, ("OMP_SCHEDULE", "dynamic")),
    "libomp guided": (LLVM, ("OMP_SCHEDULE", "guided")),
    "static": (VICINO, ("OMP_SCHEDULE", "static")),
    "dynamic": (VICINO, ("OMP_SCHEDULE", "dynamic")),
    "guided": (VICINO, ("OMP_SCHEDULE", "guided")),
    "ich": (VICINO, ("VICINO_SCHEDULE", "ich")),
    "mixed": (VICINO, ("VICINO_SCHEDULE", "mixed")),
}
AUTO = (VICINO, None)


def machines(options):
    return [name for name in MACHINES if name in options.machines] or (QUICK if options.quick else MACHINES)


def runs(options):
    for machine in machines(options):
        for kernel in chosen(KERNELS, options):
            for cell, setting in (AUTO, *FIXED.values()):
                for sample in samples(options):
                    yield run_of(machine, kernel, cell, setting, *sample)


def steps_with(setting):
    return FEWER if setting and setting[1] in SLOW else STEPS


def run_of(machine, kernel, cell, setting, seed, bound):
    return Run(machine, cell, f"ilan/{kernel}",
               ("--form", "runtime", "--size", str(KERNELS[kernel]), "--steps", str(steps_with(setting))),
               (*BOUND, setting) if setting else BOUND, seed, bound)


def text(guests, options):
    """Speeds: the time of a fixed schedule over that of the choice, all that is tried included."""
    head = ["time of the schedule over that of the choice", *FIXED, "the best's over the choice's"]
    parts = []
    for machine in machines(options):
        rows = []
        for kernel in chosen(KERNELS, options):
            found = [ratios(guests, options, machine, kernel, *fixed) for fixed in FIXED.values()]
            best = [min(at_sample) for at_sample in zip(*found)]
            rows.append([kernel, *map(orders.spread, found), orders.spread(best)])
        parts.append(f"{machine}, {STEPS} steps of each kernel\n\n" + page.table(head, rows))
    return "\n".join(parts)


def ratios(guests, options, machine, kernel, cell, setting):
    return [step_of(guests, machine, kernel, cell, setting, *sample)
            / step_of(guests, machine, kernel, *AUTO, *sample) for sample in samples(options)]


def step_of(guests, machine, kernel, cell, setting, *sample):
    return time_of(guests, run_of(machine, kernel, cell, setting, *sample)) / steps_with(setting)


def time_of(guests, run):
    found = times(guests[run])
    if found is None:
        raise cells.Refused(f"{run}: no end within its time limit")
    return found[0]
