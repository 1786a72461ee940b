"""Tables of the kernels for the tuner: {kernel: {"runtime row": [ns]}} of one compiler and team size."""

from report import cells, page, stats
from suites import loops_report

CHOOSES = ("runtime", "auto")  # rows of Vicino where nothing is set
NOT_FIXED = ("taskloop", *CHOOSES)
SERIAL = "serial"


def part(key):
    threads, compiler = key
    return f"{page.team(threads)}, {compiler}"


def subjects(by_kernel):
    """Vicino, and the runtimes given by --extra."""
    rows = {row: None for by_row in by_kernel.values() for row in by_row if row != SERIAL}
    runtimes = dict.fromkeys(row.rpartition(" ")[0] for row in rows)
    return [runtime for runtime in runtimes if runtime not in cells.PEERS]


def peer_of(by_kernel):
    rows = [row for by_row in by_kernel.values() for row in by_row]
    return next((p for p in cells.PEERS if any(row.startswith(f"{p} ") for row in rows)), None)


def speeds(by_kernel, ours, theirs):
    """{kernel: how many times faster `ours` is than `theirs`}; both are functions of a kernel's rows."""
    found = {}
    for kernel, by_row in by_kernel.items():
        a, b = ours(by_row), theirs(by_row)
        if a and b:
            found[kernel] = stats.median(b) / stats.median(a)
    return found


def row(name):
    return lambda by_row: by_row.get(name)


def fixed(by_row):
    return [name for name in by_row if name != SERIAL and name.rpartition(" ")[2] not in NOT_FIXED]


def best_fixed(by_row):
    """The fixed schedule with the least median, on any runtime; None if there is none."""
    return min(fixed(by_row), key=lambda name: stats.median(by_row[name]), default=None)


def speeds_over_chosen_apart(by_kernel, name):
    """{kernel: how many times faster than the best fixed schedule}; see stats.over_chosen_apart."""
    found = {kernel: stats.over_chosen_apart(by_row, name, fixed(by_row))
             for kernel, by_row in by_kernel.items() if name in by_row}
    return {kernel: 1 / ratio for kernel, ratio in found.items() if ratio is not None}


def best_fixed_times(by_row):
    name = best_fixed(by_row)
    return by_row[name] if name else None


def comparisons(by_kernel):
    """{comparison: {kernel: speed}}, of one compiler and team size."""
    peer = peer_of(by_kernel)
    found = {}
    for name in subjects(by_kernel):
        found[f"{name} taskloop over the peer's"] = speeds(by_kernel, row(f"{name} taskloop"),
                                                           row(f"{peer} taskloop"))
        for way in CHOOSES:
            found[f"{name} {way} over the best fixed schedule"] = speeds(by_kernel, row(f"{name} {way}"),
                                                                         best_fixed_times)
            found[f"{name} {way} over the best fixed schedule chosen apart"] = speeds_over_chosen_apart(
                by_kernel, f"{name} {way}")
    return found


def over_serial(by_kernel):
    return {f"{name} {form} over serial, slower with more threads":
            speeds(by_kernel, row(f"{name} {form}"), row(SERIAL))
            for name in subjects(by_kernel) for form in ("taskloop", *CHOOSES)}


def summary(compared):
    """One line for each comparison, one column for each (threads, compiler)."""
    names = dict.fromkeys(name for found in compared.values() for name in found)
    rows = [[name, *(page.mean_and_least(found.get(name)) for found in compared.values())] for name in names]
    rows = [line for line in rows if any(line[1:])]
    return page.table(["times as fast: mean; least", *map(part, compared)], rows) if rows else ""


def taskloops(title, by_kernel):
    peer = peer_of(by_kernel)
    ours = [name for name in subjects(by_kernel) if any(f"{name} taskloop" in r for r in by_kernel.values())]
    if not ours:
        return []
    names = [*([peer] if peer else []), *ours]
    rows = [[kernel, *(page.timed(by_row.get(f"{name} taskloop")) for name in names),
             *(page.timed_ratio(by_row.get(f"{name} taskloop"), by_row.get(f"{peer} taskloop")) for name in ours
               if peer)]
            for kernel, by_row in by_kernel.items()]
    return [page.Rows(title, ["kernel", *names, *(f"{name}, ratio to {peer}" for name in ours if peer)], rows),
            *said(title, (page.verdict(f"{name}'s taskloops", f"{peer}'s",
                                       speeds(by_kernel, row(f"{name} taskloop"), row(f"{peer} taskloop")))
                          for name in ours if peer))]


def said(title, verdicts):
    """The sentences that there are, as a part."""
    found = [f"- {title}: {text}" for text in verdicts if text]
    return ["".join(found)] if found else []


def choosers(by_kernel):
    rows = {name for by_row in by_kernel.values() for name in by_row}
    return [f"{name} {way}" for name in subjects(by_kernel) for way in CHOOSES if f"{name} {way}" in rows]


def loops(title, by_kernel):
    chosen = choosers(by_kernel)
    if not chosen:
        return []
    rows = []
    for kernel, by_row in by_kernel.items():
        best = best_fixed(by_row)
        rows.append([kernel, best or "", page.timed(by_row.get(best)), *(page.timed(by_row.get(c)) for c in chosen),
                     *(page.timed_ratio(by_row.get(c), by_row.get(best)) for c in chosen)])
    head = ["kernel", "best fixed schedule", "its time", *chosen, *(f"{c}, ratio to it" for c in chosen)]
    of_loops = {kernel: {name: values for name, values in by_row.items() if not name.endswith(" taskloop")}
                for kernel, by_row in by_kernel.items()}
    return [page.Rows(title, head, rows),
            *said(title, (page.verdict(c, "the best fixed schedule", speeds(by_kernel, row(c), best_fixed_times))
                          for c in chosen)),
            loops_report.ratios(f"{title}: each row's time over the best one's", of_loops)]


def contended(title, by_kernel):
    if not by_kernel:
        return []
    names = sorted({name for by_row in by_kernel.values() for name in by_row if name != SERIAL},
                   key=lambda name: (not loops_report.is_ours(name), name))
    ours = [name for name in names if name.rpartition(" ")[0] not in cells.PEERS]
    rows = [[kernel, *(page.timed(by_row.get(name)) for name in (SERIAL, *names)),
             *(page.timed_ratio(by_row.get(name), by_row.get(SERIAL)) for name in ours)]
            for kernel, by_row in by_kernel.items()]
    return [page.Rows(title, ["kernel", SERIAL, *names, *(f"{name}, ratio to serial" for name in ours)], rows),
            *said(title, (slowest(name, speeds(by_kernel, row(name), row(SERIAL))) for name in ours))]


def slowest(name, found):
    if not found:
        return ""
    worst = min(found, key=found.get)
    return f"{name}: {1 / found[worst]:.2f} times as long as the serial form at most ({worst}).\n"
