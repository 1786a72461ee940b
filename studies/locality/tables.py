"""Tables of what was counted: shares of memory accesses by distance, and modelled cycles.

Cycles are divided by those of libomp's static loop with the same kernel, initialisation and seed, so
that a ratio compares like with like; the table has the median and the range over seeds.
"""

import collections

from report import cells, page, stats

REFERENCE = ("clang libomp", "static")
PLACES = ("local", "same_package", "other_package")
INITS = ("first touch", "serial")
BALANCED = ("triad", "stencil", "spmv")
TASKLOOP = "taskloop,c"
# Vicino's own schedules that must keep balanced loops near their data, where they exist.
NEAR = ("nich", "hierarchical", "staggered", "vsched")


def index(guests):
    """{(machine, kernel, init, cell, schedule): {seed: region}}"""
    found = collections.defaultdict(dict)
    for guest in guests:
        for region in guest["regions"]:
            key = (guest["machine"], region["kernel"], region["init"], guest["cell"],
                   region["schedule"])
            found[key][guest["seed"]] = region
    return found


def share(region, place):
    misses = sum(region["totals"][name] for name in PLACES)
    return region["totals"][place] / misses if misses else 0.0


def shares(by_seed, place):
    return [share(region, place) for region in by_seed.values()]


def ratios(by_seed, reference):
    """Cycles over the reference's of the same seed; a seed that only one of the two has is left out."""
    return [region["cycles"] / reference[seed]["cycles"]
            for seed, region in by_seed.items() if seed in reference]


def percent(values):
    return f"{100 * stats.median(values):.1f}"


def spread(values):
    """Median and range."""
    if not values:
        return ""
    middle = page.figure(stats.median(values))
    if len(values) == 1:
        return middle
    return f"{middle} [{page.figure(min(values))}, {page.figure(max(values))}]"


class Figures:
    def __init__(self, guests):
        self.found = index(guests)
        self.machines = sorted({key[0] for key in self.found})
        self.kernels = {machine: _in_order({key[1] for key in self.found if key[0] == machine})
                        for machine in self.machines}
        self.cells = sorted({key[3] for key in self.found}, key=_peers_first)
        self.schedules = _taskloop_last(dict.fromkeys(key[4] for key in self.found))

    def get(self, machine, kernel, init, cell, schedule):
        return self.found.get((machine, kernel, init, cell, schedule), {})

    def cycles(self, machine, kernel, init, cell, schedule):
        return ratios(self.get(machine, kernel, init, cell, schedule),
                      self.get(machine, kernel, init, *REFERENCE))

    def local(self, machine, kernel, init, cell, schedule):
        return shares(self.get(machine, kernel, init, cell, schedule), "local")


def _in_order(kernels):
    """The balanced kernels first, in the order of BALANCED."""
    return [name for name in BALANCED if name in kernels] + sorted(kernels - set(BALANCED))


def _peers_first(cell):
    return cell.split()[0], cell.endswith(cells.OURS), cell


def _taskloop_last(schedules):
    return sorted(schedules, key=lambda name: name == TASKLOOP)


def report(guests, notes=()):
    """The targets as text, and a table for each kernel and machine."""
    figures = Figures(guests)
    each = [(figures, machine, kernel) for machine in figures.machines for kernel in figures.kernels[machine]]
    return [*_targets(figures), *(f"{note}\n" for note in notes), "".join(_reference(*one) for one in each),
            *(_kernel(*one) for one in each)]


def _kernel(figures, machine, kernel):
    head = ["schedule, on", "misses", "local, %", "same p.", "other p.", "cycles",
            "serial: local, %", "same p.", "other p.", "cycles"]
    rows = []
    for schedule in figures.schedules:
        for cell in figures.cells:
            first, serial = (figures.get(machine, kernel, init, cell, schedule) for init in INITS)
            if first or serial:
                rows.append([f"{schedule}, {cell}", _misses(first or serial)] + [
                    text for init in INITS for text in _half(figures, machine, kernel, init, cell, schedule)])
    return page.Rows(f"{kernel} on {machine}", head, rows)


def _misses(by_seed):
    return page.figure(stats.median([sum(region["totals"][name] for name in PLACES)
                                     for region in by_seed.values()]) / 1e3) + " k"


def _half(figures, machine, kernel, init, cell, schedule):
    by_seed = figures.get(machine, kernel, init, cell, schedule)
    if not by_seed:
        return [""] * 4
    return [percent(shares(by_seed, place)) for place in PLACES] + [
        spread(figures.cycles(machine, kernel, init, cell, schedule))]


def _reference(figures, machine, kernel):
    known = [(init, figures.get(machine, kernel, init, *REFERENCE)) for init in INITS]
    if not any(by_seed for _, by_seed in known):
        return f"- No cycles for {kernel} on {machine}: libomp's static loop, the reference, was not run.\n"
    said = " and ".join(
        f"{spread([region['cycles'] / 1e6 for region in by_seed.values()])} million with {init}"
        f"{' initialisation' if init == 'serial' else ''}" for init, by_seed in known if by_seed)
    return f"- {kernel} on {machine}: cycles are over those of static on libomp: {said}.\n"


# ---- The project's targets ----


def _reached(yes):
    return "yes" if yes else "**no**"


def targets(figures):
    """Rows: the target, where it applies, what was found, whether it is reached."""
    ours = [cell for cell in figures.cells if cell.endswith(cells.OURS)]
    near = [name for name in figures.schedules if name.split(",")[0] in NEAR]
    for machine in figures.machines:
        for cell in ours:
            for kernel in (name for name in figures.kernels[machine] if name in BALANCED):
                place = (machine, kernel, "first touch", cell)
                if machine == "4x4":
                    yield from _local(figures, place, "static", 0.97)
                for schedule in near:
                    yield from _local(figures, place, schedule, 0.93)
                yield from _local(figures, place, TASKLOOP, 0.85)
                yield from _taskloop_cycles(figures, place)


def _local(figures, place, schedule, least):
    found = figures.local(*place, schedule)
    if found:
        yield [f"{schedule}: local, %, at least {100 * least:.0f}", _where(place),
               percent(found) + (f" [{100 * min(found):.1f}, {100 * max(found):.1f}]" if len(found) > 1 else ""),
               _reached(stats.median(found) >= least)]


def _taskloop_cycles(figures, place):
    theirs = figures.get(*place[:3], "clang libomp", TASKLOOP)
    found = ratios(figures.get(*place, TASKLOOP), theirs)
    if found:
        yield ["taskloop: cycles over libomp's taskloop, at most 0.70", _where(place), spread(found),
               _reached(stats.median(found) <= 0.7)]


def _where(place):
    machine, kernel, _, cell = place
    return f"{kernel}, {machine}, {cell}"


def _targets(figures):
    rows = list(targets(figures))
    missed = [f"{asked} ({where}): {found}" for asked, where, found, reached in rows if reached != _reached(True)]
    missing = [name for name in NEAR
               if not any(name in schedule for schedule in figures.schedules)]
    text = (f"Of {len(rows)} targets, first touch, {len(rows) - len(missed)} are reached"
            + (". Not reached:\n\n" + "".join(f"- {target}\n" for target in missed) if missed else ".\n"))
    if missing:
        text += f"\nThese do not exist yet and are not judged: {', '.join(missing)} (at least 93 % local).\n"
    return text, page.Rows("Targets, first touch", ["asked", "where", "found", "reached"], rows)
