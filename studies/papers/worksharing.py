"""ILAN on two EPYC 9354 against a static worksharing loop of LLVM's runtime: figure 6 of its paper."""

from papers import ilan, orders
from report import page
from report.guests import BOUND, chosen, samples, times

STATIC = (*BOUND, ("OMP_SCHEDULE", "static"))
# The paper's text names no other kernel in which worksharing is ahead.
BEHIND = "ft"
CLAIM = "Ahead of worksharing in most, not in FT (figure 6)"


def runs(options):
    for sample in samples(options):
        for name in chosen(ilan.KERNELS, options):
            yield from runs_of(name, *sample)


def runs_of(name, seed, bound):
    """LLVM's taskloops, its worksharing loops, and Vicino's taskloops."""
    return (ilan.run_of(name, ilan.LLVM, BOUND, seed, bound), ilan.run_of(name, ilan.LLVM, STATIC, seed, bound, form="runtime"),
            ilan.run_of(name, ilan.VICINO, BOUND, seed, bound))


def speeds(guests, options, name):
    """[(of worksharing, of ILAN)] over LLVM's taskloops, in the second run of each sample; [] if one was too long."""
    found = [[times(guests[run]) for run in runs_of(name, *sample)] for sample in samples(options)]
    return [(base[1] / loop[1], base[1] / ours[1]) for base, loop, ours in found] if all(map(all, found)) else []


def verdict(by_kernel):
    """`by_kernel`: {kernel: [ILAN's speed over worksharing's]}, of all samples."""
    ahead = [name for name, found in by_kernel.items() if min(found) > 1]
    behind = [name for name, found in by_kernel.items() if max(found) < 1]
    most = len(ahead) > len(by_kernel) / 2
    if most and BEHIND in behind:
        return "reproduced"
    return "in most, also in FT" if most and BEHIND in ahead else "not reproduced"


def text(guests, options):
    rows, over = [], {}
    for name in chosen(ilan.KERNELS, options):
        if found := speeds(guests, options, name):
            over[name] = [ours / loop for loop, ours in found]
            rows.append([ilan.title_of(name), *(orders.spread(column) for column in (*zip(*found), over[name]))])
        else:
            rows.append([ilan.title_of(name), "over its time limit", "", ""])
    ahead = sum(min(found) > 1 for found in over.values())
    rows.append([f"ILAN ahead in {ahead} of {len(over)}", "", "", verdict(over) if over else ""])
    return page.table(["speed over LLVM's taskloops", "LLVM's worksharing, static", "ILAN", "ILAN over worksharing"], rows)
