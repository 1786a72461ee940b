"""ILAN on two EPYC 9354: its speed over LLVM's taskloops, with moldability and without."""

import math

from guests import BOUND, Run, chosen, samples
from report import cells, page

MACHINE = "8x8"
OFF = (*BOUND, ("VICINO_TASKLOOP", "hierarchical"))     # without moldability

# name: (the paper's benchmark, size, steps, its speed over the baseline, the same without moldability).
# The sizes are those whose data are far larger than the scaled caches, as the paper's are than its own.
KERNELS = {
    "ft": ("FT", 32, 6, 1.123, None),
    "bt": ("BT", 24, 5, 1.169, None),
    "cg": ("CG", 40_000, 8, 1.080, 0.914),
    "lu": ("LU", 20, 3, None, None),
    "sp": ("SP", 36, 5, 1.458, 1.25),
    "hydro": ("LULESH", 22, 6, None, None),
    "matmul": ("Matmul", 192, 4, 0.975, None),
}
MEAN, MEAN_OFF = 1.132, 1.079
# How far from the paper's figure a verdict of "reproduced" may be: docs/papers.md says so, too.
NEAR = 0.08
LLVM, VICINO = cells.Cell("clang", "libomp"), cells.Cell("clang", cells.OURS)


def runs(options):
    for sample in samples(options):
        for name in chosen(KERNELS, options):
            for cell, settings in ((LLVM, BOUND), (VICINO, BOUND), (VICINO, OFF)):
                yield run_of(name, cell, settings, *sample)


def run_of(name, cell, settings, seed, bound, steps=None):
    """Two runs in a process: the first has all that is tried in it, the second what was learnt."""
    _, size, usual, *_ = KERNELS[name]
    explained = cell == VICINO and settings == BOUND
    return Run(MACHINE, cell, f"ilan/{name}",
               ("--form", "taskloop", "--size", str(size), "--steps", str(steps or usual), "--repeat", "2"),
               (*settings, ("VICINO_EXPLAIN", "true")) if explained else settings, seed, bound)


def times(guests, run):
    found = guests[run]
    return next(line for line in found["lines"] if line["kind"] == "kernel")["ns"] if found else None


def local(guests, run):
    totals = guests[run]["regions"][-1]
    memory = totals["local"] + totals["same_package"] + totals["other_package"]
    return totals["local"] / memory if memory else math.nan


def ratios(guests, options, name):
    """[(bound, seed, first, second, first without moldability, second without it)]: speed over LLVM's."""
    found = []
    for seed, bound in samples(options):
        base, full, off = (times(guests, run_of(name, cell, settings, seed, bound))
                           for cell, settings in ((LLVM, BOUND), (VICINO, BOUND), (VICINO, OFF)))
        if base and full and off:
            found.append((bound, seed, base[0] / full[0], base[1] / full[1], base[0] / off[0],
                          base[1] / off[1]))
    return found


def spread(values):
    low, high = min(values), max(values)
    middle = sorted(values)[len(values) // 2]
    return f"{middle:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{middle:.2f} ({low:.2f} to {high:.2f})"


def verdict(paper, seen):
    if paper is None or not seen:
        return ""
    if all(abs(value - paper) <= NEAR for value in seen):
        return "reproduced"
    signs = {value > 1 for value in seen}
    if signs == {paper > 1}:
        return "same sign, more" if min(seen) > paper else "same sign"
    return "not reproduced" if len(signs) == 1 else "no sign: it depends on the model's numbers"


def text(guests, options):
    head = ["speed over LLVM's taskloops", "paper", "here, settled", "all that is tried included", "verdict",
            "paper, without moldability", "here", "gain by moldability", "local"]
    rows, settled, off = [], [], []
    for name in chosen(KERNELS, options):
        title, _, _, paper, paper_off = KERNELS[name]
        found = ratios(guests, options, name)
        if not found:
            rows.append([f"{title} ({name})", paper or "", *["over its time limit"] * 7])
            continue
        _, _, first, second, _, second_off = zip(*found)
        settled.append(math.prod(second) ** (1 / len(second)))
        off.append(math.prod(second_off) ** (1 / len(second_off)))
        base = run_of(name, VICINO, BOUND, options.seeds[0], options.bounds[0])
        rows.append([f"{title} ({name})", paper or "", spread(second), spread(first), verdict(paper, second),
                     paper_off or "", spread(second_off), spread([a / b for a, b in zip(second, second_off)]),
                     f"{local(guests, base):.0%}"])
    mean = math.prod(settled) ** (1 / len(settled))
    mean_off = math.prod(off) ** (1 / len(off))
    rows.append(["mean", MEAN, f"{mean:.2f}", "", verdict(MEAN, [mean]), MEAN_OFF, f"{mean_off:.2f}", "", ""])
    return page.table(head, rows)
