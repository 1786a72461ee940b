"""ILAN on two EPYC 9354: how far the times of its runs are apart, and of LLVM's taskloops: table 1 of its paper."""

import statistics

from papers import ilan
from report import page
from report.guests import BOUND, chosen, times

SEEDS = range(10)       # the paper has thirty runs; in a guest another seed is another order of the CPUs
CLAIM = "Smaller deviations than LLVM's in 3 of 7 (table 1)"
# The standard deviations of the paper: (LLVM's taskloops, ILAN).
PAPER = {"ft": (0.0117, 0.0037), "bt": (0.0133, 0.0197), "cg": (0.0094, 0.0239), "lu": (0.0169, 0.0045),
         "sp": (0.0554, 0.0258), "matmul": (0.0050, 0.0158), "hydro": (0.0065, 0.0074)}


def runs(options):
    for name in chosen(ilan.KERNELS, options):
        for cell in (ilan.LLVM, ilan.VICINO):
            yield from runs_of(name, cell)


def seeds(_options):
    return SEEDS


def runs_of(name, cell):
    return [ilan.run_of(name, cell, BOUND, seed, "value", sizes=ilan.SMALL) for seed in SEEDS]


def deviation(guests, name, cell):
    """The standard deviation of the second runs' times, over their mean; None if one was too long."""
    found = [times(guests[run]) for run in runs_of(name, cell)]
    if not all(found):
        return None
    second = [ns for _, ns in found]
    return statistics.stdev(second) / statistics.mean(second)


def verdict(same, kernels):
    if same == kernels:
        return "reproduced"
    return "in most" if same > kernels / 2 else "not reproduced"


def text(guests, options):
    rows, smaller, same = [], [], 0
    for name in chosen(ilan.KERNELS, options):
        paper = PAPER[name]
        here = [deviation(guests, name, cell) for cell in (ilan.LLVM, ilan.VICINO)]
        if None in here:
            rows.append([ilan.title_of(name), *paper, "over its time limit", "", ""])
            continue
        smaller.append(here[1] < here[0])
        is_same = smaller[-1] == (paper[1] < paper[0])
        same += is_same
        rows.append([ilan.title_of(name), *paper, *(f"{share:.4f}" for share in here), "the same" if is_same else "the other way"])
    rows.append([f"ILAN's smaller in {sum(smaller)} of {len(smaller)}; as in the paper in {same}", *[""] * 4,
                 verdict(same, len(smaller)) if smaller else ""])
    return page.table([f"standard deviation over mean, {len(SEEDS)} seeds", "paper: LLVM's", "paper: ILAN", "here: LLVM's",
                       "here: ILAN", "which is smaller"], rows)
