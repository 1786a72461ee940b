"""Tables of the graphs' speed over the serial loops, like tables III, V, VII and IX of the paper of Taggre
and Nas; of the cost of managing a task; and of what the memory allows."""

from report import cells, page, stats

AUTOMATIC = "automatic"
SHOWN = ("", "F(32)", "D(400)", "CD(4)")  # the columns of the paper's tables
STRINGS = (*SHOWN, "S", "SD(300)F(32)")
MEASURED = ("factor", "forward", "backward", "solve")
BOTH = "both solves"
OPERATIONS = {"factor": "Factorisation", "forward": "Forward solve", "backward": "Backward solve",
              BOTH: "Forward and backward solve", "solve": "Whole solver"}


def column(coarse):
    return coarse or "none"


def times(sample, who, operation):
    """[ns] of "serial" or of the graph ("ns")."""
    if operation != BOTH:
        return sample[who][operation]
    return [a + b for a, b in zip(sample[who]["forward"], sample[who]["backward"])]


def quiet(sample, values):
    return stats.quietest(values, sample["others"])


def speeds(sample, operation):
    """The speed-ups over the serial loops, one of each round."""
    return quiet(sample, [serial / ns for serial, ns in zip(times(sample, "serial", operation),
                                                            times(sample, "ns", operation))])


def speed(sample, operation):
    return stats.median(speeds(sample, operation))


def shown(values):
    return page.with_spread(values, "{:.2f}".format)


def is_ours(row):
    return row.endswith(" graph") and not row.startswith("oneTBB")


def rows_of(by_matrix):
    """Back ends, Vicino's graphs first."""
    found = {row for by_fill in by_matrix.values() for by_row in by_fill.values() for row in by_row}
    return sorted(found, key=lambda row: (not is_ours(row), not row.startswith(cells.OURS), row))


def cases(by_matrix):
    return [(matrix, fill, by_row) for matrix, by_fill in sorted(by_matrix.items())
            for fill, by_row in sorted(by_fill.items())]


def best_string(by_coarse, operation):
    """The string with the highest median; never the automatic one."""
    fixed = {coarse: sample for coarse, sample in by_coarse.items() if coarse != AUTOMATIC}
    return max(fixed, key=lambda coarse: speed(fixed[coarse], operation))


def our_table(title, by_matrix, operation, row, strings):
    shown_strings = [s for s in (*SHOWN, AUTOMATIC) if s in strings]
    lines = []
    for matrix, fill, by_row in cases(by_matrix):
        by_coarse = by_row.get(row)
        if not by_coarse:
            continue
        best = best_string(by_coarse, operation)
        serial = quiet(by_coarse[best], times(by_coarse[best], "serial", operation))
        lines.append([f"{matrix}, ILU({fill})", page.duration(stats.median(serial)),
                      *(shown(speeds(by_coarse[s], operation)) for s in shown_strings),
                      f"{column(best)}: {speed(by_coarse[best], operation):.2f}"])
    return page.Rows(title, [f"{row}: times as fast as serial", "serial", *map(column, shown_strings), "best string"], lines)


def peers_table(title, by_matrix, operation):
    peers = [row for row in rows_of(by_matrix) if not is_ours(row)]
    strings = ("", "CD(4)")
    lines = []
    for matrix, fill, by_row in cases(by_matrix):
        found = [by_row.get(peer, {}).get(s) for peer in peers for s in strings]
        if not any(found):
            continue  # too large for the peers
        lines.append([f"{matrix}, ILU({fill})",
                      *(shown(speeds(sample, operation)) if sample else "" for sample in found)])
    return page.Rows(title, ["times as fast as serial", *(f"{peer}, {column(s)}" for peer in peers for s in strings)],
                     lines)


def summary(samples):
    """For each team and operation: the best string, automatic over it and over serial, and over peers."""
    lines = []
    for threads, by_matrix in sorted(samples.items()):
        for row in filter(is_ours, rows_of(by_matrix)):
            lines += [[f"{row}, {page.team(threads)}, {title[0].lower()}{title[1:]}",
                       *summary_cells(by_matrix, row, operation)] for operation, title in OPERATIONS.items()]
    return page.table(["mean; least", "best string over serial", "automatic over serial",
                       "automatic over the best string", "best string over the best peer"], lines)


def summary_cells(by_matrix, row, operation):
    best, automatic, to_best, to_peers = {}, {}, {}, {}
    for matrix, fill, by_row in cases(by_matrix):
        if row not in by_row:
            continue
        name, by_coarse = f"{matrix}, ILU({fill})", by_row[row]
        best[name] = speed(by_coarse[best_string(by_coarse, operation)], operation)
        if AUTOMATIC in by_coarse:
            automatic[name] = speed(by_coarse[AUTOMATIC], operation)
            to_best[name] = automatic[name] / best[name]
        peers = [speed(sample, operation) for peer, by in by_row.items() if not is_ours(peer)
                 for sample in by.values()]
        if peers:
            to_peers[name] = best[name] / max(peers)
    return [page.mean_and_least(found) for found in (best, automatic, to_best, to_peers)]


# A solve that takes at most so many times what the memory needs is bound by the memory.
BOUND = 1.25
# Other solves should be so many times as fast as the serial loops on two threads.
ENOUGH = 1.7


def bounds(data):
    """What the memory allows a forward and a backward solve, beside what was reached."""
    lines, slow = [], []
    for matrix, fill, figures in cases(data["bytes"]):
        line = [f"{matrix}, ILU({fill})", f"{figures['bytes'] / 1e6:.0f}"]
        for threads, by_matrix in sorted(data["samples"].items()):
            speed_of = data["memory"].get(threads, {}).get(matrix, {}).get(fill)
            row = next(filter(is_ours, rows_of(by_matrix)), None)
            by_coarse = by_matrix.get(matrix, {}).get(fill, {}).get(row)
            if not speed_of or not by_coarse:
                line += [""] * 6
                continue
            sample = by_coarse[AUTOMATIC if AUTOMATIC in by_coarse else best_string(by_coarse, BOTH)]
            least = figures["bytes"] / max(speed_of.values())
            serial = stats.median(quiet(sample, times(sample, "serial", BOTH)))
            taken, reached = stats.median(quiet(sample, times(sample, "ns", BOTH))), speed(sample, BOTH)
            bound = taken <= BOUND * least
            line += [f"{speed_of['triad']:.1f}; {speed_of['sum']:.1f}", page.duration(least),
                     page.duration(taken), f"{serial / least:.2f}", f"{reached:.2f}", "yes" if bound else "no"]
            if threads == 2 and not bound and reached < ENOUGH:
                slow.append(f"{line[0]} ({reached:.2f})")
        lines.append(line)
    head = ["", "MB"]
    for threads in sorted(data["samples"]):
        head += [f"{page.team(threads)}: GB/s, triad; sum", "least time", "time taken",
                 "memory allows, times serial", "reached", "bound by memory"]
    said = (f"Not bound by memory, and less than {ENOUGH} times as fast as the serial loops on 2 threads: "
            + ", ".join(slow) if slow else
            f"On 2 threads each solve is bound by memory or at least {ENOUGH} times as fast as the serial loops")
    return [f"{said}.\n", page.Rows("What the memory allows", head, lines)]


def coarsening(samples, sizes):
    lines = []
    by_matrix = samples[min(samples)]
    row = next(filter(is_ours, rows_of(by_matrix)), None)
    for matrix, fill, by_row in cases(by_matrix):
        for coarse, sample in by_row.get(row, {}).items():
            if coarse in ("", AUTOMATIC):
                continue
            ns, figures = stats.median(sample["coarsening"]), sizes[matrix][fill]
            lines.append([f"{matrix}, ILU({fill}), {coarse}", figures["rows"], figures["edges"],
                          sample["units"], sample["unit_edges"], page.duration(ns),
                          f"{ns / figures['sweep']:.1f}"])
    return page.Rows("Coarsening", ["", "tasks", "edges", "aggregates", "edges between them", "time of coarsening",
                                    "in sweeps over the edges"], lines)


def empty_tables(empty):
    text = ""
    for threads, by_shape in sorted(empty.items()):
        rows = sorted({row for by_row in by_shape.values() for row in by_row},
                      key=lambda row: (not is_ours(row), not row.startswith(cells.OURS), row))
        ours = next(filter(is_ours, rows), None)
        lines = []
        for shape, by_row in sorted(by_shape.items()):
            values = {row: quiet(by_row[row], by_row[row]["ns"]) for row in rows if row in by_row}
            # A task that Vicino does not manage by itself may take less than one of the plain loop.
            ratios = [f"{max(stats.median(values[ours]), 0) / stats.median(values[row]):.2f}"
                      if ours in values and row in values else "" for row in rows if row != ours]
            lines.append([shape, *(page.median(values.get(row)) for row in rows), *ratios])
        head = [f"ns per task, {page.team(threads)}", *rows]
        head += [f"ratio to {row}" for row in rows if row != ours] if ours else []
        text += page.table(head, lines) + "\n"
    return text


def explanations(samples):
    """What automatic graphs chose, in the last process of each case."""
    rows = [[f"{matrix}, ILU({fill}), {page.team(threads)}", chosen] for threads, by_matrix in sorted(samples.items())
            for matrix, fill, by_row in cases(by_matrix) for row in filter(is_ours, by_row)
            if (chosen := by_row[row].get(AUTOMATIC, {}).get("explanation", "").strip())]
    return page.Rows("What automatic graphs chose", ["", "chosen"], rows)


def parts(data):
    samples, found = data["samples"], []
    if samples:
        found += ["### Over all systems\n", summary(samples)]
        if AUTOMATIC not in data["strings"]:
            found.append(f"The coarse string `{AUTOMATIC}` is not in this build.\n")
    for operation, title in OPERATIONS.items():
        for threads, by_matrix in sorted(samples.items()):
            title_of = f"{title}, {page.team(threads)}"
            found += [*(our_table(f"{title_of}, {row}", by_matrix, operation, row, data["strings"])
                        for row in filter(is_ours, rows_of(by_matrix))),
                      peers_table(f"{title_of}, peers", by_matrix, operation)]
    if data["memory"]:
        found += ["### What the memory allows\n", *bounds(data)]
    if samples:
        found.append(coarsening(samples, data["bytes"]))
    if data["empty"]:
        found += ["### The cost of managing a task\n", empty_tables(data["empty"])]
    return [part for part in [*found, explanations(samples)] if isinstance(part, str) or part.rows]
