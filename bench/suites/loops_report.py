"""Tables of the loop kernels: {kernel: {"runtime schedule": [ns]}} of one compiler and team size."""

import statistics

from report import cells, page, stats

# Runs in a process; each is a sample.
REPEAT = 2
# Schedules that should be good without being chosen for a loop.
HEADLINE = ("default", "ich", "nich", "mixed")


def medians(by_row):
    return {row: stats.median(values) for row, values in by_row.items()}


def best(by_row):
    found = medians(by_row)
    return min(found, key=found.get)


def over_best(by_kernel):
    """{row: {kernel: its time over that of the best schedule of any runtime}}"""
    found = {}
    for kernel, by_row in by_kernel.items():
        times = medians(by_row)
        least = min(times.values())
        for row, time in times.items():
            found.setdefault(row, {})[kernel] = time / least
    return found


def over_best_chosen_apart(by_kernel):
    """As over_best, but each best schedule is chosen without the samples that it is compared by
    (stats.over_chosen_apart)."""
    found = {}
    for kernel, by_row in by_kernel.items():
        for row in by_row:
            ratio = stats.over_chosen_apart(by_row, row, together=REPEAT)
            if ratio is not None:
                found.setdefault(row, {})[kernel] = ratio
    return found


def spread(values):
    """{"median": …, "worst": …, "kernel": the worst one} of {kernel: ratio}."""
    worst = max(values, key=values.get)
    return {"median": statistics.median(values.values()), "worst": values[worst], "kernel": worst}


def is_ours(row):
    return row.startswith(cells.OURS + " ")


def in_order(rows):
    """Vicino's rows first, and its default before all."""
    return sorted(rows, key=lambda row: (not is_ours(row), row != f"{cells.OURS} default", row))


def peers_static(by_row):
    return next((f"{peer} static" for peer in cells.PEERS if f"{peer} static" in by_row), None)


def columns(by_kernel):
    return {kernel: kernel.replace("synthetic-", "syn. ") for kernel in by_kernel}


def times(where, by_kernel):
    default = f"{cells.OURS} default"
    rows = []
    for kernel, by_row in by_kernel.items():
        row, peer = best(by_row), peers_static(by_row)
        rows.append([kernel, row, page.timed(by_row[row]), page.timed(by_row.get(peer)), page.timed(by_row.get(default))])
    return [page.Rows(f"Loop kernels, {where}", ["kernel", "best schedule", "its time", "peer's static", default], rows),
            ratios(f"Loop kernels, {where}: each schedule's time over the best one's", by_kernel)]


def ratios(title, by_kernel):
    found = over_best(by_kernel)
    rows = []
    for row in in_order(found):
        overall = spread(found[row])
        rows.append([row, f"{overall['median']:.2f}", f"{overall['worst']:.2f}",
                     *(f"{found[row][k]:.2f}" if k in found[row] else "" for k in by_kernel)])
    return page.Rows(title, ["", "median", "worst", *columns(by_kernel).values()], rows)


def summary(by_part):
    """One line for each of HEADLINE, one column for each (threads, compiler)."""
    missing = [name for name in HEADLINE
               if not any(f"{cells.OURS} {name}" in rows
                          for by_kernel in by_part.values() for rows in by_kernel.values())]
    text = _summary(by_part, over_best, "median; worst")
    text += _summary(by_part, over_best_chosen_apart, "over the best one chosen apart")
    return text + (f"\nNot in this build: {', '.join(missing)}.\n" if missing else "")


def _summary(by_part, over, title):
    parts = sorted(by_part)
    found = {part: over(by_part[part]) for part in parts}
    rows = [[row, *(_verdict(found[part].get(row)) for part in parts)]
            for row in (f"{cells.OURS} {name}" for name in HEADLINE)
            if any(row in found[part] for part in parts)]
    head = [title, *(f"{page.team(threads)}, {compiler}" for threads, compiler in parts)]
    return page.table(head, rows) + "\n" if rows else ""


def _verdict(values):
    if not values:
        return ""
    overall = spread(values)
    return f"{overall['median']:.2f}; {overall['worst']:.2f} ({overall['kernel']})"


def number(value):
    return "0" if value == 0 else f"{value:.3g}"


def works(lines):
    rows = []
    for line in lines:
        published = line.get("published")
        rows.append([f"{line['kernel']}, {line['loop']}: {line['unit']}", line["iterations"],
                     *_shape(line), *(_shape(published) if published else [""] * 4)])
    return page.Rows("Work per iteration", ["", "iterations", "mean", "variance", "range", "var./mean²", "paper: mean",
                                            "variance", "range", "var./mean²"], rows)


def _shape(of):
    return [*(number(of[key]) for key in ("mean", "variance", "range")),
            number(of["variance"] / of["mean"] ** 2) if of["mean"] else ""]
