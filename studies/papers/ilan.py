"""ILAN on two EPYC 9354: its speed over LLVM's taskloops, with moldability and without.

All kernels with several seeds and bounds take hours. So a row says when and with what it was made, and kernels that
are made anew replace their own rows of the page (joined()).
"""

import math

from papers.explained import compared
from report import cells, page
from report.guests import BOUND, Run, chosen, samples, times

MACHINE = "8x8"
OFF = (*BOUND, ("VICINO_TASKLOOP", "hierarchical"))     # without moldability

# name: (the paper's benchmark, size, steps, its speed over the baseline, the same without moldability).
# The sizes are those whose data are far larger than the scaled caches, as the paper's are than its own, and whose
# guests take minutes.
KERNELS = {
    "ft": ("FT", 64, 12, 1.123, None),
    "bt": ("BT", 48, 5, 1.169, None),
    "cg": ("CG", 320_000, 8, 1.080, 0.914),
    "lu": ("LU", 40, 3, None, None),
    "sp": ("SP", 72, 5, 1.458, 1.25),
    "hydro": ("LULESH", 44, 6, None, None),
    "matmul": ("Matmul", 384, 4, 0.975, None),
}
# An eighth of the work, for parts with many runs.
SMALL = {"ft": 32, "bt": 24, "cg": 40_000, "lu": 20, "sp": 36, "hydro": 22, "matmul": 192}
MEAN, MEAN_OFF = 1.132, 1.079
# How far from the paper's figure a verdict of "reproduced" may be: results.md says so, too.
NEAR = 0.08
LLVM, VICINO = cells.Cell("clang", "libomp"), cells.Cell("clang", cells.OURS)


def runs(options):
    for sample in samples(options):
        for name in chosen(KERNELS, options):
            for cell, settings in ((LLVM, BOUND), (VICINO, BOUND), (VICINO, OFF)):
                yield run_of(name, cell, settings, *sample)


def run_of(name, cell, settings, seed, bound, steps=None, form="taskloop", sizes=None):
    """Two runs in a process: the first has all that is tried in it, the second what was learnt. `sizes`: SMALL, or
    None for those of KERNELS."""
    _, size, usual, *_ = KERNELS[name]
    size = sizes[name] if sizes else size
    explained = cell == VICINO and settings == BOUND
    return Run(MACHINE, cell, f"ilan/{name}",
               ("--form", form, "--size", str(size), "--steps", str(steps or usual), "--repeat", "2"),
               (*settings, ("VICINO_EXPLAIN", "true")) if explained else settings, seed, bound)


def title_of(name):
    return f"{KERNELS[name][0]} ({name})"


def local(guests, run):
    totals = guests[run]["regions"][-1]
    memory = totals["local"] + totals["same_package"] + totals["other_package"]
    return totals["local"] / memory if memory else math.nan


def ratios(guests, options, name):
    """[(bound, seed, first, second, first without moldability, second without it)]: speed over LLVM's."""
    found = []
    for seed, bound in samples(options):
        base, full, off = (times(guests[run_of(name, cell, settings, seed, bound)])
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


def decided(guests, options, name):
    """`3 of 5`: of the taskloops of which the tuner tried more than one thing; the lowest share of all samples."""
    found = [compared(guests[run_of(name, VICINO, BOUND, *sample)]["told"]) for sample in samples(options)]
    counts = [(sum(site["decided"] for site in sites), len(sites)) for sites in found if sites]
    return "{} of {}".format(*min(counts, key=lambda count: count[0] / count[1])) if counts else ""


HEAD = ["speed over LLVM's taskloops", "paper", "here, second run", "first run", "verdict", "decided at the end",
        "paper, without moldability", "here, without", "gain by moldability", "local", "made",
        "seeds; the model's numbers"]


def text(guests, options):
    return page.table(HEAD, [row_of(guests, options, name) for name in chosen(KERNELS, options)])


def row_of(guests, options, name):
    _, _, _, paper, paper_off = KERNELS[name]
    made = [run for run in runs(options) if run.program == f"ilan/{name}"]
    how = [", ".join(filter(None, (guests.when(made), guests.commits(made)))), f"{', '.join(map(str, options.seeds))}; {', '.join(options.bounds)}"]
    if any(guests[run] is None for run in made):
        return [title_of(name), paper or "", "over its time limit", *[""] * 7, *how]
    _, _, first, second, _, second_off = zip(*ratios(guests, options, name))
    base = run_of(name, VICINO, BOUND, options.seeds[0], options.bounds[0])
    return [title_of(name), paper or "", spread(second), spread(first), verdict(paper, second),
            decided(guests, options, name), paper_off or "", spread(second_off),
            spread([a / b for a, b in zip(second, second_off)]), f"{local(guests, base):.0%}", *how]


def joined(made, before):
    """The table with the rows of `before` for kernels that were not made now, and with the means of all rows."""
    rows = rows_in(before) | rows_in(made)
    titles = map(title_of, KERNELS)
    ordered = [rows[title] for title in titles if title in rows]
    mean, off = (mean_of([row[HEAD.index(column)] for row in ordered]) for column in (HEAD[2], HEAD[7]))
    last = ["mean", MEAN, *([f"{mean:.2f}", "", verdict(MEAN, [mean])] if mean else [""] * 3), "", MEAN_OFF,
            f"{off:.2f}" if off else "", *[""] * 4]
    return page.table(HEAD, [*ordered, last])


def rows_in(table):
    """{first cell: cells}"""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in table.split("\n") if line.startswith("| ")]
    return {row[0]: row for row in rows if len(row) == len(HEAD)}


def mean_of(shown):
    """Of the middles of what spread() wrote; None if there are none."""
    found = [float(cell.split()[0]) for cell in shown if cell[:1].isdigit()]
    return math.prod(found) ** (1 / len(found)) if found else None
