"""Tables of the programs of bench/mpi: times, and ratios of speeds with their intervals."""

from report import cells, page, stats

TITLES = {"unbound": "Default threads and settings by hand", "noise": "Under external noise",
          "uneven": "Two ranks of a core each, one with twice the work",
          "even": "Two ranks of a core each, with equal work"}
BASES = {"noise": "static", "uneven": "", "even": ""}  # the setting with which others are compared


def quiet(sample):
    return stats.quietest(sample["ns"], sample["others"], least=1)


def runtime_of(row):
    return row.partition(",")[0]


def setting_of(row):
    return row.partition(", ")[2]


def is_peer(row):
    return runtime_of(row) in cells.PEERS


def compiler_of(row):
    return cells.COMPILER_OF.get(runtime_of(row), runtime_of(row).rpartition(" ")[2])


def time_of(values):
    spread = f" ({page.figure(100 * stats.spread(values) / stats.median(values))} %)" if len(values) > 1 else ""
    return page.duration(stats.median(values)) + spread


def speed(by_row, row, others):
    """How many times as fast as the best of the other rows, with a 95 % interval; None without them."""
    references = [quiet(by_row[other]) for other in others if other in by_row]
    if row not in by_row or not references:
        return None
    slow = stats.ratio(quiet(by_row[row]), references)
    interval = {"low": 1 / slow["high"], "high": 1 / slow["low"]} if "low" in slow else {}
    return {"ratio": 1 / slow["ratio"], **interval}


def shown(found):
    return page.ratio(found) if found else ""


def parts(data):
    found = [f"Cores: {data['cores']}. Noise: one core is busy with another process for {data['noise']}.\n"]
    if data["unknown"]:
        found.append(f"Not measured, because the library does not know it: {', '.join(data['unknown'])}.\n")
    for part, title in TITLES.items():
        if by_case := data["samples"].get(part):
            found += unbound(title, by_case) if part == "unbound" else settings(title, part, by_case)
    if data["late"]:
        found.append("No end in time: " + "; ".join(", ".join(place) for place in data["late"]) + ".\n")
    return found


def over_all(title, head, speeds):
    """{row: [{case: speed}]} as a table of the page."""
    return page.table([f"{title}: mean; least", *head],
                      [[row, *(page.mean_and_least({case: found["ratio"] for case, found in column.items() if found})
                               for column in columns)] for row, columns in speeds.items()])


def unbound(title, by_case):
    """Programs of two compilers are not compared with each other."""
    rows = sorted({row for by_row in by_case.values() for row in by_row}, key=lambda row: (is_peer(row), row))
    ours = [row for row in rows if not is_peer(row) and not setting_of(row)]
    ratios, speeds = [], {row: ({}, {}) for row in ours}
    for case, by_row in by_case.items():
        for row in [row for row in ours if row in by_row]:
            rivals = [other for other in by_row if compiler_of(other) == compiler_of(row)]
            over = (speed(by_row, row, [other for other in rivals if is_peer(other) and not setting_of(other)]),
                    speed(by_row, row, [other for other in rivals if setting_of(other)]))
            ratios.append([f"{case}, {row}", *map(shown, over)])
            for column, found in zip(speeds[row], over):
                column[case] = found
    times = [[row, *(time_of(quiet(by_row[row])) if row in by_row else "" for by_row in by_case.values())]
             for row in rows]
    head = ["the compiler's own runtime, by default", "the best by hand"]
    return [f"### {title}\n", over_all("speed, by default, over", head, speeds),
            page.Rows(title, ["speed, by default, over", *head], ratios),
            page.Rows(f"{title}: times", ["time (spread)", *by_case], times)]


def settings(title, part, by_case):
    rows, speeds = [], {}
    for case, by_row in by_case.items():
        for row in sorted(by_row):
            base = ", ".join(word for word in (runtime_of(row), BASES[part]) if word)
            over = None if row == base else speed(by_row, row, [base])
            rows.append([f"{case}, {row}", time_of(quiet(by_row[row])), shown(over)])
            if over:
                speeds.setdefault(row, [{}])[0][case] = over
    what = f"speed over {BASES[part] or 'the default'}"
    return [f"### {title}\n", over_all(what, [""], speeds), page.Rows(title, ["", "time (spread)", what], rows)]
